"""What a Ray cluster costs: the same tournament by the workers of this machine, and by as many on a cluster here.

.venv/bin/python benchmarks/cluster.py

Speeds are measured from the first tenth of the deals on, when all workers play. The time to start is reported apart.
"""

import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from figures import Figure, parser_for, report

from cardtable.card_game import Setup
from cardtable.play.plan import Plan, tournament
from cardtable.stored.plan_store import store_for
from cardtable.workers.cluster import Cluster, connected
from cardtable.workers.plan_run import PlanProgress, play
from skyjo_env import OFFICIAL
from skyjo_env.card_game import SKYJO

COMPILED = ("naive", "threshold:t=2", SKYJO.yardstick)
ASKED = ("naive", "rollout:base=naive,n=2")
WORKERS = 2


class Clock:
    """Takes the time from the first tenth of the deals to the last."""

    def __init__(self, plan: Plan) -> None:
        self.deals, self.began, self.at, self.ended, self.done = sum(plan.deals), 0.0, 0, 0.0, 0

    def __call__(self, course: PlanProgress) -> None:
        """Gets the progress after every piece."""
        self.ended, self.done = time.perf_counter(), course.played
        if self.at == 0 and course.played >= self.deals / 10:
            self.began, self.at = self.ended, self.done

    @property
    def speed(self) -> float:
        """Deals a second."""
        return (self.done - self.at) / (self.ended - self.began)


def speed(plan: Plan, cluster: Cluster | None) -> tuple[float, float]:
    """Deals a second while all play, and the seconds until a tenth was played."""
    with TemporaryDirectory() as folder:
        clock, start = Clock(plan), time.perf_counter()
        play(plan, store_for(Path(folder), plan, ""), workers=WORKERS, report=clock, cluster=cluster)
    return clock.speed, clock.began - start


def compared(words: str, plan: Plan, cluster: Cluster, runs: int) -> Iterator[Figure]:
    """Both in turn, after one turn to warm up."""
    turns = [[speed(plan, where) for where in (None, cluster)] for _ in range(runs + 1)][1:]
    here, there = ([each[k] for each in turns] for k in range(2))
    ratios = [there[0] / here[0] for here, there in turns]
    rounds = plan.players
    yield Figure(f"{words}, here", 2, rounds * _median([each[0] for each in here]), "rounds/s")
    yield Figure(f"{words}, on Ray", 2, rounds * _median([each[0] for each in there]), "rounds/s")
    yield Figure(f"{words}, times as fast on Ray", 2, _median(ratios), "", 0.9)
    yield Figure(f"{words}, until a tenth is played, here", 2, _median([each[1] for each in here]), "s")
    yield Figure(f"{words}, until a tenth is played, on Ray", 2, _median([each[1] for each in there]), "s")


def _median(numbers: Sequence[float]) -> float:
    return statistics.median(numbers)


def figures(runs: int, is_quick: bool) -> Iterator[Figure]:
    """All of them."""
    deals, few = (20_000, 64) if is_quick else (150_000, 120)
    start = time.perf_counter()
    with connected("local", WORKERS, SKYJO) as cluster:
        yield Figure("starting a cluster here", 2, time.perf_counter() - start, "s")
        yield from compared("compiled agents", tournament(COMPILED, Setup(OFFICIAL), deals), cluster, runs)
        yield from compared("agents in processes", tournament(ASKED, Setup(OFFICIAL), few, few), cluster, runs)


def main() -> None:
    parser = parser_for(__doc__, runs=3)
    options = parser.parse_args()
    report(figures(options.runs, options.quick), options.json)


if __name__ == "__main__":
    main()
