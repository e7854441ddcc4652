"""Measure the speed of agents and matches: whole rounds in compiled code, and decisions at many tables from Python; one
core.

.venv/bin/python benchmarks/agents.py
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from figures import Figure, parser_for, report, seconds

import skipbo_env
from cardtable.arena.play.plan import Plan
from cardtable.arena.play.rounds import play_rounds
from cardtable.arena.stored.plan_store import store_for
from cardtable.arena.workers.plan_run import play
from cardtable.table.game.card_game import Setup
from skyjo_env import OFFICIAL, GameBatch, make_agent

REFERENCE = "threshold:t=2,columns=true"
SKYJO = ("naive", "threshold:t=2", REFERENCE, "expected", "tempo", "policy", "lookahead")
SKIPBO = ("hpvp", "greedy:pile=smallest", "planner")
SLOWER = {"policy": 20, "lookahead": 200, "planner": 20}  # a fraction of the deals and tables suffices for these
TABLES = 4096
LATE = 30  # decisions into a round


def rounds_a_second(agent: Any, rules: Any, deals: int, runs: int) -> float:
    """Return how many rounds the agent plays with itself in compiled code, observations included."""
    return deals / seconds(lambda: play_rounds([agent, agent], Setup(rules), range(deals)), runs)


def decisions_a_second(agent: Any, batch: Any, runs: int) -> float:
    """Return how many decisions `act` makes, asked for many tables at once, some decisions into a round."""
    rng_states = np.arange(len(batch), dtype=np.uint64)
    for _ in range(LATE):
        batch.step(agent.act(batch.observations, batch.masks, rng_states))
    return len(batch) / seconds(lambda: agent.act(batch.observations, batch.masks, rng_states), runs)


def agent_figures(runs: int, is_quick: bool) -> Iterator[Figure]:
    """Measure agents of Skyjo and Skip-Bo."""
    deals, tables = (2000, 512) if is_quick else (20_000, TABLES)
    for name in SKYJO:
        agent, part = make_agent(name), SLOWER.get(name, 1)
        rate = rounds_a_second(agent, OFFICIAL, deals // part, runs)
        yield Figure(f"{name} against itself", 2, rate, "rounds/s")
        rate = decisions_a_second(agent, GameBatch(OFFICIAL, tables // min(part, 16), seed=3), runs) / 1e3
        yield Figure(f"{name}, asked for many tables at once", 2, rate, "thousand decisions/s")
    for name in SKIPBO:
        agent = skipbo_env.make_agent(name, skipbo_env.OFFICIAL)
        rate = rounds_a_second(agent, skipbo_env.OFFICIAL, deals // 10 // SLOWER.get(name, 1), runs)
        yield Figure(f"Skip-Bo, {name} against itself", 2, rate, "rounds/s")


def match_figures(runs: int, is_quick: bool) -> Iterator[Figure]:
    """Measure matches as the command plays them, with one worker."""
    deals, pair = 2000 if is_quick else 20_000, ("threshold:t=2", REFERENCE)
    plain, lucky = (Plan((pair,), (deals,), Setup(OFFICIAL, with_luck=is_lucky)) for is_lucky in (False, True))
    ways = {
        "a match of scripts, one worker": lambda: play(plain, workers=1),
        "the same with luck subtracted": lambda: play(lucky, workers=1),
        "the same, every round stored": lambda: store(plain),
    }
    for name, way in ways.items():
        yield Figure(name, 2, 2 * deals / seconds(way, runs), "rounds/s")


def store(plan: Plan) -> None:
    """Play a plan, and store every round."""
    with TemporaryDirectory() as folder:
        play(plan, store_for(Path(folder), plan, ""), workers=1)


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    parts = (part(options.runs, options.quick) for part in (agent_figures, match_figures))
    report(chain.from_iterable(parts), options.json)


if __name__ == "__main__":
    main()
