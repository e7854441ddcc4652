"""All that is found out about skill and chance, as one document of plain values, to be written as JSON or rendered."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cardtable.checks import seed_number, whole_number
from cardtable.errors import TableError
from cardtable.play.decisions import MOST_THREADS
from cardtable.ratings.results import RatingError
from cardtable.statistics import estimate
from skyjo.studies.skill.population import ALL, POPULATIONS, Report, RoundRobin, play_pair, play_round_robin
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

FULL, QUICK, LEAST = 4000, 2000, 1000  # deals of rounds; with fewer, the worst may never win a game
EPISODES = ("round", "game")
FICTIVE = "peek"
PIECE = 8  # deals that it plays at once
ROUNDS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
BLOCKS = 20  # at least so many series of rounds are looked at
WORK = {"round": 1, "game": 2}  # for a deal of two players, and below for one with the fictive player
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
        """What brings these numbers again."""
        players = f"--beginner {self.beginner} --best {self.best}"
        return f"skyjo skill --deals {self.deals} --seed {self.seed} {players}"

    @property
    def played(self) -> range:
        """The deals of every pair."""
        return range(self.deals)

    def peeked(self, episode: str) -> range:
        """The deals of the fictive player, few as it is slow, and after those of the others."""
        few = max(8, self.deals // 100) if episode == "round" else max(4, self.deals // 400)
        return range(self.deals, self.deals + few)

    @property
    def work(self) -> float:
        """How much there is to do, as told to the progress bar."""
        pairs = len(ALL) * (len(ALL) - 1) // 2
        return sum(
            pairs * WORK[episode] * self.deals + FICTIVE_WORK[episode] * len(self.peeked(episode))
            for episode in EPISODES
        )


def find_out(settings: Settings, report: Report) -> dict[str, Any]:
    """Do it all; `report` is told of the work done. TableError if the deals are too few to rate the players."""
    return {
        **asdict(settings),
        "command": settings.command,
        "fictive": FICTIVE,
        "episodes": {episode: _episode(settings, episode, report) for episode in EPISODES},
    }


def _episode(settings: Settings, episode: str, report: Report) -> dict[str, Any]:
    """All measures, of rounds or of games."""
    options = settings.seed, settings.played, episode, settings.threads
    played = play_round_robin(ALL, *options, lambda deals: report(deals * WORK[episode]))
    try:
        found = {name: _population(played.among(players)) for name, players in POPULATIONS.items()}
    except RatingError as error:
        raise TableError(f"deals={settings.deals} are too few: somebody won no {episode}, or lost none") from error
    return {
        "populations": found,
        "relative": _relative(settings, episode, played.against(settings.best), report),
    }


def _population(played: RoundRobin) -> dict[str, Any]:
    """Elo spread and reliability."""
    rated, parts, margins = elo_spread(played.results), variances(played.margins), played.margins
    ends = (rated.spread.value, rated.spread.low, rated.spread.high)
    ratings = zip(rated.players, rated.ratings, strict=True)
    longest = len(margins) // BLOCKS
    return {
        "ratings": [{"player": player, **asdict(rating)} for player, rating in ratings],
        "spread": asdict(rated.spread),
        "coin_share": asdict(Measure(*(coin_share(end, len(rated.players)) for end in ends))),
        "skill_sd": parts.skill**0.5,
        "chance_sd": parts.chance**0.5,
        "rounds_normal": asdict(rounds_to_lead(margins)),
        "rounds": asdict(rounds_among(margins)),
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


def _relative(settings: Settings, episode: str, gains: Any, report: Report) -> dict[str, Any]:
    """The relative skill of everybody, from gains against the best player."""
    fictive, beginner = _fictive_gains(settings, episode, report), gains[:, ALL.index(settings.beginner)]
    return {
        "deals": len(fictive),
        "fictive_gain": asdict(estimate(fictive)),
        "players": [
            {
                "player": player,
                "gain": asdict(estimate(gains[:, k])),
                "skill": asdict(relative_skill(gains[:, k], beginner, fictive)),
            }
            for k, player in enumerate(ALL)
        ],
    }


def _fictive_gains(settings: Settings, episode: str, report: Report) -> Any:
    """The margins of the player that knows every card against the best, meaned over both seats, [deals]."""
    deals, found = settings.peeked(episode), []
    for start in range(0, len(deals), PIECE):
        piece = deals[start : start + PIECE]
        pair = FICTIVE, settings.best
        found.append(play_pair(pair, settings.seed, piece, episode, settings.threads, may_peek=True).mean(axis=1))
        report(len(piece) * FICTIVE_WORK[episode])
    return np.concatenate(found)
