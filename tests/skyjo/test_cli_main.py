"""The commands `skyjo` and `skipbo`: their help, their complaints, how they end, and the rules that they print."""

import io
import re
import shlex
import subprocess
import sys
from dataclasses import fields
from importlib.metadata import version

import pytest

from cardtable.table.game.card_game import find_game
from skyjo.command_line import overview, wrapped
from skyjo.commands import offered
from skyjo.main import main
from skyjo.programs import find_program, program_names
from skyjo.web.table_routes import rule_documents
from tests.documents import ROOT, Printed
from tests.helpers import first_quick
from tests.skyjo.cli import Skyjo, complaint

OTHER = {"skyjo": "skipbo", "skipbo": "skyjo", "skyjo_action": "skipbo"}


@pytest.mark.parametrize(("game", "name"), [(game, name) for game in OTHER for name in offered(find_program(game))])
def test_the_help_of_every_command_fits_on_the_terminal_and_names_no_other_game(
    game: str, name: str, command: Skyjo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = command(name, "--help")
    assert (done.status, done.err) == (0, "")
    assert f"usage: {find_program(game).command} {name}" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert OTHER[game] not in done.out.lower()


@pytest.mark.parametrize(
    ("arguments", "name", "last"),
    [
        (("match", "tempo", "naive", "--help"), "match", "AGENT ..."),
        (("compare", "tempo", "--deals", "9", "-h"), "compare", "RUN"),
        (("games", "list", "stored", "--help"), "games list", "FOLDER"),
        (("games", "--help"), "games", "{about,list,replay,export,check}"),
    ],
)
def test_the_usage_names_also_what_is_given(skyjo: Skyjo, arguments: tuple[str, ...], name: str, last: str) -> None:
    usage = skyjo(*arguments).out.partition("\n")[0]
    assert usage.startswith(f"usage: skyjo {name} [-h] ")
    assert usage.endswith(f" {last}")


def test_wide_paragraphs_of_help_are_broken_between_words() -> None:
    page = "usage: skyjo\n\nTwo seats, well-known,\nand more.\n\nof  a   box\nis kept\n"
    assert wrapped(page, 16) == "usage: skyjo\n\nTwo seats,\nwell-known, and\nmore.\n\nof  a   box\nis kept\n"


@pytest.mark.parametrize("game", program_names())
def test_the_help_fits_on_a_screen_and_has_every_command(game: str) -> None:
    lines = overview(find_program(game)).splitlines()
    named = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(named) == sorted(offered(find_program(game)))
    assert len(lines) <= 30
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize("game", program_names())
def test_without_a_command_there_is_help(game: str, command: Skyjo) -> None:
    page = Printed(0, overview(find_program(game)) + "\n", "")
    assert command() == command("--help") == command("-h") == command("help") == page
    assert f"\nPlay {find_program(game).title}" in page.out


def test_it_tells_its_version(skyjo: Skyjo) -> None:
    assert skyjo("--version").out.startswith(f"skyjo-env {version('skyjo-env')} (Python 3.")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tornament", "'tornament' is not a command; did you mean tournament? (see skyjo --help)"),
        ("xyzzy", "'xyzzy' is not a command (see skyjo --help)"),
        ("x" * 10**6, f"'{'x' * 60}' is not a command (see skyjo --help)"),
    ],
)
def test_a_mistyped_command_is_told_with_the_nearest(name: str, words: str, skyjo: Skyjo) -> None:
    assert complaint(skyjo(name)) == f"skyjo: {words}"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("replay", "Missing from skyjo replay: FILE "),
        ("replay one two", "Unrecognized options: two"),
        ("play --see 4", "Unrecognized options: --see, 4; Perhaps you meant: --seed N"),
        ("games list folder --sortt x", "Unrecognized options: --sortt, x; Perhaps you meant: --sort "),
        ("play --colur=red", "Unrecognized options: --colur=red"),
        ("play --seed many", "Error parsing --seed: 'many' is not a whole number (see"),
        ("match tempo naive --deals x", "Error parsing --deals: 'x' is not a whole number (see"),
        ("train run --decisions 1e6", "Error parsing --decisions: '1e6' is not a whole number (see"),
        ("""match --timeout "it's" """, 'Error parsing --timeout: "it\'s" is not a number (see'),
        ("play --episode week", "invalid choice 'week' for argument '--episode'. Expected one of ('"),
        ("play --colour red", "invalid choice 'red' for argument '--colour'. Expected one of ('auto', "),
        ("play --load", "Missing value for argument '--load'"),
    ],
)
def test_bad_arguments_are_told_in_one_line_of_plain_words(line: str, words: str, skyjo: Skyjo) -> None:
    said = complaint(skyjo(*shlex.split(line)))
    assert said.startswith(f"skyjo: {words}")
    assert said.endswith(" (see --help)")
    assert not any(word in said for word in ("INT", "int()", "float"))


@pytest.mark.parametrize(
    ("game", "line", "words"),
    [
        ("skyjo", "play nobody", "unknown agent 'nobody'"),
        ("skyjo", "play threshold:t=x", "agent threshold: t='x' must be a number"),
        ("skyjo", "play naive naive --rules players=4", "opponents: 2 given, but there must be 1 or 3"),
        ("skyjo", "play --rules colour=red", "unknown colour"),
        ("skyjo", "play --seat 2", "--seat 2: seats are 0 to 1, or random"),
        ("skyjo", "play --seat -1", "--seat -1: seats are 0 to 1, or random"),
        ("skyjo", "play --seed -1", "seed=-1"),
        ("skyjo", f"play {'naive ' * 8}", "players=9"),
        ("skyjo", "play --load nowhere", "nowhere: No such file"),
        ("skyjo", "play --load -", "--load needs a file: standard input is for your answers"),
        ("skyjo", "play --load README.md --seed 1", "--seed cannot be given with --load"),
        ("skyjo", "play --load README.md", "README.md: line 1: a written game begins with"),
        ("skyjo", "play --load docs/images/table-2.png", "docs/images/table-2.png: this is not text"),
        ("skipbo", "match tempo greedy", "unknown agent 'tempo'; installed: "),
        ("skipbo", "match greedy greedy --rules clear=confirm", "unknown clear; the rules have players, stock"),
        ("skipbo", "match greedy greedy --rules stock=99", "stock=99"),
        ("skipbo", "match greedy greedy --players 7", "players=7"),
        ("skipbo", "play --rules 'players=5 stock=30'", "stock=30 is too large for players=5"),
        ("skipbo", "play --load README.md", "README.md: line 1: a written game begins with 'skipbo-record 1'"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(game: str, line: str, words: str, command: Skyjo) -> None:
    assert complaint(command(*shlex.split(line))).startswith(f"{game}: {words}")


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
    done = subprocess.run([sys.executable, "-m", "skyjo", "replay", "no-such-file"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "skyjo: no-such-file: No such file or directory\n")


@pytest.mark.parametrize(
    ("command", "status", "words"),
    first_quick(
        2,
        [
            ("replay - <&-", 2, "skyjo: -: standard input is closed"),
            ("match naive naive --deals 10 >&- 2>&-", 0, ""),
            ("match naive naive --deals 10 >&-", 0, ""),
            ("match naive naive --deals 10 2>&-", 0, ""),
            ("play naive <&-", 0, ""),
            ("play human --seat 1 <&-", 2, "human: nobody"),
        ],
    ),
)
def test_closed_inputs_and_outputs_are_no_disaster(command: str, status: int, words: str) -> None:
    for _ in range(2):  # the first time it may say that it compiles
        whole = f"{sys.executable} -m skyjo {command}"
        done = subprocess.run(["bash", "-c", whole], capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (status, 1 if words else 0)
    assert words in done.stderr


def test_errors_that_nobody_foresaw_are_not_hidden(skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyjo.commands.look_up.describe", lambda _, name: int(name))
    with pytest.raises(ValueError, match="invalid literal"):
        skyjo("agents")


def page_of(game: str) -> str:
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text()


@pytest.mark.parametrize("game", program_names())
def test_the_rules_are_those_of_the_game_as_markdown(game: str, command: Skyjo) -> None:
    assert command("rules").out == page_of(game)


@pytest.mark.parametrize("game", program_names())
def test_the_rules_begin_with_how_to_play(game: str) -> None:
    first = page_of(game).split("\n\n")[1]
    assert first.startswith(f"In {find_program(game).title} you want ")
    assert "On your turn you" in first
    assert re.findall(r"kernel|oracle|test|clause|`", first) == []


@pytest.mark.parametrize("game", program_names())
def test_on_a_terminal_every_clause_begins_a_line(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["rules"], game) == 0
    lines = screen.getvalue().splitlines()
    clauses = [line.split()[0] for line in page_of(game).splitlines() if line[:1].isdigit()]
    assert len(clauses) > 20
    assert [clause for clause in clauses if not any(line.startswith(f"{clause} ") for line in lines)] == []


class Screen(io.StringIO):
    """Where a terminal would print."""

    def isatty(self) -> bool:
        return True


# Every rule has words


@pytest.mark.parametrize("name", program_names())
def test_every_rule_but_the_number_of_players_is_told_with_its_clause(name: str) -> None:
    rules, text = find_game(name).rules(), page_of(name)
    told = [*rule_documents(find_program(name), rules)]
    assert [rule["name"] for rule in told] == [field.name for field in fields(rules) if field.name != "players"]
    assert {rule["name"] for rule in told} == find_program(name).rule_words.keys()
    for rule in told:
        start = text.index(f"\n{rule['clause']} ")
        clause = text[start : re.compile(r"\n\n|\n\d+\.\d+ ").search(text, start + 1).start()]  # type: ignore[union-attr]
        assert f"`{rule['name']}" in clause


@pytest.mark.parametrize("name", program_names())
def test_every_choice_and_both_ends_of_a_range_are_rules(name: str) -> None:
    game = find_game(name)
    for rule in rule_documents(find_program(name), game.rules()):
        for value in [*rule.get("choices", []), *rule.get("range", [])]:
            if (rule["name"], value) != ("opening_flips", 23):  # more than the cells of the official board
                game.rules(f"{rule['name']}={value}")
        if "choices" in rule:
            assert rule["usual"] in rule["choices"]
        if "range" in rule:
            assert rule["range"][0] <= rule["usual"] <= rule["range"][1]
