"""How fast the environments are: two players, random legal play, one core, medians of several runs.

.venv/bin/python benchmarks/environments.py              a table
.venv/bin/python benchmarks/environments.py --json       the same as JSON
.venv/bin/python benchmarks/environments.py --paths      also the way from Python to the kernel and back, part by part
.venv/bin/python benchmarks/environments.py --rlskyjo    also rlskyjo 1.0.0, installed into .venv-rlskyjo
"""

import argparse
import random
import resource
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import rlskyjo_speed
from figures import Figure, parser_for, report, seconds, times_faster
from kernel import random_choices
from pettingzoo.utils import wrappers

from cardtable.agents import RandomAgent, choose
from cardtable.envs import seat_batch as seats
from cardtable.envs.aec import Info
from cardtable.kernel.chance import random_actions
from cardtable.table_batch import TableBatch
from skipbo_env import skipbo_v0
from skipbo_env.envs import SkipboVectorEnv
from skyjo_env import OFFICIAL, Game, GameBatch, make_agent, skyjo_v0
from skyjo_env.card_game import SKYJO
from skyjo_env.envs import SkyjoEnv, SkyjoSelfPlay, SkyjoVectorEnv
from skyjo_env.observation import spec_of
from skyjo_training import SkyjoVecEnv

ANY = RandomAgent(None)  # the same opponent in every game
TABLES = 1024
PEER = Path(__file__).parent.parent / ".venv-rlskyjo"


def play_aec(env: Any, decisions: int) -> int:
    """Random legal play with `last` and `step`; returns the decisions made."""
    done = 0
    env.reset(seed=1)
    while done < decisions:
        for _ in env.agent_iter():
            _, _, terminated, truncated, info = env.last()
            action = None
            if not (terminated or truncated):
                legal = info["legal_actions"]
                action = legal[int(random.random() * len(legal))]
                done += 1
            env.step(action)
        env.reset()
    return done


def aec(env: Any, decisions: int, runs: int) -> float:
    """Thousand decisions a second."""
    play_aec(env, 2000)
    rates = []
    for _ in range(runs):
        start = time.perf_counter()
        done = play_aec(env, decisions)
        rates.append(done / (time.perf_counter() - start) / 1e3)
    return statistics.median(rates)


def standard() -> Any:
    """raw_env in PettingZoo's three wrappers."""
    env = wrappers.TerminateIllegalWrapper(skyjo_v0.raw_env(), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def single(env: Any, steps: int, runs: int) -> float:
    """Thousand own steps a second of a Gymnasium environment."""

    def run() -> None:
        _, info = env.reset(seed=1)
        for _ in range(steps):
            legal = info["action_mask"].nonzero()[0]
            _, _, terminated, truncated, info = env.step(int(legal[int(random.random() * len(legal))]))
            if terminated or truncated:
                _, info = env.reset()

    return steps / seconds(run, runs) / 1e3


def vector(kind: type[Any], mode: str, steps: int, runs: int, opponent: Any = ANY) -> float:
    """Million own steps a second of a native vector environment, the choices of both sides included: its own are
    random.
    """
    env = kind(TABLES, autoreset_mode=mode, opponents=[opponent])
    chances, actions = np.arange(TABLES, dtype=np.uint64), np.zeros(TABLES, np.int64)

    def run() -> None:
        _, infos = env.reset(seed=1)
        for _ in range(steps):
            random_actions(infos["action_mask"], chances, actions)
            infos = env.step(actions)[4]

    return steps * TABLES / seconds(run, runs) / 1e6


def measure_self_play(steps: int, runs: int) -> Iterator[Figure]:
    """A decision at every table for one learner in all seats, beside the same decisions in a GameBatch."""
    batch, envs = GameBatch(n=TABLES, episode="round"), SkyjoSelfPlay(TABLES)
    choices = random_choices(batch, steps)

    def run(tables: TableBatch[Any]) -> None:
        tables.reset()
        for actions in choices:
            tables.step(actions)

    rate = steps * TABLES / seconds(lambda: run(envs), runs) / 1e6
    yield Figure(f"SkyjoSelfPlay, n = {TABLES}", 2, rate, "M decisions/s")
    share = times_faster(lambda: run(batch), lambda: run(envs), 8 * runs)
    yield Figure("in proportion to GameBatch", 2, share, "times", 0.9)


class Stopwatch:
    """Adds up the time spent in a function of a module, or a method of a class, while it is entered."""

    def __init__(self, owner: Any, name: str) -> None:
        self.owner, self.name, self.total = owner, name, 0.0

    def __enter__(self) -> "Stopwatch":
        self.before = getattr(self.owner, self.name)
        setattr(self.owner, self.name, self._measured(self.before))
        return self

    def _measured(self, function: Any) -> Any:
        def call(*args: Any) -> Any:
            start = time.perf_counter()
            result = function(*args)
            self.total += time.perf_counter() - start
            return result

        return call

    def __exit__(self, *_: object) -> None:
        setattr(self.owner, self.name, self.before)


def sb3(steps: int, runs: int) -> tuple[float, float]:
    """Million own steps a second of SkyjoVecEnv, and the share of a step in % that is neither kernel nor opponent."""
    env = SkyjoVecEnv(TABLES)
    env.seed(1)
    env.reset()
    chances, actions = np.arange(TABLES, dtype=np.uint64), np.zeros(TABLES, np.int64)
    rates, shares = [], []
    for _ in range(runs + 1):
        with Stopwatch(seats.SeatBatch, "_play_line") as lines, Stopwatch(seats, "choose") as opponents:
            whole = 0.0
            for _ in range(steps):
                random_actions(env.action_masks().view(np.int8), chances, actions)
                start = time.perf_counter()
                env.step(actions)
                whole += time.perf_counter() - start
        rates.append(steps * TABLES / whole / 1e6)
        shares.append(100 * (1 - (lines.total + opponents.total) / whole))
    return statistics.median(rates[1:]), statistics.median(shares[1:])


def memory_growth(millions: float) -> float:
    """MiB by which the peak memory grows over this many million own steps of tables and a tenth as many decisions."""
    env, aec_env = SkyjoVectorEnv(TABLES), skyjo_v0.env()
    _, infos = env.reset(seed=1)
    chances, actions = np.arange(TABLES, dtype=np.uint64), np.zeros(TABLES, np.int64)
    steps = int(millions * 1e6 / TABLES)
    before = 0
    for step in range(-100, steps):
        if step == 0:
            play_aec(aec_env, 5000)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        random_actions(infos["action_mask"], chances, actions)
        infos = env.step(actions)[4]
    play_aec(aec_env, int(millions * 1e5))
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def microseconds(part: Callable[[], Any], runs: int) -> float:
    """The median time of one of 5000 calls."""
    return seconds(lambda: [part() for _ in range(5000)], runs) / 5000 * 1e6


def paths(runs: int) -> Iterator[Figure]:
    """What one decision costs on its way through Python, in microseconds."""
    game, agent, chances = Game(OFFICIAL, seed=1), make_agent("random"), np.zeros(1, np.uint64)
    observation, mask = game.observation(), game.mask()
    guarded, raw, wrapped = skyjo_v0.env(), skyjo_v0.raw_env(), standard()
    for env in (guarded, raw, wrapped):
        env.reset(seed=1)
    entries = raw.infos["player_0"]
    parts = {
        "kernel call with two records and an array": lambda: SKYJO.one.observe_one(
            game.state, OFFICIAL.params, 0, observation
        ),
        "observation and mask as new arrays": lambda: (game.observation(), game.mask()),
        "one random opponent's choice": lambda: agent.act(observation[None], mask[None], chances),
        "the same with its result checked": lambda: choose(
            agent, "random", spec_of(OFFICIAL), observation[None], mask[None]
        ),
        "an info": lambda: Info(entries),
        "its legal actions": lambda: raw.infos["player_0"]["legal_actions"],
        "last() of raw_env": raw.last,
        "last() of env": guarded.last,
        "last() in the standard wrappers": wrapped.last,
    }
    for name, part in parts.items():
        yield Figure(name, 2, microseconds(part, runs), "µs")


def install_rlskyjo() -> Path:
    """The Python of an environment with rlskyjo in it; made by the first call."""
    python = PEER / "bin" / "python"
    if not (PEER / "installed").exists():
        print(f"installing rlskyjo into {PEER.name} ...", file=sys.stderr)
        venv.create(PEER, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *rlskyjo_speed.LIBRARIES], check=True)
        subprocess.run([*pip, "--no-deps", "--ignore-requires-python", *rlskyjo_speed.PACKAGES], check=True)
        (PEER / "installed").touch()
    return python


def measure_rlskyjo(decisions: int, runs: int, ours: tuple[float, float]) -> Iterator[Figure]:
    """The peer on the same machine in the same run, and how many times faster we are."""
    command = [str(install_rlskyjo()), rlskyjo_speed.__file__, str(decisions), str(runs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for name, rate, own in zip(("env", "raw env"), map(float, done.stdout.split()), ours, strict=True):
        yield Figure(f"rlskyjo 1.0.0, {name}", 2, rate / 1e3, "k decisions/s")
        yield Figure(f"ratio of ours to rlskyjo's {name}", 2, own / (rate / 1e3), "times")


def measure_skipbo(decisions: int, steps: int, runs: int) -> Iterator[Figure]:
    """Skip-Bo's environments, and in proportion to Skyjo's, which are measured again right before."""
    skyjo, skipbo = (aec(module.env(), decisions, runs) for module in (skyjo_v0, skipbo_v0))
    yield Figure("Skip-Bo AEC env()", 2, skipbo, "k decisions/s")
    yield Figure("in proportion to Skyjo", 2, skipbo / skyjo, "times", 0.7)
    skyjo, skipbo = (vector(kind, "SameStep", steps, runs) for kind in (SkyjoVectorEnv, SkipboVectorEnv))
    yield Figure(f"Skip-Bo vector, n = {TABLES}, SameStep", 2, skipbo, "M own steps/s")
    yield Figure("in proportion to Skyjo", 2, skipbo / skyjo, "times", 0.4)


def measure(options: argparse.Namespace) -> Iterator[Figure]:
    """All figures, in one run."""
    decisions, steps = (3000, 30) if options.quick else (60_000, 1000)
    runs = options.runs
    guarded, raw = aec(skyjo_v0.env(), decisions, runs), aec(skyjo_v0.raw_env(), decisions, runs)
    yield Figure("AEC env()", 2, guarded, "k decisions/s", 100)
    yield Figure("AEC raw_env()", 2, raw, "k decisions/s", 200)
    yield Figure("AEC raw_env() in the standard wrappers", 2, aec(standard(), decisions // 4, runs), "k decisions/s")
    if options.rlskyjo:
        yield from measure_rlskyjo(decisions // 3, runs, (guarded, raw))
    yield Figure("Gymnasium single, random opponent", 2, single(SkyjoEnv(), decisions, runs), "k own steps/s", 60)
    made = gymnasium.make("skyjo_env:skyjo/Skyjo-v0")
    yield Figure("the same from gymnasium.make", 2, single(made, decisions, runs), "k own steps/s", 60)
    for mode in ("NextStep", "SameStep"):
        yield Figure(f"vector, n = {TABLES}, {mode}", 2, vector(SkyjoVectorEnv, mode, steps, runs), "M own steps/s", 3)
    rate = vector(SkyjoVectorEnv, "SameStep", steps // 10 + 10, runs, "tempo")
    yield Figure(f"vector, n = {TABLES}, SameStep, against tempo", 2, rate, "M own steps/s")
    rate, share = sb3(steps, runs)
    yield Figure(f"SkyjoVecEnv, n = {TABLES}", 2, rate, "M own steps/s")
    yield Figure("SkyjoVecEnv, share outside the kernel", 2, share, "%", 15, at_most=True)
    yield from measure_self_play(steps // 4 + 10, runs)
    yield from measure_skipbo(decisions, steps, runs)
    if not options.quick:
        yield Figure("peak memory after 10 million more steps", 2, memory_growth(10), "MiB more", 2, at_most=True)
    if options.paths:
        yield from paths(runs)


def main() -> None:
    parser = parser_for(__doc__, runs=5)
    parser.add_argument("--paths", action="store_true", help="also what a decision costs on its way through Python")
    parser.add_argument("--rlskyjo", action="store_true", help="also rlskyjo 1.0.0, installed by the first such run")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    report(measure(options), options.json)


if __name__ == "__main__":
    main()
