"""What a decision did, as data: `Game.play` returns these events in the order in which they happen.

Each says what everybody sees, with one exception: only its holder knows a card that was just drawn, until it is placed
or discarded. `seen_by` gives an event as a seat, or a spectator, sees it. Cells are numbered as in docs/rules/skyjo.md
1.3.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.events import OfSeat, TableEvent, by_seat, winners
from cardtable.table.game.table_game import copied
from skyjo_env.kernel.deal import deal_one
from skyjo_env.kernel.play import ENDS, STOPS
from skyjo_env.kernel.state import DRAW, DRAWN, EMPTY, FIRST_PLACE, HIDDEN, NOBODY, OPENING, OVER, TAKE, TURN
from skyjo_env.rules import Rules

Board = tuple[int, ...]  # by cell: a card, HIDDEN or EMPTY


class Event(TableEvent):
    """Something that happened at the table."""


class PileReshuffled(Event):
    """The discards became the draw pile (6.1, 6.2)."""

    size: int  # cards in the new draw pile
    discard_top: int  # the card that stayed, or was turned up, as the discard pile


class CardDrawn(Event, OfSeat):
    """A seat drew a card, which only that seat knows (4.1)."""

    card: int  # only `seat` may know it


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


def seen_by(event: Event, seat: int | None) -> Event:
    """The event as this seat sees it, or a spectator (None): a card that another seat drew is HIDDEN."""
    if isinstance(event, CardDrawn) and event.seat != seat:
        return replace(event, card=HIDDEN)
    return event


def events_of(rules: Rules, stages: NDArray[Any], action: int, cards: Sequence[int]) -> tuple[Event, ...]:
    """The events of an action that revealed these cards, read from the table before it and after each of its stages
    (`cardtable.table.kernel.tables`).
    """
    before, acted, scored, after = stages
    events = list(_of_action(rules, before, acted, action, cards))
    if before["ender"] == NOBODY and acted["ender"] != NOBODY:
        events.append(RoundEnded(int(before["seat"]), int(acted["turns_left"])))
    if before["phase"] == OPENING and acted["phase"] == TURN:
        events.append(TurnsBegan(int(acted["seat"])))
    if acted["phase"] == STOPS:
        events.append(RoundStopped(*_round(rules, scored), by_seat(rules, scored, "totals")))
    elif acted["phase"] == ENDS:
        events += _of_reveal(rules, before, acted, scored, action)
        events += _of_scores(rules, scored)
        events += _of_opening(rules, stages) if after["phase"] != OVER else [GameOver(winners(rules, after))]
    return tuple(events)


def _of_action(rules: Rules, before: Any, acted: Any, action: int, cards: Sequence[int]) -> Iterator[Event]:
    """What the seat did."""
    seat, cell, hand = int(before["seat"]), (action - FIRST_PLACE) % rules.cells, int(before["hand"])
    first_flip, keep_lines = rules.params["first_flip"][0], rules.params["keep_lines"][0]
    lying = before["cards"][seat].copy()
    was_hidden = bool(before["shown"][seat, cell] == HIDDEN)
    if was_hidden and cards:
        lying[cell] = cards[0]
    card = int(lying[cell])
    if action == DRAW:
        if acted["reshuffles"] != before["reshuffles"]:
            yield PileReshuffled(int(acted["pile_left"]) + 1, _discard_top(acted))
        yield CardDrawn(seat, int(acted["hand"]))
    elif action == TAKE:
        yield DiscardTaken(seat, int(acted["hand"]))
    elif action < first_flip:
        yield CardPlaced(seat, cell, hand, bool(before["phase"] == DRAWN), card, was_hidden)
        lying[cell] = hand
    elif before["phase"] == DRAWN:
        yield CardDiscarded(seat, hand)
    elif action == keep_lines:
        yield LinesKept(seat)
    if first_flip <= action < first_flip + rules.cells:
        yield CardTurnedUp(seat, cell, card)
    yield from _cleared(rules, seat, lying, acted)


def _of_reveal(rules: Rules, before: Any, acted: Any, scored: Any, action: int) -> Iterator[Event]:
    """The cards that were still hidden when the round ended, and the lines that were cleared then (7.4)."""
    was_hidden = before["shown"] == HIDDEN
    if FIRST_PLACE <= action < rules.params["first_flip"][0] + rules.cells:
        was_hidden[before["seat"], (action - FIRST_PLACE) % rules.cells] = False
    for seat in range(rules.players):
        for cell in np.flatnonzero(was_hidden[seat]).tolist():
            yield CardRevealed(seat, cell, int(acted["cards"][seat, cell]))
        yield from _cleared(rules, seat, acted["cards"][seat], scored, is_reveal=True)


def _of_scores(rules: Rules, scored: Any) -> Iterator[Event]:
    """The ender's penalty, and the scores (7.5 to 7.7, 8.1)."""
    number, turns, boards = _round(rules, scored)
    ender, scores = int(scored["ender"]), by_seat(rules, scored, "round_scores")
    points = sum(card for card in boards[ender] if card != EMPTY)
    if scores[ender] != points:
        yield EnderPenalised(ender, points, scores[ender])
    yield RoundScored(number, turns, boards, ender, scores, by_seat(rules, scored, "totals"))


def _of_opening(rules: Rules, stages: NDArray[Any]) -> Iterator[Event]:
    """The next round was dealt, and chance may have opened the boards (2.1, 2.3)."""
    after, dealt = stages[3], stages[3:]
    if rules.initial_flip == "random":
        dealt = copied(stages[2:3])
        deal_one(dealt, rules.params)
    yield RoundDealt(int(after["round_number"]), _discard_top(dealt[0]))
    for seat in range(rules.players):
        cards = dealt["cards"][0, seat]
        for cell in np.flatnonzero((dealt["shown"][0, seat] == HIDDEN) & (after["shown"][seat] != HIDDEN)).tolist():
            yield CardTurnedUp(seat, cell, int(cards[cell]))
        yield from _cleared(rules, seat, cards, after)
    if after["phase"] == TURN:
        yield TurnsBegan(int(after["seat"]))


def _cleared(rules: Rules, seat: int, cards: NDArray[Any], game: Any, is_reveal: bool = False) -> Iterator[Event]:
    """The lines of a board that are gone; `cards` lay there before."""
    own = cards[: rules.cells]
    cells = np.flatnonzero((own != EMPTY) & (game["cards"][seat, : rules.cells] == EMPTY))
    if len(cells) > 0:
        yield LinesCleared(seat, tuple(cells.tolist()), tuple(own[cells].tolist()), is_reveal)


def _round(rules: Rules, game: Any) -> tuple[int, int, tuple[Board, ...]]:
    """Number, turns and boards of a round that is over."""
    shown = game["shown"][: rules.players, : rules.cells].tolist()
    return int(game["round_number"]), int(game["turns"]), tuple(map(tuple, shown))


def _discard_top(game: Any) -> int:
    return int(game["piles"][game["discard_size"] - 1])
