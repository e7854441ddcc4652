"""Learn with PufferLib's PPO and masks, then measure on deals that are played from every seat.

docs/guides/other_libraries.md says how to install PufferLib.
"""

from contextlib import closing
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray
from pufferlib import PufferEnv
from pufferlib.pufferl import PuffeRL
from torch import Tensor, nn

from skyjo.example_program import Learned, LearningOptions, network, run_learner, tell_progress

TABLES, STEPS = 128, 32
ROLLOUT = TABLES * STEPS
SETTINGS = {
    "device": "cpu",
    "batch_size": ROLLOUT,
    "bptt_horizon": STEPS,
    "minibatch_size": 1024,
    "max_minibatch_size": 1024,
    "update_epochs": 4,
    "optimizer": "adam",
    "learning_rate": 1e-3,
    "anneal_lr": True,
    "adam_beta1": 0.9,
    "adam_beta2": 0.999,
    "adam_eps": 1e-5,
    "max_grad_norm": 0.5,
    "gamma": 1.0,
    "gae_lambda": 0.8,
    "clip_coef": 0.2,
    "ent_coef": 0.01,
    "vf_coef": 0.5,
    "vf_clip_coef": 0.2,
    "prio_alpha": 0.0,  # learn from all tables alike; PufferLib's 0.8 prefers those with large advantages
    # The rest is as in PufferLib's default.ini
    "prio_beta0": 0.2,
    "vtrace_rho_clip": 1.0,
    "vtrace_c_clip": 1.0,
    "torch_deterministic": True,
    "precision": "float32",
    "cpu_offload": False,
    "compile": False,
    "use_rnn": False,
    "checkpoint_interval": 200,
}


class Tables(PufferEnv):  # type: ignore[misc]  # PufferLib has no types
    """Many tables as one environment; an observation is the seat's, followed by its mask."""

    def __init__(self, options: LearningOptions) -> None:
        tables: Any = gymnasium.make_vec(
            options.environment,
            num_envs=TABLES,
            autoreset_mode="SameStep",  # so that every mask has a legal action
            **options.seat(),
        )
        self.tables, self.num_agents = tables, TABLES
        (self.inputs,), self.outputs = tables.single_observation_space.shape, int(tables.single_action_space.n)
        self.single_observation_space = Box(-np.inf, np.inf, (self.inputs + self.outputs,), np.float32)
        self.single_action_space = tables.single_action_space
        super().__init__()

    def reset(self, seed: int | None = None) -> tuple[NDArray[Any], list[Any]]:
        """Deal at every table."""
        self._show(*self.tables.reset(seed=seed))
        return self.observations, []

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], list[Any]]:
        """Decide at every table; the trainer looks only at `terminals`, so a stopped round counts as one that ended."""
        observations, self.rewards[:], terminated, self.truncations[:], infos = self.tables.step(actions)
        self.terminals[:] = terminated | self.truncations
        self._show(observations, infos)
        return self.observations, self.rewards, self.terminals, self.truncations, []

    def close(self) -> None:
        """Close the tables."""
        self.tables.close()

    def _show(self, observations: NDArray[Any], infos: dict[str, Any]) -> None:
        self.observations[:] = np.hstack((observations, infos["action_mask"]))


class Learner(nn.Module):
    """Two small networks: which action, and how the round will end."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.inputs, self.rates, self.values = inputs, network(inputs, outputs), network(inputs, 1)

    def forward(self, inputs: Tensor, state: Any = None) -> tuple[Tensor, Tensor]:
        """Return logits of the legal actions, and values; PufferLib calls this when it learns."""
        del state
        seen, masks = inputs[:, : self.inputs], inputs[:, self.inputs :]
        return self.rates(seen).masked_fill(masks == 0, -1e9), self.values(seen)

    forward_eval = forward  # and this when it plays


class Trainer(PuffeRL):  # type: ignore[misc]  # PufferLib has no types
    """PufferLib's trainer, with a line on standard error instead of its dashboard."""

    def print_dashboard(self, *_: Any, **__: Any) -> None:
        """Print how far it has come."""
        tell_progress(self.global_step, self.config["total_timesteps"])


def learn(options: LearningOptions) -> Learned:
    """Return the agent after so many decisions."""
    env = Tables(options)
    learner = Learner(env.inputs, env.outputs)
    total = -(-options.decisions // ROLLOUT) * ROLLOUT
    with TemporaryDirectory() as folder:  # PufferLib always stores a checkpoint
        config = SETTINGS | {"seed": options.seed, "total_timesteps": total, "data_dir": folder}
        with closing(Trainer(config, env, learner)) as trainer:  # its thread would keep the program from ending
            while trainer.global_step < total:
                trainer.evaluate()  # plays
                trainer.train()
    return Learned(learner.rates)


if __name__ == "__main__":
    run_learner(LearningOptions, learn, __doc__)
