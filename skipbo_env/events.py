"""What a decision did, as data: `Game.play` returns these events in the order in which they happen.

Each says what everybody sees, with one exception: only its holder knows which cards were just drawn. `seen_by` gives an
event as a seat, or a spectator, sees it. Everything in them is visible at a table under `view="table"`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from cardtable.table.game.events import OfSeat, TableEvent, by_seat
from cardtable.table.kernel.game_kernel import GAME_EPISODE
from skipbo_env.kernel import (
    DISCARD,
    ENDINGS,
    OVER,
    PASS,
    PLACES,
    PLAY_DISCARD,
    PLAY_HAND,
    RANKS,
    STOPPED,
    TURN,
    UNSEEN,
    WILD,
)
from skipbo_env.kernel.cards import stock_top
from skipbo_env.kernel.play import ENDS
from skipbo_env.rules import Rules


class Event(TableEvent):
    """Something that happened at the table."""


class CardPlayed(Event, OfSeat):
    """A seat played a card on a building place (3.2)."""

    source: str  # "stock", "hand" or "pile"
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

    cards: tuple[int, ...]  # only `seat` may know them


class CardDiscarded(Event, OfSeat):
    """A seat laid a hand card on one of its discard piles, which ended its turn (3.8)."""

    card: int
    pile: int


class TurnPassed(Event, OfSeat):
    """A seat ended its turn without a discard (3.11)."""


class TurnBegan(Event, OfSeat):
    """The next turn began (3.1, 3.8)."""


class RoundScored(Event):
    """A round is over and scored (5.1 to 5.4, 6.1)."""

    round: int
    turns: int
    ending: str  # "won", "blocked" or "no_cards"
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


def seen_by(event: Event, seat: int | None) -> Event:
    """The event as this seat sees it, or a spectator (None): cards that another seat drew are UNSEEN."""
    if isinstance(event, CardsDrawn) and event.seat != seat:
        return replace(event, cards=(UNSEEN,) * len(event.cards))
    return event


def events_of(rules: Rules, stages: NDArray[Any], action: int, _: Sequence[int]) -> tuple[Event, ...]:
    """The events of an action, from the table before it and after each of its stages (`kernel.tables`)."""
    before, acted, scored, after = stages
    events = list(_of_action(rules, before, acted, action))
    if acted["phase"] == ENDS:
        events += [_of_end(rules, scored), *_of_next(rules, after)]
    return tuple(events)


def _of_action(rules: Rules, before: Any, game: Any, action: int) -> Iterator[Event]:
    """All that came of an action up to where the round is over; `before` is the table at which it was decided."""
    seat = int(before["seat"])
    if action == PASS:
        yield TurnPassed(seat)
    elif action >= DISCARD:
        yield CardDiscarded(seat, (action - DISCARD) // PLACES + 1, action % PLACES)
    else:
        yield from _of_play(rules, before, game, action)
    yield from _of_drawing(rules, before, game, action)


def _of_play(rules: Rules, before: Any, game: Any, action: int) -> Iterator[Event]:
    """A card played, and what that brought about before cards were drawn (3.13)."""
    seat, place = int(before["seat"]), action % PLACES
    rank = int(before["heights"][place]) + 1
    source, pile = "stock", None
    card = _stock_tops(rules, before)[seat]
    if action >= PLAY_DISCARD:
        source, pile = "pile", (action - PLAY_DISCARD) // PLACES
        end = int(before["starts"][seat]) + int(before["sizes"][seat, : pile + 1].sum())
        card = int(before["piles"][end - 1])
    elif action >= PLAY_HAND:
        source, card = "hand", (action - PLAY_HAND) // PLACES + 1
    yield CardPlayed(seat, source, pile, card, place, rank)
    if source == "stock" and game["stock_left"][seat] > 0:
        yield StockCardTurnedUp(seat, _stock_tops(rules, game)[seat])
    if rank == RANKS:
        wild = int(before["wild_ranks"][place])
        lying = (WILD if wild >> (rank - 1) & 1 else rank for rank in range(1, RANKS))
        yield PileCompleted(seat, place, (*lying, card))


def _of_drawing(rules: Rules, before: Any, game: Any, action: int) -> Iterator[Event]:
    """The next turn, the cards drawn, and the draw pile made anew: an action brings each of these at most once."""
    seat, left_hand = int(game["seat"]), PLAY_HAND <= action < PLAY_DISCARD or DISCARD <= action < PASS
    held = int(before["hand_size"][seat]) - (left_hand and seat == before["seat"])
    drawn = tuple(game["hands"][seat, held : game["hand_size"][seat]].tolist())
    is_recycled = game["recycles"] != before["recycles"]
    from_discards = bool(action == PASS and game["laid"] < before["laid"])
    first = len(drawn)  # this many of the cards were drawn before that
    if is_recycled:
        first = 0 if rules.recycle == "on_completion" or from_discards else int(before["draw_left"])
    recycled = PileRecycled(int(game["draw_left"]) + len(drawn) - first, from_discards)
    if is_recycled and from_discards:
        yield recycled
    if seat != before["seat"]:
        yield TurnBegan(seat)
    if first > 0:
        yield CardsDrawn(seat, drawn[:first])
    if is_recycled and not from_discards:
        yield recycled
    if len(drawn) > first:
        yield CardsDrawn(seat, drawn[first:])


def _of_end(rules: Rules, game: Any) -> Event:
    """A round that has been scored, or stopped."""
    number, turns, ending = int(game["round_number"]), int(game["turns"]), ENDINGS[game["ending"]]
    stock_left, totals = by_seat(rules, game, "stock_left"), by_seat(rules, game, "totals")
    if ending is None or game["ending"] == STOPPED:
        return RoundStopped(number, turns, stock_left, totals)
    scores = by_seat(rules, game, "round_scores")
    winner = next(iter(highest(scores)), None)
    return RoundScored(number, turns, ending, winner, stock_left, scores, totals)


def _of_next(rules: Rules, game: Any) -> Iterator[Event]:
    """What follows a round: the next one, or the end of the game."""
    if game["phase"] == TURN:
        starter = int(game["seat"])
        yield RoundDealt(int(game["round_number"]), starter, _stock_tops(rules, game))
        yield TurnBegan(starter)
        yield CardsDrawn(starter, tuple(game["hands"][starter].tolist()))
    elif game["phase"] == OVER:
        scores = "totals" if game["episode"] == GAME_EPISODE else "round_scores"
        yield GameOver(highest(by_seat(rules, game, scores)))


def _stock_tops(rules: Rules, game: Any) -> tuple[int, ...]:
    """The top card of every stock pile; NONE for an empty pile."""
    return tuple(int(stock_top(game, rules.params[0], seat)) for seat in range(rules.players))


def highest(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats that share the highest score, and with it the win (6.4); nobody if nobody has any points."""
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores) > 0)
