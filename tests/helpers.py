"""Small things that several test files share."""

import copy
import os
import pickle
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import count
from types import FrameType, ModuleType
from typing import Any, NoReturn, TypeVar

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import IllegalActionError
from cardtable.table.game.table_game import TableGame
from skyjo_env import Game
from tests.skyjo_env.lockstep import random_rules

AnyGame = TypeVar("AnyGame", bound=TableGame[Any])

SEEDED = settings(derandomize=True, deadline=None, database=None)  # the same examples in every run


def cannot_test(missing: str, untested: str) -> NoReturn:
    """Skip a test for which something is missing; with CI=true, fail."""
    words = f"{missing}: {untested} NOT tested"
    if os.environ.get("CI") == "true":
        pytest.fail(words)
    pytest.skip(words)


def first_quick(count: int, cases: Iterable[Any]) -> list[Any]:
    """Cases of `parametrize`: the first ones are for every push, all others are slow tests."""
    listed = [each if isinstance(each, tuple) else (each,) for each in cases]
    return [pytest.param(*each, marks=[] if place < count else pytest.mark.slow) for place, each in enumerate(listed)]


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": lambda table: table.copy(),
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda table: pickle.loads(pickle.dumps(table)),
}


def without(monkeypatch: pytest.MonkeyPatch, package: str, *users: str) -> None:
    """As if this package were not installed; modules that use it are imported anew, and so fail."""

    class Finder:
        def find_spec(self, name: str, *_: Any) -> None:
            if name.partition(".")[0] == package:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    for name in [name for name in sys.modules if name.partition(".")[0] == package or name.startswith(users)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])


BOARD = "? ? ? | ? ? ? | ? ? ? | ? ? ?"  # a board as dealt
REST = "? ? ? | ? ? ? | ? ? ?"  # its last three columns
GONE = ". . . | . . . | . . ."  # the same, cleared

seeds = st.integers(0, 2**64 - 1)
many_rules = st.integers(0, 2**32 - 1).map(lambda seed: random_rules(random.Random(seed)))


def table(text: str) -> Game:
    """The game of a written position, given without its first line."""
    return Game.from_position(f"skyjo-position 1; {text}")


def cells(cards: str) -> str:
    """An official board on which only these cards are left."""
    words = cards.split() + ["."] * (12 - len(cards.split()))
    return " | ".join(" ".join(words[first : first + 3]) for first in range(0, 12, 3))


def board(cards: str) -> str:
    """The same as a line of a position."""
    return f"board {cells(cards)}"


def lines(game: TableGame[Any], word: str) -> list[str]:
    """What follows this word in the lines of the game's position."""
    found = (line.partition(" ") for line in game.position().splitlines())
    return [rest for first, _, rest in found if first == word]


def line(game: TableGame[Any], word: str) -> str:
    """The same for a word that begins one line at most."""
    return "".join(lines(game, word))


def legal(game: TableGame[Any], *words: str) -> list[str]:
    """The legal actions by name, or those of them that begin with one of these words."""
    names = game.card_game.action_names(game.rules)
    return [names[action] for action in game.legal_actions() if not words or names[action].split()[0] in words]


def play(game: AnyGame, *names: str) -> AnyGame:
    """Apply actions given by their names; the game itself is returned."""
    for name in names:
        game.apply(game.card_game.parse_action(game.rules, name))
    return game


def decide(agent: Any, game: TableGame[Any], chance: int = 0) -> str:
    """What an agent, or one of this name, does at a table."""
    if isinstance(agent, str):
        agent = agents_of(game.card_game).make(agent, game.rules)
    actions = agent.act(game.observation()[None], game.mask()[None], np.array([chance], np.uint64))
    return game.card_game.action_names(game.rules)[int(actions[0])]


def score_lap(rules: str, *boards: str, more: str = "episode round") -> Game:
    """Seat 0 has ended the round; in the last turn the last seat replaces its first card by an equal one."""
    last = len(boards) - 1
    written = "; ".join(map(board, boards))
    lap = f"discard {boards[-1].split()[0]}; ender 0; turns_left 1; seat {last} turn"
    return play(table(f"rules players={len(boards)} {rules}; {more}; {written}; {lap}"), "take", "place 0")


def seats_until_the_end(game: Game) -> list[int]:
    """Who takes a turn until the game is over; all of them take the discard and place it on cell 0."""
    seats = []
    while not game.is_over:
        seats.append(game.seat)
        play(game, "take", "place 0")
    return seats


def opening(rules: str, *boards: str) -> Game:
    """The last opening flip of a round: the last seat turns up its cell 1."""
    written = "; ".join(f"board {cells} | {REST}" for cells in boards)
    last = len(boards) - 1
    return play(table(f"rules players={len(boards)} {rules}; {written}; discard 3; seat {last} opening"), "flip 1")


def refuse(game: TableGame[Any], name: str) -> None:
    """This action is illegal, and trying it changes nothing."""
    before = game.position()
    with pytest.raises(IllegalActionError, match=name):
        play(game, name)
    assert game.position() == before


def zeros(discard: str, draw: str = "", rules: str = "", more: str = "seat 0 turn", players: int = 2) -> Game:
    """Zeros lie hidden on small boards; every other card is on one of the piles."""
    cards = Counter(re.findall(r"\d+", f"{discard} {draw}"))
    deck = ",".join([f"0:{4 * players}", *(f"{card}:{count}" for card, count in cards.items())])
    rules = f"rules players={players} rows=2 columns=2 opening_flips=1 deck={deck} {rules}"
    return table(f"{rules}; {'; '.join(['board ?0 ?0 | ?0 ?0'] * players)}; discard {discard}; draw {draw}; {more}")


def play_at_random(game: TableGame[Any], chance: random.Random, decisions: int) -> list[int]:
    """Make up to this many random legal decisions; return them."""
    made: list[int] = []
    while len(made) < decisions and not game.is_over:
        made.append(chance.choice(game.legal_actions()))
        game.apply(made[-1])
    return made


def seen(table: TableGame[Any]) -> dict[str, Any]:
    """Everything that a table shows: its position, and what each seat may see and do."""
    return {
        "position": table.position(),
        "legal": table.legal_actions(),
        "mask": table.mask().tolist(),
        "observations": [table.observation(seat).tolist() for seat in range(table.rules.players)],
    }


ANYTHING: list[Any] = [None, True, -1, 2**70, 1.5, "text", [], [None], [[1]], {}, {"a": 1}]  # that JSON can hold


def forged(document: Any, chance: random.Random) -> Any:
    """Return the JSON document with another value, or nothing, at some place in it."""
    if not isinstance(document, dict | list) or not document or chance.random() < 0.2:
        return chance.choice(ANYTHING)
    changed = copy.copy(document)
    place = chance.choice([*document] if isinstance(document, dict) else range(len(document)))
    if chance.random() < 0.2:
        del changed[place]
    else:
        changed[place] = forged(document[place], chance)
    return changed


def interrupted(work: Callable[[], Any], at: int, *modules: ModuleType) -> bool:
    """Do something, but raise what Ctrl-C raises before the n-th step of Python in these modules, if there is one."""
    steps, files = count(), {module.__file__ for module in modules}

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        frame.f_trace_opcodes = is_ours = frame.f_code.co_filename in files
        if is_ours and event == "opcode" and next(steps) == at:
            raise KeyboardInterrupt
        return trace if is_ours else None

    traced = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(traced)
    return False
