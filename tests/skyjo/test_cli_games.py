"""`skyjo games`: what is stored is found, told, checked, and handed on, also to learners: losses, datasets, a clone."""

import csv
import json
import re
import shutil
import subprocess
import sys
from contextlib import chdir
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cardtable.arena.play import plan as plans
from cardtable.arena.stored.plan_store import open_games
from cardtable.table.game.records import shared_names
from skyjo.main import main
from skyjo_env import replay
from skyjo_env.card_game import SKYJO
from tests.documents import ROOT, Printed, blocks, run_block, run_program
from tests.outputs import read_picture
from tests.skyjo.cli import Skyjo

MATCH = ("match", "tempo", "threshold:t=2", "naive", "--deals", "12", "--luck", "--seed", "4")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rounds of three players in three pieces: 12 deals, each from every seat."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "MIN_PIECE", 4)
        assert main([*MATCH, "--store", str(folder)], "skyjo") == 0
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> str:
    """The same in a folder of its own, where they may be damaged."""
    return str(shutil.copytree(played, tmp_path / "games"))


DATA = (ROOT / "docs" / "guides" / "data.md").read_text()


def columns(heading: str) -> list[str]:
    """Return the names in the table below a heading of the page."""
    table = DATA.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows: list[str] = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def listed(skyjo: Skyjo, folder: str, *options: str) -> list[Any]:
    """The games that are found."""
    document = json.loads(skyjo("games", "list", folder, "--json", *options).out)
    games: list[Any] = document["games"]
    assert document["found"] >= len(games)
    return games


def exported(skyjo: Skyjo, folder: str, *options: str) -> list[dict[str, str]]:
    """The rows of the CSV."""
    done = skyjo("games", "export", folder, "--out", "-", *options)
    assert (done.status, done.err) == (0, "")
    return list(csv.DictReader(StringIO(done.out)))


def test_about_tells_how_far_it_is(folder: str, skyjo: Skyjo) -> None:
    store = open_games(Path(folder), SKYJO)
    store.manifest["finished"] = None
    store._write_manifest()
    next(Path(folder).glob("games-000002*")).unlink()
    assert "state    not finished, 66.7% played; the same command continues" in skyjo("games", "about", folder).out
    store.finish(2, {"naive": (1, 8, "ValueError: ill")})
    told = skyjo("games", "about", folder).out
    assert "state    finished early, 66.7% played; deal 8, seat 1, naive: ValueError: ill" in told


def test_the_list_has_every_game_in_the_order_of_play(folder: str, skyjo: Skyjo) -> None:
    games = listed(skyjo, folder, "--limit", "100")
    assert [game["game"] for game in games] == [
        f"0.{deal}.{rotation}" for first in (0, 4, 8) for rotation in range(3) for deal in range(first, first + 4)
    ]
    assert games[4]["agents"] == ["threshold:t=2", "naive", "tempo"]
    for game in games:
        best = min(game["scores"])
        assert game["winners"] == [seat for seat, score in enumerate(game["scores"]) if score == best]
    assert len(listed(skyjo, folder)) == 20
    table = skyjo("games", "list", folder, "--limit", "1").out
    scores = [f"{score}{'*' * (score == min(games[0]['scores']))}" for score in games[0]["scores"]]
    assert " ".join(scores) in table
    assert "1 of 36 games" in table


def margin(game: Any, agent: str | None) -> Any:
    """How far the agent, or the best of all, is ahead of the others' mean."""
    scores = game["scores"]
    ahead = [(sum(scores) - score) / (len(scores) - 1) - score for score in scores]
    return max(lead for lead, name in zip(ahead, game["agents"], strict=True) if agent in (None, name))


def score(game: Any, agent: str | None) -> Any:
    return min(score for score, name in zip(game["scores"], game["agents"], strict=True) if agent in (None, name))


@pytest.mark.parametrize("agent", [None, "naive"])
@pytest.mark.parametrize(
    ("sort", "key"), [("margin", margin), ("score", score), ("turns", lambda game, _: game["turns"])]
)
def test_the_most_striking_games_come_first(agent: str | None, sort: str, key: Any, folder: str, skyjo: Skyjo) -> None:
    games = listed(skyjo, folder, "--limit", "100")
    asked = ["--sort", sort, *([] if agent is None else ["--agent", agent])]
    for lowest in (False, True):
        found = listed(skyjo, folder, "--limit", "7", *asked, *["--lowest"] * lowest)
        assert found == sorted(games, key=lambda game: key(game, agent), reverse=not lowest)[:7]


def test_games_are_found_by_what_is_so_of_them(folder: str, skyjo: Skyjo) -> None:
    games = listed(skyjo, folder, "--limit", "100")

    def found(*options: str) -> list[str]:
        return [game["game"] for game in listed(skyjo, folder, "--limit", "100", *options)]

    def where(is_so: Any) -> list[str]:
        return [game["game"] for game in games if is_so(game)]

    assert found("--deal", "5") == ["0.5.0", "0.5.1", "0.5.2"]
    assert found("--winner", "tempo") == where(
        lambda game: "tempo" in [game["agents"][seat] for seat in game["winners"]]
    )
    assert found("--min-turns", "30") == where(lambda game: game["turns"] >= 30) != []
    assert found("--winner", "tempo", "--min-turns", "30") == [
        name for name in found("--winner", "tempo") if name in found("--min-turns", "30")
    ]
    assert found("--agent", "naive", "--with", "tempo", "--table", "0") == found()
    assert found("--agent", "naive", "--with", "naive") == found("--stopped") == []
    assert "no games match" in skyjo("games", "list", folder, "--stopped").out


def test_stopped_games_are_found_and_nobody_wins_them(tmp_path: Path, skyjo: Skyjo) -> None:
    folder = str(tmp_path)
    skyjo("match", *["threshold:t=2"] * 2, "--rules", "max_turns=44", "--deals", "30", "--store", folder)
    stopped = listed(skyjo, folder, "--stopped", "--limit", "100")
    assert 0 < len(stopped) < 60
    assert {(game["turns"], tuple(game["winners"])) for game in stopped} == {(44, ())}
    assert "stopped 44" in skyjo("games", "list", folder, "--stopped").out
    assert {row["won"] for row in exported(skyjo, folder, "--stopped")} == {"0"}
    assert len(listed(skyjo, folder, "--agent", "threshold:t=2", "--with", "threshold:t=2", "--limit", "100")) == 60


def test_a_stored_game_is_told_as_a_written_one(folder: str, skyjo: Skyjo, tmp_path: Path) -> None:
    written = skyjo("games", "replay", folder, "0.9.2", "--record").out
    game = replay(written)
    (listed_game,) = [each for each in listed(skyjo, folder, "--deal", "9") if each["game"] == "0.9.2"]
    assert (list(game.round_scores), game.seed, game.deal) == (listed_game["scores"], 4, 9)
    picture = tmp_path / "game.svg"
    assert skyjo("games", "replay", folder, "0.9.2", "--svg", str(picture), "--to", "6").status == 0
    assert set(listed_game["agents"]) <= set(read_picture(picture.read_text()).words)
    address = skyjo("games", "replay", folder, "0.9.2", "--address").out
    assert replay(address).record() == game.record()
    assert shared_names(address) == [name.partition(":")[0] for name in listed_game["agents"]]
    file = tmp_path / "game.txt"
    file.write_text(written)
    for options in ([], ["--from", "7", "--to", "20", "--tables"], ["--all-cards", "--to", "9"], ["--json"]):
        told = skyjo("games", "replay", folder, "0.9.2", *options).out
        for seat, name in enumerate(listed_game["agents"]):
            told = told.replace(f"seat {seat} ({name})", f"seat {seat}")
        assert told.split() == skyjo("replay", str(file), *options).out.split()


def test_the_csv_and_the_json_have_all_that_was_played(folder: str, skyjo: Skyjo, tmp_path: Path) -> None:
    rows, games = exported(skyjo, folder), listed(skyjo, folder, "--limit", "100")
    assert len(rows) == 3 * len(games) == 108
    for at, game in enumerate(games):
        for seat in range(3):
            row = rows[3 * at + seat]
            assert (row["game"], row["player"], int(row["seat"])) == (game["game"], game["agents"][seat], seat)
            assert (int(row["score"]), int(row["cleared"])) == (game["scores"][seat], game["cleared"][seat])
            assert float(row["won"]) == (seat in game["winners"]) / max(1, len(game["winners"]))
            for name in ("table", "deal", "rotation", "rounds", "turns", "stopped"):
                assert int(row[name]) == game[name]
    file = tmp_path / "games.jsonl"
    assert skyjo("games", "export", folder, "--out", str(file), "--deal", "6").out == f"Written: {file}\n"
    for game in [*map(json.loads, file.read_text().splitlines())]:
        record = json.loads(skyjo("games", "replay", folder, game["game"], "--json").out)["record"]
        assert (game["actions"], [game["scores"]]) == (record["actions"], game["round_scores"])
        assert [len(terms) for terms in game["luck"]] == [3, 3, 3]


def test_the_luck_in_the_csv_takes_the_margins_to_those_without_luck(folder: str, skyjo: Skyjo) -> None:
    rows = exported(skyjo, folder)
    total = dict.fromkeys(("tempo", "threshold:t=2", "naive"), 0.0)
    for at in range(0, len(rows), 3):
        table = {row["player"]: float(row["score"]) - float(row["luck"]) for row in rows[at : at + 3]}
        for name, points in table.items():
            total[name] += (sum(table.values()) - points) / 2 - points
    match = json.loads(skyjo(*MATCH, "--json").out)
    for standing in match["standings"]:
        assert total[standing["agent"]] / 36 == pytest.approx(standing["without_luck"]["mean"], abs=1e-3)


def test_what_cannot_be_written_is_named_and_leaves_nothing(folder: str, tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    old.write_text("old")
    code = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
    code += "from skyjo.main import main; sys.exit(main(sys.argv[1:], 'skyjo'))"
    command = [sys.executable, "-c", code, "games", "export", folder, "--out", str(old)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"skyjo: {old}: File too large\n")
    assert old.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games", "old.jsonl"]


def test_a_check_names_every_file_that_is_damaged(folder: str, skyjo: Skyjo) -> None:
    assert skyjo("games", "check", folder).out == f"{folder}: 3 files, nothing is wrong\n"
    damaged = sorted(Path(folder).glob("games-*"))[:2]
    for file in damaged:
        file.write_bytes(file.read_bytes()[:-4])
    done = skyjo("games", "check", folder)
    assert (done.status, done.err) == (1, "")
    assert [line.partition(": ")[0] for line in done.out.splitlines()] == [str(file) for file in damaged]
    faults = json.loads(skyjo("games", "check", folder, "--json").out)["faults"]
    assert faults == done.out.splitlines()
    for command in (("list",), ("about",), ("export", "--out", "-"), ("replay", "0.11.2")):
        done = skyjo("games", command[0], folder, *command[1:])
        assert done.status == 2
        assert done.err.startswith(f"skyjo: {damaged[0]}: damaged")


EXAMPLE = "examples/behaviour_cloning.py"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rounds of two players, and their decisions."""
    place = tmp_path_factory.mktemp("data")
    with chdir(place):
        for line in ("match policy tempo --deals 20 --store games", "games export games --out decisions.parquet"):
            assert main(line.split(), "skyjo") == 0
    return place


def test_the_losses_are_those_of_an_analysis(made: Path, skyjo: Skyjo, tmp_path: Path) -> None:
    games, file = str(made / "games"), tmp_path / "decisions.parquet"
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


def test_the_file_says_what_was_played_and_the_page_names_every_column(made: Path) -> None:
    schema = pq.read_schema(made / "decisions.parquet")
    about = json.loads(schema.metadata[b"about"])
    assert about["command"] == "skyjo match policy tempo --deals 20 --store games"
    assert (about["game"], about["rules"], about["episode"], about["seed"]) == ("skyjo", "", "round", 0)
    assert list(about["agents"]) == ["policy", "tempo"]
    assert columns("Decisions") == [*schema.names, "loss"]


def cloned(made: Path, *options: str, file: str = "decisions.parquet") -> Printed:
    return run_program(EXAMPLE, str(made / file), *options)


def test_a_clone_learns_from_the_file_and_is_measured(made: Path) -> None:
    done = cloned(made, "--epochs", "8", "--batch", "32", "--width", "64", "--deals", "4", "--against", "naive")
    assert done.status == 0, done.err
    found = re.search(r"decides as the teacher in (\d+\.\d)% of (\d+) others", done.out)
    assert found is not None
    assert float(found[1]) > 50  # by chance less than a fifth
    assert re.search(r"against policy: [+-]\d+\.\d+ ± .*\nagainst naive: [+-]\d+\.\d+ ± ", done.out)


def test_the_examples_of_the_page_on_data_run(
    made: Path, skyjo: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    with chdir(made):
        assert skyjo("games", "export", "games", "--agent", "policy", "--minari", "skyjo/policy-v0").status == 0
        for code in blocks(DATA.partition("\n## Policy files")[0], "python"):
            run_block(code)
