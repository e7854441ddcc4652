"""Measure the margin that common algorithms and self-play learn in Skyjo from the same number of decisions, over seeds.

.venv/bin/python benchmarks/algorithms.py
.venv/bin/python benchmarks/algorithms.py --methods maskable-ppo --decisions 1000000 --runs 2

Self-play and maskable-ppo-network are methods of `skyjo train`: they have the package's network and meet copies of
themselves. The others have a plain network and learn against `tempo`; those without the mask lose a round by an illegal
action. The margin is against the reference, where every method chooses among the legal actions. Each run
has one thread.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from figures import Figure, at_least_one, parser_for, report
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO

from cardtable.arena.statistics import estimate
from cardtable.table.game.card_game import plugged_in
from skyjo_training import FrozenCopies, SeatVecEnv, evaluate
from skyjo_training.evaluation import SEED
from skyjo_training.learned_game import learned_game

REFERENCE = "threshold:t=2,columns=true"
TABLES, DECISIONS = 128, 100_000
SLOW: dict[str, Any] = {"learning_rate": 1e-3, "gae_lambda": 0.8, "n_steps": 32, "batch_size": 1024}
Q: dict[str, Any] = {"learning_starts": 2000, "train_freq": 1, "gradient_steps": 8, "target_update_interval": 2000}
ALGORITHMS: dict[str, tuple[Any, dict[str, Any]]] = {
    "ppo": (PPO, {**SLOW, "gamma": 0.99}),
    "a2c": (A2C, {"gae_lambda": 0.8, "gamma": 0.99}),
    "dqn": (DQN, {"learning_rate": 1e-3, "gamma": 0.99, "buffer_size": 50_000, "batch_size": 256, **Q}),
    "maskable-ppo": (MaskablePPO, {**SLOW, "gamma": 1.0}),
}
NETWORK: dict[str, Any] = {**SLOW, "tables": TABLES, "threads": 1, "device": "cpu", "average": 0.0}
OF_RUNS = {"maskable-ppo-network": "maskable-ppo", "self-play": "self-play"}  # methods of `skyjo train`

METHODS = [*ALGORITHMS, *OF_RUNS]


def learned(method: str, seed: int, decisions: int) -> Any:
    """Learn, and return the model."""
    if method in OF_RUNS:
        widths = {"cell": 32, "column": 64, "table": 128}
        changes = {**NETWORK, **widths, "method": OF_RUNS[method], "decisions": decisions, "seed": seed}
        config = learned_game("skyjo").preset("demo").with_changes(changes)
        model: Any = plugged_in(learned_game("skyjo").learners[config.method])(config)
        model.learn(decisions, FrozenCopies() if method == "maskable-ppo-network" else None)
        return model
    algorithm, options = ALGORITHMS[method]
    illegal: Any = "error" if algorithm is MaskablePPO else "lose"
    shaping = "expected_margin"
    tables = SeatVecEnv("skyjo", TABLES, opponents="tempo", shaping=shaping, encoding="onehot", illegal=illegal)
    model = algorithm("MlpPolicy", tables, seed=1000 * seed, device="cpu", **options)  # 1000: a seed a table
    model.learn(decisions)
    return model


def figures(methods: Sequence[str], seeds: int, decisions: int, deals: int) -> Iterator[Figure]:
    """Learn with each method and each seed, and measure on other deals."""
    torch.set_num_threads(1)
    for method in methods:
        margins = []
        for seed in range(1, seeds + 1):
            model = learned(method, seed, decisions)
            margins.append(evaluate(model, "skyjo", against=REFERENCE, deals=deals, seed=SEED + seed).margin.mean)
        margin, unit = estimate(np.array(margins)), f"points a round ahead of {REFERENCE}"
        yield Figure(f"{method}, {decisions:,} decisions", 2, margin.mean, unit, margin.half)


def main() -> None:
    parser = parser_for(__doc__, 5)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS, help="which (default all)")
    parser.add_argument("--decisions", type=at_least_one, default=DECISIONS, help=f"of a run (default {DECISIONS})")
    parser.add_argument("--deals", type=at_least_one, default=400, help="to measure each run (default 400)")
    options = parser.parse_args()
    decisions, deals = (4096, 20) if options.quick else (options.decisions, options.deals)
    report(figures(options.methods, options.runs, decisions, deals), options.json)


if __name__ == "__main__":
    main()
