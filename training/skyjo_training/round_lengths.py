"""A callback of stable-baselines3 that logs how long rounds last, and how many no seat ends."""

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback


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
