"""The observation's named slices: what stands where, within which bounds, and what it means."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.slices import Cards, Numbers, Part, SliceSpec
from skyjo_env.kernel.state import DRAWN, EMPTY, HIDDEN, PHASES, TAKEN, TRUNCATED
from skyjo_env.kernel.view import LARGEST
from skyjo_env.rules import Rules

OBSERVATION_VERSION = 1  # counted up whenever a slice moves or means something else: what was learned is then void


def _parts(rules: Rules) -> list[Part]:
    players, cells, deck = rules.players, rules.cells, rules.deck_size
    low, high = rules.values[0], rules.values[-1]
    others = players - 1
    values = len(rules.values)
    score = cells * max(abs(low), abs(high))
    marks = f"{HIDDEN} hidden, {EMPTY} none"
    return [
        ("phase", (), 0, TRUNCATED, "choice", ", ".join(f"{code} {phase}" for code, phase in enumerate(PHASES))),
        ("decider", (), 0, others, "choice", "who decides, in places clockwise from the observer (0: the observer)"),
        ("hand", (), low, EMPTY, "card", f"the card in hand; {marks}"),
        ("discard_top", (), low, EMPTY, "card", f"the card on top of the discard pile; {EMPTY} none"),
        ("draw_pile_size", (), 0, deck, "number", "cards in the draw pile"),
        ("discard_pile_size", (), 0, deck, "number", "cards in the discard pile"),
        ("ender", (), -1, others, "choice", "who ended the round, in places clockwise; -1 nobody yet"),
        ("turns_left", (), 0, others, "number", "turns left in the final lap, the current one included; 0 before it"),
        ("starter", (), -1, others, "choice", "who starts this round, in places clockwise; -1 not yet known"),
        ("seat", (), 0, others, "choice", "the observer's own seat number"),
        ("round", (), 1, rules.max_rounds, "number", "number of the round"),
        ("turns", (), 0, rules.max_turns + others, "number", "turns completed in this round"),
        (
            "reshuffles",
            (),
            0,
            rules.max_turns + others,
            "number",
            "how often the discards became the draw pile in this round",
        ),
        ("cells", (players, cells), low, EMPTY, "card", f"every board, the observer's first, then clockwise; {marks}"),
        ("hidden_left", (players,), 0, cells, "number", "hidden cards on each board"),
        ("open_sums", (players,), -score, score, "number", "sum of the open cards on each board"),
        ("totals", (players,), -LARGEST, LARGEST, "number", "totals of all rounds scored"),
        (
            "hidden_pool",
            (values,),
            0,
            deck,
            "number",
            f"what hidden cards may be: unseen cards of value {low}, {low + 1}, ...",
        ),
        ("draw_pool", (values,), 0, deck, "number", "the same for the next draw; differs only after a reshuffle"),
        ("discards", (values,), 0, deck, "number", "cards in the discard pile by value"),
    ]


def usual_sizes(rules: Rules) -> dict[str, int]:
    """The usual size of numbers that stay far from their bounds."""
    usual = {"round": 10, "turns": 50, "reshuffles": 1, "totals": rules.target_score, "open_sums": 4 * rules.cells}
    pools = ("hidden_pool", "draw_pool", "discards")
    return usual | dict.fromkeys(pools, max(count for _, count in rules.deck))


def shown_cards(rules: Rules) -> Cards:
    """The cards of the deck, hidden, and none."""
    lowest, highest = rules.values[0], rules.values[-1]
    return Cards((*rules.values, HIDDEN, EMPTY), f"card from {lowest} to {highest}, then hidden, then none")


@dataclass(eq=False)
class View:
    """The slices of observations by name, each with the axes of a batch before its own; the page of the environment
    lists shapes and meanings.
    """

    phase: Numbers
    decider: Numbers
    hand: Numbers
    discard_top: Numbers
    draw_pile_size: Numbers
    discard_pile_size: Numbers
    ender: Numbers
    turns_left: Numbers
    starter: Numbers
    seat: Numbers
    round: Numbers
    turns: Numbers
    reshuffles: Numbers
    cells: Numbers
    hidden_left: Numbers
    open_sums: Numbers
    totals: Numbers
    hidden_pool: Numbers
    draw_pool: Numbers
    discards: Numbers


class ObservationSpec(SliceSpec[View]):
    """How to read an observation under given rules.

    >>> from skyjo_env import Game, ObservationSpec, OFFICIAL
    >>> spec = ObservationSpec(OFFICIAL)
    >>> view = spec.view(Game(OFFICIAL).observation())
    >>> spec.size, view.cells.shape, int(view.hidden_left[0])
    (88, (2, 12), 12)
    """

    view_type = View

    def __init__(self, rules: Rules | str) -> None:
        self.rules = Rules.check(rules)
        super().__init__(_parts(self.rules), shown_cards(self.rules), usual_sizes(self.rules))

    def _agreements(self, view: View) -> dict[str, Any]:
        """The cards shown and counted must be those of the deck: the kernel relies on it when it samples."""
        one_pool = view.reshuffles == 0  # only a reshuffle tells draws from hidden cards
        unseen = view.hidden_pool + np.where(one_pool[..., None], 0, view.draw_pool)
        draws = view.draw_pile_size + (view.hand == HIDDEN)
        hidden = view.hidden_left.sum(-1)
        return {
            "hand": self._hand_agrees(view),
            "cells": np.isin(view.cells, [HIDDEN, EMPTY, *self._cards]).all((-1, -2)),
            "hidden_left": ((view.cells == HIDDEN).sum(-1) == view.hidden_left).all(-1),
            "open_sums": (np.where(view.cells < HIDDEN, view.cells, 0).sum(-1) == view.open_sums).all(-1),
            "hidden_pool": view.hidden_pool.sum(-1) == hidden + np.where(one_pool, draws, 0),
            "draw_pool": np.where(
                one_pool, (view.draw_pool == view.hidden_pool).all(-1), view.draw_pool.sum(-1) == draws
            ),
            "discards": (view.discards.sum(-1) == view.discard_pile_size) & self._discard_top_agrees(view),
            "the deck": self._deck_agrees(view, unseen),
        }

    @property
    def _cards(self) -> list[int]:
        return [card for card, _ in self.rules.deck]

    def _hand_agrees(self, view: View) -> NDArray[np.bool_]:
        """A card is in hand in the phases drawn and taken; others do not see a drawn one (4.1)."""
        unseen = (view.phase == DRAWN) & (view.decider != 0)
        held = np.where(unseen, view.hand == HIDDEN, np.isin(view.hand, self._cards))
        agrees: NDArray[np.bool_] = np.where(np.isin(view.phase, (DRAWN, TAKEN)), held, view.hand == EMPTY)
        return agrees

    def _discard_top_agrees(self, view: View) -> NDArray[np.bool_]:
        """The top card must be one of the discards."""
        top = view.discard_top[..., None] == np.asarray(self.rules.values)
        agrees: NDArray[np.bool_] = np.where(
            view.discard_pile_size == 0, view.discard_top == EMPTY, (view.discards * top).sum(-1) > 0
        )
        return agrees

    def _deck_agrees(self, view: View, unseen: NDArray[Any]) -> NDArray[np.bool_]:
        """Every card of the deck must be somewhere, or out of play."""
        values = np.asarray(self.rules.values)
        seen = (view.cells[..., None] == values).sum((-2, -3)) + (view.hand[..., None] == values) + view.discards
        deck = np.asarray([dict(self.rules.deck).get(value, 0) for value in self.rules.values])
        found = seen + unseen
        agrees: NDArray[np.bool_] = np.all(
            found <= deck if self.rules.cleared_cards == "out_of_play" else found == deck, axis=-1
        )
        return agrees


spec_of = lru_cache(maxsize=64)(ObservationSpec)
"""The spec of given rules, made once."""
