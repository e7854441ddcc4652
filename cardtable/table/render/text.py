"""Layouts of cards as text, side by side, colours in a terminal, and the phrases that all games share."""

import os
import re
import string
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cardtable.table.checks import brief
from cardtable.table.errors import TableError
from cardtable.table.render.faces import CARD_CODES, HIDDEN_CODE, card_class


def terminal_has_colour() -> bool:
    """Return whether colours may be printed: by FORCE_COLOR, NO_COLOR, or if standard output is a colour terminal."""
    if os.environ.get("FORCE_COLOR"):
        return True
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def paint(text: str, code: str) -> str:
    """Return the text in a terminal colour code."""
    return f"\033[{code}m{text}\033[0m"


def padded(text: str, wanted: int) -> str:
    """Return the text with spaces up to a width; colour codes take no room."""
    return text + " " * (wanted - width(text))


def width(text: str) -> int:
    """Return the number of columns that a text takes."""
    return len(re.sub(r"\033\[[0-9;]*m", "", text))


GAP = "    "


def side_by_side(blocks: Iterable[Sequence[str]], columns: int, gap: str = GAP) -> str:
    """Return blocks of lines side by side, as many in a row as fit, with empty lines between the rows."""
    rows: list[list[list[str]]] = []
    left = 0
    for block in blocks:
        block_width = max(map(width, block))
        if not rows or left < block_width + len(gap):
            rows.append([])
            left = columns + len(gap)
        rows[-1].append([padded(line, block_width) for line in block])
        left -= block_width + len(gap)
    return "\n\n".join(_row(row, gap) for row in rows)


def _row(blocks: list[list[str]], gap: str) -> str:
    """Return blocks that fit side by side; the shorter ones get empty lines."""
    height = max(map(len, blocks))
    filled = [[*block, *[padded("", width(block[0]))] * (height - len(block))] for block in blocks]
    return "\n".join(gap.join(line).rstrip() for line in zip(*filled, strict=True))


@dataclass(frozen=True)
class PointCards:
    """Numbered cards as text, and other marks that a game may show in a cell."""

    hidden: int  # the number of a card that lies face down
    others: Mapping[int, tuple[str, str]]  # text and terminal code of what has no number

    def written(self, card: int, colour: bool, columns: int = 0, hidden: str = "?") -> str:
        """Return a card, in its colour if wished, at the right of so many columns."""
        others = {self.hidden: (hidden, HIDDEN_CODE), **self.others}
        text, code = others.get(card) or (str(card), CARD_CODES[card_class(card)])
        return paint(text.rjust(columns), code) if colour else text.rjust(columns)

    def rows(
        self, cells: Sequence[int], rows: int, colour: bool, hidden: Sequence[str] | None = None
    ) -> list[list[str]]:
        """Return the rows of a layout whose cells are numbered column by column, in three columns each.

        `hidden` says by cell how a card that lies face down is written.
        """
        unseen = ["?"] * len(cells) if hidden is None else hidden
        written = [self.written(card, colour, 3, below) for card, below in zip(cells, unseen, strict=True)]
        return [written[row::rows] for row in range(rows)]


def numbered(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows of a layout with the number of every cell before its card; cells are counted column by column."""
    return [
        "".join(f"{column * len(rows) + row:>4} [{cell}]" for column, cell in enumerate(cells))
        for row, cells in enumerate(rows)
    ]


def runs(numbers: Iterable[int]) -> str:
    """Return increasing numbers with neighbours joined: `1-4, 9`."""
    joined: list[list[int]] = []
    for number in numbers:
        if joined and number == joined[-1][-1] + 1:
            joined[-1].append(number)
        else:
            joined.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in joined)


def in_few_words(names: Sequence[str]) -> str:
    """Return names of actions, those that differ only in their last number joined: `draw; place 0-11; flip 1-4, 9`."""
    numbers: dict[str, list[int]] = {}
    for name in names:
        words = name.rstrip(string.digits)
        numbers.setdefault(words, []).extend([int(name[len(words) :])] if words != name else [])
    return "; ".join(f"{words}{runs(endings)}" for words, endings in numbers.items())


def named_action(name: Any, names: Sequence[str]) -> int:
    """Return the index of an action among these names; TableError lists the known ones."""
    if name not in names:
        raise TableError(f"unknown action {brief(name)}: the actions are {in_few_words(names)}")
    return names.index(name)


def tally(cards: Iterable[Any], counts: Iterable[int]) -> str:
    """Return the count of every card that is there, as text: `-2: 5, 0: 14`."""
    counted = [f"{card}: {count}" for card, count in zip(cards, counts, strict=True) if count > 0]
    return ", ".join(counted) or "none"


# What texts and pictures of all games say


class Telling(NamedTuple):
    """Names of the seats, and words for the last move; None for the words of every picture."""

    names: tuple[str, ...] | None = None
    happened: str | None = None

    def name(self, seat: int) -> str:
        """Return a seat's name at the beginning of a line."""
        return f"Seat {seat}" if self.names is None else self.names[seat]

    def seat(self, seat: int) -> str:
        """Return a seat's name within a line."""
        return f"seat {seat}" if self.names is None else self.names[seat]


UNTOLD = Telling()


def last_move_words(game: Any) -> str:
    """Return the last move, such as "seat 1: place 3"; empty before the first."""
    if game.last_move is None:
        return ""
    seat, action = game.last_move
    return f"seat {seat}: {game.card_game.action_names(game.rules)[action]}"


def end_words(game: Any, telling: Telling = UNTOLD) -> str:
    """Return how a game that is over has ended, as a headline."""
    if game.is_truncated:
        return "Stopped after too many turns"
    if not game.winners:
        return f"Nobody wins the {game.episode}"
    first, *others = game.winners
    winners = " and ".join([telling.name(first), *map(telling.seat, others)])
    return f"{winners} {'win' if others else 'wins'} the {game.episode}"


def counted(number: int, thing: str) -> str:
    """Return a number of things, such as "1 turn" or "2 turns"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
