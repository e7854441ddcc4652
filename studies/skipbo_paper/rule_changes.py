"""Pairs under other rules: the faults of the published programme, and variants that the paper names (section 7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardtable.statistics import estimate, t_test
from skipbo_env.rules import STRITTMATTER
from studies.skipbo_paper.matchups import Matchup, Play
from studies.skipbo_paper.pair_measures import PValues, quartiles
from studies.skipbo_paper.players import AS_ZERO, FIRST, FOUR_PILES, GREEDY, LITERAL, PLANNER, PLAYS_FIRST
from studies.skipbo_paper.skipbo_document import ChangeDocument

Pair = tuple[str, str]

PAIRS: tuple[Pair, ...] = ((PLAYS_FIRST, GREEDY), (GREEDY, LITERAL), (FOUR_PILES, AS_ZERO), (FOUR_PILES, FIRST))


@dataclass(frozen=True)
class Change:
    """What is changed of the paper's model, and who plays then."""

    words: str
    changes: Mapping[str, Any]
    is_fault: bool = False  # of the published programme
    pairs: tuple[Pair, ...] = PAIRS


CHANGES = (
    Change("an emptied hand is not refilled", {"refill": "never"}, is_fault=True),
    Change("wild cards come back as naturals", {"recycled_wild": "as_played"}, is_fault=True),
    Change("both", {"refill": "never", "recycled_wild": "as_played"}, is_fault=True),
    Change("stock piles of 10", {"stock": 10}),
    Change("completed piles are shuffled in at once", {"recycle": "on_completion"}),
    Change("everything on the table is seen", {"view": "table"}, pairs=((FIRST, PLANNER),)),
)


def changed(play: Play, usual: Mapping[Pair, Matchup], tests: PValues) -> list[ChangeDocument]:
    """All changes, each compared with the same deals under the rules as they are."""
    return [
        change_document(change, play.pair(*pair, STRITTMATTER.replace(**change.changes)), usual[pair], tests)
        for change in CHANGES
        for pair in change.pairs
    ]


def change_document(change: Change, found: Matchup, usual: Matchup, tests: PValues) -> ChangeDocument:
    """A pair under changed rules."""
    gains = found.shares - usual.shares
    return {
        "words": change.words,
        "rules": " ".join(f"{name}={value}" for name, value in change.changes.items()),
        "is_fault": change.is_fault,
        "players": list(found.players),
        "share": estimate(found.shares).to_document(),
        "difference": estimate(gains).to_document(),
        "test": tests.add(t_test(gains)),
        "blocked": float(found.is_blocked.mean()),
        "turns": quartiles(found.all_turns)[1],
        "completed": float(found.completed.sum(axis=2).mean()),
        "wilds": float(found.wilds.sum(axis=2).mean()),
    }
