"""The observation's named slices: what stands where, within which bounds, and what it means."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from cardtable.table.errors import TableError
from cardtable.table.game.slices import Cards, Numbers, Part, SliceSpec
from skipbo_env.kernel import (
    CARDS,
    CERTAIN,
    COPIES,
    DECK,
    HAND,
    NONE,
    PHASES,
    PLACES,
    RANKS,
    TURN,
    UNSEEN,
    WILD,
    WILDS,
)
from skipbo_env.kernel.view import LARGEST, UNKNOWN
from skipbo_env.rules import Rules

OBSERVATION_VERSION = 1  # counted up whenever a slice moves or means something else: what was learned is then void
COUNTS = "by card, 1 to 12 and wild"
SHOWN_CARDS = Cards(tuple(range(NONE, UNSEEN + 1)), "none, then card from 1 to 12, then wild, then not seen")


def _table_parts(rules: Rules) -> list[Part]:
    others = rules.players - 1
    phases = ", ".join(f"{code} {phase}" for code, phase in enumerate(PHASES))
    return [
        ("phase", (), 0, len(PHASES) - 1, "choice", phases),
        ("decider", (), 0, others, "choice", "who decides, in places clockwise from the observer (0: the observer)"),
        ("seat", (), 0, others, "choice", "the observer's own seat number"),
        ("starter", (), 0, others, "choice", "who started this round, in places clockwise"),
        ("round", (), 1, rules.max_rounds, "number", "number of the round"),
        ("turns", (), 0, rules.max_turns, "number", "turns completed in this round"),
        ("recycles", (), 0, LARGEST, "number", "number of recyclings in this round"),
        ("draw_pile_size", (), 0, DECK, "number", "cards in the draw pile"),
        ("is_still", (), 0, 1, "choice", "1 as long as nothing has been drawn or played in this turn"),
        ("still_turns", (), 0, rules.players, "choice", "how many turns in a row have been still"),
        ("older_held", (), UNKNOWN, HAND * rules.players, "number", "older cards in hands at the last recycling"),
        ("building", (PLACES,), 0, RANKS - 1, "choice", "last rank of every building pile, 0 for an empty place"),
        (
            "building_wilds",
            (PLACES,),
            0,
            2 ** (RANKS - 1) - 1,
            "number",
            "which ranks of every building pile are wild cards: 1 for the rank 1, 2 for 2, 4 for 3, ...",
        ),
    ]


def _card_parts() -> list[Part]:
    most = COPIES + WILDS  # of one card, where wild cards come back as they were played (4.4)
    return [
        ("hand", (HAND,), NONE, WILD, "card", f"the observer's hand, first drawn first; {NONE} none, {WILD} wild"),
        ("hand_counts", (CARDS,), 0, HAND, "number", f"the observer's hand, {COUNTS}"),
        ("completed", (CARDS,), UNKNOWN, most, "number", f"completed cards, {COUNTS}"),
        ("older", (CARDS,), UNKNOWN, most, "number", f"unseen cards that were never shown, {COUNTS}"),
        ("newer", (CARDS,), UNKNOWN, most, "number", f"unseen cards of the last recycling, {COUNTS}"),
        ("doubtful", (CARDS,), UNKNOWN, most, "number", f"cards seen that are counted as older or newer, {COUNTS}"),
    ]


def _seat_parts(rules: Rules) -> list[Part]:
    players, stock = rules.players, rules.stock_size
    unseen = f"{NONE} none, {WILD} wild, {UNSEEN} not seen"
    odds = f"the chances that 1 to {HAND} cards of a hand are older, in {CERTAIN}ths; the observer's own are 0"
    return [
        ("stock_tops", (players,), NONE, UNSEEN, "card", f"top of every stock pile, the observer's first; {unseen}"),
        ("stock_sizes", (players,), 0, stock, "number", "cards in every stock pile"),
        ("hand_sizes", (players,), 0, HAND, "number", "cards in every hand"),
        ("totals", (players,), 0, LARGEST, "number", "totals of all rounds scored"),
        ("discard_sizes", (players, PLACES), 0, DECK, "number", "cards on every discard pile"),
        ("discard_tops", (players, PLACES), NONE, UNSEEN, "card", f"top of every discard pile; {unseen}"),
        ("older_odds", (players, HAND), UNKNOWN, CERTAIN, "number", odds),
        (
            "discards",
            (DECK - players,),
            NONE,
            UNSEEN,
            "pile",
            "the cards of all discard piles one after the other, the observer's first, bottom card first",
        ),
    ]


def usual_sizes(rules: Rules) -> dict[str, int]:
    """The usual size of numbers that stay far from their bounds."""
    usual = {"round": 10, "turns": 100, "recycles": 5, "totals": rules.target_score, "discard_sizes": 10}
    return usual | dict.fromkeys(("completed", "older", "newer", "doubtful"), COPIES)


@dataclass(eq=False)
class View:
    """The slices of observations by name, each with the axes of a batch before its own; the page of the environment
    lists shapes and meanings.
    """

    phase: Numbers
    decider: Numbers
    seat: Numbers
    starter: Numbers
    round: Numbers
    turns: Numbers
    recycles: Numbers
    draw_pile_size: Numbers
    is_still: Numbers
    still_turns: Numbers
    older_held: Numbers
    building: Numbers
    building_wilds: Numbers
    hand: Numbers
    hand_counts: Numbers
    completed: Numbers
    older: Numbers
    newer: Numbers
    doubtful: Numbers
    stock_tops: Numbers
    stock_sizes: Numbers
    hand_sizes: Numbers
    totals: Numbers
    discard_sizes: Numbers
    discard_tops: Numbers
    older_odds: Numbers
    discards: Numbers


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
        parts = [*_table_parts(self.rules), *_card_parts(), *_seat_parts(self.rules)]
        super().__init__(parts, SHOWN_CARDS, usual_sizes(self.rules))

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
