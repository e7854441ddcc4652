"""Measure the speed of the kernels: decisions a second on one core, random legal play, medians of runs after warm-up.

.venv/bin/python benchmarks/kernel.py            a table
.venv/bin/python benchmarks/kernel.py --json     the same as JSON
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
from figures import Figure, parser_for, report, seconds
from numpy.typing import NDArray

import skipbo_env
import skyjo_action_env
import skyjo_env
from cardtable.table.kernel.chance import GAMMA, mix, random_actions, share
from cardtable.table.kernel.game_kernel import GAME_EPISODE, GameKernel, play
from skyjo_env import OFFICIAL, Game

PACKAGES = {"Skyjo": skyjo_env, "Skip-Bo": skipbo_env, "Skyjo Action": skyjo_action_env}
TABLES = 1024
TOPS = np.uint64(0x8080808080808080)
ONES, SEVEN_BYTES = np.uint64(0x0101010101010101), np.uint64(56)  # the sum of eight bytes ends up in the last


@numba.njit(nogil=True, error_model="numpy")
def nth_marked(words, nth):  # type: ignore[no-untyped-def]
    """Return the nth action that is marked, from 0; eight are counted at a time, so that long masks cost little."""
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
    """Return a compiled function that plays with this kernel."""

    @numba.njit(nogil=True, error_model="numpy")
    def play_random(games, rules, mask, observation, decisions, with_observation):  # type: ignore[no-untyped-def]
        """Play at one table, and return the deals played."""
        game, rule = games[0], rules[0]
        chance, deal, words = np.uint64(1), 0, mask.view(np.uint64)
        kernel.new_game(game, rule, 0, deal, GAME_EPISODE)
        for _ in range(decisions):
            legal = kernel.write_mask(game, rule, mask)
            if with_observation:
                kernel.write_observation(game, rule, game.seat, observation)
            chance += GAMMA
            play(kernel, game, rule, nth_marked(words, share(mix(chance), legal)))
            if game.phase >= kernel.over:
                deal += 1
                kernel.new_game(game, rule, 0, deal, GAME_EPISODE)
        return deal

    return play_random


PLAYERS = {name: random_player(package.Game.card_game.kernel) for name, package in PACKAGES.items()}


def compiled(name: str, rules: Any, decisions: int, runs: int, with_observation: bool) -> float:
    """Return million decisions a second in compiled code."""
    package = PACKAGES[name]
    games, mask = np.zeros(1, package.Game.card_game.dtype), np.zeros(-(-rules.actions // 8) * 8, np.int8)
    observation = np.zeros(package.ObservationSpec(rules).size, np.int16)
    args = (games, rules.params, mask, observation, decisions, with_observation)
    return decisions / seconds(lambda: PLAYERS[name](*args), runs) / 1e6


def random_choices(batch: Any, steps: int) -> NDArray[np.int64]:
    """Return random legal actions for so many steps."""
    rng_states, choices = np.arange(len(batch), dtype=np.uint64), np.zeros((steps, len(batch)), np.int64)
    for actions in choices:
        random_actions(batch.masks, rng_states, actions)
        batch.step(actions)
    return choices


def batched(name: str, rules: Any, decisions: int, runs: int) -> float:
    """Return million decisions a second through GameBatch.step from Python, with choices made beforehand."""
    batch, steps = PACKAGES[name].GameBatch(rules, TABLES), max(1, decisions // TABLES)
    choices = random_choices(batch, steps)

    def run() -> None:
        batch.reset()
        for actions in choices:
            batch.step(actions)

    return steps * TABLES / seconds(run, runs) / 1e6


def single(runs: int) -> float:
    """Return the microseconds that Game.apply, mask and observation take together from Python."""
    game, chance = Game(OFFICIAL), np.random.default_rng(0)
    while not game.is_over:
        game.apply(int(chance.choice(game.legal_actions())))
    actions = game.record()["actions"]

    def run() -> None:
        game = Game(OFFICIAL)
        for action in actions:
            game.apply(action)
            game.mask()
            game.observation()

    return seconds(run, runs) / len(actions) * 1e6


FIRST_USE = """
from skyjo_env import Game, GameBatch
game, batch = Game(), GameBatch(n=2)
game.apply(14); game.observation(1); batch.step([14, 14]); GameBatch.sample(batch.rules, batch.observations)
"""


def in_new_process(code: str, **environment: str) -> float:
    """Return the seconds that a Python process needs for some code, without the start of Python itself."""
    script = f"import time\nstart = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def start_figures(runs: int) -> Iterator[Figure]:
    """Measure the import, and the very first use, which compiles."""
    imported = statistics.median(in_new_process("import skyjo_env") for _ in range(runs))
    yield Figure("import skyjo_env, compiled before", 2, imported, "s")
    with tempfile.TemporaryDirectory() as empty:
        first = in_new_process(FIRST_USE, NUMBA_CACHE_DIR=empty)
    yield Figure("first use, compiling", 2, first, "s")


def figures(options: argparse.Namespace) -> Iterator[Figure]:
    """Measure everything."""
    decisions, runs = 100_000 if options.quick else options.decisions, options.runs
    for name, package in PACKAGES.items():
        for players in (2, 6 if name == "Skip-Bo" else 8):
            rules = package.Rules(players=players)
            bare, seeing = (compiled(name, rules, decisions, runs, is_seen) for is_seen in (False, True))
            yield Figure(f"{name}, compiled, with mask", players, bare, "million decisions/s")
            yield Figure(f"{name}, compiled, with mask and observation", players, seeing, "million decisions/s")
            rate = batched(name, rules, decisions, runs)
            yield Figure(f"{name}, GameBatch.step, {TABLES} tables", players, rate, "million decisions/s")
    yield Figure("Game.apply, with mask and observation", 2, single(runs), "µs")
    if not options.quick:
        yield from start_figures(runs)


def main() -> None:
    parser = parser_for(__doc__, runs=7)
    parser.add_argument("--decisions", type=int, default=1_000_000, help="decisions a run (default 1000000)")
    options = parser.parse_args()
    report(figures(options), options.json)


if __name__ == "__main__":
    main()
