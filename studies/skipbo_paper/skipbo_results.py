"""Plays the evaluation, and puts its results together as one `SkipboPaperDocument`."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from cardtable.checks import seed_number, whole_number
from cardtable.play.decisions import MOST_THREADS, Pool, ThreadsOrPool
from cardtable.statistics import estimate, t_test
from skipbo_env import make_agent
from skipbo_env.rules import STRITTMATTER
from studies.skipbo_paper.claims import claims
from studies.skipbo_paper.decisions import choices_of, differing_games
from studies.skipbo_paper.matchups import Keep, Matchup, Play, Played, Report, cost
from studies.skipbo_paper.pair_measures import PValues, alone_document, pair_document
from studies.skipbo_paper.players import DETAILS, FARTHEST, FOUR_PILES, GREEDY, LITERAL, PLANNER, PLAYERS
from studies.skipbo_paper.rule_changes import CHANGES, PAIRS, Pair, changed
from studies.skipbo_paper.sample_size import EQUAL, sample_size
from studies.skipbo_paper.single_runs import RUN_GAMES, coverages, errors, runs
from studies.skipbo_paper.skipbo_document import (
    AloneDocument,
    LiteralDocument,
    SkipboPaperDocument,
    StartersDocument,
)
from studies.skipbo_paper.state_space import state_space

FULL, QUICK, LEAST = 5000, 300, 30  # deals; fewer are too few for intervals
LOOKED_AT = 1000  # deals whose every decision is looked at
COMPARED = (GREEDY, FOUR_PILES, LITERAL)  # would they decide alike?
OPPONENTS = (GREEDY, FOUR_PILES, PLANNER)  # of the two literal senses


@dataclass(frozen=True)
class Settings:
    """How much is played."""

    deals: int = FULL
    seed: int = 1
    threads: int = 2
    cluster: Pool | None = None

    def __post_init__(self) -> None:
        whole_number("deals", self.deals, LEAST, 10**6)
        seed_number("seed", self.seed)
        whole_number("threads", self.threads, 1, MOST_THREADS)

    @property
    def threads_or_pool(self) -> ThreadsOrPool:
        """Who plays: the cluster, if there is one."""
        return self.cluster or self.threads

    @property
    def command(self) -> str:
        """The command that gives the same numbers again."""
        return f"python -m studies skipbo-paper --deals {self.deals} --seed {self.seed}"

    @property
    def work(self) -> float:
        """The amount of work: games, and decisions looked at as if each deal were some more."""
        pairs = [*PAIRED, *DETAILS, *(pair for change in CHANGES for pair in change.pairs)]
        games = 2 * sum(map(cost, pairs)) + sum(cost((player, player)) for player in PLAYERS)
        senses = 4 * sum(cost((LITERAL, other)) for other in OPPONENTS)
        return games * self.deals + (senses + LOOKED * len(PLAYERS)) * self.looked_at

    @property
    def looked_at(self) -> int:
        """Deals whose every decision is looked at."""
        return min(LOOKED_AT, self.deals)


PAIRED: Sequence[Pair] = tuple(combinations(PLAYERS, 2))
LOOKED = 10  # games that could be played while those of a deal are looked at


def run_study(settings: Settings, report: Report, keep: Keep | None = None) -> SkipboPaperDocument:
    """Play and judge; `report` is called with the work done since its last call, `keep` with all games."""
    play = Play(settings.deals, settings.seed, settings.threads_or_pool, report, keep)
    tests = PValues()
    found = {pair: play.pair(*pair) for pair in PAIRED}
    pairs = [pair_document(each, tests) for each in found.values()]
    details = [pair_document(play.pair(*pair), tests) for pair in DETAILS]
    alone = {player: play.alone(player) for player in PLAYERS}
    alone_documents = [_alone(*played, settings, tests, report) for played in alone.values()]
    starters = _starters([matchup for matchup, _ in alone.values()], tests)
    changes = changed(play, found, tests)
    tests.adjust()
    document: Any = {
        "deals": settings.deals,
        "seed": settings.seed,
        "command": settings.command,
        "rules": STRITTMATTER.to_text(),
        "tests": len(tests.found),
        "players": dict(PLAYERS),
        "pairs": pairs,
        "details": details,
        "alone": alone_documents,
        "starters": starters,
        "literal": _literal(play, settings),
        "changes": changes,
        "runs": _runs(found, settings),
        "coverage": coverages(),
        "errors": errors(),
        "sample_size": asdict(sample_size()),
        "state_space": asdict(state_space()),
    }
    document["claims"] = [asdict(claim) for claim in claims(document)]
    result: SkipboPaperDocument = document
    return result


def _alone(found: Matchup, played: Played, settings: Settings, tests: PValues, report: Report) -> AloneDocument:
    others = {name: make_agent(name, STRITTMATTER) for name in COMPARED}
    choices = choices_of(played, settings.looked_at, others)
    report(LOOKED * settings.looked_at)
    return alone_document(found, played, choices, tests)


def _starters(found: Sequence[Matchup], tests: PValues) -> StartersDocument:
    """What the starter takes of each deal, averaged over players against themselves."""
    shares = np.mean([matchup.starters for matchup in found], axis=0)
    return {"share": estimate(shares).to_document(), "test": tests.add(t_test(shares - EQUAL))}


def _literal(play: Play, settings: Settings) -> LiteralDocument:
    """Do the two literal senses of rule 4 ever play differently?"""
    few = Play(settings.looked_at, settings.seed, settings.threads_or_pool, play.report)
    pairs = [(few.games(LITERAL, other, keep=True), few.games(FARTHEST, other, keep=True)) for other in OPPONENTS]
    games = [(one[k], other[k]) for one, other in pairs for k in range(2)]
    return {
        "opponents": list(OPPONENTS),
        "games": len(games) * settings.looked_at,
        "differing": sum(differing_games(*each) for each in games),
    }


def _runs(found: dict[Pair, Matchup], settings: Settings) -> list[Any]:
    return [runs(found[pair], games, settings.seed) for pair in PAIRS for games in RUN_GAMES]
