"""Learning with MaskablePPO as sb3-contrib has it: one seat at every table learns, from that seat's own rewards.

Nothing of it is overridden, so begin here with an algorithm of your own. The network, the reward, the measurements and
the folder of a run are those of self-play.
"""

from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import LinearSchedule
from stable_baselines3.common.vec_env import VecMonitor

from skyjo_training.checkpoint import State
from skyjo_training.evaluation import as_agent
from skyjo_training.learned_game import learned_game
from skyjo_training.seat_vec_env import SeatVecEnv
from skyjo_training.self_play_tables import round_rewards
from skyjo_training.table_learner import start_of
from skyjo_training.table_policy import TablePolicy
from skyjo_training.training_config import Config


class FrozenCopies(BaseCallback):
    """Seats a copy of the learning policy in all other seats, and renews it after every so many decisions."""

    def __init__(self, every: int = 1) -> None:
        """Take the number of decisions after which the copy is renewed; with 1, it is renewed before every rollout."""
        super().__init__()
        self.every, self.due = every, 0

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.due:
            self.due = self.num_timesteps + self.every
            (rules,) = self.training_env.get_attr("rules", 0)
            self.training_env.env_method("set_opponents", as_agent(self.model, rules))

    def _on_step(self) -> bool:
        return True


class RoundLengths(BaseCallback):
    """Logs, for every rollout at a `SeatVecEnv`, `rollout/ep_len_mean`, the learner's decisions for each episode that
    ended, and `rollout/stopped`, the share of these episodes that was stopped.
    """

    def _on_rollout_start(self) -> None:
        self.decisions = self.ended = self.stopped = 0

    def _on_step(self) -> bool:
        dones, infos = self.locals["dones"], self.locals["infos"]
        self.decisions += len(dones)
        self.ended += int(dones.sum())
        self.stopped += sum(infos[table]["stopped"] for table in np.flatnonzero(dones))
        return True

    def _on_rollout_end(self) -> None:
        self.logger.record("rollout/ep_len_mean", self.decisions / max(self.ended, 1))
        self.logger.record("rollout/stopped", self.stopped / max(self.ended, 1))


class PlainPPO(MaskablePPO):
    """MaskablePPO with the methods of a training run's model (`skyjo_training.checkpoint.Model`)."""

    config: Config

    def carry_on(self, callback: BaseCallback) -> None:
        """Continue to the end of the run, against copies of the policy unless opponents are named."""
        copies = [] if self.config.opponents else [FrozenCopies()]
        left = self.config.decisions - self.num_timesteps
        self.learn(left, [*copies, RoundLengths(), callback], reset_num_timesteps=False)

    def add_snapshot(self) -> None:
        """Keep none: opponents are named, or copies of the policy as it is now."""

    def run_state(self) -> State:
        """Return the tables, and numpy's generator, by which MaskablePPO shuffles; the policy's copy is made anew."""
        tables: Any = self.env.unwrapped  # type: ignore[union-attr]
        shuffling = np.random.get_state(legacy=False)  # noqa: NPY002
        return {"tables": tables.state(), "starts": self._last_episode_starts, "shuffling": shuffling}

    def restore_run(self, state: State) -> None:
        """See `skyjo_training.checkpoint.Model`."""
        tables: Any = self.env.unwrapped  # type: ignore[union-attr]
        self._last_obs = tables.restore(state["tables"])
        self._last_episode_starts = np.asarray(state["starts"])
        shuffling = state["shuffling"]
        shuffling["state"]["key"] = np.asarray(shuffling["state"]["key"])
        np.random.set_state(shuffling)  # noqa: NPY002


def new_model(config: Config) -> PlainPPO:
    """Return the model of a config with its tables and its network, before it learns."""
    torch.set_num_threads(1)  # small networks are slower on several
    rules = config.rules_at(*config.players)
    tables = SeatVecEnv(
        rules,
        config.tables,
        opponents=config.opponents or "random",
        reward=lambda results: round_rewards(rules, results.scores, config.win, config.margin),
    )
    model = PlainPPO(
        TablePolicy,
        VecMonitor(tables),
        learning_rate=LinearSchedule(config.learning_rate, config.last_learning_rate, end_fraction=1.0),
        n_steps=config.n_steps,
        batch_size=config.batch_size,
        n_epochs=config.n_epochs,
        gamma=1.0,
        gae_lambda=config.gae_lambda,
        ent_coef=config.ent_coef,
        vf_coef=learned_game(config.game).vf_coef,
        policy_kwargs={"rules": rules, "widths": config.widths},
        seed=config.seed % 2**32,
        device=config.device,
    )
    model.config = config
    tables.seed(config.seed * config.tables % 2**62)  # so that no two runs learn from the same deals
    if config.start:
        network: Any = model.policy.network
        network.load_state_dict(start_of(config))
    return model
