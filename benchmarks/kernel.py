"""How fast the kernel is: decisions a second on one core, random legal play, medians of several runs after warm-up.

.venv/bin/python benchmarks/kernel.py          a table
.venv/bin/python benchmarks/kernel.py --json   the same as JSON
.venv/bin/python benchmarks/kernel.py --paper  also the work rate of the paper's program, written afresh
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from figures import Figure, parser_for, report, seconds
from numpy.typing import NDArray
from paper_program import play_games

import skipbo_env
import skyjo_action_env
import skyjo_env
from cardtable.kernel.chance import GAMMA, mix, random_actions, share
from cardtable.kernel.game_kernel import GAME_EPISODE, GameKernel, play
from skyjo_env import OFFICIAL, Game, GameBatch, Rules
from skyjo_env.card_game import SKYJO as SKYJO_GAME
from skyjo_env.kernel.state import GAME_DTYPE

TABLES = 64, 1024, 4096
SHOWN = 1024  # tables
TOPS = np.uint64(0x8080808080808080)
ONES, SEVEN_BYTES = np.uint64(0x0101010101010101), np.uint64(56)  # the sum of eight bytes ends up in the last


@dataclass(frozen=True)
class Kernel:
    """What a game's kernel offers, the same in all games."""

    game: type[Any]
    batch: type[Any]
    spec: type[Any]
    play_random: Callable[..., int]


def kernel_of(package: Any) -> Kernel:
    """The kernel in this package."""
    play_random = random_player(package.Game.kind.kernel)
    return Kernel(package.Game, package.GameBatch, package.ObservationSpec, play_random)


@numba.njit(nogil=True, error_model="numpy")
def nth_marked(words, nth):  # type: ignore[no-untyped-def]
    """The nth action that is marked, from 0: eight are counted at a time, so that games with many cost little more."""
    word = 0
    marked = np.int64(words[0] * ONES >> SEVEN_BYTES)
    while nth >= marked:
        nth -= marked
        word += 1
        marked = np.int64(words[word] * ONES >> SEVEN_BYTES)
    upto = words[word] * ONES  # how many are marked up to each of the eight
    beyond = (upto | TOPS) - np.uint64(nth + 1) * ONES & TOPS
    return 8 * word + 8 - np.int64((beyond >> np.uint64(7)) * ONES >> SEVEN_BYTES)


def random_player(kernel: GameKernel) -> Callable[..., int]:
    """A compiled function that plays with this kernel."""

    @numba.njit(nogil=True, error_model="numpy")
    def play_random(games, rules, mask, observation, decisions, with_observation):  # type: ignore[no-untyped-def]
        """Random legal play at one table, in compiled code; returns the deals played."""
        game, rule = games[0], rules[0]
        chance, deal, words = np.uint64(1), 0, mask.view(np.uint64)
        kernel.new_game(game, rule, 0, deal, GAME_EPISODE)
        for _ in range(decisions):
            legal = kernel.write_mask(game, rule, mask)
            if with_observation:
                kernel.write_view(game, rule, game.seat, observation)
            chance += GAMMA
            play(kernel, game, rule, nth_marked(words, share(mix(chance), legal)))
            if game.phase >= kernel.over:
                deal += 1
                kernel.new_game(game, rule, 0, deal, GAME_EPISODE)
        return deal

    return play_random


SKYJO, SKIPBO, SKYJO_ACTION = kernel_of(skyjo_env), kernel_of(skipbo_env), kernel_of(skyjo_action_env)
GAMES: dict[str, tuple[Kernel, Any]] = {
    "Skyjo": (SKYJO, OFFICIAL),
    "Skip-Bo": (SKIPBO, skipbo_env.OFFICIAL),
    "Skyjo Action": (SKYJO_ACTION, skyjo_action_env.ACTION),
}


@numba.njit(nogil=True, error_model="numpy")
def copy_games(games, times):  # type: ignore[no-untyped-def]
    """Copy games one by one within an array, as a search does."""
    half = len(games) // 2
    for k in range(times):
        games[half + k % half] = games[k % half]


def compiled(kernel: Kernel, rules: Any, decisions: int, runs: int, with_observation: bool) -> float:
    """Million decisions a second in compiled code."""
    games, mask = np.zeros(1, kernel.game.kind.dtype), np.zeros(-(-rules.actions // 8) * 8, np.int8)
    observation = np.zeros(kernel.spec(rules).size, np.int16)
    args = (games, rules.params, mask, observation, decisions, with_observation)
    return decisions / seconds(lambda: kernel.play_random(*args), runs) / 1e6


def stepper(kernel: Kernel, rules: Any, tables: int, steps: int) -> Callable[[], None]:
    """A run of steps through GameBatch.step from Python; the random choices are made beforehand."""
    batch = kernel.batch(rules, tables)
    choices = random_choices(batch, steps)

    def run() -> None:
        batch.reset()
        for actions in choices:
            batch.step(actions)

    return run


def random_choices(batch: Any, steps: int) -> NDArray[np.int64]:
    """Random legal actions for so many steps."""
    chances, choices = np.arange(len(batch), dtype=np.uint64), np.zeros((steps, len(batch)), np.int64)
    for actions in choices:
        random_actions(batch.masks, chances, actions)
        batch.step(actions)
    return choices


def batched(kernel: Kernel, rules: Any, tables: int, decisions: int, runs: int) -> float:
    """Million decisions a second through GameBatch.step."""
    steps = max(1, decisions // tables)
    return steps * tables / seconds(stepper(kernel, rules, tables, steps), runs) / 1e6


def showing(rules: Rules, decisions: int, runs: int) -> float:
    """Nanoseconds to write mask and observation of a table in the middle of a game."""
    batch, times = GameBatch(rules, SHOWN), max(1, decisions // SHOWN)
    chances, actions = np.arange(SHOWN, dtype=np.uint64), np.zeros(SHOWN, np.int64)
    for _ in range(80):
        random_actions(batch.masks, chances, actions)
        batch.step(actions)
    games = batch.state()["games"]

    def run() -> None:
        for _ in range(times):
            SKYJO_GAME.many.show_tables(games, rules.params, batch.observations, batch.masks, batch.seats, batch.phases)

    return seconds(run, runs) / (times * SHOWN) * 1e9


def copying(runs: int) -> float:
    """Microseconds to copy a game in compiled code."""
    games, times = np.zeros(64, GAME_DTYPE), 1_000_000
    return seconds(lambda: copy_games(games, times), runs) / times * 1e6


def single(rules: Rules, runs: int) -> float:
    """Microseconds for Game.apply, mask and observation together, from Python."""
    game = Game(rules)
    chance = np.random.default_rng(0)
    while not game.is_over:
        game.apply(int(chance.choice(game.legal_actions())))
    actions = game.record()["actions"]

    def run() -> None:
        game = Game(rules)
        for action in actions:
            game.apply(action)
            game.mask()
            game.observation()

    return seconds(run, runs) / len(actions) * 1e6


def in_new_process(code: str, **environment: str) -> float:
    """Seconds that a Python process needs for some code, without the start of Python itself."""
    script = f"import time\nstart = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


FIRST_USE = """
from skyjo_env import Game, GameBatch
game, batch = Game(), GameBatch(n=2)
game.apply(14); game.observation(1); batch.step([14, 14]); GameBatch.sample(batch.rules, batch.observations)
"""


def measure(decisions: int, runs: int) -> Iterator[Figure]:
    """How fast the kernel plays, in one run."""
    for players, factor in ((2, 1.0), (8, 0.5)):
        rules = OFFICIAL.replace(players=players)
        bare, seeing = (compiled(SKYJO, rules, decisions, runs, look) for look in (False, True))
        yield Figure("compiled, mask", players, bare, "M decisions/s", 12 * factor)
        yield Figure("compiled, mask and observation", players, seeing, "M decisions/s", 8 * factor)
        for tables in TABLES:
            rate = batched(SKYJO, rules, tables, decisions, runs)
            yield Figure(f"GameBatch.step, n = {tables}", players, rate, "M decisions/s", 6 * factor)
        shown = showing(rules, decisions, runs)
        yield Figure(f"mask and observation, n = {SHOWN}", players, shown, "ns", 60 / factor, at_most=True)
    yield Figure("copy of a game, compiled", 2, copying(runs), "µs", 0.2, at_most=True)
    yield Figure("Game.apply + mask + observation", 2, single(OFFICIAL, runs), "µs", 2, at_most=True)


def measure_skipbo(decisions: int, runs: int) -> Iterator[Figure]:
    """How fast Skip-Bo's kernel plays, and in proportion to Skyjo's, which is measured again right before."""
    rules = skipbo_env.OFFICIAL
    for look, name, target in ((False, "mask", 0.5), (True, "mask and observation", 0.4)):
        skyjo = compiled(SKYJO, OFFICIAL, decisions, runs, look)
        skipbo = compiled(SKIPBO, rules, decisions, runs, look)
        yield Figure(f"Skip-Bo compiled, {name}", 2, skipbo, "M decisions/s")
        yield Figure("in proportion to Skyjo", 2, skipbo / skyjo, "times", target)
    rate = batched(SKIPBO, rules, SHOWN, decisions, runs)
    yield Figure(f"Skip-Bo GameBatch.step, n = {SHOWN}", 2, rate, "M decisions/s")


def measure_skyjo_action(decisions: int, runs: int) -> Iterator[Figure]:
    """How fast Skyjo Action's kernel plays."""
    for players, factor in ((2, 1.0), (8, 0.5)):
        rules = skyjo_action_env.Rules(players=players)
        for look, name in ((False, "mask"), (True, "mask and observation")):
            rate = compiled(SKYJO_ACTION, rules, decisions, runs, look)
            yield Figure(f"Skyjo Action compiled, {name}", players, rate, "M decisions/s", 4 * factor)
        rate = batched(SKYJO_ACTION, rules, SHOWN, decisions, runs)
        yield Figure(f"Skyjo Action GameBatch.step, n = {SHOWN}", players, rate, "M decisions/s", 3 * factor)


def measure_start(runs: int) -> Iterator[Figure]:
    """How long the import and the very first compilation take."""
    imported = statistics.median(in_new_process("import skyjo_env") for _ in range(runs))
    yield Figure("import skyjo_env, warm cache", 2, imported, "s", 0.7, at_most=True)
    print("compiling once more, with an empty cache ...", file=sys.stderr)
    with tempfile.TemporaryDirectory() as empty:
        first = in_new_process(FIRST_USE, NUMBA_CACHE_DIR=empty)
    yield Figure("first use ever, compiling", 2, first, "s", 25, at_most=True)


def measure_paper(runs: int) -> Iterator[Figure]:
    """How fast the paper's program is, written afresh."""
    games = 200
    rate = games / seconds(lambda: play_games(games, threshold=2), runs)
    yield Figure("the paper's program, threshold 2", 2, rate, "rounds/s")


def measured(options: argparse.Namespace) -> Iterator[Figure]:
    """The figures that were asked for."""
    if options.quick:
        yield from measure(100_000, options.runs)
        yield from measure_skipbo(100_000, options.runs)
        yield from measure_skyjo_action(100_000, options.runs)
        return
    yield from measure(options.decisions, options.runs)
    yield from measure_skipbo(options.decisions, options.runs)
    yield from measure_skyjo_action(options.decisions, options.runs)
    yield from measure_start(options.runs)
    if options.paper:
        yield from measure_paper(options.runs)


def main() -> None:
    parser = parser_for(__doc__, runs=7)
    parser.add_argument("--paper", action="store_true", help="also run the paper's program, written afresh")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="decisions a run (default 1000000)")
    options = parser.parse_args()
    if options.runs < 1 or options.decisions < 1:
        parser.error("--runs and --decisions must be at least 1")
    report(measured(options), options.json)


if __name__ == "__main__":
    main()
