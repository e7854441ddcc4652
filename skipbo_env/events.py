"""Effects of a decision, as data: `Game.play` returns these events in the order in which they happen.

Each holds what all seats see, with one exception: only its holder knows the cards that were just drawn. `seen_by` gives
the event that a seat, or a spectator, sees. Everything in them is visible at a table under `view="table"`.
"""

from typing import Annotated

from cardtable.table.game.events import OfSeat, Secret, TableEvent, seen_by
from skipbo_env.kernel import ENDINGS, UNSEEN

__all__ = ["Event", "seen_by"]

SOURCES = ("stock", "hand", "pile")


class Event(TableEvent):
    """Something that happened at the table. The order of its kinds below is that of their numbers in the kernel."""


class CardPlayed(Event, OfSeat):
    """A seat played a card on a building place (3.2)."""

    source: Annotated[str, SOURCES]
    pile: int | None  # the discard pile that it lay on
    card: int
    place: int
    rank: int  # that the card stands for


class StockCardTurnedUp(Event, OfSeat):
    """The next card of a stock pile was turned up (3.6)."""

    card: int


class PileCompleted(Event):
    """A building pile reached 12 and left the table (3.5)."""

    seat: int  # that played the 12
    place: int
    cards: tuple[int, ...]  # bottom card first


class PileRecycled(Event):
    """A new draw pile was made: of completed cards, or of discard piles without their tops (4.1 to 4.3, 5.3)."""

    size: int  # cards in the new draw pile
    from_discards: bool


class CardsDrawn(Event, OfSeat):
    """A seat drew cards, which only that seat knows (3.1, 3.7)."""

    cards: Annotated[tuple[int, ...], Secret(UNSEEN)]


class CardDiscarded(Event, OfSeat):
    """A seat laid a hand card on one of its discard piles, which ended its turn (3.8)."""

    card: int
    pile: int


class TurnPassed(Event, OfSeat):
    """A seat ended its turn without a discard (3.11)."""


class TurnBegan(Event, OfSeat):
    """The turn of this seat began (3.1)."""


class RoundScored(Event):
    """A round is over and scored (5.1 to 5.4, 6.1)."""

    round: int
    turns: int
    ending: Annotated[str, ENDINGS]  # "won", "blocked" or "no_cards"
    winner: int | None
    stock_left: tuple[int, ...]  # cards in every seat's stock pile
    scores: tuple[int, ...]
    totals: tuple[int, ...]


class RoundStopped(Event):
    """A round took too many turns, and the game was stopped with it (5.5)."""

    round: int
    turns: int
    stock_left: tuple[int, ...]
    totals: tuple[int, ...]


class RoundDealt(Event):
    """The next round was dealt (2.1, 2.3). `TurnBegan` and `CardsDrawn` of its starter follow."""

    round: int
    starter: int
    stock_tops: tuple[int, ...]  # the top card of every seat's stock pile


class GameOver(Event):
    """The episode is over (6.2 to 6.5). A game that was stopped has `RoundStopped` instead."""

    winners: tuple[int, ...]  # nobody, if nobody has any points
