"""Learn with MaskablePPO against frozen copies of itself, then measure it against a script on duplicate deals."""

import argparse
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from cardtable.card_game import Setup
from cardtable.play.pairing import play_paired
from cardtable.statistics import estimate
from skyjo_env import SkyjoError, make_agent, uniform
from skyjo_training import SkyjoVecEnv

TABLES, STEPS = 64, 64


class Snapshot:
    """A frozen copy of a policy as an agent, which draws its actions as the policy does."""

    encoding = "onehot"  # as where the policy learns

    def __init__(self, policy: Any) -> None:
        parts = policy.pi_features_extractor, policy.mlp_extractor.policy_net, policy.action_net
        self.network = deepcopy(torch.nn.Sequential(*parts)).eval()

    def act(self, observations: NDArray[np.float32], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[np.int64]:
        """A random action for every table; what happens at one does not depend on the others."""
        with torch.no_grad():
            logits = self.network(torch.from_numpy(observations)).masked_fill(torch.from_numpy(masks == 0), -torch.inf)
        reached = logits.double().softmax(1).cumsum(1).numpy()
        actions: NDArray[np.int64] = (reached > uniform(chances)[:, None] * reached[:, -1:]).argmax(1)
        return actions


class SelfPlay(BaseCallback):
    """Seats a snapshot of the policy in all other seats before every so many rollouts."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.rollouts = every, 0

    def _on_rollout_start(self) -> None:
        if self.rollouts > 0 and self.rollouts % self.every == 0:
            self.training_env.env_method("set_opponents", Snapshot(self.model.policy))
        self.rollouts += 1

    def _on_step(self) -> bool:
        return True


def main() -> None:
    """Read the options, learn, and print how far ahead it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--against", default="threshold:t=2", help="whom it meets at the end (default threshold:t=2)")
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions to learn from (default 1000000)")
    parser.add_argument("--every", type=int, default=5, help="rollouts between two snapshots (default 5)")
    parser.add_argument("--deals", type=int, default=500, help="deals to measure (default 500)")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything (default 1)")
    options = parser.parse_args()
    torch.set_num_threads(1)  # small networks are slower on several
    if min(options.steps, options.every) < 1 or options.deals < 2:
        parser.error("--steps and --every must be at least 1, --deals at least 2")
    try:
        env = SkyjoVecEnv(TABLES, players=options.players, encoding="onehot", shaping="expected_margin")
        script = make_agent(options.against, env.rules)
    except SkyjoError as error:
        parser.error(str(error))
    kwargs: dict[str, Any] = {"n_steps": STEPS, "batch_size": 1024, "n_epochs": 4, "gamma": 1.0, "gae_lambda": 0.8}
    model = MaskablePPO("MlpPolicy", env, learning_rate=1e-3, seed=options.seed, device="cpu", **kwargs)
    model.learn(options.steps, callback=SelfPlay(options.every))
    seats = [Snapshot(model.policy), *[script] * (options.players - 1)]
    setup = Setup(env.rules, seed=options.seed + 10**6)
    margins = play_paired(seats, setup, range(options.deals)).margins[:, 0]
    print(f"against {options.against}: {estimate(margins)} points a round")


if __name__ == "__main__":
    main()
