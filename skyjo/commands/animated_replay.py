"""A recorded game as an animated SVG picture: what `replay --svg` writes."""

from collections.abc import Iterator, Sequence
from typing import Any

from cardtable.table.game.records import RecordFormat
from cardtable.table.render.svg import Scene, svg_animation
from cardtable.table.render.text import Telling
from skyjo.commands.shared import the_game
from skyjo.table.described_game import Decision, DescribedGame, turn_lines

SIZE = 800, 500
MAX_BYTES = 200_000
MAX_LETTERS = 90  # of the line that says what happened
MAX_NAME = 18  # letters that fit into a panel beside the total
DECISION_SECONDS, TURN_SECONDS = 0.8, 1.2


def animated_replay(record: dict[str, Any], first: int, last: int, names: Sequence[str] | None) -> str:
    """Return the moves from first to last, a picture for each; or for each turn, or every second or third one and so
    on, until it is small enough. `names` are those of the players by seat.
    """
    scenes = list(_scenes(record, first, last, names))
    svg = svg_animation([scene for scene, _ in scenes], DECISION_SECONDS)
    turns, step = [scene for scene, ends_turn in scenes[:-1] if ends_turn], 1
    while len(svg.encode()) > MAX_BYTES and step <= len(turns):
        svg = svg_animation([*turns[::step], scenes[-1][0]], TURN_SECONDS)
        step += 1
    return svg


def _scenes(record: dict[str, Any], first: int, last: int, names: Sequence[str] | None) -> Iterator[tuple[Scene, bool]]:
    """Yield the table before the first of these moves and after each of them; and whether a turn ended there."""
    described, labels = DescribedGame(RecordFormat(the_game()).begin(record)), None if names is None else _labels(names)
    turn: list[Decision] = []
    for action in record["actions"][: first - 1]:
        described.apply(action)
    yield the_game().scene_of(described.game, SIZE, Telling(labels, "")), True
    for action in record["actions"][first - 1 : last]:
        turn.append(described.apply(action))
        words = _happened(turn, labels or [f"seat {seat}" for seat in range(described.game.rules.players)])
        yield the_game().scene_of(described.game, SIZE, Telling(labels, words)), turn[-1].ends_turn
        if turn[-1].ends_turn:
            turn = []


def _happened(turn: Sequence[Decision], names: Sequence[str]) -> str:
    """Return the words on a turn so far; for a long turn, those on its last decisions."""
    for first in range(len(turn)):
        words = turn_lines(turn[first:], names)[0]
        if len(words) <= MAX_LETTERS:
            break
    return words if first == 0 else words.replace(": ", ": …, ", 1)


def _labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names as pictures show them: short, and with their seats where two are the same."""
    short = [name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…" for name in names]
    return tuple(f"{name} {seat}" if short.count(name) > 1 else name for seat, name in enumerate(short))
