"""Plays and measures skill against chance, and puts the results together as one `SkillDocument`."""

from dataclasses import dataclass

import numpy as np

from cardtable.card_game import Setup, find_game
from cardtable.checks import seed_number, whole_number
from cardtable.errors import TableError
from cardtable.play.decisions import MOST_THREADS, Pool, ThreadsOrPool
from cardtable.ratings.results import Floats, RatingError
from cardtable.statistics import estimate
from studies.skill.population import Report, RoundRobin, play_pair, play_round_robin
from studies.skill.skill_document import (
    EpisodeDocument,
    MeasureDocument,
    PopulationDocument,
    RelativeDocument,
    SkillDocument,
)
from studies.skill.skill_measures import (
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
from studies.skill.skill_players import SkillPlayers

FULL, QUICK, LEAST = 4000, 2000, 1000  # deals of rounds; with fewer, the worst may never win a game
EPISODES = ("round", "game")
PIECE = 8  # deals that the fictive player plays at once
ROUNDS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
BLOCKS = 20  # leads are counted only where at least this many series were played


@dataclass(frozen=True)
class Settings:
    """Who is measured, and how thoroughly."""

    players: SkillPlayers
    deals: int
    seed: int
    beginner: str
    best: str
    threads: int = 2
    cluster: Pool | None = None

    def __post_init__(self) -> None:
        whole_number("deals", self.deals, LEAST, 10**7)
        seed_number("seed", self.seed)
        whole_number("threads", self.threads, 1, MOST_THREADS)
        for name in (self.beginner, self.best):
            if name not in self.players.everybody:
                known = ", ".join(self.players.everybody)
                raise TableError(f"{name} is not among the players that are compared: {known}")
        if self.beginner == self.best:
            raise TableError(f"{self.best} cannot be both the beginner and the best player")

    @property
    def threads_or_pool(self) -> ThreadsOrPool:
        """Who plays: the cluster, if there is one."""
        return self.cluster or self.threads

    @property
    def command(self) -> str:
        """The command that gives the same numbers again."""
        players = f"--beginner {self.beginner} --best {self.best}"
        name = "skill" if self.players.game == "skyjo" else f"{self.players.game}-skill"
        return f"python -m studies {name} --deals {self.deals} --seed {self.seed} {players}"

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
        players = self.players
        pairs = len(players.everybody) * (len(players.everybody) - 1) // 2
        return sum(
            pairs * players.work[episode] * self.deals + players.fictive_work[episode] * len(self.peeked(episode))
            for episode in EPISODES
        )

    def setup(self, episode: str, may_peek: bool = False) -> Setup:
        """What all deals share."""
        return Setup(find_game(self.players.game).rules(), self.seed, episode, may_peek=may_peek)


def run_study(settings: Settings, report: Report) -> SkillDocument:
    """Play and measure; `report` is called with the work done since its last call.

    TableError if the deals are too few to rate the players.
    """
    return {
        "game": settings.players.game,
        "deals": settings.deals,
        "seed": settings.seed,
        "beginner": settings.beginner,
        "best": settings.best,
        "threads": settings.threads,
        "command": settings.command,
        "fictive": settings.players.fictive,
        "episodes": {episode: _episode(settings, episode, report) for episode in EPISODES},
    }


def _episode(settings: Settings, episode: str, report: Report) -> EpisodeDocument:
    """All measures, of rounds or of games."""
    everybody = settings.players.everybody

    def done(deals: float) -> None:
        report(deals * settings.players.work[episode])

    played = play_round_robin(everybody, settings.played, settings.setup(episode), settings.threads_or_pool, done)
    try:
        found = {name: _population(played.among(names)) for name, names in settings.players.populations.items()}
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
    everybody = settings.players.everybody
    fictive, beginner = _fictive_gains(settings, episode, report), gains[:, everybody.index(settings.beginner)]
    return {
        "deals": len(fictive),
        "fictive_gain": estimate(fictive).to_document(),
        "players": [
            {
                "player": player,
                "gain": estimate(gains[:, k]).to_document(),
                "skill": relative_skill(gains[:, k], beginner, fictive).to_document(),
            }
            for k, player in enumerate(everybody)
        ],
    }


def _fictive_gains(settings: Settings, episode: str, report: Report) -> Floats:
    """The margins of the player that knows every card against the best, averaged over both seats, [deals]."""
    deals, found = settings.peeked(episode), []
    pair, setup = (settings.players.fictive, settings.best), settings.setup(episode, may_peek=True)
    for start in range(0, len(deals), PIECE):
        piece = deals[start : start + PIECE]
        found.append(play_pair(pair, piece, setup, settings.threads_or_pool).mean(axis=1))
        report(len(piece) * settings.players.fictive_work[episode])
    return np.concatenate(found)


def _measure(found: Measure) -> MeasureDocument:
    return {"value": found.value, "low": found.low, "high": found.high}
