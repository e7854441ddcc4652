"""What common algorithms and self-play learn of Skyjo from the same number of decisions: their margin, over seeds.

.venv/bin/python benchmarks/algorithms.py
.venv/bin/python benchmarks/algorithms.py --methods maskable-ppo --decisions 1000000 --runs 2

All but self-play learn against `tempo`; those without the mask lose a round by an illegal action. The margin is against
the paper's best strategy, where every method chooses among the legal actions. Each run has one thread.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from figures import Figure, at_least_one, parser_for, report
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO

from cardtable.arena.play.pairing import play_paired
from cardtable.arena.statistics import estimate
from cardtable.table.agents.agents import Agent
from cardtable.table.agents.policies.policy_agent import NetworkAgent
from cardtable.table.game.card_game import Setup
from skyjo_env import OFFICIAL
from skyjo_training import SeatVecEnv, sb3_agent
from skyjo_training.compiled_ppo import CompiledPPO
from skyjo_training.learned_game import learned_game
from skyjo_training.table_policy import TablePolicy

REFERENCE = "threshold:t=2,columns=true"
TABLES, DECISIONS = 128, 100_000
MEASURING = 2**63  # the deals of measurements begin here, and none of them is learned from
SLOW: dict[str, Any] = {"learning_rate": 1e-3, "gae_lambda": 0.8, "n_steps": 32, "batch_size": 1024}
Q: dict[str, Any] = {"learning_starts": 2000, "train_freq": 1, "gradient_steps": 8, "target_update_interval": 2000}
METHODS: dict[str, tuple[Any, dict[str, Any]]] = {
    "ppo": (PPO, {**SLOW, "gamma": 0.99}),
    "a2c": (A2C, {"gae_lambda": 0.8, "gamma": 0.99}),
    "dqn": (DQN, {"learning_rate": 1e-3, "gamma": 0.99, "buffer_size": 50_000, "batch_size": 256, **Q}),
    "maskable-ppo": (MaskablePPO, {**SLOW, "gamma": 1.0}),
    "maskable-ppo-network": (MaskablePPO, {**SLOW, "gamma": 1.0, "n_epochs": 2, "vf_coef": 50.0}),
    "self-play": (CompiledPPO, {"cell": 32, "column": 64, "table": 128, "average": 0.0}),
}


def learned(method: str, seed: int, decisions: int) -> Agent:
    """Learn, and return the agent."""
    algorithm, options = METHODS[method]
    if algorithm is CompiledPPO:
        changes = {
            "decisions": decisions,
            "seed": seed,
            "tables": TABLES,
            "threads": 1,
            "device": "cpu",
            **SLOW,
            **options,
        }
        model: Any = CompiledPPO(learned_game("skyjo").preset("demo").with_changes(changes))
        model.learn(model.config.decisions)
        return NetworkAgent(model.policy.network)
    is_own = method == "maskable-ppo-network"
    tables = SeatVecEnv(
        "skyjo",
        TABLES,
        opponents="tempo",
        shaping="expected_margin",
        encoding="compact" if is_own else "onehot",
        illegal="error" if algorithm is MaskablePPO else "lose",
    )
    network: dict[str, Any] = {"policy_kwargs": {"rules": tables.rules}} if is_own else {}
    policy = TablePolicy if is_own else "MlpPolicy"
    model = algorithm(policy, tables, seed=1000 * seed, device="cpu", **options, **network)  # 1000: a seed a table
    model.learn(decisions)
    return sb3_agent(model)


def figures(methods: Sequence[str], seeds: int, decisions: int, deals: int) -> Iterator[Figure]:
    """Learn with each method and each seed, and measure on other deals."""
    torch.set_num_threads(1)
    for method in methods:
        margins = []
        for seed in range(1, seeds + 1):
            setup = Setup(OFFICIAL, seed=MEASURING + seed)
            played = play_paired([learned(method, seed, decisions), REFERENCE], setup, range(deals))
            margins.append(played.margins[:, 0].mean())
        margin, unit = estimate(np.array(margins)), f"points a round ahead of {REFERENCE}"
        yield Figure(f"{method}, {decisions:,} decisions", 2, margin.mean, unit, margin.half)


def main() -> None:
    parser = parser_for(__doc__, 5)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), help="which (default all)")
    parser.add_argument("--decisions", type=at_least_one, default=DECISIONS, help=f"of a run (default {DECISIONS})")
    parser.add_argument("--deals", type=at_least_one, default=400, help="to measure each run (default 400)")
    options = parser.parse_args()
    decisions, deals = (4096, 20) if options.quick else (options.decisions, options.deals)
    report(figures(options.methods, options.runs, decisions, deals), options.json)


if __name__ == "__main__":
    main()
