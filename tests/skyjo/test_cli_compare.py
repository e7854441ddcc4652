"""skyjo compare: what it prints and writes, and what it refuses."""

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib")

from skyjo.commands.compare import Compare
from skyjo.programs import called
from skyjo_training import comparison_plan
from tests.policies import saved
from tests.skyjo.cli import Skyjo, complaint

BRIEF = ("--opponents", "naive", "threshold:t=1", "--deals", "40", "--games", "4", "--seed", "3", "--look", "4")


@pytest.mark.slow
def test_it_prints_every_opponent_and_writes_the_page(skyjo: Skyjo, tmp_path: Path) -> None:
    done = skyjo("compare", "tempo", *BRIEF, "--exploit", "4096", "--out", str(tmp_path))
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[2:5] if "±" in line] == ["naive", "threshold:t=1"]
    assert "The policy is significantly ahead of naive (+" in done.out
    assert "(5 % for all 2 together, Holm)." in done.out
    assert "look against the policy, on 4 deals: +" in done.out
    assert "Exploiter, after 4,096 decisions" in done.out
    assert lines[-1].startswith("Written: ")
    page = (tmp_path / "skyjo-compare.html").read_text()
    again = "skyjo compare tempo --seed 3 --opponents naive threshold:t=1 --deals 40 --games 4 --look 4 --exploit 4096"
    assert f"<code>{again}</code>" in page


def test_a_run_is_compared_as_json_by_its_path(skyjo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    saved(Path("policy.safetensors"), players=(3, 4))
    options = ("--opponents", "naive", "--deals", "4", "--games", "0", "--look", "0", "--exploit", "0")
    done = skyjo("compare", ".", *options, "--workers", "1", "--json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert found["policies"] == [{"name": "policy", "agent": "policy:path=policy.safetensors"}]
    assert found["players"] == 3  # the fewest that it was trained for
    assert (found["against"][0]["deals"], found["look"], found["exploiter"]) == (4, None, None)
    assert str(tmp_path) not in Path("skyjo-compare.html").read_text()


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        (("naive", "--deals", "12"), ["--games 2 --look 4"]),
        (("naive", "--deals", "24", "--look", "0", "--games", "3"), []),
    ],
)
def test_fewer_deals_make_all_parts_smaller_whose_size_is_not_given(
    skyjo: Skyjo, tmp_path: Path, options: tuple[str, ...], sizes: list[str]
) -> None:
    done = skyjo("compare", "tempo", "--exploit", "0", "--out", str(tmp_path), "--opponents", *options)
    assert done.status == 0, done.err
    assert re.findall(r"Fewer than 3,000 deals, so smaller in proportion: (.*)", done.out) == sizes
    assert ("look against the policy, on 4 deals" in done.out) == bool(sizes)


def test_parts_are_as_large_as_usual_with_the_usual_deals_or_more(skyjo: Skyjo) -> None:
    usual = {"games": 250, "slow": 60, "look": 1000, "exploit": 500_000}
    with called("skyjo"):
        for deals in (3000, 100_000):
            assert Compare(policy="tempo", deals=deals).sizes() == usual
        fewer = {"games": 25, "slow": 6, "look": 7, "exploit": 50_000}
        assert Compare(policy="tempo", deals=300, look=7).sizes() == fewer
    words = re.sub(r"[│\s]+", " ", skyjo("compare", "--help").out)
    assert re.findall(r"default: (\d+), fewer with fewer --deals", words) == [str(size) for size in usual.values()]


def test_several_seeds_have_their_own_columns(skyjo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two = (comparison_plan.Contender("seed 0", "tempo"), comparison_plan.Contender("seed 1", "expected"))
    monkeypatch.setattr(comparison_plan, "contenders", lambda *_: (two, None))
    done = skyjo("compare", "run", *BRIEF, "--exploit", "0", "--out", str(tmp_path))
    assert done.status == 0, done.err
    assert "over seeds" in done.out
    assert "seed 0" in done.out
    assert "Over training seeds the policies are " in done.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("nobody",), "nobody: neither the folder of a run, nor a .safetensors file, nor an agent"),
        (("tempo", "--players", "9"), "players=9"),
        (("tempo", "--deals", "1"), "deals=1"),
        (("tempo", "--seed", "-1"), "seed=-1"),
        (("tempo", "--opponents", "nobody"), "unknown agent 'nobody'"),
        (("tempo", "--out", "/no/such/page.html"), "/no/such: there is no such folder"),
        (("none.safetensors",), "there is no such file"),
        ((), "RUN"),
    ],
)
def test_bad_input_is_one_line(skyjo: Skyjo, options: tuple[str, ...], words: str) -> None:
    assert words in complaint(skyjo("compare", *options))


def test_a_policy_for_other_tables_says_so(skyjo: Skyjo, tmp_path: Path) -> None:
    file = saved(tmp_path / "policy.safetensors")
    line = complaint(skyjo("compare", str(file), "--players", "3"))
    assert "was trained for players=2; this table has 3" in line
