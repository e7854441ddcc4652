"""What a decision did, as data: `Game.play` returns these events in the order in which they happen.

Each says what everybody sees, with two exceptions: only the player who drew cards knows them at first, and only the
player who looked at hidden cards knows them. `seen_by` gives an event as a seat, or a spectator, sees it. Cells and
lines are numbered as in docs/rules/skyjo_action.md 1.5; a card is its value or STAR, an action card the name of its
kind.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.events import OfSeat, TableEvent, by_seat, lowest, winners
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.cards import discard_top
from skyjo_action_env.kernel.lines import cell_of, line_length
from skyjo_action_env.kernel.play import ENDS, STOPS
from skyjo_action_env.kernel.state import CELLS, EMPTY, HIDDEN, KINDS, LINES, NO_KIND, NOBODY
from skyjo_action_env.rules import Rules

Layout = tuple[int, ...]  # by cell: a card, HIDDEN or EMPTY


class Event(TableEvent):
    """Something that happened at the table."""


class PileReshuffled(Event):
    """The discards without the top card became the draw pile (8.1)."""

    discard_top: int


class ActionsReshuffled(Event):
    """The discarded action cards became the action pile (8.3)."""


class CardsDrawn(Event, OfSeat):
    """A seat drew one card, or three, which only that seat knows (3.3, 7.3)."""

    cards: tuple[int, ...]  # only `seat` may know them


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

    kind: str
    from_pile: bool
    for_star: bool


class ActionTurnedUp(Event):
    """An open place was filled (4.5)."""

    place: int
    kind: str


class ClaimRefused(Event, OfSeat):
    """A seat refused the action card that a star had earned (5.3)."""


class TurnPassed(Event, OfSeat):
    """A seat had no card to play with (3.5)."""


class ActionPlayed(Event, OfSeat):
    """A seat carries an action card out: its own, or one that it stole or replayed (4.2, 7.8, 7.9)."""

    kind: str


class ActionDiscarded(Event, OfSeat):
    """A seat discarded an action card (4.2)."""

    kind: str


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
    cards: tuple[int, ...]  # only `seat` may know them


class CardRemoved(Event):
    """A card was removed from a layout and replaced (7.7)."""

    seat: int  # who lost it
    cell: int
    removed: int  # HIDDEN for a hidden card, which nobody has seen
    card: int  # the card that lies there now


class ActionRemoved(Event):
    """An action card was removed from a seat, and replaced if there was one (7.7)."""

    seat: int  # who lost it
    kind: str
    received: str | None


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


def seen_by(event: Event, seat: int | None) -> Event:
    """The event as this seat sees it, or a spectator (None): cards that only another seat knows are HIDDEN."""
    if isinstance(event, CardsDrawn | CardsLookedAt) and event.seat != seat:
        return replace(event, cards=(HIDDEN,) * len(event.cards))
    return event


def events_of(rules: Rules, stages: NDArray[Any], action: int, cards: Sequence[int]) -> tuple[Event, ...]:
    """The events of an action that revealed these cards, read from the table before it and after each of its stages
    (`cardtable.table.kernel.tables`).
    """
    before, acted, scored, after = stages
    events = list(_Decision(rules, before, acted, action, cards).events())
    if before["ender"] == NOBODY and acted["ender"] != NOBODY:
        events.append(RoundEnded(int(acted["ender"]), int(acted["turns_left"])))
    if before["mover"] == NOBODY and acted["mover"] != NOBODY:
        events.append(TurnsBegan(int(acted["mover"])))
    if acted["phase"] == STOPS:
        events.append(RoundStopped(*_round(rules, scored), by_seat(rules, scored, "totals")))
    elif acted["phase"] == ENDS:
        events += _of_cleared(rules, acted["cards"], scored)
        events += _of_scores(rules, scored)
        if after["phase"] == state.OVER:
            events.append(GameOver(winners(rules, after)))
        else:
            events.append(RoundDealt(int(after["round_number"]), int(discard_top(after))))
    return tuple(events)


class _Decision:
    """What one decision did, up to the end of a round."""

    def __init__(self, rules: Rules, before: Any, acted: Any, action: int, cards: Sequence[int]) -> None:
        self.rules, self.before, self.acted, self.action = rules, before, acted, action
        self.seat, self.phase = int(before["seat"]), int(before["phase"])
        self.lying = before["cards"].copy()  # what lies in the layouts before lines are cleared, as far as it is seen
        self.cards = cards  # given ones
        self.hidden = before["shown"] == HIDDEN  # where cards lie hidden then
        lost = before["held"] - acted["held"]
        self.defences = lost[:, state.DEFENCE]  # by seat, other than to an attack

    def events(self) -> Iterator[Event]:
        """All of it, in order."""
        if self.before["reshuffles"] != self.acted["reshuffles"] and self.phase == state.TURN:
            yield PileReshuffled(int(discard_top(self.acted)))
        yield from self.of_action()
        yield from self.of_attack()
        is_asked = self.acted["is_reveal"] and not self.before["is_reveal"]
        if is_asked:
            yield from self.of_reveal(self.lying)
        yield from _of_cleared(self.rules, self.lying, self.acted)
        yield from self.of_open_places()
        if self.acted["phase"] == ENDS and not self.acted["is_reveal"]:
            yield from self.of_reveal(self.acted["cards"])

    def of_reveal(self, cards: NDArray[Any]) -> Iterator[Event]:
        """The cards that were hidden when the round ended are turned up (9.3)."""
        for seat, cell in np.argwhere(self.hidden[: self.rules.players]).tolist():
            yield CardRevealed(seat, cell, int(cards[seat, cell]))

    def of_action(self) -> Iterator[Event]:
        """What the seat did itself."""
        action = self.action
        if action == state.DRAW:
            yield CardsDrawn(self.seat, (int(self.acted["hand"][0]),))
        elif action == state.TAKE:
            yield DiscardTaken(self.seat, int(self.acted["hand"][0]))
        elif action < state.FLIP:
            yield from self.of_place(action - state.PLACE)
        elif action < state.OPEN:
            yield from self.of_flip(action - state.FLIP)
        elif action < state.PLAY:
            yield from self.of_taking()
        elif action < state.CHOOSE:
            yield from self.of_kind((action - state.PLAY) % len(KINDS))
        else:
            yield from self.of_choice(action)

    def of_choice(self, action: int) -> Iterator[Event]:
        """A cell, a line, a card of three, or an answer about a line."""
        first_answer = int(self.rules.params["clear_line"][0])
        if action < self.rules.first_line:
            yield from self.of_cell(*self.named(action - state.CHOOSE, CELLS))
        elif action < self.rules.first_card:
            yield self.of_look(*self.named(action - self.rules.first_line, LINES))
        elif action < first_answer:
            yield from self.of_named_card(action - self.rules.first_card)
        elif action == first_answer + 1:
            yield LineKept(self.seat, int(self.before["line"]))

    def named(self, number: int, size: int) -> tuple[int, int]:
        """The seat that an action names, and the number of what it names there."""
        place, at = divmod(number, size)
        return (self.seat + place) % self.rules.players, at

    def turn_up(self, seat: int, cell: int) -> bool:
        """Note that no hidden card lies here any more; return whether one did."""
        was_hidden = bool(self.hidden[seat, cell])
        self.hidden[seat, cell] = False
        is_known = self.before["knowers"][seat, cell] >> self.seat & 1
        if was_hidden and self.cards and self.phase != state.REMOVE_CARD and not is_known:
            self.lying[seat, cell] = self.cards[0]
        return was_hidden

    def of_place(self, cell: int) -> Iterator[Event]:
        """A card is laid on a cell."""
        k = int(self.before["picked"]) if self.phase == state.THREE_PLACE else 0
        was_hidden = self.turn_up(self.seat, cell)
        card, replaced = int(self.before["hand"][k]), int(self.lying[self.seat, cell])
        yield CardPlaced(self.seat, cell, card, self.phase != state.TAKEN, replaced, was_hidden)
        self.lying[self.seat, cell] = card
        if self.phase == state.THREE_PLACE and self.rules.three_order == "as_drawn":
            yield from self.laid_off([other for other in range(state.HAND) if other != k])

    def of_flip(self, cell: int) -> Iterator[Event]:
        """A hidden card is turned up, after a drawn one was laid off."""
        if self.phase == state.DRAWN:
            yield from self.laid_off([0])
        self.turn_up(self.seat, cell)
        yield CardTurnedUp(self.seat, cell, int(self.lying[self.seat, cell]))

    def of_named_card(self, k: int) -> Iterator[Event]:
        """Cards of three are laid off once it is known in which order."""
        others = [other for other in range(state.HAND) if other != k]
        if self.phase == state.THREE_TOP:
            yield from self.laid_off([*others, k])
        elif k == state.NO_CARD and self.rules.three_order == "as_drawn":
            yield from self.laid_off(others)

    def laid_off(self, order: Sequence[int]) -> Iterator[Event]:
        """Drawn cards go on the discard pile."""
        hand = self.before["hand"].tolist()
        return (CardDiscarded(self.seat, hand[k]) for k in order if hand[k] != EMPTY)

    def of_taking(self) -> Iterator[Event]:
        """An action card is taken or refused, or the turn is passed."""
        for_star = self.phase == state.CLAIM
        if self.action == state.PASS:
            yield ClaimRefused(self.seat) if for_star else TurnPassed(self.seat)
            return
        from_pile = self.action == state.ACTION_PILE
        kind = int(np.argmax(self.acted["held"][self.seat] - self.before["held"][self.seat]))
        if from_pile and self.before["action_pile_left"] == 0:
            yield ActionsReshuffled()
        yield ActionTaken(self.seat, KINDS[kind], from_pile, for_star)
        self.defences[self.seat] += kind == state.DEFENCE

    def of_kind(self, kind: int) -> Iterator[Event]:
        """An action card is carried out, discarded or removed."""
        loser = self.seat if self.phase == state.TURN else int(self.before["attacked"])
        if self.phase != state.REPLAY_KIND:
            self.defences[loser] -= kind == state.DEFENCE
        if self.phase == state.REMOVE_CARD:
            yield self.of_removed_action(loser, kind)
        elif self.action >= state.DISCARD:
            yield ActionDiscarded(self.seat, KINDS[kind])
        else:
            yield ActionPlayed(self.seat, KINDS[kind])
            if kind == state.REPLAY and self.rules.replay == "top":
                top = int(self.before["action_discard_size"]) - 1
                yield ActionPlayed(self.seat, KINDS[self.before["action_piles"][top]])
            if self.acted["phase"] == state.THREE_CARD:
                yield CardsDrawn(self.seat, tuple(self.acted["hand"].tolist()))

    def of_removed_action(self, loser: int, kind: int) -> Event:
        """An action card was removed, and its owner has received another one if there was one."""
        change = self.acted["held"][loser] - self.before["held"][loser]
        change[kind] += 1
        received = int(np.argmax(change)) if change.any() else NO_KIND
        self.defences[loser] += received == state.DEFENCE
        return ActionRemoved(loser, KINDS[kind], None if received == NO_KIND else KINDS[received])

    def of_cell(self, seat: int, cell: int) -> Iterator[Event]:
        """A card of a layout was chosen."""
        if self.phase == state.REMOVE_CARD:
            was_hidden = self.turn_up(seat, cell)
            removed = int(self.lying[seat, cell])
            card = int(self.acted["piles"][-1 - self.acted["pile_left"]])  # drawn last; it may have been cleared since
            if self.before["pile_left"] == 0:
                yield PileReshuffled(int(discard_top(self.acted)))
            yield CardRemoved(seat, cell, HIDDEN if was_hidden else removed, card)
            self.lying[seat, cell] = card
        elif self.phase == state.SWAP_WITH or (
            self.phase == state.EXCHANGE_WITH and self.acted["phase"] != state.DEFEND_ASKED and not self.defences.any()
        ):
            yield self.moved(int(self.before["chosen"]), seat * CELLS + cell)

    def moved(self, first: int, second: int) -> Event:
        """Two cards, by seat and cell, have changed places."""
        (seat, cell), (other, place) = divmod(first, CELLS), divmod(second, CELLS)
        for lying in (self.lying, self.hidden):
            lying[seat, cell], lying[other, place] = lying[other, place], lying[seat, cell]
        return CardsMoved(seat, cell, other, place)

    def of_look(self, owner: int, line: int) -> Event:
        """A seat has looked at a line."""
        cells = [int(cell_of(line, k)) for k in range(line_length(line))]
        seen = tuple(cell for cell in cells if self.before["shown"][owner, cell] == HIDDEN)
        return CardsLookedAt(self.seat, owner, seen, tuple(int(self.acted["cards"][owner, cell]) for cell in seen))

    def of_attack(self) -> Iterator[Event]:
        """Defences were used up, or an attack was allowed; an exchange that nobody stops is carried out."""
        for place in range(1, self.rules.players):
            seat = (int(self.before["mover"]) + place) % self.rules.players
            if self.defences[seat] > 0:
                yield AttackStopped(seat)
        if self.phase == state.DEFEND_ASKED and self.defences[self.seat] <= 0:
            yield AttackAllowed(self.seat)
            if self.before["played"] == state.EXCHANGE and self.acted["phase"] != state.DEFEND_ASKED:
                yield self.moved(int(self.before["chosen"]), int(self.before["chosen_with"]))

    def of_open_places(self) -> Iterator[Event]:
        """Open places were filled."""
        left, pile = self.before["open_actions"].copy(), int(self.before["action_pile_left"])
        if state.OPEN <= self.action < state.ACTION_PILE:
            left[self.action - state.OPEN] = NO_KIND
        filled = np.flatnonzero((left == NO_KIND) & (self.acted["open_actions"] != NO_KIND)).tolist()
        for count, place in enumerate(filled):
            if count == pile:
                yield ActionsReshuffled()
            yield ActionTurnedUp(place, KINDS[self.acted["open_actions"][place]])


def _of_cleared(rules: Rules, lying: NDArray[Any], game: Any) -> Iterator[Event]:
    """The lines that are gone; `lying` is what lay in the layouts before."""
    for seat in range(rules.players):
        cells = np.flatnonzero((lying[seat] != EMPTY) & (game["cards"][seat] == EMPTY))
        if len(cells) > 0:
            yield LinesCleared(seat, tuple(cells.tolist()), tuple(lying[seat, cells].tolist()))


def _of_scores(rules: Rules, scored: Any) -> Iterator[Event]:
    """The doubled score, and all scores (9.5, 9.6, 10.1)."""
    ender, scores = int(scored["ender"]), by_seat(rules, scored, "round_scores")
    if scores[ender] > 0 and lowest(scores) != (ender,):  # as before it was doubled
        yield EnderDoubled(ender, scores[ender])
    number, turns, boards = _round(rules, scored)
    kept, totals = by_seat(rules, scored, "kept"), by_seat(rules, scored, "totals")
    yield RoundScored(number, turns, boards, kept, ender, scores, totals)


def _round(rules: Rules, game: Any) -> tuple[int, int, tuple[Layout, ...]]:
    """Number, turns and layouts of a round that is over."""
    shown = game["shown"][: rules.players].tolist()
    return int(game["round_number"]), int(game["turns"]), tuple(map(tuple, shown))
