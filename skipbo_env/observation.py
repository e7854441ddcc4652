"""The observation's named slices: what stands where, within which bounds, and what it means."""

from functools import lru_cache
from typing import Any

import numpy as np

from cardtable.table.errors import TableError
from cardtable.table.game.slices import Cards, SliceSpec, parts_of, scales_of
from skipbo_env.kernel import (
    CARDS,
    COPIES,
    DECK,
    NONE,
    RANKS,
    TURN,
    UNSEEN,
    WILDS,
)
from skipbo_env.kernel.view import View
from skipbo_env.rules import Rules

OBSERVATION_VERSION = 1  # counted up whenever a slice moves or means something else: what was learned is then void
SHOWN_CARDS = Cards(tuple(range(NONE, UNSEEN + 1)), "none, then card from 1 to 12, then wild, then not seen")


class ObservationSpec(SliceSpec[View]):
    """How to read an observation under given rules.

    >>> from skipbo_env import Game, ObservationSpec, OFFICIAL
    >>> spec = ObservationSpec(OFFICIAL)
    >>> view = spec.view(Game(OFFICIAL).observation())
    >>> spec.size, view.hand.shape, int(view.stock_sizes[1])
    (283, (5,), 30)
    """

    view_type = View

    def __init__(self, rules: Rules | str) -> None:
        self.rules = Rules.check(rules)
        super().__init__(parts_of(View, self.rules), SHOWN_CARDS, scales_of(View, self.rules))

    def check(self, observations: Any) -> Any:
        """Observations of the whole table that can have been written under these rules, for sampling."""
        if self.rules.view != "table":
            raise TableError(f"with view={self.rules.view!r} a seat sees too little to sample games; use view='table'")
        return super().check(observations)

    def _agreements(self, view: View) -> dict[str, Any]:
        """The cards shown and counted must be those of the deck: the kernel relies on it when it samples."""
        laid, players = view.discard_sizes.sum((-1, -2)), self.rules.players
        held = view.hand_sizes.sum(-1) - view.hand_sizes[..., 0]
        face_down = np.maximum(view.stock_sizes - 1, 0).sum(-1)
        unseen = view.older + view.newer - view.doubtful
        return {
            "hand": (_counted(view.hand) == view.hand_counts).all(-1)
            & (view.hand_counts.sum(-1) == view.hand_sizes[..., 0]),
            "stock_tops": ((view.stock_tops == NONE) == (view.stock_sizes == 0)).all(-1),
            "discards": (view.discards[..., : DECK - players] != NONE).sum(-1) == laid,
            "discard_tops": _tops_agree(view),
            "doubtful": (view.hand_counts <= view.doubtful).all(-1) & (unseen >= 0).all(-1),
            "the unseen cards": unseen.sum(-1) == face_down + held + view.draw_pile_size,
            "the deck": self._deck_agrees(view, unseen),
            "decider": (view.phase != TURN) | (view.decider < players),
        }

    def _deck_agrees(self, view: View, unseen: Any) -> Any:
        """Every card of the deck must be somewhere; as which it comes back depends on the rules (4.4)."""
        seen = _counted(view.stock_tops) + _counted(view.discards) + view.hand_counts + view.completed + _built(view)
        found = seen + unseen
        if self.rules.recycled_wild == "as_played":
            return found.sum(-1) == DECK
        return (found == np.array([COPIES] * RANKS + [WILDS])).all(-1)


def _counted(cards: Any) -> Any:
    """Cards counted by card, [..., CARDS]; places without a card do not count."""
    return (cards[..., None] == np.arange(1, CARDS + 1)).sum(-2)


def _tops_agree(view: View) -> Any:
    """The tops must be the last cards of the piles."""
    flat = view.discard_sizes.reshape((*view.discard_sizes.shape[:-2], -1))
    ends = np.clip(flat.cumsum(-1) - 1, 0, view.discards.shape[-1] - 1)
    tops = np.where(flat > 0, np.take_along_axis(view.discards, ends, -1), NONE)
    return (tops == view.discard_tops.reshape(tops.shape)).all(-1)


def _built(view: View) -> Any:
    """The cards of the building piles, counted."""
    ranks = np.arange(RANKS)
    lies = ranks < view.building[..., None]
    is_wild = (view.building_wilds[..., None] >> ranks & 1) == 1
    natural = (lies & ~is_wild).sum(-2)
    return np.concatenate([natural, (lies & is_wild).sum((-1, -2))[..., None]], -1)


spec_of = lru_cache(maxsize=64)(ObservationSpec)
"""The spec of given rules, made once."""
