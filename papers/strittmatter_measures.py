"""Measures of the Skip-Bo paper's evaluation: win rates, turns, starters, pairing, changed rules."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from scipy import stats

from cardtable.arena.statistics import Estimate, estimate, holm, t_test
from cardtable.table.game.measured_deals import DealResults
from papers.paper_statistics import deals_needed, mann_whitney
from papers.strittmatter_games import Change, Choices, Floats, Matchup, Pair, round_fact
from papers.strittmatter_numbers import BETTER, EQUAL
from skipbo_env.kernel import DISCARD, PASS, PLACES

MIN_WINS = 20  # below which the turns of a player's wins are not compared
LEVEL = 0.05  # of adjusted p-values

Interval = tuple[float, float]
Quartiles = tuple[float, float, float]


@dataclass
class Significance:
    """A p-value; `adjust` adds the one adjusted for all tests."""

    p: float
    adjusted: float = math.nan

    @property
    def is_significant(self) -> bool:
        """True if chance alone hardly explains this among all tests."""
        return self.adjusted <= LEVEL


def adjust(*parts: Any) -> int:
    """Adjust all tests in these dataclasses together by Holm's method, and return how many there are."""
    tests = [test for part in parts for test in _tests_in(part)]
    for test, adjusted in zip(tests, holm([test.p for test in tests]), strict=True):
        test.adjusted = float(adjusted)
    return len(tests)


def _tests_in(part: Any) -> Iterator[Significance]:
    if isinstance(part, Significance):
        yield part
    elif isinstance(part, tuple | list):
        for item in part:
            yield from _tests_in(item)
    elif is_dataclass(part):
        yield from _tests_in([getattr(part, field.name) for field in fields(part)])


@dataclass(frozen=True)
class ComparedMean:
    """A mean with half its 95 % interval, compared with one value."""

    mean: float
    half: float
    test: Significance


def compared_mean(numbers: Floats, value: float = EQUAL) -> ComparedMean:
    """Estimate a mean, and compare it with this value."""
    mean = estimate(numbers)
    return ComparedMean(mean.mean, mean.half, Significance(t_test(numbers - value)))


@dataclass(frozen=True)
class WinnersTurns:
    """The turns that each player of a match-up took in the games that it won."""

    quartiles: tuple[Quartiles, Quartiles]
    effect: float  # how often the first player's exceed the other's
    interval: Interval  # of the effect
    test: Significance

    @property
    def has_equal_medians(self) -> bool:
        """True if the medians of both players are equal."""
        return self.quartiles[0][1] == self.quartiles[1][1]


@dataclass(frozen=True)
class PairResult:
    """Two players; the first one's points count, 1 for a win and ½ without a winner."""

    players: Pair
    deals: int
    wins: tuple[int, int]
    blocked: int
    truncated: int
    share: ComparedMean  # over deals
    exact: Interval | None  # of the games that have a winner, by Clopper and Pearson
    starter: ComparedMean  # the starter's share
    turns: WinnersTurns | None  # if both have won often enough
    variance_ratio: float | None  # of paired games to as many independent ones
    games_needed: int | None  # paired ones, to tell 0.55 from ½ with the variance measured here

    def is_ahead(self, player: str) -> bool:
        """Return whether this player takes more than half beyond chance."""
        return self.share.test.is_significant and (self.share.mean > EQUAL) == (player == self.players[0])


def pair_result(games: Matchup) -> PairResult:
    """Measure two players."""
    wins = int(games.wins[:, :, 0].sum()), int(games.wins[:, :, 1].sum())
    spread = float(games.shares.std(ddof=1))
    return PairResult(
        players=games.players,
        deals=len(games.wins),
        wins=wins,
        blocked=int(games.is_blocked.sum()),
        truncated=int(games.is_truncated.sum()),
        share=compared_mean(games.shares),
        exact=exact_interval(wins),
        starter=compared_mean(games.starters),
        turns=winners_turns(games),
        variance_ratio=variance_ratio(games),
        games_needed=2 * deals_needed(BETTER - EQUAL, spread) if spread > 0 else None,
    )


def exact_interval(wins: tuple[int, int]) -> Interval | None:
    """Return the Clopper–Pearson interval of the first player's share of these wins, if there are any."""
    if sum(wins) == 0:
        return None
    ends = stats.binomtest(wins[0], sum(wins)).proportion_ci(0.95, "exact")
    return float(ends.low), float(ends.high)


def winners_turns(games: Matchup) -> WinnersTurns | None:
    """Compare the turns of the two players in the games that they have won, if they have won enough of them."""
    first, second = games.winners_turns(0), games.winners_turns(1)
    if min(len(first), len(second)) < MIN_WINS:
        return None
    compared = mann_whitney(first, second)
    effect = compared.effect
    ends = effect.low, effect.high
    return WinnersTurns((quartiles(first), quartiles(second)), effect.value, ends, Significance(compared.p_value))


def variance_ratio(games: Matchup) -> float | None:
    """Return the variance of the mean of a deal's two games to that of two independent games, if these have any."""
    independent = float(games.points[:, :, 0].var(axis=0, ddof=1).sum()) / 4
    return float(games.shares.var(ddof=1)) / independent if independent > 0 else None


def quartiles(numbers: Any) -> Quartiles:
    """Return lower quartile, median, upper quartile."""
    low, median, high = np.quantile(numbers, [0.25, 0.5, 0.75]).tolist()
    return low, median, high


@dataclass(frozen=True)
class Skewness:
    """The skewness of some numbers, and the test of 0."""

    value: float
    test: Significance


@dataclass(frozen=True)
class AloneResult:
    """A player against itself."""

    player: str
    deals: int
    won: int
    blocked: int
    truncated: int
    starter: ComparedMean
    winners_turns: Quartiles | None
    skewness: Skewness | None  # of the winner's turns
    rounds_differ: int  # games in which the complete rounds are not the winner's turns minus 1
    turns: Quartiles  # of both seats together
    decisions: float
    plays_a_turn: float
    passes: int
    completed: float  # building piles, of both seats
    on_piles: tuple[float, ...]  # share of the discards on each pile
    choices: Choices


def alone_result(games: Matchup, rounds: DealResults, choices: Choices) -> AloneResult:
    """Measure a player against itself."""
    turns, actions = games.turns.sum(axis=2), rounds.actions
    winners = np.concatenate([games.winners_turns(seat) for seat in range(2)])
    piles = (actions[(actions >= DISCARD) & (actions < PASS)] - DISCARD) % PLACES
    return AloneResult(
        player=games.players[0],
        deals=len(games.wins),
        won=len(winners),
        blocked=int(games.is_blocked.sum()),
        truncated=int(games.is_truncated.sum()),
        starter=compared_mean(games.starters),
        winners_turns=quartiles(winners) if len(winners) > 0 else None,
        skewness=Skewness(float(stats.skew(winners)), Significance(float(stats.skewtest(winners).pvalue)))
        if len(winners) >= MIN_WINS
        else None,
        rounds_differ=games.differing_rounds(),
        turns=quartiles(turns),
        decisions=float(rounds.decisions.mean()),
        plays_a_turn=float(np.count_nonzero(actions < DISCARD) / turns.sum()),
        passes=int(np.count_nonzero(actions == PASS)),
        completed=float(round_fact(rounds, "completed").sum(axis=1).mean()),
        on_piles=tuple((np.bincount(piles, minlength=PLACES) / max(1, len(piles))).tolist()),
        choices=choices,
    )


@dataclass(frozen=True)
class ChangeResult:
    """A pair under changed rules, compared with the same deals under the usual ones."""

    change: Change
    players: Pair
    share: Estimate
    difference: ComparedMean
    blocked: float  # share of the games
    turns: float  # of both players, median

    @property
    def turns_round(self) -> bool:
        """True if another player is ahead than under the usual rules, beyond chance."""
        lead = self.share.mean - EQUAL
        is_other = lead * (lead - self.difference.mean) < 0
        return self.difference.test.is_significant and is_other and abs(lead) > self.share.half


def change_result(change: Change, games: Matchup, usual: Matchup) -> ChangeResult:
    """Measure a pair under changed rules."""
    return ChangeResult(
        change=change,
        players=games.players,
        share=estimate(games.shares),
        difference=compared_mean(games.shares - usual.shares, 0),
        blocked=float(games.is_blocked.mean()),
        turns=float(np.median(games.turns.sum(axis=2))),
    )


@dataclass(frozen=True)
class LiteralSenses:
    """The two literal senses of rule 4 on the same deals."""

    opponents: tuple[str, ...]
    games: int
    differing: int


@dataclass(frozen=True)
class Games:
    """The results of all games under the usual rules."""

    players: Mapping[str, str]
    pairs: tuple[PairResult, ...]
    details: tuple[PairResult, ...]
    alone: tuple[AloneResult, ...]
    starters: ComparedMean  # the starter's share, averaged over players against themselves, deal by deal
    literal: LiteralSenses

    def pair(self, player: str, other: str) -> PairResult:
        """Return the result of two players, named in any order."""
        (match,) = (pair for pair in self.pairs if {player, other} == {*pair.players})
        return match

    def share(self, player: str, other: str) -> Estimate:
        """Return the share of games that a player takes from another; a game without a winner is half."""
        pair = self.pair(player, other)
        return Estimate(pair.share.mean if pair.players[0] == player else 1 - pair.share.mean, pair.share.half)

    def against_itself(self, player: str) -> AloneResult:
        """Return the result of a player against itself."""
        return next(row for row in self.alone if row.player == player)
