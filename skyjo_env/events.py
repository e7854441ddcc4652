"""Effects of a decision, as data: `Game.play` returns these events in the order in which they happen.

Each holds what all seats see, with one exception: only its holder knows a card that was just drawn, until it is placed
or discarded. Cells are numbered as in docs/rules/skyjo.md 1.3.
"""

from typing import Annotated

from cardtable.table.game.events import OfSeat, Secret, TableEvent, seen_by
from skyjo_env.kernel.state import HIDDEN

__all__ = ["Event", "seen_by"]

Board = tuple[int, ...]  # by cell: a card, HIDDEN or EMPTY


class Event(TableEvent):
    """Something that happened at the table. The order of its kinds below is that of their numbers in the kernel."""


class PileReshuffled(Event):
    """The discards became the draw pile (6.1, 6.2)."""

    size: int  # cards in the new draw pile
    discard_top: int  # the card that stayed, or was turned up, as the discard pile


class CardDrawn(Event, OfSeat):
    """A seat drew a card, which only that seat knows (4.1)."""

    card: Annotated[int, Secret(HIDDEN)]


class DiscardTaken(Event, OfSeat):
    """A seat took the top card of the discard pile (4.1)."""

    card: int


class CardPlaced(Event, OfSeat):
    """A seat placed the card in hand on a cell, and the card that lay there went on the discard pile (4.6)."""

    cell: int
    card: int
    was_drawn: bool  # else it was taken
    replaced: int
    was_hidden: bool  # the replaced card


class CardDiscarded(Event, OfSeat):
    """A seat laid the drawn card on the discard pile (4.4)."""

    card: int


class CardTurnedUp(Event, OfSeat):
    """A hidden card was turned up, in the opening or in a turn (2.2, 4.4)."""

    cell: int
    card: int


class LinesCleared(Event, OfSeat):
    """Complete lines of a board were cleared together (5.4, 7.4)."""

    cells: tuple[int, ...]
    cards: tuple[int, ...]  # of these cells
    is_reveal: bool = False  # at the end of the round, and not by a decision


class LinesKept(Event, OfSeat):
    """A seat kept its complete lines (5.5)."""


class TurnsBegan(Event, OfSeat):
    """The opening is over, and this seat has the first turn (3.1)."""


class RoundEnded(Event, OfSeat):
    """A seat has no hidden card any more, so the last turns begin (7.1)."""

    turns_left: int


class CardRevealed(Event, OfSeat):
    """A card that was hidden to the end of the round was turned up (7.4)."""

    cell: int
    card: int


class EnderPenalised(Event, OfSeat):
    """The score of the seat that ended the round was raised by the penalty (7.6)."""

    points: int  # on its board
    score: int


class RoundScored(Event):
    """A round is over and scored (7.5, 8.1)."""

    round: int
    turns: int
    boards: tuple[Board, ...]  # everything turned up and cleared
    ender: int
    scores: tuple[int, ...]
    totals: tuple[int, ...]


class RoundStopped(Event):
    """A round took too many turns, and the game was stopped with it (7.8)."""

    round: int
    turns: int
    boards: tuple[Board, ...]  # what was hidden stays so
    totals: tuple[int, ...]


class RoundDealt(Event):
    """The next round was dealt (2.1). If chance opens the boards, `CardTurnedUp` and `LinesCleared` follow (2.3)."""

    round: int
    discard_top: int


class GameOver(Event):
    """The episode is over (8.2, 8.3, 8.5). A game that was stopped has `RoundStopped` instead."""

    winners: tuple[int, ...]
