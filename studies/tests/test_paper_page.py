"""The report on the paper and the command that writes it."""

import builtins
import json
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from cardtable.pages.svg import as_svg
from skyjo_agents.scripted import ThresholdAgent
from skyjo_env import OFFICIAL, REICHEL, Game, SkyjoError
from skyjo_env.kernel.state import CONFIRM
from studies.paper import paper_results as results
from studies.paper import sweeps
from studies.paper.duels import (
    AlwaysClears,
    DealSettings,
    Duel,
    Variant,
    duel_of,
    refusals,
    threshold_duels,
    variant,
)
from studies.paper.paper_document import PARTS, SECTIONS, PaperDocument
from studies.paper.paper_figures import draw_figures
from studies.paper.paper_page import render_page, render_summary
from studies.paper.paper_results import Settings, run_study, variant_rows
from studies.paper.sweeps import (
    DESCRIBED,
    PROGRAM,
    SOURCES,
    games_for,
    jobs_of,
    play_piece,
    spread,
    summary,
    sweep,
)
from tests.balanced_page import Page
from tests.helpers import GONE, table
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.cli import study as study
from tests.skyjo_play import play_paired
from tests.typed_documents import mismatch

DOCS = Path(__file__).parents[2] / "docs"


def ignore(_: float) -> None:
    """Nobody looks at the progress."""


@pytest.fixture(scope="module")
def document() -> Any:
    """The stored results, whose numbers docs/paper.md shows."""
    return json.loads((DOCS / "paper.json").read_text())


def test_the_page_holds_every_claim_table_and_figure(document: Any) -> None:
    page = render_page(document)
    assert Page(page).words
    assert page.count("<svg") == 3
    assert page.count('class="claim ') == len(document["claims"]) == 11
    for kind, count in {"Lemma": 3, "Proposition": 12, "Corollary": 2}.items():
        assert all(re.search(rf"\b{kind} {n}\b", page) for n in range(1, count + 1))
    for part in PARTS:
        assert f"{document['command']} --only {part}</code>" in page
    assert "3.08" in page
    assert "<script" not in page


@pytest.mark.long
def test_a_page_can_have_any_part_alone(document: Any) -> None:
    for part in PARTS:
        kept: Any = {key: value for key, value in document.items() if key not in SECTIONS.values()}
        kept["parts"] = [part]
        kept[SECTIONS[part]] = document[SECTIONS[part]]
        for page in (render_page(kept), render_summary(kept)):
            assert sum(f"--only {other}" in page for other in PARTS) == 1
    kept = {**kept, "points": []}
    assert "<svg" not in render_page(kept)


def test_the_summary_in_the_docs_is_that_of_the_stored_results(document: Any) -> None:
    """After a change: python -m studies paper --load docs/paper.json --summary docs/paper.md."""
    assert (DOCS / "paper.md").read_text() == render_summary(document)


@pytest.mark.long
def test_the_stored_results_are_whole_and_those_of_this_code(document: Any) -> None:
    assert mismatch(document, PaperDocument) is None
    assert document["games"] == results.FULL
    assert document["parts"] == list(PARTS)
    exact = [results.claim_document(check()) for check in results.EXACT]
    stored = {claim["labels"][0]: claim for claim in document["claims"]}
    for claim in json.loads(json.dumps(exact)):
        assert stored[claim["labels"][0]] == claim
    points = {(each["source"], each["threshold"]): each for each in document["points"]}
    for source, t in ((PROGRAM, 0), (DESCRIBED, 2)):
        scores = play_piece(source, t, document["seed"], range(20_000)).scores.mean(axis=1)
        near = points[source.name, t]
        assert abs(scores.mean() - near["mean"]) < 4 * scores.std() / 20_000**0.5


def test_figures_show_the_points_and_are_the_same_each_time(document: Any) -> None:
    figures = draw_figures(document)
    (axes,) = figures["means"].axes
    labels = [text.get_text() for text in figures["means"].legends[0].get_texts()]
    assert {*labels} == {"printed in the paper", *(each.words for each in SOURCES if "official" not in each.name)}
    printed = next(line for line in axes.lines if line.get_label() == "printed in the paper")
    assert printed.get_xydata().tolist() == [[0, 3.08], [1, 4.37], [2, 7.02]]  # type: ignore[union-attr]
    (deck,) = figures["deck"].axes
    assert sum(bar.get_height() for bar in deck.patches) == 150  # type: ignore[attr-defined]
    svg = as_svg(figures["deck"])
    ElementTree.fromstring(svg)
    assert svg == as_svg(draw_figures(document)["deck"])


@pytest.mark.long
def test_points_do_not_depend_on_threads_or_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = jobs_of([PROGRAM, DESCRIBED], [0, 4], 6000)
    done: list[float] = []
    one = sweep(jobs, 3, 1, done.append)
    assert one == sweep(jobs, 3, 2, ignore)
    assert sum(done) == sum(len(games) * sweeps.cost(source, t) for source, t, games in jobs)
    monkeypatch.setattr(sweeps, "PIECE", 1000)
    assert sweep(jobs_of([PROGRAM, DESCRIBED], [0, 4], 6000), 3, 2, ignore) == one
    assert one != sweep(jobs, 4, 1, ignore)


def test_a_point_counts_a_game_as_one_observation() -> None:
    piece = play_piece(DESCRIBED, 1, 2, range(3000))
    found = summary(DESCRIBED, 1, [piece])
    means = piece.scores.mean(axis=1)
    assert found.mean == pytest.approx(piece.scores.mean())
    assert found.half == pytest.approx(1.96 * means.std() / 3000**0.5, rel=0.01)
    assert found.deviation == pytest.approx(piece.scores.std(ddof=1))


def test_samples_of_the_papers_size_scatter() -> None:
    scores = np.arange(40, dtype=np.int16).reshape(20, 2)
    found = spread(scores, 2)
    assert found is not None
    assert (found.samples, found.mean) == (10, 19.5)
    assert found.mean_error == pytest.approx(np.std([1.5 + 4 * k for k in range(10)], ddof=1))
    assert spread(scores, 3) is None


def test_table_1_gets_all_games_and_endless_ones_few() -> None:
    assert games_for(PROGRAM, 2, 1_000_000) == 1_000_000
    assert games_for(PROGRAM, 3, 1_000_000) == 200_000
    assert games_for(SOURCES[-1], 2, 1_000_000) == 200_000
    assert games_for(PROGRAM, 5, 1_000_000) == 20_000


def test_duels_are_the_paired_margins() -> None:
    (duel,) = threshold_duels(OFFICIAL, [4], DealSettings(200, 5, 1, ignore), columns=True)
    names = "threshold:t=4,columns=true", "threshold:t=2,columns=true"
    margins = play_paired(names, OFFICIAL, 5, range(200)).margins[:, 0]
    assert duel == duel_of(*names, margins)
    assert duel.mean < 0


def test_a_player_that_always_clears_does_so() -> None:
    rules = OFFICIAL.replace(clear="confirm")
    text = f"rules clear=confirm; board -2 -2 -2 | ? ? ? | {GONE[:-8]}; board ? ? ? | ? ? ? | {GONE[:-8]}"
    game = table(f"{text}; discard 3; draw ...; seat 0 confirm")
    usual, always = ThresholdAgent(rules, 2, columns=True), AlwaysClears(rules, 2)

    def does(agent: Any, at: Game) -> int:
        return int(agent.act(at.observation()[None], at.mask()[None], np.zeros(1, np.uint64))[0])

    assert game.state["phase"][0] == CONFIRM
    assert does(always, game) == rules.params["clear_lines"][0]
    assert does(usual, game) == rules.params["keep_lines"][0]
    other = Game(rules, seed=1)
    assert does(always, other) == does(usual, other)


@pytest.mark.long
def test_to_keep_columns_is_worth_something() -> None:
    found = refusals(DealSettings(600, 1, 1, ignore))
    assert [(each.rules, each.threshold) for each in found][0::2] == [("the paper's rules", 0), ("official rules", 0)]
    assert found[0].duel.mean > found[0].duel.half > 0
    assert 0 < found[0].duel.differing < 1


def test_a_variant_is_played_at_every_threshold() -> None:
    found = variant("small", REICHEL.replace(rows=2, columns=2), DealSettings(60, 1, 1, ignore))
    assert found.duels[found.thresholds.index(2)].mean == 0
    assert "rows=2 columns=2" in found.changes


def made_up(means: list[float], margins: list[float]) -> Variant:
    """Two thresholds and the base, each number known to half a point."""
    duels = [Duel("a", "b", 100, margin, 0.5, 0.5) for margin in margins]
    return Variant("made up", "none", 100, (1, 2, 3), (*means,), (0.5,) * 3, (50.0,) * 3, (0.0,) * 3, (*duels,))


def test_a_threshold_is_best_only_by_more_than_chance() -> None:
    """A half of 0.5 is a standard error of 0.255, and 0.361 for a difference; of two numbers of a table 5 % lie beyond
    2.24 standard errors.
    """
    close, clear = made_up([9.1, 9.0, 9.9], [0.5, 0, -9]), made_up([9.0, 9.1, 8.1], [0.6, 0, 7])
    (one,), (other,) = variant_rows([close]), variant_rows([clear])
    assert (one["lowest"], one["winning"]) == ([1, 2], [])
    assert (other["lowest"], other["winning"]) == ([3], [1, 3])
    assert [row["winning"] for row in variant_rows([clear] * 20)] == [[3]] * 20  # the same among many is no wonder


def test_the_summary_marks_what_was_stopped_and_what_is_no_chance(document: Any) -> None:
    page = render_summary(document)
    (low,) = re.findall(r"^\| more low cards \|.*$", page, re.MULTILINE)
    shares = next(each["stopped"] for each in document["variants"]["decks"] if each["name"] == "more low cards")
    assert [int(share) for share in re.findall(r"\((\d+) %\)", low)] == [round(100 * x) for x in shares if x > 0.01]
    marks = {int(t): row.count("†") for t, row in re.findall(r"^\| (\d+) \|(.*), *[\d,]+ \|$", page, re.MULTILINE)}
    assert (marks[4], marks[5]) == (0, len(SOURCES))
    margins = re.search(r"^\| 4 × 6 .*\n(.*)$", page, re.MULTILINE)
    assert margins is not None
    assert "*" not in margins[1]
    for claim in document["claims"]:
        assert f"Check: {claim['checked']}" in page


@pytest.mark.long
def test_the_command_writes_the_report(study: Skyjo, tmp_path: Path) -> None:
    options = "--games", "15000", "--seed", "2", "--only", "table1", "--out", str(tmp_path)
    done = study("paper", *options, "--summary", str(tmp_path / "short.md"), "--json")
    assert done.status == 0
    stored = json.loads(done.out)
    assert mismatch(stored, PaperDocument) is None
    assert stored["parts"] == ["table1"]
    assert (tmp_path / "skyjo-paper.html").read_text() == render_page(stored)
    assert (tmp_path / "short.md").read_text() == render_summary(stored)
    assert {path.name for path in tmp_path.iterdir()} == {"skyjo-paper.html", "short.md"}
    (tmp_path / "results.json").write_text(done.out)
    again = study("paper", "--load", str(tmp_path / "results.json"), "--out", str(tmp_path / "again.html"))
    assert (tmp_path / "again.html").read_text() == render_page(stored)
    assert "Table 1, t = 2, mean: printed 7.02, the program" in again.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--only", "claims,tables"), "tables is not a part of the report: table1, thresholds, claims, variants are"),
        (("--only", ""), "nothing is not a part"),
        (("--games", "100"), "games=100 must be at least 15000"),
        (("--seed", "-1"), "seed=-1 must be at least 0"),
        (("--threads", "0"), "threads=0 must be at least 1"),
        (("--quick", "--games", "20000"), "--quick and --games cannot be given together"),
        (("--load", "x", "--quick"), "--quick cannot be given with --load: its numbers are there already"),
        (("--load", "x", "--only", "claims"), "--only cannot be given with --load"),
        (("--load", "x", "--seed", "0"), "--seed cannot be given with --load"),
        (("--load", "x", "--threads", "1", "--games", "20000"), "--games, --threads cannot be given with --load"),
        (("--out", "/no/such/place.html"), "/no/such: there is no such folder"),
        (("--load", "/no/such/place.json"), "/no/such/place.json: No such file or directory"),
        (("--games", "many"), "many"),
    ],
)
def test_bad_input_is_one_line(study: Skyjo, options: tuple[str, ...], words: str) -> None:
    assert words in complaint(study("paper", *options))


def test_what_is_no_document_is_refused(study: Skyjo, tmp_path: Path) -> None:
    head: dict[str, Any] = {"games": 1, "seed": 1, "command": "", "sources": {}, "printed": [], "points": []}
    texts = ["no JSON", "[1]", '{"points": [], "parts": [], "command": ""}']
    texts += [json.dumps({**head, "parts": parts}) for parts in ([], ["claims"], ["tables"], "claims", [["claims"]], 1)]
    damaged: tuple[Any, ...] = [], [{}], 5, {"a": 1}
    texts += [json.dumps({**head, "parts": ["claims"], "claims": claims}) for claims in damaged]
    for text in texts:
        (tmp_path / "x.json").write_text(text)
        done = study("paper", "--load", str(tmp_path / "x.json"), "--out", str(tmp_path))
        assert "this is not what --json prints" in complaint(done), text
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


def test_without_matplotlib_it_says_what_to_install(study: Skyjo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in sys.modules if name.startswith(("studies.paper.paper_page", "studies.paper.paper_figures"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def without(name: str, *arguments: Any, **options: Any) -> Any:
        if name.split(".")[0] == "matplotlib":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    assert complaint(study("paper")).endswith('this needs matplotlib: pip install "skyjo-env[arena]"')


def test_settings_bring_the_numbers_again() -> None:
    assert Settings(20_000, 3).command == "python -m studies paper --games 20000 --seed 3"
    with pytest.raises(SkyjoError, match="claim is not a part"):
        Settings(parts=("claim",))


@pytest.mark.long
def test_the_progress_bar_comes_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "LEAST", 1)
    monkeypatch.setattr(results, "EXACT", ())
    done: list[float] = []
    settings = Settings(games=200, threads=1)
    run_study(settings, done.append)
    assert sum(done) == pytest.approx(settings.work)
