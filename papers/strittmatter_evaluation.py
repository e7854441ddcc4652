"""Carries out the evaluation of the Skip-Bo paper, and puts its results together."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from papers.paper import Report
from papers.strittmatter_claims import CLAIMS, Evaluation, JudgedClaim, judged
from papers.strittmatter_games import (
    CHANGES,
    DETAILS,
    FARTHEST,
    FOUR_PILES,
    GREEDY,
    LITERAL,
    PLANNER,
    PLAYERS,
    Evaluator,
    Matchup,
    Pair,
    choices_of,
    differing_games,
)
from papers.strittmatter_measures import (
    AloneResult,
    ChangeResult,
    Games,
    LiteralSenses,
    adjust,
    alone_result,
    change_result,
    compared_mean,
    pair_result,
)
from papers.strittmatter_numbers import Numbers, numbers
from skipbo_env.rules import STRITTMATTER

EXAMINED = 1000  # deals whose every decision is examined
ALIKE = (GREEDY, FOUR_PILES, LITERAL)  # players that might choose as others do
OPPONENTS = (GREEDY, FOUR_PILES, PLANNER)  # of the two literal senses of rule 4
PAIRED: tuple[Pair, ...] = tuple(combinations(PLAYERS, 2))
CHANGED = tuple((change, pair) for change in CHANGES for pair in change.pairs)
WORK = len(PAIRED) + len(DETAILS) + len(CHANGED) + len(PLAYERS) + 2 * len(OPPONENTS)  # match-ups that are played


@dataclass(frozen=True)
class Result:
    """All findings. Claims rest on games, changes and numbers."""

    parts: tuple[str, ...]  # that the page shows
    deals: int
    tests: int  # that are adjusted together
    numbers: Numbers
    games: Games
    changes: tuple[ChangeResult, ...]
    claims: tuple[JudgedClaim, ...]


def result(deals: int, seed: int, parts: tuple[str, ...], report: Report) -> Result:
    """Carry out the evaluation."""
    evaluator = Evaluator(deals, seed, report)
    matchups = {pair: evaluator.pair(pair) for pair in PAIRED}
    games = play_games(evaluator, matchups)
    changes = tuple(
        change_result(change, evaluator.pair(pair, STRITTMATTER.replace(**change.rules)), matchups[pair])
        for change, pair in CHANGED
    )
    tests = adjust(games, changes)
    evaluation = Evaluation(games, changes, numbers())
    return Result(
        parts,
        deals,
        tests,
        evaluation.numbers,
        games,
        changes,
        claims=tuple(judged(claim, evaluation) for claim in CLAIMS),
    )


def play_games(evaluator: Evaluator, matchups: Mapping[Pair, Matchup]) -> Games:
    """Measure these match-ups, and play and measure all other games under the usual rules."""
    alone = [play_alone(evaluator, player) for player in PLAYERS]
    return Games(
        players=PLAYERS,
        pairs=tuple(pair_result(matchup) for matchup in matchups.values()),
        details=tuple(pair_result(evaluator.pair(pair)) for pair in DETAILS),
        alone=tuple(result for _, result in alone),
        starters=compared_mean(np.mean([matchup.starters for matchup, _ in alone], axis=0)),
        literal=play_literal(evaluator),
    )


def play_alone(evaluator: Evaluator, player: str) -> tuple[Matchup, AloneResult]:
    """Play a player against itself, measure its games, and examine its decisions."""
    matchup, rounds = evaluator.alone(player)
    choices = choices_of(rounds, evaluator.seed, min(evaluator.deals, EXAMINED), ALIKE)
    return matchup, alone_result(matchup, rounds, choices)


def play_literal(evaluator: Evaluator) -> LiteralSenses:
    """Play both literal senses of rule 4 on the same deals."""
    few = Evaluator(min(evaluator.deals, EXAMINED), evaluator.seed, evaluator.report)
    differing = 0
    for other in OPPONENTS:
        nearest, farthest = (few.rotations((sense, other), record_actions=True) for sense in (LITERAL, FARTHEST))
        differing += sum(differing_games(*rotation) for rotation in zip(nearest, farthest, strict=True))
    return LiteralSenses(OPPONENTS, 2 * len(OPPONENTS) * few.deals, differing)
