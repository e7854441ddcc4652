"""The command `skyjo`: its help, its complaints, and how it ends."""

import os
import subprocess
import sys
from importlib.metadata import version

import pytest

from skyjo.help_page import wrapped
from skyjo.overview import overview
from skyjo.programs import find_program, program_names
from tests.helpers import first_quick
from tests.skyjo.cli import Done, Skyjo, complaint

COMMANDS = find_program("skyjo").commands


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, skyjo: Skyjo) -> None:
    done = skyjo(name, "--help")
    assert (done.status, done.err) == (0, "")
    assert f"usage: skyjo {name}" in done.out


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_fits_on_the_terminal(
    name: str, skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, skyjo(name, "--help").out.splitlines())) <= 80


def test_wide_paragraphs_of_help_are_broken_between_words() -> None:
    page = "usage: skyjo\n\nTwo seats, well-known,\nand more.\n\nof  a   box\nis kept\n"
    assert wrapped(page, 16) == "usage: skyjo\n\nTwo seats,\nwell-known, and\nmore.\n\nof  a   box\nis kept\n"


@pytest.mark.parametrize("game", program_names())
def test_the_help_fits_on_a_screen_and_has_every_command(game: str) -> None:
    lines = overview(find_program(game)).splitlines()
    named = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(named) == list(find_program(game).commands)
    assert len(lines) <= 30
    assert max(map(len, lines)) < 80


def test_without_a_command_there_is_help(skyjo: Skyjo) -> None:
    assert (
        skyjo()
        == skyjo("--help")
        == skyjo("-h")
        == skyjo("help")
        == Done(0, overview(find_program("skyjo")) + "\n", "")
    )


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
    ("arguments", "words"),
    [
        (("replay",), "FILE"),
        (("play", "--see", "4"), "--see is not an option; did you mean --seed?"),
        (("games", "list", "folder", "--sortt", "x"), "--sortt is not an option; did you mean --sort?"),
        (("play", "--colur=red"), "--colur is not an option"),
        (("play", "--seed", "many"), "--seed"),
        (("play", "--load"), "--load"),
        (("play", "--episode", "week"), "week"),
        (("replay", "one", "two"), "'two' is one argument too many"),
    ],
)
def test_bad_arguments_are_told_in_one_line(arguments: tuple[str, ...], words: str, skyjo: Skyjo) -> None:
    line = complaint(skyjo(*arguments))
    assert line.startswith("skyjo: ")
    assert words in line.replace(", ", ",")
    assert line.endswith(" (see --help)")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("play", "--seed", "many"), "--seed: 'many' is not a whole number"),
        (("match", "tempo", "naive", "--deals", "x"), "--deals: 'x' is not a whole number"),
        (("train", "run", "--decisions", "1e6"), "--decisions: '1e6' is not a whole number"),
        (("match", "--timeout", "it's"), "--timeout: "),
        (("match", "--timeout", "soon"), "--timeout: 'soon' is not a number"),
        (("play", "--episode", "week"), "--episode: 'week' is none of '"),
        (("play", "--colour", "red"), "--colour: 'red' is none of 'auto', 'always', 'never'"),
        (("play", "--load"), "--load needs a value"),
    ],
)
def test_a_bad_value_is_named_in_plain_words(arguments: tuple[str, ...], words: str, skyjo: Skyjo) -> None:
    line = complaint(skyjo(*arguments))
    assert line.startswith(f"skyjo: {words}")
    assert not any(word in line for word in ("INT", "int()", "float", "None", "Error parsing"))


def test_where_there_are_no_frames_the_line_is_the_same() -> None:
    said = []
    for encoding in ("ascii", "utf-8"):
        command = [sys.executable, "-m", "skyjo", "replay", "a", "--from", "x"]
        environment = os.environ | {"PYTHONIOENCODING": encoding}
        said.append(subprocess.run(command, capture_output=True, text=True, env=environment, check=False).stderr)
    assert said[0] == said[1]
    assert said[0].startswith("skyjo: --from: 'x' is not a whole number")


def test_help_needs_nothing_heavy() -> None:
    code = """
import sys
from skyjo.main import main
try:
    main(["--help"])
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
        1,
        [
            ("replay -", 2, "skyjo: -: standard input is closed"),
            ("play naive", 0, ""),
            ("play human --seat 1", 2, "human: nobody"),
        ],
    ),
)
def test_a_closed_standard_input_is_no_disaster(command: str, status: int, words: str) -> None:
    whole = f"{sys.executable} -m skyjo {command} <&-"
    for _ in range(2):  # the first time it may say that it compiles
        done = subprocess.run(["bash", "-c", whole], capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (status, 1 if words else 0)
    assert words in done.stderr


@pytest.mark.parametrize(("closed", "status"), first_quick(1, [(">&- 2>&-", 0), (">&-", 0), ("2>&-", 0)]))
def test_closed_outputs_are_no_disaster_either(closed: str, status: int) -> None:
    command = f"{sys.executable} -m skyjo match naive naive --deals 10 {closed}"
    for _ in range(2):  # the first time it may say that it compiles
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, "")


def test_errors_that_nobody_foresaw_are_not_hidden(skyjo: Skyjo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyjo.commands.agents.describe", lambda _, name: int(name))
    with pytest.raises(ValueError, match="invalid literal"):
        skyjo("agents")
