"""`skyjo games export` for learners: decisions with their losses, datasets of Minari, and what learns from them."""

import json
import re
import sys
from contextlib import chdir
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from skyjo.main import main
from tests.documents import ROOT, Printed, blocks, run_block, run_program
from tests.skyjo.cli import Skyjo, complaint

PAGE = (ROOT / "docs" / "data.md").read_text()
EXAMPLE = "examples/behaviour_cloning.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rounds of two players, and their decisions."""
    made = tmp_path_factory.mktemp("data")
    with chdir(made):
        for line in ("match policy tempo --deals 20 --store games", "games export games --out decisions.parquet"):
            assert main(line.split(), "skyjo") == 0
    return made


@pytest.fixture(autouse=True)
def datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Minari keeps datasets."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"


def test_the_losses_are_those_of_an_analysis(folder: Path, skyjo: Skyjo, tmp_path: Path) -> None:
    games, file = str(folder / "games"), tmp_path / "decisions.parquet"
    done = skyjo("games", "export", games, "--deal", "7", "--losses", "--out", str(file))
    assert (done.status, done.out, done.err) == (0, f"Written: {file}\n", "")
    rows = pq.read_table(file)
    assert json.loads(rows.schema.metadata[b"about"])["judge"] == "lookahead"
    for game in ("0.7.0", "0.7.1"):
        record = tmp_path / "record.txt"
        record.write_text(skyjo("games", "replay", games, game, "--record").out)
        moves = json.loads(skyjo("analyse", str(record), "--json").out)["moves"]
        there = [row for row in rows.to_pylist() if row["game"] == game]
        assert [(row["seat"], row["action"]) for row in there] == [(move["seat"], move["action"]) for move in moves]
        assert [row["loss"] for row in there] == pytest.approx([move["lost"] for move in moves], abs=1e-3)
        assert any(row["loss"] > 0 for row in there)


def test_the_file_says_what_was_played_and_the_page_names_every_column(folder: Path) -> None:
    schema = pq.read_schema(folder / "decisions.parquet")
    about = json.loads(schema.metadata[b"about"])
    assert about["command"] == "skyjo match policy tempo --deals 20 --store games"
    assert (about["game"], about["rules"], about["episode"], about["seed"]) == ("skyjo", "", "round", 0)
    assert list(about["agents"]) == ["policy", "tempo"]
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == [*schema.names, "loss"]


@pytest.mark.parametrize("missing", ["minari", "h5py"])
def test_a_missing_library_is_named_with_its_extra(
    folder: Path, skyjo: Skyjo, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "cardtable.arena.stored.minari_dataset", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    said = complaint(skyjo("games", "export", str(folder / "games"), "--minari", "a-v0"))
    assert said == f'skyjo: this needs {missing}: pip install "skyjo-env[data]"'


def cloned(folder: Path, *options: str, file: str = "decisions.parquet") -> Printed:
    return run_program(EXAMPLE, str(folder / file), *options)


def test_a_clone_learns_from_the_file_and_is_measured(folder: Path) -> None:
    done = cloned(folder, "--epochs", "8", "--batch", "32", "--width", "64", "--deals", "4", "--against", "naive")
    assert done.status == 0, done.err
    found = re.search(r"decides as the teacher in (\d+\.\d)% of (\d+) others", done.out)
    assert found is not None
    assert float(found[1]) > 50  # by chance less than a fifth
    assert re.search(r"against policy: [+-]\d+\.\d+ ± .*\nagainst naive: [+-]\d+\.\d+ ± ", done.out)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--teacher expected", "no decisions of expected; its agents: policy, tempo"),
        ("--epochs 0", "--epochs must be at least 1"),
        ("--against nobody", "unknown agent 'nobody'"),
    ],
)
def test_what_a_clone_cannot_learn_is_said_in_one_line(folder: Path, options: str, words: str) -> None:
    done = cloned(folder, "--deals", "2", "--decisions", "100", *options.split())
    assert done.status == 2
    assert words in done.err.splitlines()[-1]


def test_the_examples_of_the_page_run(folder: Path, skyjo: Skyjo) -> None:
    with chdir(folder):
        assert skyjo("games", "export", "games", "--agent", "policy", "--minari", "skyjo/policy-v0").status == 0
        for code in blocks(PAGE, "python"):
            run_block(code)
