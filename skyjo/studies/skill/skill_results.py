"""Plays and measures skill against chance, and puts the results together as one `SkillDocument`."""

from dataclasses import dataclass

import numpy as np

from cardtable.card_game import Setup
from cardtable.checks import seed_number, whole_number
from cardtable.errors import TableError
from cardtable.play.decisions import MOST_THREADS
from cardtable.ratings.results import Floats, RatingError
from cardtable.statistics import estimate
from skyjo.studies.skill.population import (
    ALL,
    POPULATIONS,
    Report,
    RoundRobin,
    play_pair,
    play_round_robin,
)
from skyjo.studies.skill.skill_document import (
    EpisodeDocument,
    MeasureDocument,
    PopulationDocument,
    RelativeDocument,
    SkillDocument,
)
from skyjo.studies.skill.skill_measures import (
    Measure,
    coin_share,
    elo_spread,
    lead_among,
    observed_lead,
    relative_skill,
    rounds_among,
    rounds_to_lead,
    variances,
)
from skyjo_env.rules import OFFICIAL

FULL, QUICK, LEAST = 4000, 2000, 1000  # deals of rounds; with fewer, the worst may never win a game
EPISODES = ("round", "game")
FICTIVE = "peek"
PIECE = 8  # deals that the fictive player plays at once
ROUNDS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
BLOCKS = 20  # leads are counted only where at least so many series were played
WORK = {"round": 1, "game": 2}  # how long a deal takes, and below one with the fictive player
FICTIVE_WORK = {"round": 7_000, "game": 45_000}


@dataclass(frozen=True)
class Settings:
    """Who is measured, and how thoroughly."""

    deals: int = FULL
    seed: int = 0
    beginner: str = "naive"
    best: str = "tempo"
    threads: int = 2

    def __post_init__(self) -> None:
        whole_number("deals", self.deals, LEAST, 10**7)
        seed_number("seed", self.seed)
        whole_number("threads", self.threads, 1, MOST_THREADS)
        for name in (self.beginner, self.best):
            if name not in ALL:
                raise TableError(f"{name} is not among the players that are compared: {', '.join(ALL)}")
        if self.beginner == self.best:
            raise TableError(f"{self.best} cannot be both the beginner and the best player")

    @property
    def command(self) -> str:
        """The command that gives the same numbers again."""
        players = f"--beginner {self.beginner} --best {self.best}"
        return f"skyjo skill --deals {self.deals} --seed {self.seed} {players}"

    @property
    def played(self) -> range:
        """The deals of every pair."""
        return range(self.deals)

    def peeked(self, episode: str) -> range:
        """The deals of the fictive player, which come after those of the others; few, since it is slow."""
        few = max(8, self.deals // 100) if episode == "round" else max(4, self.deals // 400)
        return range(self.deals, self.deals + few)

    @property
    def work(self) -> float:
        """The amount of work, for the progress bar."""
        pairs = len(ALL) * (len(ALL) - 1) // 2
        return sum(
            pairs * WORK[episode] * self.deals + FICTIVE_WORK[episode] * len(self.peeked(episode))
            for episode in EPISODES
        )


def run_study(settings: Settings, report: Report) -> SkillDocument:
    """Play and measure; `report` is called with the work done since its last call.

    TableError if the deals are too few to rate the players.
    """
    return {
        "deals": settings.deals,
        "seed": settings.seed,
        "beginner": settings.beginner,
        "best": settings.best,
        "threads": settings.threads,
        "command": settings.command,
        "fictive": FICTIVE,
        "episodes": {episode: _episode(settings, episode, report) for episode in EPISODES},
    }


def _episode(settings: Settings, episode: str, report: Report) -> EpisodeDocument:
    """All measures, of rounds or of games."""
    setup = Setup(OFFICIAL, settings.seed, episode)

    def done(deals: float) -> None:
        report(deals * WORK[episode])

    played = play_round_robin(ALL, settings.played, setup, settings.threads, done)
    try:
        found = {name: _population(played.among(players)) for name, players in POPULATIONS.items()}
    except RatingError as error:
        raise TableError(f"deals={settings.deals} are too few: somebody won no {episode}, or lost none") from error
    return {
        "populations": found,
        "relative": _relative(settings, episode, played.against(settings.best), report),
    }


def _population(played: RoundRobin) -> PopulationDocument:
    """Elo spread and reliability."""
    rated, parts, margins = elo_spread(played.results), variances(played.margins), played.margins
    shares = (coin_share(end, len(rated.players)) for end in (rated.spread.value, rated.spread.low, rated.spread.high))
    ratings = zip(rated.players, rated.ratings, strict=True)
    longest = len(margins) // BLOCKS
    return {
        "ratings": [{"player": player, **_measure(rating)} for player, rating in ratings],
        "spread": _measure(rated.spread),
        "coin_share": _measure(Measure(*shares)),
        "skill_sd": parts.skill**0.5,
        "chance_sd": parts.chance**0.5,
        "rounds_normal": _measure(rounds_to_lead(margins)),
        "rounds": _measure(rounds_among(margins)),
        "after": [
            {
                "rounds": k,
                "reliability": parts.reliability(k),
                "lead_normal": parts.lead(k),
                "lead": lead_among(margins, k),
                "observed": observed_lead(margins, k) if k <= longest else None,
            }
            for k in ROUNDS
        ],
    }


def _relative(settings: Settings, episode: str, gains: Floats, report: Report) -> RelativeDocument:
    """The relative skill of everybody, from gains against the best player."""
    fictive, beginner = _fictive_gains(settings, episode, report), gains[:, ALL.index(settings.beginner)]
    return {
        "deals": len(fictive),
        "fictive_gain": estimate(fictive).to_document(),
        "players": [
            {
                "player": player,
                "gain": estimate(gains[:, k]).to_document(),
                "skill": relative_skill(gains[:, k], beginner, fictive).to_document(),
            }
            for k, player in enumerate(ALL)
        ],
    }


def _fictive_gains(settings: Settings, episode: str, report: Report) -> Floats:
    """The margins of the player that knows every card against the best, averaged over both seats, [deals]."""
    deals, found = settings.peeked(episode), []
    pair, setup = (FICTIVE, settings.best), Setup(OFFICIAL, settings.seed, episode, may_peek=True)
    for start in range(0, len(deals), PIECE):
        piece = deals[start : start + PIECE]
        found.append(play_pair(pair, piece, setup, settings.threads).mean(axis=1))
        report(len(piece) * FICTIVE_WORK[episode])
    return np.concatenate(found)


def _measure(found: Measure) -> MeasureDocument:
    return {"value": found.value, "low": found.low, "high": found.high}
