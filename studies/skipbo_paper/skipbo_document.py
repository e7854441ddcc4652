"""The report on Strittmatter's paper as data: what the study prints with --json, and what its pages are made from."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, TypeGuard

from cardtable.statistics import EstimateDocument


class TestDocument(TypedDict):
    """A p-value, and the same after Holm's adjustment for all tests of the report."""

    p: float
    adjusted: float


class ShareDocument(TypedDict):
    """A share of counted games with its two binomial intervals."""

    wins: int
    games: int
    share: float
    wilson: Sequence[float]
    exact: Sequence[float]  # Clopper and Pearson


class RanksDocument(TypedDict):
    """The turns of the winner, by who has won: quartiles, and how often the first player's exceed the other's."""

    quartiles: Sequence[Sequence[float]]
    effect: float
    interval: Sequence[float]
    test: TestDocument


class PairDocument(TypedDict):
    """Two players; the first one's points count, 1 for a win and ½ if nobody wins."""

    players: Sequence[str]
    deals: int
    wins: Sequence[int]
    blocked: int
    truncated: int
    share: EstimateDocument  # over deals
    test: TestDocument  # of a share of ½
    decided: ShareDocument | None  # of the games that somebody has won
    starter: EstimateDocument  # the starter's share, whoever starts
    starter_test: TestDocument
    starting: EstimateDocument  # the first player's share where it starts
    following: EstimateDocument  # and where it does not
    ranks: RanksDocument | None  # if both have won often enough
    turns: Sequence[float]  # quartiles, of both players together
    decisions: float
    completed: Sequence[float]  # a game, by player
    wilds: Sequence[float]  # discarded in a game, by player
    variance_ratio: float | None  # of paired games to as many independent ones
    deals_needed: int | None  # to tell 0.55 from ½ with the variance measured here


class ChoicesDocument(TypedDict):
    """A `decisions.Choices`."""

    decisions: int
    mean: float
    quartiles: Sequence[int]
    most: int
    forced: float
    plays: float
    discards: float
    stock_choices: float
    others_holding: float
    recycled: float
    agreeing: Mapping[str, float]


class SkewnessDocument(TypedDict):
    """The skewness of some numbers."""

    value: float
    test: TestDocument  # of a skewness of 0


class AloneDocument(TypedDict):
    """A player at both seats."""

    player: str
    deals: int
    won: int
    blocked: int
    truncated: int
    starter: EstimateDocument
    starter_test: TestDocument
    winners_turns: Sequence[float] | None  # quartiles
    skewness: SkewnessDocument | None  # of the winner's turns
    rounds_differ: int  # games in which the complete rounds are not the winner's turns less one
    turns: Sequence[float]  # quartiles, of both seats together
    longest: int
    decisions: float
    plays_a_turn: float
    passes: int
    completed: float  # a game, of both seats
    wilds: float
    on_piles: Sequence[float]  # share of the discards on each pile
    choices: ChoicesDocument


class ChangeDocument(TypedDict):
    """A pair under other rules."""

    words: str
    rules: str  # what is changed
    is_fault: bool  # of the published programme
    players: Sequence[str]
    share: EstimateDocument
    difference: EstimateDocument  # to the rules as they are, deal by deal
    test: TestDocument
    blocked: float
    turns: float  # median
    completed: float
    wilds: float


class RunsDocument(TypedDict):
    """What single runs of a match say, by resampling."""

    players: Sequence[str]
    games: int
    single: Sequence[float]  # 95 % of the runs lie between these if the first player always starts
    paired: Sequence[float]  # and these if as many games are paired
    single_wrong: float  # share of runs with the wrong one ahead
    paired_wrong: float


class CoverageDocument(TypedDict):
    """How often 95 % intervals of this many games cover a win rate: computed exactly."""

    games: int
    share: float
    wald: float
    wilson: float
    exact: float


class ErrorsDocument(TypedDict):
    """How often a test of equal players is significant at 5 %: computed exactly."""

    games: int
    single: float  # χ² that counts a game once
    doubled: float  # χ² of a table with both players' wins and losses, which counts it twice


class SampleSizeDocument(TypedDict):
    """A `sample_size.SampleSize`."""

    printed: int
    per_arm: int
    power_printed: float
    power_halved: float
    power_match: float
    match: int
    pooled: int
    continuity: int
    smaller: int
    least_arms: float
    least_halves: float


class StateSpaceDocument(TypedDict):
    """A `state_space.StateSpace`."""

    printed: float
    groups: Sequence[int]
    cards: int
    deals: float
    most: float


class StartersDocument(TypedDict):
    """What the starter takes, averaged over players against themselves, and whether that is one half."""

    share: EstimateDocument
    test: TestDocument


class LiteralDocument(TypedDict):
    """The two literal senses of rule 4 on the same deals: how many games differ."""

    opponents: Sequence[str]
    games: int
    differing: int


class ClaimDocument(TypedDict):
    """What the paper says, and the result."""

    section: str
    title: str
    says: str
    verdict: str
    evidence: str
    is_measured: bool


class SkipboPaperDocument(TypedDict):
    """All results."""

    deals: int
    seed: int
    command: str
    rules: str
    tests: int  # p-values that are adjusted together
    players: Mapping[str, str]
    pairs: Sequence[PairDocument]
    details: Sequence[PairDocument]
    alone: Sequence[AloneDocument]
    starters: StartersDocument
    literal: LiteralDocument
    changes: Sequence[ChangeDocument]
    runs: Sequence[RunsDocument]
    coverage: Sequence[CoverageDocument]
    errors: Sequence[ErrorsDocument]
    sample_size: SampleSizeDocument
    state_space: StateSpaceDocument
    claims: Sequence[ClaimDocument]


def is_skipbo_document(document: Any) -> TypeGuard[SkipboPaperDocument]:
    """Does this look like the document? Nothing inside its parts is checked."""
    return isinstance(document, dict) and document.keys() >= SkipboPaperDocument.__required_keys__
