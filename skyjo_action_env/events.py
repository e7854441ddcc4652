"""Effects of a decision, as data: `Game.play` returns these events in the order in which they happen.

Each holds what all seats see, with two exceptions: only the player who drew cards knows them at first, and only the
player who looked at hidden cards knows them. Cells and lines are numbered as in docs/rules/skyjo_action.md 1.5; a card
is its value or STAR, an action card the name of its kind.
"""

from typing import Annotated

from cardtable.table.game.events import OfSeat, Secret, TableEvent, seen_by
from skyjo_action_env.kernel import HIDDEN, KINDS

__all__ = ["Event", "seen_by"]

Layout = tuple[int, ...]  # by cell: a card, HIDDEN or EMPTY
Kind = Annotated[str, KINDS]  # of an action card
OwnCards = Annotated[tuple[int, ...], Secret(HIDDEN)]  # only `seat` may know them


class Event(TableEvent):
    """Something that happened at the table. The order of its kinds below is that of their numbers in the kernel."""


class PileReshuffled(Event):
    """The discards without the top card became the draw pile (8.1)."""

    discard_top: int


class ActionsReshuffled(Event):
    """The discarded action cards became the action pile (8.3)."""


class CardsDrawn(Event, OfSeat):
    """A seat drew one card, or three, which only that seat knows (3.3, 7.3)."""

    cards: OwnCards


class DiscardTaken(Event, OfSeat):
    """A seat took the top card of the discard pile (3.2)."""

    card: int


class CardPlaced(Event, OfSeat):
    """A seat laid a card on a cell, and the card that lay there went on the discard pile (3.2, 3.3, 7.3)."""

    cell: int
    card: int
    was_drawn: bool  # else it was taken
    replaced: int
    was_hidden: bool  # the replaced card


class CardDiscarded(Event, OfSeat):
    """A seat laid a drawn card on the discard pile (3.3, 7.3)."""

    card: int


class CardTurnedUp(Event, OfSeat):
    """A hidden card was turned up, in the opening or in a turn (2.4, 3.3, 7.3)."""

    cell: int
    card: int


class ActionTaken(Event, OfSeat):
    """A seat took an action card: in its turn, or for a star (4.1, 5.1)."""

    kind: Kind
    from_pile: bool
    for_star: bool


class ActionTurnedUp(Event):
    """An open place was filled (4.5)."""

    place: int
    kind: Kind


class ClaimRefused(Event, OfSeat):
    """A seat refused the action card that a star had earned (5.3)."""


class TurnPassed(Event, OfSeat):
    """A seat had no card to play with (3.5)."""


class ActionPlayed(Event, OfSeat):
    """A seat carries an action card out: its own, or one that it stole or replayed (4.2, 7.8, 7.9)."""

    kind: Kind


class ActionDiscarded(Event, OfSeat):
    """A seat discarded an action card (4.2)."""

    kind: Kind


class AttackStopped(Event, OfSeat):
    """A seat's defence stopped an attack (7.4)."""


class AttackAllowed(Event, OfSeat):
    """A seat let an attack pass (7.4)."""


class CardsMoved(Event, OfSeat):
    """Two cards changed places as they lay (7.2, 7.6)."""

    cell: int
    other_seat: int
    other_cell: int


class CardsLookedAt(Event, OfSeat):
    """A seat looked at the hidden cards of a line (7.5)."""

    owner: int
    cells: tuple[int, ...]
    cards: OwnCards


class CardRemoved(Event):
    """A card was removed from a layout and replaced (7.7)."""

    seat: int  # who lost it
    cell: int
    removed: int  # HIDDEN for a hidden card that no seat has seen
    card: int  # the card that lies there now


class ActionRemoved(Event):
    """An action card was removed from a seat, and replaced if there was one (7.7)."""

    seat: int  # who lost it
    kind: Kind
    received: Annotated[str | None, KINDS]


class LinesCleared(Event, OfSeat):
    """Complete lines of a layout were cleared (6.2)."""

    cells: tuple[int, ...]
    cards: tuple[int, ...]  # of these cells


class LineKept(Event, OfSeat):
    """A seat kept a complete line with stars (6.3)."""

    line: int


class TurnsBegan(Event, OfSeat):
    """The opening is over, and this seat has the first turn (2.5)."""


class RoundEnded(Event):
    """A layout has no hidden card any more, so the last turns begin (9.1)."""

    seat: int  # the ender
    turns_left: int


class CardRevealed(Event, OfSeat):
    """A card that was hidden to the end of the round was turned up (9.3)."""

    cell: int
    card: int


class EnderDoubled(Event, OfSeat):
    """The score of the seat that ended the round was doubled (9.6)."""

    score: int  # doubled


class RoundScored(Event):
    """A round is over and scored (9.5, 10.1)."""

    round: int
    turns: int
    boards: tuple[Layout, ...]  # everything turned up and cleared
    kept: tuple[int, ...]  # action cards still held
    ender: int
    scores: tuple[int, ...]
    totals: tuple[int, ...]


class RoundStopped(Event):
    """A round took too many turns, and the game was stopped with it (9.7)."""

    round: int
    turns: int
    boards: tuple[Layout, ...]  # hidden cards stay hidden
    totals: tuple[int, ...]


class RoundDealt(Event):
    """The next round was dealt (2.1, 2.2)."""

    round: int
    discard_top: int


class GameOver(Event):
    """The episode is over (10.1, 10.2). A game that was stopped has `RoundStopped` instead."""

    winners: tuple[int, ...]
