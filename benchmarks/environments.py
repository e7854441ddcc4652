"""Measure the speed of the environments: two players, random legal play, one core, medians of several runs.

.venv/bin/python benchmarks/environments.py              a table
.venv/bin/python benchmarks/environments.py --json       the same as JSON
.venv/bin/python benchmarks/environments.py --rlskyjo    also rlskyjo 1.0.0, installed into .venv-rlskyjo
"""

import argparse
import random
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import rlskyjo_speed
from figures import Figure, parser_for, report, seconds
from kernel import TABLES

from cardtable.table.agents.agents import RandomAgent
from cardtable.table.kernel.chance import random_actions
from skipbo_env import SkipboVectorEnv, skipbo_v0
from skyjo_env import SkyjoEnv, SkyjoVectorEnv, skyjo_v0
from skyjo_training import SeatVecEnv

PEER = Path(__file__).parent.parent / ".venv-rlskyjo"


def play_aec(env: Any, decisions: int) -> None:
    """Play at random with `last` and `step`."""
    while decisions > 0:
        env.reset(seed=1)
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            action = None
            if not (terminated or truncated):
                legal = seen["action_mask"].nonzero()[0].tolist()
                action = legal[int(random.random() * len(legal))]
                decisions -= 1
            env.step(action)


def aec(env: Any, decisions: int, runs: int) -> float:
    """Return thousand decisions a second."""
    return decisions / seconds(lambda: play_aec(env, decisions), runs) / 1e3


def single(env: Any, steps: int, runs: int) -> float:
    """Return thousand own steps a second of a Gymnasium environment."""

    def run() -> None:
        _, info = env.reset(seed=1)
        for _ in range(steps):
            legal = info["action_mask"].nonzero()[0]
            _, _, terminated, truncated, info = env.step(int(legal[int(random.random() * len(legal))]))
            if terminated or truncated:
                _, info = env.reset()

    return steps / seconds(run, runs) / 1e3


def vector(kind: type[Any], mode: str, steps: int, runs: int, opponent: Any) -> float:
    """Return million own steps a second of a vector environment, its own random choices included."""
    env = kind(TABLES, autoreset_mode=mode, opponents=[opponent])
    rng_states, actions = np.arange(TABLES, dtype=np.uint64), np.zeros(TABLES, np.int64)

    def run() -> None:
        _, infos = env.reset(seed=1)
        for _ in range(steps):
            random_actions(infos["action_mask"], rng_states, actions)
            infos = env.step(actions)[4]

    return steps * TABLES / seconds(run, runs) / 1e6


def vec_env(steps: int, runs: int) -> float:
    """Return million own steps a second of SeatVecEnv, its own random choices included."""
    env = SeatVecEnv("skyjo", TABLES)
    env.seed(1)
    env.reset()
    rng_states, actions = np.arange(TABLES, dtype=np.uint64), np.zeros(TABLES, np.int64)

    def run() -> None:
        for _ in range(steps):
            random_actions(env.action_masks().view(np.int8), rng_states, actions)
            env.step(actions)

    return steps * TABLES / seconds(run, runs) / 1e6


def install_rlskyjo() -> Path:
    """Return the Python of an environment with rlskyjo in it, which the first call makes."""
    python = PEER / "bin" / "python"
    if not (PEER / "installed").exists():
        print(f"installing rlskyjo into {PEER.name} ...", file=sys.stderr)
        venv.create(PEER, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *rlskyjo_speed.LIBRARIES], check=True)
        subprocess.run([*pip, "--no-deps", "--ignore-requires-python", *rlskyjo_speed.PACKAGES], check=True)
        (PEER / "installed").touch()
    return python


def rlskyjo_figures(decisions: int, runs: int) -> Iterator[Figure]:
    """Measure the only other environment of Skyjo."""
    command = [str(install_rlskyjo()), rlskyjo_speed.__file__, str(decisions), str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for name, rate in zip(("env", "raw env"), map(float, done.stdout.split()), strict=True):
        yield Figure(f"rlskyjo 1.0.0, {name}", 2, rate / 1e3, "thousand decisions/s")


def figures(options: argparse.Namespace) -> Iterator[Figure]:
    """Measure everything."""
    decisions, steps = (3000, 30) if options.quick else (60_000, 1000)
    runs, anyone = options.runs, RandomAgent(None)
    yield Figure("PettingZoo, env()", 2, aec(skyjo_v0.env(), decisions, runs), "thousand decisions/s")
    yield Figure("PettingZoo, raw_env()", 2, aec(skyjo_v0.raw_env(), decisions, runs), "thousand decisions/s")
    yield Figure("Skip-Bo, PettingZoo, env()", 2, aec(skipbo_v0.env(), decisions, runs), "thousand decisions/s")
    if options.rlskyjo:
        yield from rlskyjo_figures(decisions // 3, runs)
    yield Figure("Gymnasium, one table", 2, single(SkyjoEnv(), decisions, runs), "thousand own steps/s")
    for mode in ("NextStep", "SameStep"):
        rate = vector(SkyjoVectorEnv, mode, steps, runs, anyone)
        yield Figure(f"Gymnasium, {TABLES} tables, {mode}", 2, rate, "million own steps/s")
    rate = vector(SkyjoVectorEnv, "SameStep", steps // 10 + 10, runs, "tempo")
    yield Figure(f"Gymnasium, {TABLES} tables, against tempo", 2, rate, "million own steps/s")
    rate = vector(SkipboVectorEnv, "SameStep", steps, runs, anyone)
    yield Figure(f"Skip-Bo, Gymnasium, {TABLES} tables", 2, rate, "million own steps/s")
    yield Figure(f"SeatVecEnv, {TABLES} tables", 2, vec_env(steps, runs), "million own steps/s")


def main() -> None:
    parser = parser_for(__doc__, runs=5)
    parser.add_argument("--rlskyjo", action="store_true", help="also rlskyjo 1.0.0, installed by the first such run")
    options = parser.parse_args()
    report(figures(options), options.json)


if __name__ == "__main__":
    main()
