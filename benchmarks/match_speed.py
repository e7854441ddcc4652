"""How fast matches are, what storing costs, and how much less margins scatter on paired deals and without luck.

.venv/bin/python benchmarks/match_speed.py
"""

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from figures import Figure, parser_for, report, timed

import skipbo_env
from cardtable.card_game import Setup
from cardtable.play.decisions import play_rounds
from cardtable.play.pairing import play_paired
from cardtable.play.plan import Plan
from cardtable.stored.plan_store import store_for
from cardtable.workers.plan_run import play
from skyjo_env import OFFICIAL, Rules, make_agent
from skyjo_env.card_game import SKYJO

NEAR = ("threshold:t=2", SKYJO.yardstick)
DEALS = 20_000


def speeds(deals: int, runs: int) -> Iterator[Figure]:
    """Rounds a second of a match between compiled agents, and what it costs to store them."""
    plain, lucky = (Plan((NEAR,), (deals,), Setup(OFFICIAL, with_luck=luck)) for luck in (False, True))
    matches = [partial(play, plan, workers=workers) for plan, workers in ((plain, 1), (plain, 2), (lucky, 1))]
    one, two, luck = in_turn(matches, runs)
    yield Figure("a match, one core", 2, 2 * deals / one, "rounds/s", 90_000)
    yield Figure("with luck", 2, 2 * deals / luck, "rounds/s", 50_000)
    yield Figure("two threads, times as fast", 2, one / two, "", 1.8)
    for words, plan in (("storing every round", plain), ("storing every round, with luck", lucky)):
        alone, stored = in_turn([partial(play, plan, workers=1), partial(store, plan)], runs)
        yield Figure(words, 2, 100 * (stored / alone - 1), "% more time", 25, at_most=True)


def skipbo_speeds(deals: int, runs: int) -> Iterator[Figure]:
    """Rounds a second of a match of Skip-Bo, and what it costs to store them."""
    plan = Plan((("hpvp", "greedy"),), (deals,), Setup(skipbo_env.OFFICIAL))
    alone, stored = in_turn([partial(play, plan, workers=1), partial(store, plan)], runs)
    yield Figure("Skip-Bo, a match, one core", 2, 2 * deals / alone, "rounds/s", 15_000)
    yield Figure("Skip-Bo, storing every round", 2, 100 * (stored / alone - 1), "% more time", 25, at_most=True)


def store(plan: Plan) -> None:
    """Play it on one core, and store it."""
    with TemporaryDirectory() as folder:
        play(plan, store_for(Path(folder), plan, ""), workers=1)


def in_turn(runs_of: Sequence[Callable[[], Any]], runs: int) -> list[float]:
    """The median time of each, while they take turns; after one turn to warm up."""
    times = [[timed(run) for run in runs_of] for _ in range(runs + 1)]
    return [statistics.median(each) for each in zip(*times[1:], strict=True)]


MEASURE = """
import resource, sys
from pathlib import Path
from cardtable.workers.plan_run import play
import skipbo_env
from cardtable.card_game import Setup
from cardtable.play.plan import Plan
from cardtable.stored.plan_store import store_for
from skyjo_env import OFFICIAL
plan = Plan((("threshold:t=2", "threshold:t=2,columns=true"),), (int(sys.argv[1]),), Setup(OFFICIAL))
play(plan, store_for(Path(sys.argv[2]), plan, ""))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def memory(deals: int) -> float:
    """The MB that a process takes at most to play and store this many deals."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", MEASURE, str(deals), folder]
        return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def memories(rounds: int) -> Iterator[Figure]:
    """The memory for this many rounds, and how much more that is than for a hundredth of them."""
    few, many = memory(rounds // 200), memory(rounds // 2)
    yield Figure(f"memory, {rounds:,} rounds stored", 2, many, "MB")
    yield Figure("a hundredth of the rounds, times less", 2, many / few, "", 1.25, at_most=True)


def ratios(deals: int) -> Iterator[Figure]:
    """The variance of a margin, compared with that of as many unpaired rounds."""
    agents = [make_agent(name) for name in NEAR]
    unpaired = play_rounds(agents, Setup(OFFICIAL, seed=1), range(2 * deals)).margins[:, 0].var()
    for words, rules in (("paired", OFFICIAL), ("paired, draw streams", Rules(draw_streams=True))):
        played = play_paired(NEAR, Setup(rules, with_luck=True), range(deals))
        yield Figure(f"variance, {words}", 2, 2 * played.margins[:, 0].var() / unpaired, "of unpaired")
        limit = 0.45 if rules.draw_streams else None
        left = 2 * played.without_luck[:, 0].var() / unpaired
        yield Figure(f"variance, {words}, without luck", 2, left, "of unpaired", limit, at_most=True)


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    further = [] if options.quick else [ratios(DEALS), memories(10_000_000)]
    always = speeds(DEALS, options.runs), skipbo_speeds(DEALS // 10, options.runs)
    report((figure for part in (*always, *further) for figure in part), options.json)


if __name__ == "__main__":
    main()
