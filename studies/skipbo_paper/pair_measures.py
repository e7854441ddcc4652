"""Section 5.3 of the paper for one matchup: win rates, turns, starters, lengths, and what it is worth to pair games."""

import math
from typing import Any

import numpy as np
from scipy import stats

from cardtable.statistics import estimate, holm, t_test
from skipbo_env.kernel.state import DISCARD, PASS
from studies.skipbo_paper.decisions import Choices, discarded_on
from studies.skipbo_paper.matchups import Floats, Matchup, Played
from studies.skipbo_paper.sample_size import BETTER, EQUAL
from studies.skipbo_paper.skipbo_document import (
    AloneDocument,
    ChoicesDocument,
    PairDocument,
    RanksDocument,
    ShareDocument,
    SkewnessDocument,
    TestDocument,
)
from studies.study_statistics import clopper_pearson, deals_needed, mann_whitney, wilson

FEW = 20  # games won, below which their turns are not compared


class PValues:
    """Of all tests of the report: they are adjusted together at the end."""

    def __init__(self) -> None:
        self.found: list[TestDocument] = []

    def add(self, p: float) -> TestDocument:
        """Note one; `adjust` fills in what is still missing."""
        test: TestDocument = {"p": p, "adjusted": math.nan}
        self.found.append(test)
        return test

    def adjust(self) -> None:
        """By Holm's method."""
        for test, adjusted in zip(self.found, holm([test["p"] for test in self.found]), strict=True):
            test["adjusted"] = float(adjusted)


def pair_document(found: Matchup, tests: PValues) -> PairDocument:
    """Everything about two players."""
    ratio, spread = variance_ratio(found), float(found.shares.std(ddof=1))
    return {
        "players": list(found.players),
        "deals": len(found.wins),
        "wins": [int(found.wins[:, :, player].sum()) for player in range(2)],
        "blocked": int(found.is_blocked.sum()),
        "truncated": int(found.is_truncated.sum()),
        "share": estimate(found.shares).to_document(),
        "test": tests.add(t_test(found.shares - EQUAL)),
        "decided": share_document(int(found.wins[:, :, 0].sum()), int(found.wins.sum())),
        "starter": estimate(found.starters).to_document(),
        "starter_test": tests.add(t_test(found.starters - EQUAL)),
        "starting": estimate(found.points[:, 0, 0]).to_document(),
        "following": estimate(found.points[:, 1, 0]).to_document(),
        "ranks": ranks_document(found, tests),
        "turns": quartiles(found.all_turns),
        "decisions": float(found.decisions.mean()),
        "completed": [float(found.completed[:, :, player].mean()) for player in range(2)],
        "wilds": [float(found.wilds[:, :, player].mean()) for player in range(2)],
        "variance_ratio": ratio,
        "deals_needed": deals_needed(BETTER - EQUAL, spread) if spread > 0 else None,
    }


def share_document(wins: int, games: int) -> ShareDocument | None:
    """The share of games won, if there are any."""
    if games == 0:
        return None
    near, exact = wilson(wins, games), clopper_pearson(wins, games)
    ends = [near.low, near.high], [exact.low, exact.high]
    return {"wins": wins, "games": games, "share": wins / games, "wilson": ends[0], "exact": ends[1]}


def ranks_document(found: Matchup, tests: PValues) -> RanksDocument | None:
    """The turns of the two players in the games that they have won, if they have won enough of them."""
    turns = [found.winners_turns(player) for player in range(2)]
    if min(map(len, turns)) < FEW:
        return None
    compared = mann_whitney(*turns)
    return {
        "quartiles": [list(compared.quartiles), list(compared.other_quartiles)],
        "effect": compared.effect,
        "interval": [compared.interval.low, compared.interval.high],
        "test": tests.add(compared.p_value),
    }


def variance_ratio(found: Matchup) -> float | None:
    """The variance of the mean of a deal's two games to that of two independent games, if these have any."""
    alone = float(found.points[:, :, 0].var(axis=0, ddof=1).sum()) / 4
    return float(found.shares.var(ddof=1)) / alone if alone > 0 else None


def quartiles(numbers: Any) -> list[float]:
    """Lower quartile, median, upper quartile."""
    return [float(each) for each in np.quantile(numbers, [0.25, 0.5, 0.75])]


def alone_document(found: Matchup, played: Played, choices: Choices, tests: PValues) -> AloneDocument:
    """Everything about a player at both seats."""
    actions, turns = played.rounds.actions, found.all_turns
    winners: Floats = np.concatenate([found.winners_turns(player) for player in range(2)]).astype(np.float64)
    wins, discards = len(winners), discarded_on(actions)
    return {
        "player": found.players[0],
        "deals": len(found.wins),
        "won": wins,
        "blocked": int(found.is_blocked.sum()),
        "truncated": int(found.is_truncated.sum()),
        "starter": estimate(found.starters).to_document(),
        "starter_test": tests.add(t_test(found.starters - EQUAL)),
        "winners_turns": quartiles(winners) if wins > 0 else None,
        "skewness": skewness_document(winners, tests) if wins >= FEW else None,
        "rounds_differ": differing_rounds(found),
        "turns": quartiles(turns),
        "longest": int(turns.max()),
        "decisions": float(found.decisions.mean()),
        "plays_a_turn": float(np.count_nonzero(actions < DISCARD) / turns.sum()),
        "passes": int(np.count_nonzero(actions == PASS)),
        "completed": float(found.completed.sum(axis=2).mean()),
        "wilds": float(found.wilds.sum(axis=2).mean()),
        "on_piles": [float(share) for share in discards / max(1, discards.sum())],
        "choices": choices_document(choices),
    }


def skewness_document(numbers: Floats, tests: PValues) -> SkewnessDocument:
    """Are numbers skewed?"""
    return {"value": float(stats.skew(numbers)), "test": tests.add(float(stats.skewtest(numbers).pvalue))}


def differing_rounds(found: Matchup) -> int:
    """The games won in which the complete rounds before the winning turn are not the winner's turns less one."""
    turns = (found.turns * found.wins).sum(axis=2)[found.wins.any(axis=2)]
    return int(np.count_nonzero(found.complete_rounds != turns - 1))


def choices_document(choices: Choices) -> ChoicesDocument:
    """As shares and means per decision."""
    counted = choices.decisions
    return {
        "decisions": counted,
        "mean": choices.mean,
        "quartiles": list(choices.quartiles),
        "most": choices.most,
        "forced": choices.forced,
        "plays": choices.plays / counted,
        "discards": choices.discards / counted,
        "stock_choices": choices.stock_choices / counted,
        "others_holding": choices.others_holding / counted,
        "recycled": choices.recycled,
        "agreeing": {name: same / counted for name, same in choices.agreeing.items()},
    }
