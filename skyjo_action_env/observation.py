"""How to read observations, and what must hold between their slices; `kernel.view` declares these."""

from functools import lru_cache
from typing import Any

import numpy as np

from cardtable.table.game.slices import Cards, SliceSpec, parts_of, scales_of
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.state import CARDS, EMPTY, HIDDEN, KINDS, LOWEST, STAR
from skyjo_action_env.kernel.view import View
from skyjo_action_env.rules import Rules

OBSERVATION_VERSION = 1  # increased whenever a slice moves or changes its meaning: older policies are then refused
SHOWN_CARDS = Cards(tuple(range(LOWEST, EMPTY + 1)), "card from -2 to 12, then star, hidden, none")


class ObservationSpec(SliceSpec[View]):
    """How to read an observation under given rules.

    >>> from skyjo_action_env import ACTION, Game, ObservationSpec
    >>> spec = ObservationSpec(ACTION)
    >>> view = spec.view(Game(ACTION).observation())
    >>> spec.size, view.cells.shape, int(view.hidden_left[0])
    (203, (2, 12), 12)
    """

    view_type = View

    def __init__(self, rules: Rules | str) -> None:
        self.rules = Rules.check(rules)
        super().__init__(parts_of(View, self.rules), SHOWN_CARDS, scales_of(View, self.rules))

    def _agreements(self, view: View) -> dict[str, Any]:
        """The cards shown and counted must be those of the decks: the kernel relies on it when it samples."""
        secret = (view.cells == HIDDEN) & (view.known == EMPTY)
        others_hand = (view.hand == HIDDEN).sum(-1)
        to_deal = secret.sum((-1, -2)) + view.buried + view.draw_pile_size + others_hand
        codes = np.arange(LOWEST, STAR + 1)
        lying = [view.cells, view.known, view.hand]
        seen = sum((part[..., None] == codes).reshape(*view.phase.shape, -1, CARDS).sum(-2) for part in lying)
        kinds = len(KINDS) if self.rules.action_deck == "all" else state.CERTAIN_KINDS
        action_codes = np.arange(len(KINDS))
        actions = view.held.sum(-2) + view.action_discards
        actions = actions + (view.open_actions[..., None] == action_codes).sum(-2)
        copies = state.COPIES * (action_codes < kinds)
        top = view.action_top
        is_bare = (view.discard_top == EMPTY) & (view.discard_pile_size == 0)
        is_buried = (view.discard_top == HIDDEN) & (view.buried > 0)
        return {
            "cells": ((view.cells == HIDDEN) | (view.known == EMPTY)).all((-1, -2)),
            "known": ((view.known != HIDDEN) & ((view.known == EMPTY) == (view.knowers & 1 == 0))).all((-1, -2)),
            "knowers": ((view.cells == HIDDEN) | (view.knowers == 0)).all((-1, -2)),
            "hidden_left": ((view.cells == HIDDEN).sum(-1) == view.hidden_left).all(-1),
            "open_sums": (np.where(view.cells < STAR, view.cells, 0).sum(-1) == view.open_sums).all(-1),
            "the deck": (seen + view.unseen + view.known_draws + view.discards == np.array(state.COUNTS)).all(-1),
            "unseen": view.unseen.sum(-1) + view.known_draws.sum(-1) == to_deal,
            "known_draws": view.known_draws.sum(-1) <= view.draw_pile_size + others_hand,
            "discards": view.discards.sum(-1) + view.buried == view.discard_pile_size,
            "discard_top": _counts(view.discard_top, LOWEST, view.discards) | is_bare | is_buried,
            "the action cards": (actions <= copies).all(-1) & ((copies - actions).sum(-1) == view.action_pile_size),
            "action_top": np.where(top < 0, view.action_discards.sum(-1) == 0, _counts(top, 0, view.action_discards)),
        }


def _counts(card: Any, lowest: int, counts: Any) -> Any:
    """Is this one of the cards that are counted, from the lowest on?"""
    return ((card[..., None] == lowest + np.arange(counts.shape[-1])) & (counts > 0)).any(-1)


spec_of = lru_cache(maxsize=64)(ObservationSpec)
"""The spec of given rules, made once."""
