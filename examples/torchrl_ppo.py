"""Learn with TorchRL's PPO and masks, then measure on deals that are played from every seat.

Needs the extra "integrations", see README.md.
"""

import argparse
import sys
from typing import Any

import torch
from numpy.typing import NDArray
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import ActionMask, GymEnv, TransformedEnv, default_info_dict_reader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from cardtable.card_game import Setup
from cardtable.play.pairing import play_paired
from skyjo_env import Rules, SkyjoError

ROLLOUT, EPOCHS, BATCH = 4096, 4, 1024


def seat(players: int, against: str) -> TransformedEnv:
    """One seat at a table; the mask comes from the info."""
    options: dict[str, Any] = {"players": players, "opponents": against, "encoding": "onehot"}
    name = "skyjo_env:skyjo/Skyjo-v0"
    env = GymEnv(name, shaping="expected_margin", categorical_action_encoding=True, **options)
    mask = Binary(env.action_spec.n, dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], [mask]))
    return TransformedEnv(env, ActionMask())


def network(inputs: int, outputs: int) -> nn.Sequential:
    """A small network."""
    return nn.Sequential(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs))


class Masked(MaskedCategorical):  # type: ignore[misc]  # TorchRL has no types
    """TorchRL's distribution, with the mask as the environment gives it."""

    def __init__(self, logits: torch.Tensor, mask: torch.Tensor) -> None:
        super().__init__(logits=logits, mask=mask.bool())


class Learned:
    """The network as an agent: the legal action that it rates best."""

    encoding = "onehot"

    def __init__(self, rates: nn.Module) -> None:
        self.rates = rates

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        """One action for every table."""
        del chances
        with torch.no_grad():
            rated = self.rates(torch.from_numpy(observations))
        best: NDArray[Any] = rated.masked_fill(torch.from_numpy(masks == 0), -torch.inf).argmax(1).numpy()
        return best


def learn(options: argparse.Namespace) -> nn.Module:
    """The network after so many decisions."""
    env = seat(options.players, options.against)
    env.set_seed(options.seed)
    (inputs,), actions = env.observation_spec["observation"].shape, env.action_spec.n
    rates = network(inputs, actions)
    logits = TensorDictModule(rates, in_keys=["observation"], out_keys=["logits"])
    keys = {"logits": "logits", "mask": "action_mask"}
    actor = ProbabilisticActor(logits, in_keys=keys, distribution_class=Masked, return_log_prob=True)
    critic = ValueOperator(network(inputs, 1), in_keys=["observation"])
    advantages = GAE(gamma=1.0, lmbda=0.8, value_network=critic)
    losses = ClipPPOLoss(
        actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True
    )
    optimizer = torch.optim.Adam(losses.parameters(), 1e-3)
    size = min(ROLLOUT, options.decisions)
    total = -(-options.decisions // size) * size
    collector, done = Collector(env, actor, frames_per_batch=size, total_frames=total), 0
    for played in collector:
        for _ in range(EPOCHS):
            with torch.no_grad():
                advantages(played)
            order: Any = torch.randperm(size)
            for some in order.split(BATCH):
                found = losses(played[some])
                optimizer.zero_grad()
                (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(losses.parameters(), 0.5)
                optimizer.step()
        done += size
        print(f"\rlearned from {done:,} of {total:,} decisions", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    collector.shutdown()
    return rates


def main() -> None:
    """Read the options, learn, and print how far ahead it is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--against", default="tempo", help="the agent in all other seats (default tempo)")
    parser.add_argument("--decisions", type=int, default=100_000, help="decisions to learn from (default 100000)")
    parser.add_argument("--deals", type=int, default=400, help="deals to measure (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything (default 1)")
    options = parser.parse_args()
    if options.decisions < 1 or options.deals < 2:
        parser.error("--decisions must be at least 1, --deals at least 2")
    torch.set_num_threads(1)  # small networks are slower on several
    torch.manual_seed(options.seed)
    try:
        rates = learn(options)
    except SkyjoError as error:
        parser.error(str(error))
    rules = Rules(players=options.players)
    seats: list[Any] = [Learned(rates), *[options.against] * (options.players - 1)]
    margins = play_paired(seats, Setup(rules, seed=options.seed + 10**6), range(options.deals)).margins[:, 0]
    half = 1.96 * margins.std(ddof=1) / options.deals**0.5
    print(f"against {options.against}: {margins.mean():+.1f} ± {half:.1f} points a round")


if __name__ == "__main__":
    main()
