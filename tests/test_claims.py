"""Every figure that README.md and docs print is listed in benchmarks/claims.toml, and `make claims` judges it."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.documents import ROOT, run_program

sys.path.append(str(ROOT / "benchmarks"))  # programs that import their neighbours
import claims
import printed_claims
from printed_claims import Claim, figures, listed, printed, unlisted

PAGES = ["README.md", *(page.relative_to(ROOT).as_posix() for page in sorted((ROOT / "docs").rglob("*.md")))]
CLAIMS = {claim.name: claim for claim in listed()}


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of its own in an empty folder, in which commands run."""
    monkeypatch.setattr(printed_claims, "ROOT", tmp_path)
    monkeypatch.setattr(claims, "ROOT", tmp_path)
    printed_claims.page_text.cache_clear()
    return tmp_path / "page.md"


@pytest.mark.parametrize("name", PAGES)
def test_every_figure_on_a_page_is_listed(name: str) -> None:
    """A new figure needs a claim in benchmarks/claims.toml, which says what repeats it."""
    assert unlisted(name, list(CLAIMS.values())) == []


@pytest.mark.parametrize("name", CLAIMS)
def test_every_claim_says_what_repeats_it_or_why_nothing_does(name: str) -> None:
    claim = CLAIMS[name]
    assert claim.page in PAGES
    assert claim.command or claim.tested or claim.kept
    assert not claim.tested or (ROOT / claim.tested).exists()
    assert claim.text or claim.command or claim.tested or claim.figures
    assert claim.machine or not claim.tolerance
    if claim.command and claim.text:
        assert any(place.figures for place in printed(claim, printed_claims.page_text(claim.page)))


def test_the_cheap_claims_take_ten_minutes_at_most() -> None:
    seconds = {claim.command: claim.seconds for claim in CLAIMS.values() if claim.is_cheap}
    assert sum(seconds.values()) <= 600


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It wins +13.35 ± 0.10 points.", ["+13.35", "± 0.10"]),
        ("| `tempo` | −0.41 | 23.8 million | 77 % |", ["−0.41", "23.8", "77"]),
        ("the first of 87 functions takes 20 seconds, 300 pieces a second", ["87", "20", "300"]),
        ("104,036,769 decisions, 12 points a round", ["104,036,769", "12"]),
        ("with 95 % intervals (RULES.md 6.2), PettingZoo 1.27, Python 3.11 to 3.14, version 0.61.0", []),
        ("in Skyjo 0.98 of the time", ["0.98"]),
        ("- `two` won 126 points a\n  round in 3\n  seconds", ["126", "3"]),
        ("`threshold:t=2.5`, [page](a%201.5.md), 26 actions, 20,000 deals of 2 players in 2026", []),
        ("| rule | clause |\n| --- | --- |\n| a | 6.1, 6.2 |\n", []),
        ("```python\nrate = 0.5\n```\n", []),
        ("```\n$ skyjo match a b\n a  +1.5\n```\n", ["+1.5"]),
    ],
)
def test_what_counts_as_a_figure(text: str, found: list[str]) -> None:
    assert [figure[0] for figure in figures(text)] == found


def test_a_figure_that_no_claim_lists_is_named_with_its_line(page: Path) -> None:
    page.write_text("# Page\n\nIt wins 1.5 points,\nand 2.5 more.\n")
    claim = Claim("wins", "page.md", text=["It wins {mean} points"])
    assert unlisted("page.md", [claim]) == ["page.md:4: '2.5 more.\\n'"]
    assert unlisted("page.md", [claim, Claim("rest", "page.md", kept="by hand", figures=1)]) == []
    (wrong,) = unlisted("page.md", [claim, Claim("rest", "page.md", kept="by hand", figures=2)])
    assert wrong == "page.md: rest lists 2 figures, and the page has 1"


def test_a_text_is_found_across_lines_and_only_in_its_section(page: Path) -> None:
    page.write_text("# Page\n## One\na wins\n1.5\n## Two\na wins 2.5\nb wins 3.5\n")
    text = page.read_text()
    (one,) = printed(Claim("one", "page.md", section="One", text=["<agent> wins {mean}"]), text)
    assert (one.words, one.figures) == ({"agent": "a"}, [("mean", "1.5")])
    two = printed(Claim("two", "page.md", section="Two", text=["<agent> wins {agents/<agent>/mean}"]), text)
    assert [place.figures for place in two] == [[("agents/a/mean", "2.5")], [("agents/b/mean", "3.5")]]
    with pytest.raises(ValueError, match=r"two: page.md has no 'c wins \{mean\}'"):
        printed(Claim("two", "page.md", text=["c wins {mean}"]), text)


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("a/0/mean", 1.5),
        ("a/name=x=1/mean", 1.5),
        ("a/name=y/n=3/mean * 100", 350),
        ("a/name=y/n=2/mean", 2.5),
    ],
)
def test_a_path_leads_to_a_number(path: str, number: float) -> None:
    rows: list[dict[str, Any]] = [{"name": "x=1", "n": 2, "mean": 1.5}]
    rows += [{"name": "y", "n": 2, "mean": 2.5}, {"name": "y", "n": 3, "mean": 3.5}]
    assert claims.at({"a": rows}, path) == number


@pytest.mark.parametrize(
    ("claim", "claimed", "measured", "verdict"),
    [
        ({}, "+13.35", 13.3549, "same"),
        ({}, "−13.35", -13.356, "differs"),
        ({}, "1,245", 1245.4, "same"),
        ({"machine": True, "tolerance": 0.2}, "10.0", 11.9, "agrees"),
        ({"machine": True, "tolerance": 0.2}, "10.0", 12.1, "other machine"),
        ({"at_least": True}, "98", 99.9, "agrees"),
        ({"at_least": True}, "98", 97.9, "differs"),
    ],
)
def test_a_figure_is_judged_by_its_digits_or_its_tolerance(
    claim: dict[str, Any], claimed: str, measured: float, verdict: str
) -> None:
    assert claims.judged(Claim("name", "page.md", **claim), claimed, measured) == verdict


def test_a_claim_is_repeated_for_every_row_of_a_table(page: Path) -> None:
    page.write_text("| `a` | 10 | 1.5 |\n| `b` | 1,000 | 2.5 |\n")
    claim = Claim("rows", "page.md", text=["| `<agent>` | <deals> | {<agent>/0} |"])
    command = """python -c 'print("{\\"<agent>\\": [1.5], \\"deals\\": <deals>}")'"""
    found = list(claims.verdicts([Claim(**{**vars(claim), "command": command})]))
    assert [(each.what, each.claimed, each.verdict) for each in found] == [
        ("a 10 a/0", "1.5", "same"),
        ("b 1,000 b/0", "2.5", "differs"),
    ]


def test_what_a_page_shows_of_a_command_is_compared_line_by_line(page: Path) -> None:
    shown = """python -c 'print("one\\ntwo")'"""
    page.write_text(f"```\n$ {shown}\none\n\ntwo\n```\n")
    (same,) = claims.verdicts([Claim("shown", "page.md", command=shown)])
    assert (same.claimed, same.verdict) == ("2 lines", "same")
    printed_claims.page_text.cache_clear()
    page.write_text(f"```\n$ {shown}\none\nthree\n```\n")
    (other,) = claims.verdicts([Claim("shown", "page.md", command=shown)])
    assert (other.measured, other.verdict) == ("1 differ", "differs")


def test_the_python_before_a_command_runs_first_in_the_same_folder(page: Path) -> None:
    write, show = 'open("file", "w").write("one")', """python -c 'print(open("file").read())'"""
    page.write_text(f"```python\n{write}\n```\n\n```\n$ {show}\none\n```\n")
    (same,) = claims.verdicts([Claim("shown", "page.md", command=show)])
    assert same.verdict == "same"
    assert [*page.parent.iterdir()] == [page]


def test_a_command_that_fails_is_a_contradiction_with_its_last_line(page: Path) -> None:
    page.write_text("It takes 1.5 s.\n")
    command = """python -c 'import sys; sys.exit("no such thing")'"""
    (failed,) = claims.verdicts([Claim("fails", "page.md", text=["{a} s"], command=command)])
    assert (failed.verdict, failed.measured) == ("failed", "ValueError: no such thing")
    assert failed.is_contradiction


@pytest.mark.parametrize(
    ("command", "words"),
    [("no-such-program --json", "FileNotFoundError"), ("""python -c 'print("{\\"a\\": null}")'""", "TypeError")],
)
def test_a_claim_without_a_command_or_a_number_fails_alone(page: Path, command: str, words: str) -> None:
    page.write_text("It takes 1.5 s.\n")
    (failed,) = claims.verdicts([Claim("fails", "page.md", text=["{a} s"], command=command)])
    assert (failed.verdict, failed.measured.partition(":")[0]) == ("failed", words)


def test_a_command_that_fails_runs_once(page: Path) -> None:
    page.write_text("It takes 1.5 s, and with two 2.5 s.\n")
    runs = page.parent / "runs"
    command = f"""python -c 'open("{runs.as_posix()}", "a").write("one "); raise SystemExit(1)'"""
    found = [*claims.verdicts([Claim("fails", "page.md", text=["takes {a} s", "two {b} s"], command=command)])]
    assert [verdict.verdict for verdict in found] == ["failed", "failed"]
    assert runs.read_text() == "one "


def test_the_program_lists_repeats_and_refuses() -> None:
    everything = run_program("benchmarks/claims.py", "--list")
    assert len(everything.out.splitlines()) == len(CLAIMS)
    cheap = run_program("benchmarks/claims.py", "trust-totals", "--json")
    assert (cheap.status, '"verdict": "same"' in cheap.out) == (0, True)
    assert "no claim is called nobody;" in run_program("benchmarks/claims.py", "trust-totals", "nobody", "--list").err
