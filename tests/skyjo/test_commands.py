"""All commands of all games: their help, what they refuse on one line, how they end, and the rules that they print."""

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path

import pytest

from cardtable.arena.results import games_page
from cardtable.arena.stored.store import Store
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from skyjo.command_line import overview, wrapped
from skyjo.commands import offered
from skyjo.interfaces import find_interface, interface_names
from skyjo.main import main
from skyjo.web.building.page_data import rule_documents
from tests.documents import ROOT, Printed
from tests.helpers import first_quick
from tests.skyjo.cli import Skyjo, complaint, play_on, sit, written

OTHER = {"skyjo": "skipbo", "skipbo": "skyjo", "skyjo_action": "skipbo"}


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in OTHER for name in offered(find_interface(game))])
def test_the_help_of_every_command_fits_on_the_terminal_and_names_no_other_game(
    game: str, name: str, command: Skyjo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = command(name, "--help")
    assert (done.status, done.err) == (0, "")
    assert f"usage: {find_interface(game).command} {name}" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert OTHER[game] not in done.out.lower()


@pytest.mark.parametrize(
    ("line", "name", "last"),
    [
        ("match tempo naive --help", "match", "AGENT ..."),
        ("compare tempo --deals 9 -h", "compare", "RUN"),
        ("games --help", "games", "{about,list,replay,export,check}"),
        ("games list stored --help", "games list", "FOLDER"),
    ],
)
def test_the_usage_names_also_what_is_given(skyjo: Skyjo, line: str, name: str, last: str) -> None:
    usage = skyjo(*line.split()).out.partition("\n")[0]
    assert usage.startswith(f"usage: skyjo {name} [-h] ")
    assert usage.endswith(f" {last}")


def test_wide_paragraphs_of_help_are_broken_between_words() -> None:
    page = "usage: skyjo\n\nTwo seats, well-known,\nand more.\n\nof  a   box\nis kept\n"
    assert wrapped(page, 16) == "usage: skyjo\n\nTwo seats,\nwell-known, and\nmore.\n\nof  a   box\nis kept\n"


@pytest.mark.parametrize("game", interface_names())
def test_without_a_command_there_is_help_that_fits_on_a_screen_and_has_every_command(game: str, command: Skyjo) -> None:
    text = overview(find_interface(game))
    assert command() == command("--help") == command("-h") == command("help") == Printed(0, text + "\n", "")
    lines = text.splitlines()
    assert sorted(line.split()[0] for line in lines if line.startswith("  ")) == sorted(offered(find_interface(game)))
    assert len(lines) <= 30
    assert max(map(len, lines)) < 80


def test_it_tells_its_version(skyjo: Skyjo) -> None:
    assert skyjo("--version").out.startswith(f"skyjo-env {version('skyjo-env')} (Python 3.")


# What is refused


REFUSED = {
    "skyjo": {
        "tornament": "'tornament' is not a command; did you mean tournament? (see skyjo --help)",
        "x" * 10**4: f"'{'x' * 60}' is not a command (see skyjo --help)",
        "replay": "Missing from skyjo replay: FILE ",
        "play --see 4": "Unrecognized options: --see, 4; Perhaps you meant: --seed N",
        "games list folder --sortt x": "Unrecognized options: --sortt, x; Perhaps you meant: --sort ",
        "play --seed many": "Error parsing --seed: 'many' is not a whole number (see",
        "train run --decisions 1e6": "Error parsing --decisions: '1e6' is not a whole number (see",
        """match --timeout "it's" """: 'Error parsing --timeout: "it\'s" is not a number (see',
        "play --episode week": "invalid choice 'week' for argument '--episode'. Expected one of ('",
        "play --load": "Missing value for argument '--load'",
        "play nobody": "unknown agent 'nobody'",
        "play naive naive --rules players=4": "opponents: 2 given, but there must be 1 or 3",
        "play --seat 2": "--seat 2: seats are 0 to 1, or random",
        "play --seed -1": "seed=-1",
        f"play {'naive ' * 8}": "players=9",
        "play --load nowhere": "nowhere: No such file",
        "play --load -": "--load needs a file: standard input is for your answers",
        "play --load duel.csv --seed 1": "--seed cannot be given with --load",
        "play --load duel.csv": "duel.csv: line 1: a written game begins with",
        "play --load bytes": "bytes: this is not text",
        "replay .": "Is a directory",
        "replay skyjo.txt --to 0": "--to 0: the game has moves 1 to ",
        "replay skyjo.txt --from 9 --to 8": "--from 9 --to 8: the game has moves 1 to ",
        "replay skyjo.txt --address --json": "--address prints the address of the whole game",
        "replay skyjo.txt --svg out.svg --tables": "--svg cannot be used with",
        "analyse duel.csv": "duel.csv: line 1: a written game begins with",
        "analyse skyjo.txt --judge tempo": "judge tempo: it cannot judge; lookahead and rollout can",
        "games": "about, list, replay, export, check",
        "games list nowhere": "nowhere: no games are stored here",
        "games list dice": "holds games of dice, not of skyjo",
        "games list skipbo": "holds games of skipbo, not of skyjo",
        "games list skyjo --agent nobody": "'nobody' does not play in these games; naive, tempo do",
        "games list skyjo --deal 12": "deal 12 must be a number from 0 to 3",
        "games list skyjo --limit 0": "limit=0 must be a whole number from 1",
        "games list skyjo --lowest": "--lowest needs --sort",
        "games replay skyjo 0.12.0": "there is no game 0.12.0",
        "games export skyjo": "give either --out FILE or --minari NAME",
        "games export skyjo --out games.xls": "--out games.xls must end in .csv, .jsonl",
        "games export skyjo --out nowhere/x.csv": "nowhere/x.csv: No such file",
        "games export skyjo --minari a-v0 --losses": "--losses needs --out FILE.parquet",
        "games export skyjo --out games.csv --encoding onehot": "--encoding needs --minari NAME",
        "games export skyjo --minari a-v0 --stopped": "no games match",
        "report": "a report needs games: name a folder",
        "report skipbo": "holds games of skipbo, not of skyjo",
        "report skyjo --anchor expected": "expected does not play in skyjo: --anchor can be naive, tempo",
        "report skyjo --out nowhere/page.html": "nowhere: there is no such folder",
        "ratings": "ratings need results: name a file, or - for standard input",
        "ratings .": ".: no games are stored here",
        "ratings duel.csv --series 2 --luck x": "--series, --luck can only be given with --elo",
        "ratings duel.csv --elo --seed 1 --prior 1": "--prior, --seed cannot be given with --elo",
        "ratings duel.csv --elo --luck x": "duel.csv: no column x: there is game, player, score; required:",
        "ratings duel.csv --elo --series 11": "no players met for 11 games",
        "exam": "name the agents to examine",
        "exam oracle": "agent oracle cannot be examined: it sees hidden cards",
        "exam tempo --share 0.5": "need --fresh",
        "exam tempo --fresh 1": "--fresh 1 would draw the package's own questions",
        "exam tempo --fresh 1 --share 0": "--share 0.0 must be from 0.01",
        "train run --start nothing.safetensors": "nothing.safetensors",
        "train run --decisions 0": "decisions=0 must be from 1 to 1,000,000,000,000",
        "train run --seeds 0": "--seeds 0 must be from 1",
        "train run --baselines nobody": "nobody",
        "train --resume run --seed 3": "only --decisions, --json, --workers and --cluster may be added",
        "train --resume skyjo": "skyjo: there is no training run",
        "train skyjo": "or continue its run with --resume",
        "compare nobody": "nobody: neither the folder of a run, nor a .safetensors file, nor an agent",
        "compare none.safetensors": "there is no such file",
        "compare tempo --out nowhere/page.html": "nowhere: there is no such folder",
        "compare policy:name=2p --players 3": "was trained for players=2; this table has 3",
        "export": "POLICY",
        "export nobody": "nobody: neither a folder nor a file of a policy; unknown policy 'nobody'; the package has ",
        "export none.safetensors": "none.safetensors: there is no such file",
        "export 2p --out no/where": "no: there is no such folder",
        "web --no-browser --port 0 --folder ../tables --games .": ".: no games are stored here",
        "web --no-browser --port 0 --agent nosuch": "unknown agent 'nosuch'",
    },
    "skipbo": {
        "match tempo greedy": "unknown agent 'tempo'; installed: ",
        "match greedy greedy --rules clear=confirm": "unknown clear; the rules have players, stock",
        "play --rules 'players=5 stock=30'": "stock=30 is too large for players=5",
        "play --load skyjo.txt": "skyjo.txt: line 1: a written game begins with 'skipbo-record 1'",
        "replay skyjo.txt": "skyjo.txt: line 1: a written game begins with 'skipbo-record 1'",
    },
    "skyjo_action": {
        "export random": "neither a folder nor a file of a policy",
    },
}
AGENTS = {"skyjo": "tempo naive", "skipbo": "greedy hpvp", "skyjo_action": "greedy random"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a written game and stored games of each kind, games of dice, a table of results, and no text."""
    folder = tmp_path_factory.mktemp("made")
    for game, agents in AGENTS.items():
        session = sit(game, 2)
        play_on(session)
        Path(written(session.game, folder)).rename(folder / f"{game}.txt")
        line = ["tournament", *agents.split(), "--deals", "4", "--store", str(folder / game)]
        assert main([*line, *(("--rules", "stock=5") if game == "skipbo" else ())], game) == 0
    Store.create(folder / "dice", {"game": "dice"})
    (folder / "duel.csv").write_text("game,player,score\n1,ann,10\n1,bob,20\n2,ann,40\n2,bob,10\n")
    (folder / "bytes").write_bytes(b"\xff\xfe\x00")
    return folder


@pytest.mark.parametrize(("game", "line"), [(game, line) for game, lines in REFUSED.items() for line in lines])
def test_what_cannot_be_done_is_refused_in_one_line_of_plain_words_and_leaves_nothing(
    game: str, line: str, made: Path, command: Skyjo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made)
    before = sorted(made.rglob("*"))
    said = complaint(command(*shlex.split(line)))
    assert said.startswith(f"{find_interface(game).command}: ")
    assert REFUSED[game][line] in said
    assert not any(word in said for word in ("INT", "int()", "float"))
    assert sorted(made.rglob("*")) == before


# What each command gives, as people read it and as JSON


@pytest.mark.parametrize("game", AGENTS)
def test_games_of_every_kind_are_written_told_listed_exported_rated_and_reported(
    game: str, made: Path, command: Skyjo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games_page, "RESAMPLES", 20)

    def told(*line: str) -> str:
        done = command(*line)
        assert done.status == 0, done.err
        return done.out

    agents, stored, count = AGENTS[game].split(), str(made / game), 8
    about = json.loads(told("games", "about", stored, "--json"))
    assert (about["games"], about["state"], list(about["agents"])) == (count, "finished", agents)
    assert f"{', '.join(agents)}; {count} games" in told("games", "about", stored)
    listed = json.loads(told("games", "list", stored, "--json"))
    assert (listed["found"], len(listed["games"])) == (count, count)
    assert f"{count} of {count} games" in told("games", "list", stored)
    rows = [*csv.DictReader(io.StringIO(told("games", "export", stored, "--out", "-")))]
    assert [int(row["score"]) for row in rows] == [score for each in listed["games"] for score in each["scores"]]
    name = listed["games"][0]["game"]
    record = RecordFormat(find_game(game)).replay(told("games", "replay", stored, name, "--record"))
    (tmp_path / "record").write_text(RecordFormat(find_game(game)).format_record(record.record()))
    moves = json.loads(told("replay", str(tmp_path / "record"), "--json"))["moves"]
    assert [move["action"] for move in moves] == record.record()["actions"]
    assert "round 1 is over" in told("replay", str(tmp_path / "record"))
    report = ("report", stored, "--out", str(tmp_path / "a.html"))
    (store,) = json.loads(told(*report, "--json"))["stores"]
    assert sorted(rung["agent"] for rung in store["rungs"]) == sorted(agents)
    assert " is rated " in told(*report)
    assert f"Who plays {find_interface(game).title} well?" in (tmp_path / "a.html").read_text()
    (tmp_path / "games.csv").write_text(told("games", "export", stored, "--out", "-"))
    rated = json.loads(told("ratings", str(tmp_path / "games.csv"), "--json", "--resamples", "20", "--prior", "1"))
    assert (rated["games"], rated["deals"], len(rated["standings"])) == (count, 4, 2)


def test_help_needs_nothing_heavy() -> None:
    code = """
import sys
from skyjo.main import main
try:
    main(["--help"], "skyjo")
except SystemExit:
    print(sorted({"matplotlib", "numba", "numpy", "polars", "scipy", "torch", "skyjo_env"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_module_is_the_command_and_a_reader_may_leave_early() -> None:
    command = f"{sys.executable} -m skyjo agents --json | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "141")  # 0 if all was written before the reader had left


@pytest.mark.parametrize(
    ("command", "status", "words"),
    first_quick(
        2,
        [
            ("replay - <&-", 2, "skyjo: -: standard input is closed"),
            ("match naive naive --deals 10 >&- 2>&-", 0, ""),
            ("play naive <&-", 0, ""),
            ("play human --seat 1 <&-", 2, "human: no answer"),
        ],
    ),
)
def test_closed_inputs_and_outputs_are_no_disaster(command: str, status: int, words: str) -> None:
    whole = ["bash", "-c", f"{sys.executable} -m skyjo {command}"]
    done = subprocess.run(whole, capture_output=True, text=True, check=False)
    if "compiling" in done.stderr:
        done = subprocess.run(whole, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (status, 1 if words else 0)
    assert words in done.stderr


def test_errors_that_nobody_foresaw_are_not_hidden(skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyjo.commands.look_up.describe", lambda _, name: int(name))
    with pytest.raises(ValueError, match="invalid literal"):
        skyjo("agents")


# Rules


def page_of(game: str) -> str:
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text()


class Screen(io.StringIO):
    """Where a terminal would print."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("game", interface_names())
def test_the_rules_are_the_page_and_on_a_terminal_every_clause_begins_a_line(
    game: str, command: Skyjo, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("rules").out == page_of(game)
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["rules"], game) == 0
    lines = screen.getvalue().splitlines()
    clauses = [line.split()[0] for line in page_of(game).splitlines() if line[:1].isdigit()]
    assert len(clauses) > 20
    assert [clause for clause in clauses if not any(line.startswith(f"{clause} ") for line in lines)] == []


@pytest.mark.parametrize("name", interface_names())
def test_every_rule_but_the_number_of_players_is_told_with_its_clause_and_choices_that_are_rules(name: str) -> None:
    game, text = find_game(name), page_of(name)
    told = [*rule_documents(find_interface(name), game.rules())]
    assert [rule["name"] for rule in told] == [field.name for field in fields(game.rules()) if field.name != "players"]
    assert {rule["name"] for rule in told} == find_interface(name).rule_words.keys()
    for rule in told:
        start = text.index(f"\n{rule['clause']} ")
        clause = text[start : re.compile(r"\n\n|\n\d+\.\d+ ").search(text, start + 1).start()]  # type: ignore[union-attr]
        assert f"`{rule['name']}" in clause
        for value in [*rule.get("choices", []), *rule.get("range", [])]:
            if (rule["name"], value) != ("opening_flips", 23):  # more than the cells of the official board
                game.rules(f"{rule['name']}={value}")
        assert "choices" not in rule or rule["usual"] in rule["choices"]
        assert "range" not in rule or rule["range"][0] <= rule["usual"] <= rule["range"][1]
