"""How people meet a game: what the programs declare, and that a package of others can bring one."""

from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from skipbo_env.people import documents as skipbo_documents
from skipbo_env.people import terminal as skipbo_terminal
from skyjo import programs
from skyjo.analysis.judge import analyst_for
from skyjo.main import main
from skyjo.programs import GameDocuments, GameTerminal, called, find_program, program, program_names
from skyjo_action_env.people import documents as skyjo_action_documents
from skyjo_action_env.people import terminal as skyjo_action_terminal
from skyjo_env.people import documents as skyjo_documents
from skyjo_env.people import terminal as skyjo_terminal
from skyjo_env.people.program import SKYJO_PROGRAM

# That they offer what they must is for mypy to find out.
TERMINALS: dict[str, GameTerminal] = {
    "skipbo": skipbo_terminal,
    "skyjo": skyjo_terminal,
    "skyjo_action": skyjo_action_terminal,
}
DOCUMENTS: dict[str, GameDocuments] = {
    "skipbo": skipbo_documents,
    "skyjo": skyjo_documents,
    "skyjo_action": skyjo_action_documents,
}

STRANGERS = replace(
    SKYJO_PROGRAM, game="nim", title="Nim", exam="", judges=(), own_commands={"count": "nim.count:Count"}
)


def test_every_program_has_its_modules() -> None:
    assert program_names() == ["skipbo", "skyjo", "skyjo_action"]
    for name in program_names():
        assert find_program(name).terminal is TERMINALS[name]
        assert find_program(name).documents is DOCUMENTS[name]


@pytest.mark.parametrize("name", program_names())
def test_programs_say_of_games_what_the_games_say(name: str) -> None:
    game, program = find_game(name), find_program(name)
    assert (game.name, game.title, game.lower_is_better) == (program.game, program.title, not program.most_points_win)
    assert all(agent in agents_of(game).names() for agent in program.opponents)


def test_a_game_that_nobody_can_judge_says_so() -> None:
    program = find_program("skyjo_action")
    with pytest.raises(
        TableError, match=r"^no agent can judge games of Skyjo Action under these rules with 2 players$"
    ):
        analyst_for(program, find_game("skyjo_action").official)


def test_a_program_that_cannot_be_loaded_is_left_out_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = EntryPoint("broken", f"{__name__}:NOTHING", programs.GROUP)
    found = {"broken": broken, "skyjo": EntryPoint("skyjo", f"{__name__}:SKYJO_PROGRAM", programs.GROUP)}
    monkeypatch.setattr(programs, "_installed", lambda: found)
    assert programs.working_programs() == ["skyjo"]
    assert capsys.readouterr().err.startswith("warning: broken is left out: AttributeError: ")


def test_another_package_can_bring_a_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    point = EntryPoint("nim", f"{__name__}:STRANGERS", programs.GROUP)
    monkeypatch.setattr(programs, "_installed", lambda: {"nim": point})
    assert find_program("nim") is STRANGERS
    with called("nim"):
        assert program() is STRANGERS
    with pytest.raises(SystemExit):
        main(["--help"], "nim")
    printed = capsys.readouterr().out
    assert printed.startswith("usage: nim COMMAND ...\n\nPlay Nim, look at games")
    assert "\n\n  count\n\n" in printed
    assert "\n  analyse " not in printed
    with pytest.raises(TableError, match=r"^no program plays 'chess'; installed: nim$"):
        find_program("chess")
