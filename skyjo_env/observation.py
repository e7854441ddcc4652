"""The observation's named slices: what stands where, within which bounds, and what it means."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.slices import Cards, SliceSpec, parts_of, scales_of
from skyjo_env.kernel.state import DRAWN, EMPTY, HIDDEN, TAKEN
from skyjo_env.kernel.view import View
from skyjo_env.rules import Rules

OBSERVATION_VERSION = 1  # counted up whenever a slice moves or means something else: what was learned is then void


def shown_cards(rules: Rules) -> Cards:
    """The cards of the deck, hidden, and none."""
    lowest, highest = rules.values[0], rules.values[-1]
    return Cards((*rules.values, HIDDEN, EMPTY), f"card from {lowest} to {highest}, then hidden, then none")


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
        super().__init__(parts_of(View, self.rules), shown_cards(self.rules), scales_of(View, self.rules))

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
