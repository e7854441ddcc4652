"""The command line, called in this process with what is typed; and sessions, which say what can be typed."""

import io
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from cardtable.table.game.table_game import TableGame, game_class
from skyjo.main import main
from skyjo.table.played_game import Session
from tests.documents import Printed

Skyjo = Callable[..., Printed]  # skyjo("play", "naive", typed=["d", "quit"])


def runner(
    command: Callable[[tuple[str, ...]], int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Skyjo:
    def run(*arguments: str, typed: Iterable[str] = ()) -> Printed:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        try:
            status = command(arguments)
        except SystemExit as done:
            status = int(done.code or 0)
        said = capsys.readouterr()
        return Printed(status, said.out, said.err)

    return run


def _command_of(game: str) -> Any:
    """A fixture that runs command lines of a game and hands back what they said."""

    @pytest.fixture(name=game)
    def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Skyjo:
        return runner(partial(main, game=game), monkeypatch, capsys)

    return command


skyjo, skipbo, skyjo_action = map(_command_of, ("skyjo", "skipbo", "skyjo_action"))


OPPONENTS = {  # one without and one with choices by chance
    "skyjo": ("expected", "random"),
    "skipbo": ("greedy", "random:plays_first=true"),
    "skyjo_action": ("random", "random"),
}
RULES = {"skyjo": "players=3", "skipbo": "players=3 stock=6", "skyjo_action": "players=3"}


def sit(game: str, seed: int, seat: int = 0, episode: str = "round") -> Session:
    """A player against both opponents."""
    kind = find_game(game)
    return Session(game_class(kind)(kind.rules(RULES[game]), seed, 0, episode), seat, OPPONENTS[game])


def play_on(session: Session, choose: Callable[[Sequence[int]], int] = min, decisions: int = 10_000) -> list[int]:
    """Let everybody decide, the player by choosing from what is legal; returns what the player did."""
    made: list[int] = []
    while len(made) < decisions and not session.game.is_over:
        if session.is_asked:
            made.append(choose(session.game.legal_actions()))
            session.apply(made[-1])
        else:
            session.decide()
    return made


def typed(session: Session, choose: Callable[[Sequence[int]], int] = min) -> list[str]:
    """What to type to play to the end, where the session then stands."""
    names = session.card_game.action_names(session.rules)
    return [names[action] for action in play_on(session, choose)]


def written(game: TableGame[Any], folder: Path) -> str:
    """The name of a file in which this game is written down."""
    path = folder / "game.txt"
    path.write_text(RecordFormat(find_game(game.rules.game)).format_record(game.record()))
    return str(path)


def complaint(done: Printed) -> str:
    """What a command that refused said: a single line."""
    assert (done.status, done.out) == (2, "")
    (line,) = done.err.splitlines()
    return line
