"""Learn to play with RLlib's PPO: one policy in every seat of the PettingZoo table, which makes legal actions only.

Needs the extra "integrations"; docs/guides/other_libraries.md has the versions.
"""

import logging
import os
from dataclasses import dataclass
from importlib import import_module
from typing import Any

os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else Ray warns that this will change

import ray
import torch
from gymnasium.spaces import Dict
from numpy.typing import NDArray
from pettingzoo import AECEnv
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from skyjo.example_program import LearningOptions, run_learner, tell_progress

POLICY = "policy"  # one for all seats


@dataclass(frozen=True)
class Args(LearningOptions):
    """The options of a run."""

    decisions: int = 4000
    """Decisions for each update of the policy."""
    iterations: int = 8
    """Updates of the policy."""
    env_runners: int = 1
    """Processes that play."""


def table(game: str, **options: Any) -> AECEnv[str, Any, int]:
    """Return a table of PettingZoo."""
    env: AECEnv[str, Any, int] = import_module(f"{game}_env.{game}_v0").env(**options)
    return env


class MaskedTable(PettingZooEnv):  # type: ignore[misc]  # RLlib has no types
    """RLlib's wrapper, with observations named as ActionMaskingTorchRLModule wants them."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(table(**config))
        spaces: dict[str, Any] = self.observation_spaces
        self.observation_spaces: dict[str, Any] = {seat: Dict(renamed(space)) for seat, space in spaces.items()}
        self.observation_space = Dict(self.observation_spaces)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Return the observation of the first seat to move."""
        seen, infos = super().reset(seed=seed, options=options)
        return {seat: renamed(observation) for seat, observation in seen.items()}, infos

    def step(self, action: dict[str, int]) -> tuple[Any, ...]:
        """Return the observation of the next seat to move; at the end of the round, those of all seats."""
        seen, *others = super().step(action)
        return {seat: renamed(observation) for seat, observation in seen.items()}, *others


def renamed(parts: Any) -> dict[str, Any]:
    """Return observation and mask, or the spaces of both."""
    return {"observations": parts["observation"], "action_mask": parts["action_mask"]}


class Learned:
    """The policy as an agent: the legal action that it rates best."""

    encoding = "onehot"

    def __init__(self, module: RLModule) -> None:
        self.module = module

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[Any]:
        """Return one action for every table."""
        del rng_states
        parts = {"observation": observations, "action_mask": masks}
        batch = {name: torch.from_numpy(part) for name, part in renamed(parts).items()}
        with torch.no_grad():
            rated = self.module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS]
        best: NDArray[Any] = rated.argmax(1).numpy()
        return best


def learn(options: Args) -> Learned:
    """Return the agent after all updates."""
    batch = max(options.decisions // 8, 1)
    config = (
        PPOConfig()
        .environment(MaskedTable, env_config={"game": options.game, **options.table()}, disable_env_checking=True)
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
    for update in range(options.iterations):
        algorithm.train()
        tell_progress((update + 1) * options.decisions, options.iterations * options.decisions)
    return Learned(algorithm.get_module(POLICY))  # Ray ends with the program


if __name__ == "__main__":
    run_learner(Args, learn, __doc__)
