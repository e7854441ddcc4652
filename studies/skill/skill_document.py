"""Skill against chance as data: what the command `skill --json` prints, and what its pages are rendered from."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from cardtable.statistics import EstimateDocument


class MeasureDocument(TypedDict):
    """A `skill_measures.Measure`."""

    value: float
    low: float
    high: float


class RatingRow(MeasureDocument):
    """A player's Elo rating, about the mean of its population."""

    player: str


class AfterRow(TypedDict):
    """What can be told about two players after this many rounds or games."""

    rounds: int
    reliability: float
    lead_normal: float  # if strengths were normally distributed
    lead: float  # of these players
    observed: float | None  # counted in what was played; None where too few were played


class PopulationDocument(TypedDict):
    """Elo spread and reliability among some players."""

    ratings: Sequence[RatingRow]
    spread: MeasureDocument
    coin_share: MeasureDocument
    skill_sd: float
    chance_sd: float
    rounds_normal: MeasureDocument
    rounds: MeasureDocument
    after: Sequence[AfterRow]


class SkillRow(TypedDict):
    """A player's gain on the best player, and its relative skill."""

    player: str
    gain: EstimateDocument
    skill: EstimateDocument


class RelativeDocument(TypedDict):
    """Everybody's relative skill."""

    deals: int  # of the fictive player
    fictive_gain: EstimateDocument
    players: Sequence[SkillRow]


class EpisodeDocument(TypedDict):
    """All measures, of rounds or of games."""

    populations: Mapping[str, PopulationDocument]
    relative: RelativeDocument


class SkillDocument(TypedDict):
    """All results, with the settings that they were played with."""

    game: str
    deals: int
    seed: int
    beginner: str
    best: str
    threads: int
    command: str
    fictive: str
    episodes: Mapping[str, EpisodeDocument]
