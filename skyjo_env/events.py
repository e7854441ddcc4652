"""What a decision did, as data: `Game.play` returns these events in the order in which they happen.

Each says what everybody sees, with one exception: only its holder knows a card that was just drawn, until it is placed
or discarded. `seen_by` gives an event as a seat, or a spectator, sees it. Cells are numbered as in RULES.md 1.3.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import check_given
from cardtable.kernel.game_kernel import GAME_EPISODE
from cardtable.table_game import copied
from skyjo_env.kernel.outcomes import IMPOSSIBLE
from skyjo_env.kernel.play import ENDS, STOPS
from skyjo_env.kernel.stages import (
    act_one,
    clear_one,
    deal_one,
    open_one,
    prepare_one,
    reveal_one,
    score_one,
    stop_one,
)
from skyjo_env.kernel.state import (
    DRAW,
    DRAWN,
    EMPTY,
    FIRST_PLACE,
    HIDDEN,
    NOBODY,
    OPENING,
    SPAN,
    TAKE,
    TURN,
)
from skyjo_env.outcomes import card_array
from skyjo_env.rules import Rules

Board = tuple[int, ...]  # by cell: a card, HIDDEN or EMPTY


@dataclass(frozen=True)
class Event:
    """Something that happened at the table."""


@dataclass(frozen=True)
class PileReshuffled(Event):
    """The discards became the draw pile (6.1, 6.2)."""

    size: int  # cards in the new draw pile
    discard_top: int  # the card that stayed, or was turned up, as the discard pile


@dataclass(frozen=True)
class CardDrawn(Event):
    """A seat drew a card, which only that seat knows (4.1)."""

    seat: int
    card: int  # only `seat` may know it


@dataclass(frozen=True)
class DiscardTaken(Event):
    """A seat took the top card of the discard pile (4.1)."""

    seat: int
    card: int


@dataclass(frozen=True)
class CardPlaced(Event):
    """A seat placed the card in hand on a cell, and the card that lay there went on the discard pile (4.6)."""

    seat: int
    cell: int
    card: int
    was_drawn: bool  # else it was taken
    replaced: int
    was_hidden: bool  # the replaced card


@dataclass(frozen=True)
class CardDiscarded(Event):
    """A seat laid the drawn card on the discard pile (4.4)."""

    seat: int
    card: int


@dataclass(frozen=True)
class CardTurnedUp(Event):
    """A hidden card was turned up, in the opening or in a turn (2.2, 4.4)."""

    seat: int
    cell: int
    card: int


@dataclass(frozen=True)
class LinesCleared(Event):
    """Complete lines of a board were cleared together (5.4, 7.4)."""

    seat: int
    cells: tuple[int, ...]
    cards: tuple[int, ...]  # of these cells
    is_reveal: bool = False  # at the end of the round, and not by a decision


@dataclass(frozen=True)
class LinesKept(Event):
    """A seat kept its complete lines (5.5)."""

    seat: int


@dataclass(frozen=True)
class TurnsBegan(Event):
    """The opening is over, and this seat has the first turn (3.1)."""

    seat: int


@dataclass(frozen=True)
class RoundEnded(Event):
    """A seat has no hidden card any more, so the last turns begin (7.1)."""

    seat: int
    turns_left: int


@dataclass(frozen=True)
class CardRevealed(Event):
    """A card that was hidden to the end of the round was turned up (7.4)."""

    seat: int
    cell: int
    card: int


@dataclass(frozen=True)
class EnderPenalised(Event):
    """The score of the seat that ended the round was raised by the penalty (7.6)."""

    seat: int
    points: int  # on its board
    score: int


@dataclass(frozen=True)
class RoundScored(Event):
    """A round is over and scored (7.5, 8.1)."""

    round: int
    turns: int
    boards: tuple[Board, ...]  # everything turned up and cleared
    ender: int
    scores: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class RoundStopped(Event):
    """A round took too many turns, and the game was stopped with it (7.8)."""

    round: int
    turns: int
    boards: tuple[Board, ...]  # what was hidden stays so
    totals: tuple[int, ...]


@dataclass(frozen=True)
class RoundDealt(Event):
    """The next round was dealt (2.1). If chance opens the boards, `CardTurnedUp` and `LinesCleared` follow (2.3)."""

    round: int
    discard_top: int


@dataclass(frozen=True)
class GameOver(Event):
    """The episode is over (8.2, 8.3, 8.5). A game that was stopped has `RoundStopped` instead."""

    winners: tuple[int, ...]


def seen_by(event: Event, seat: int | None) -> Event:
    """The event as this seat sees it, or a spectator (None): a card that another seat drew is HIDDEN."""
    if isinstance(event, CardDrawn) and event.seat != seat:
        return replace(event, card=HIDDEN)
    return event


def play_events(rules: Rules, games: NDArray[Any], action: int, cards: Sequence[int]) -> tuple[Event, ...]:
    """Carry out a legal action that reveals these cards, in an array of one game record; returns the events.

    TableError if a card cannot come; then the record is no longer valid.
    """
    player = EventPlayer(rules, games, action, card_array(cards))
    check_given(cards, player.brought)
    return tuple(player.events)


class EventPlayer:
    """Plays one legal action in an array of one game record, and collects the events.

    `cards` are revealed in turn, as with `outcomes.play_with`. If one of them cannot come, `brought` is IMPOSSIBLE and
    the record is no longer valid; otherwise `brought` is how many cards were revealed.
    """

    def __init__(self, rules: Rules, games: NDArray[Any], action: int, cards: NDArray[np.int64]) -> None:
        self._rules, self._games, self._game = rules, games, games[0]
        self._given = (cards, np.zeros(SPAN, np.int64))  # what cards may be is not asked here
        self.events: list[Event] = []
        reshuffles = int(self._game["reshuffles"])
        self.brought = int(prepare_one(games, rules.params, action, *self._given))
        if self._game["reshuffles"] != reshuffles:
            self.events.append(PileReshuffled(int(self._game["pile_left"]), self._discard_top()))
        if self.brought == IMPOSSIBLE:
            return
        self._act(action)
        if self._game["phase"] == STOPS:
            stop_one(games, rules.params)
            self.events.append(RoundStopped(*self._round(), self._by_seat("totals")))
        elif self._game["phase"] == ENDS:
            self._end_round()

    def _act(self, action: int) -> None:
        """The action itself, up to where the round is over."""
        before, game = copied(self._games)[0], self._game
        act_one(self._games, self._rules.params, action)
        seat = int(before["seat"])
        self.events += _of_action(self._rules, before, game, action)
        cards = before["cards"].copy()
        if FIRST_PLACE <= action < self._rules.params["first_flip"][0]:
            cards[seat, action - FIRST_PLACE] = before["hand"]
        self.events += self._cleared(cards, seat)
        if before["ender"] == NOBODY and game["ender"] != NOBODY:
            self.events.append(RoundEnded(seat, int(game["turns_left"])))
        if before["phase"] == OPENING and game["phase"] == TURN:
            self.events.append(TurnsBegan(int(game["seat"])))

    def _end_round(self) -> None:
        """Reveal and score, and deal again or end the episode (7.4, 8.1 to 8.3)."""
        games, params = self._games, self._rules.params
        was_hidden = self._game["shown"] == HIDDEN
        self.brought = int(reveal_one(games, params, self._given[0], self.brought, self._given[1]))
        if self.brought == IMPOSSIBLE:
            return
        cards = self._game["cards"].copy()
        clear_one(games, params)
        for seat in range(self._rules.players):
            self.events += self._opened(CardRevealed, cards, was_hidden, seat)
            self.events += self._cleared(cards, seat, is_reveal=True)
        score_one(games, params)
        self._tell_scores()
        if deal_one(games, params):
            self._open_next_round()
        else:
            scores = "totals" if self._game["episode"] == GAME_EPISODE else "round_scores"
            self.events.append(GameOver(lowest(self._by_seat(scores))))

    def _tell_scores(self) -> None:
        number, turns, boards = self._round()
        ender = int(self._game["ender"])
        points = sum(card for card in boards[ender] if card != EMPTY)
        scores = self._by_seat("round_scores")
        if scores[ender] != points:
            self.events.append(EnderPenalised(ender, points, scores[ender]))
        self.events.append(RoundScored(number, turns, boards, ender, scores, self._by_seat("totals")))

    def _open_next_round(self) -> None:
        """Let the opening of a round that has just been dealt begin; chance may open the boards (2.3)."""
        self.events.append(RoundDealt(int(self._game["round_number"]), self._discard_top()))
        cards, was_hidden = self._game["cards"].copy(), self._game["shown"] == HIDDEN
        open_one(self._games, self._rules.params)
        for seat in range(self._rules.players):
            self.events += self._opened(CardTurnedUp, cards, was_hidden, seat)
            self.events += self._cleared(cards, seat)
        if self._game["phase"] == TURN:
            self.events.append(TurnsBegan(int(self._game["seat"])))

    def _opened(
        self, kind: type[CardTurnedUp | CardRevealed], cards: NDArray[Any], was_hidden: NDArray[Any], seat: int
    ) -> Iterator[Event]:
        """The cards of a board that lay hidden and do not any more."""
        for cell in np.flatnonzero(was_hidden[seat] & (self._game["shown"][seat] != HIDDEN)).tolist():
            yield kind(seat, cell, int(cards[seat, cell]))

    def _cleared(self, cards: NDArray[Any], seat: int, is_reveal: bool = False) -> Iterator[Event]:
        """The lines of a board that are gone; `cards` lay there before."""
        own = cards[seat, : self._rules.cells]
        cells = np.flatnonzero((own != EMPTY) & (self._game["cards"][seat, : self._rules.cells] == EMPTY))
        if len(cells) > 0:
            yield LinesCleared(seat, tuple(cells.tolist()), tuple(own[cells].tolist()), is_reveal)

    def _round(self) -> tuple[int, int, tuple[Board, ...]]:
        """Number, turns and boards of the round that is over."""
        shown = self._game["shown"][: self._rules.players, : self._rules.cells].tolist()
        return int(self._game["round_number"]), int(self._game["turns"]), tuple(map(tuple, shown))

    def _by_seat(self, field: str) -> tuple[int, ...]:
        return tuple(self._game[field][: self._rules.players].tolist())

    def _discard_top(self) -> int:
        return int(self._game["piles"][self._game["discard_size"] - 1])


def _of_action(rules: Rules, before: Any, game: Any, action: int) -> Iterator[Event]:
    """What the seat itself did; `before` is the table that was ready for it."""
    seat, hand, params = int(before["seat"]), int(before["hand"]), rules.params[0]
    cell = (action - FIRST_PLACE) % rules.cells
    lying = int(before["cards"][seat, cell])
    if action == DRAW:
        yield CardDrawn(seat, int(game["hand"]))
    elif action == TAKE:
        yield DiscardTaken(seat, int(game["hand"]))
    elif action < params["first_flip"]:
        was_hidden = bool(before["shown"][seat, cell] == HIDDEN)
        yield CardPlaced(seat, cell, hand, bool(before["phase"] == DRAWN), lying, was_hidden)
    elif before["phase"] == DRAWN:
        yield CardDiscarded(seat, hand)
    elif action == params["keep_lines"]:
        yield LinesKept(seat)
    if params["first_flip"] <= action < params["first_flip"] + rules.cells:
        yield CardTurnedUp(seat, cell, lying)


def lowest(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats that share the lowest score, and with it the win (8.4)."""
    return tuple(seat for seat, score in enumerate(scores) if score == min(scores))
