"""Learn to play with RLlib's PPO: one policy in every seat of the PettingZoo table, which makes legal actions only.

Skip-Bo is played with stock piles of three cards. Needs the extra "integrations", see README.md.
"""

import argparse
import logging
import os
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else Ray warns that this will change

import ray
import torch
from gymnasium.spaces import Dict
from pettingzoo import AECEnv
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from cardtable.card_game import Setup
from cardtable.errors import TableError
from cardtable.play.pairing import play_paired
from skipbo_env import skipbo_v0
from skipbo_env.card_game import SKIPBO
from skyjo_env import skyjo_v0
from skyjo_env.card_game import SKYJO

RULES = {"skyjo": "", "skipbo": "stock=3 symmetric=lowest"}
SHAPING = {"skyjo": "expected_margin", "skipbo": "stock"}  # rewards on the way, while it learns
KINDS: dict[str, Any] = {"skyjo": SKYJO, "skipbo": SKIPBO}
POLICY = "policy"  # one for all seats


def table(game: str, players: int, shaping: str | None = None) -> AECEnv[str, Any, int]:
    """A table with vectors of numbers as observations."""
    make: Any = skyjo_v0.env if game == "skyjo" else skipbo_v0.env
    env: AECEnv[str, Any, int] = make(players=players, rules=RULES[game], encoding="onehot", shaping=shaping)
    return env


class MaskedTable(PettingZooEnv):  # type: ignore[misc]  # RLlib has no types
    """RLlib's wrapper, with observations named as ActionMaskingTorchRLModule wants them."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(table(config["game"], config["players"], SHAPING[config["game"]]))
        spaces: dict[str, Any] = self.observation_spaces
        self.observation_spaces: dict[str, Any] = {seat: Dict(renamed(space)) for seat, space in spaces.items()}
        self.observation_space = Dict(self.observation_spaces)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """What the first seat to move sees."""
        seen, infos = super().reset(seed=seed, options=options)
        return {seat: renamed(each) for seat, each in seen.items()}, infos

    def step(self, action: dict[str, int]) -> tuple[Any, ...]:
        """What the next seat to move sees; at the end of the round, what all of them see."""
        seen, *others = super().step(action)
        return {seat: renamed(each) for seat, each in seen.items()}, *others


def renamed(parts: Any) -> dict[str, Any]:
    """Observation and mask, or the spaces of both."""
    return {"observations": parts["observation"], "action_mask": parts["action_mask"]}


def mean_return(module: RLModule, game: str, players: int, rounds: int, seed: int) -> float:
    """The mean reward of the first seat in a round, against players that choose legal actions at random."""
    env, chance, total = table(game, players), np.random.default_rng(seed), 0.0
    env.reset(seed=seed)
    for _ in range(rounds):
        env.reset()
        for seat in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            total += reward if seat == env.possible_agents[0] else 0.0
            if terminated or truncated:
                env.step(None)
            elif seat == env.possible_agents[0]:
                env.step(decision(module, seen, chance))
            else:
                env.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    return total / rounds


def decision(module: RLModule, seen: dict[str, Any], chance: np.random.Generator) -> int:
    """An action, drawn with the probability that the policy gives it."""
    batch = {name: torch.from_numpy(part[None]) for name, part in renamed(seen).items()}
    with torch.no_grad():
        logits = module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS][0]
    odds = logits.double().softmax(0).numpy()
    return int(chance.choice(len(odds), p=odds))


class Learned:
    """The policy as an agent: the legal action that it rates best."""

    encoding = "onehot"

    def __init__(self, module: RLModule) -> None:
        self.module = module

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        """One action for every table."""
        del chances
        parts = {"observation": observations, "action_mask": masks}
        batch = {name: torch.from_numpy(part) for name, part in renamed(parts).items()}
        with torch.no_grad():
            rated = self.module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS]
        best: NDArray[Any] = rated.argmax(1).numpy()
        return best


def tell_margin(module: RLModule, options: argparse.Namespace) -> None:
    """Print how far ahead the policy is, on deals that are played from every seat."""
    rules = table(options.game, options.players).unwrapped.rules
    seats: list[Any] = [Learned(module), *[options.against] * (options.players - 1)]
    margins = play_paired(seats, Setup(rules, seed=options.seed + 10**6), range(options.deals)).margins[:, 0]
    half = 1.96 * margins.std(ddof=1) / options.deals**0.5
    print(f"against {options.against}: {margins.mean():+.1f} ± {half:.1f} points a round")


def main() -> None:
    """Read the options, learn, and print how much better it became."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=sorted(RULES), default="skyjo", help="what is played (default skyjo)")
    parser.add_argument("--players", type=int, default=2, help="2 to 8, in Skip-Bo 2 to 6 (default 2)")
    parser.add_argument("--env-runners", type=int, default=1, help="processes that play (default 1)")
    parser.add_argument("--iterations", type=int, default=8, help="updates of the policy (default 8)")
    parser.add_argument("--decisions", type=int, default=4000, help="decisions for each of them (default 4000)")
    parser.add_argument("--rounds", type=int, default=100, help="rounds to measure (default 100)")
    parser.add_argument("--against", help="at the end, also measure against this agent, such as tempo")
    parser.add_argument("--deals", type=int, default=400, help="deals for that, from every seat (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all but the order of processes (default 1)")
    options = parser.parse_args()
    if options.deals < 2:
        parser.error("--deals must be at least 2")
    for name in ("env_runners", "iterations", "decisions", "rounds"):
        if getattr(options, name) < 1:
            parser.error(f"--{name.replace('_', '-')} must be at least 1")
    try:
        env = table(options.game, options.players)
        env.reset(seed=options.seed)
        if options.against is not None:
            KINDS[options.game].agents.make(options.against, env.unwrapped.rules)  # which refuses unknown names
    except TableError as error:
        parser.error(str(error))
    learn(options)


def learn(options: argparse.Namespace) -> None:
    """Learn, and print the mean return before and after."""
    seats = {"game": options.game, "players": options.players}
    batch = max(options.decisions // 8, 1)
    config = (
        PPOConfig()
        .environment(MaskedTable, env_config=seats, disable_env_checking=True)
        .env_runners(num_env_runners=options.env_runners, batch_mode="complete_episodes")
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda *_, **__: POLICY)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        .training(
            train_batch_size=options.decisions, minibatch_size=batch, num_epochs=4, lr=1e-3, gamma=1.0, lambda_=0.9
        )
        .debugging(seed=options.seed, log_level="ERROR")
    )
    processes = options.env_runners + 1
    ray.init("local", num_cpus=processes, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    algorithm = config.build_algo()
    for number in range(options.iterations + 1):
        if number in (0, options.iterations):
            module = algorithm.get_module(POLICY)
            mean = mean_return(module, **seats, rounds=options.rounds, seed=options.seed)
            print(f"{'after' if number else 'before'} learning: {mean:+.2f} a round against random", flush=True)
        if number < options.iterations:
            algorithm.train()
            print(f"update {number + 1} of {options.iterations}", file=sys.stderr, flush=True)
    if options.against is not None:
        tell_margin(algorithm.get_module(POLICY), options)
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
