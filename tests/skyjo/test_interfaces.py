"""How people meet a game: what its program says, what is wrong with one, and that every game has one."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from skyjo import interfaces
from skyjo.commands import COMMANDS, offered
from skyjo.interfaces import GROUP, GameInterface, find_interface, interface_names, playable_interfaces, read_interface
from skyjo.main import main
from skyjo.table.game_text import GameJson, GameTerminal
from tests.cardtable.test_any_game import NIM_AND_PLAYERS
from tests.processes import install
from tests.skyjo.cli import Skyjo, runner

NEEDY = {"analyse", "exam", "rules", "web"}  # commands that not every game has


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for people of a game of another package."""
    folder = tmp_path / "chess_env" / "people"
    folder.mkdir(parents=True)
    (tmp_path / "chess_env" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("chess", "chess_env.card_game:CHESS", GROUP)
    monkeypatch.setattr(interfaces, "_installed", lambda: {"chess": point})
    yield folder
    interfaces._interface.cache_clear()


def test_every_shipped_game_says_it_in_its_own_words() -> None:
    assert interface_names() == playable_interfaces() == ["skipbo", "skyjo", "skyjo_action"]
    for name in interface_names():
        interface = find_interface(name)
        assert type(interface.terminal) is not GameTerminal
        assert type(interface.documents) is not GameJson
        assert (find_game(name).name, find_game(name).title) == (interface.game, interface.title)
        assert set(interface.opponents) <= set(agents_of(find_game(name)).names())
        assert NEEDY - set(offered(interface)) == ({"exam"} if name == "skyjo_action" else set())


def test_a_game_without_a_program_has_commands_and_those_that_cannot_work_say_why(
    stranger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interface = find_interface("chess")
    assert (interface.title, interface.opponents, interface.rules_page) == ("Chess", ("random",), None)
    assert (type(interface.terminal), type(interface.documents)) == (GameTerminal, GameJson)
    assert interface.learning.LESSONS == ()
    assert set(offered(interface)) == set(COMMANDS) - NEEDY
    for command in NEEDY:
        assert main([command], "chess") == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"chess: Chess has no {command}: that needs a")
    with pytest.raises(SystemExit):
        main(["--help"], "chess")
    printed = capsys.readouterr().out
    assert printed.startswith("usage: chess COMMAND ...\n\nPlay Chess, look at games")
    assert not any(f"\n  {command} " in printed for command in NEEDY)
    assert "chess_env" not in sys.modules
    stranger.joinpath("rules.md").write_text("# Chess")
    assert "rules" in offered(interface)


def test_the_program_is_that_of_the_game_by_whose_name_it_is_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/skyjo-action.exe", "--help"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.startswith("usage: skyjo-action COMMAND")
    monkeypatch.setattr(sys, "argv", ["/usr/bin/chess", "--help"])
    assert main() == 2
    words = "chess: no game is called 'chess'; installed: skipbo, skyjo, skyjo_action\n"
    assert capsys.readouterr().err == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = Chess", "Invalid value (at line 1, column 9)"),
        ("titel = 'Chess'", "titel is not known; did you mean title?"),
        ("has_private_hands = 'no'", "has_private_hands must be true or false, not 'no'"),
        ("opponents = ['random', 1]", "opponents 2 must be a text, not 1"),
        ("judges = ['random']", "judges needs an analyst, which judges by them"),
        ("[levels]\nrandom = true", "levels.random must be a number, not True"),
        ("[rule_words]\nstock = { clause = '1.1' }", "rule_words.stock lacks words"),
        ("[[presets]]\nname = 'a'\nrules = 1\nwords = ''", "presets 1: rules must be a text, not 1"),
        ("[[rivals]]\nnam = 'Pip'", "rivals 1 lacks name, level, agent, words"),
    ],
)
def test_what_is_wrong_with_a_program_is_told(
    text: str, words: str, stranger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = stranger / interfaces.FILE
    file.write_text(text)
    with pytest.raises(TableError) as error:
        read_interface("chess", "chess_env")
    assert str(error.value) == f"{file}: {words}"
    file.with_name("board.js").touch()
    assert playable_interfaces() == []
    assert capsys.readouterr().err == f"warning: chess is left out: {file}: {words}\n"


def test_everything_that_a_program_says_is_read(stranger: Path) -> None:
    stranger.joinpath(interfaces.FILE).write_text(
        "title = 'Chess!'\nline = 'Mate.'\nopponents = ['deep']\n[levels]\ndeep = 0\n"
        "[[rivals]]\nname = 'B'\nlevel = 'hard'\nagent = 'deep'\nwords = 'w'\n"
    )
    interface = read_interface("chess", "chess_env")
    assert isinstance(interface, GameInterface)
    said = interface.title, interface.line, interface.opponents, interface.levels
    assert said == ("Chess!", "Mate.", ("deep",), {"deep": 0})
    assert interface.rivals == (("B", "hard", "deep", "w"),)


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Skyjo]:
    """The command of a game that has no folder for people."""
    install(tmp_path / "site", "nim", NIM_AND_PLAYERS)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    caches = interfaces._installed, interfaces._interface, agents_of
    for cache in caches:
        cache.cache_clear()
    yield runner(partial(main, game="nim"), monkeypatch, capsys)
    for cache in caches:
        cache.cache_clear()


def test_a_game_without_a_terminal_is_played_by_the_names_of_its_actions(nim: Skyjo, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    typed = ["TAKE 1", "take", "x", "4", "hint", "hint greedy", f"save {file}", "3", "3", "3", "3", "2"]
    done = nim("play", "greedy", "--seed", "3", "--episode", "round", typed=typed)
    assert done.status == 0, done.err
    assert "\n\nleft: 24\nphase: turn\nseat: 0\nround: 1\n\ntake 1-3? TAKE 1\n\nyou: take 1\n" in done.out
    for refused in (
        "take can mean take 1 or take 2 or take 3",
        "'x' is not understood; you can take 1-3; ? for help",
        "'4' is not understood; you can take 1-3; ? for help",
        "no agent that is installed can advise here; hint AGENT names one",
        "greedy would: take 3",
    ):
        assert f"\n{refused}\n" in done.out
    assert "\ntake 1-2? 3\n3 is not possible now; you can take 1-2\n" in done.out
    scores = "round 1 is over\nyou: round 24, total 24\ngreedy (seat 1): round 0, total 0\n"
    assert done.out.endswith(f"\n{scores}\n\nThe round is over, won by you.\n")
    assert "\n    1  seat 0: take 1\n    2  seat 1: take 3\n\nleft: 20\n" in nim("replay", str(file)).out
    (first, second) = json.loads(nim("replay", str(file), "--json").out)["moves"]
    assert (first["words"], second["events"]) == ("take 1", [{"event": "StonesTaken", "seat": 1, "stones": 3}])
    assert nim("replay", str(file), "--svg", str(tmp_path)).err.endswith("nim: Nim has no pictures\n")
