"""PPO with masks in one file, in the style of CleanRL: nothing but torch and the environment. Needs torch."""

import sys
import time
from dataclasses import dataclass
from typing import Any

import gymnasium
import torch
import tyro
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.distributions import Categorical

from cardtable.card_game import Setup
from cardtable.play.pairing import play_paired
from skyjo_env import Rules, SkyjoError

ENV = "skyjo_env:skyjo/Skyjo-v0"


@dataclass(frozen=True)
class Args:
    """What a run depends on."""

    players: int = 2
    """Players at each table, 2 to 8."""
    against: str = "tempo"
    """The agent in all other seats."""
    decisions: int = 200_000
    """How many decisions to learn from."""
    tables: int = 128
    """Tables that are played at the same time."""
    steps: int = 32
    """Decisions at every table between two updates."""
    epochs: int = 4
    """How often an update goes through them."""
    batch: int = 1024
    """Decisions in one step of the gradient."""
    rate: float = 1e-3
    """The learning rate at first; it falls linearly to 0."""
    gamma: float = 1.0
    """Discount; points count the same however long the round takes."""
    gae_lambda: float = 0.8
    """How far advantages look ahead."""
    clip: float = 0.2
    """The clip range of PPO."""
    entropy: float = 0.01
    """Weight of the entropy."""
    value: float = 0.5
    """Weight of the value loss."""
    deals: int = 500
    """Deals to measure at the end, each played from every seat."""
    seed: int = 1
    """Seed of everything."""


def layer(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    """A layer with orthogonal weights."""
    made = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(made.weight, gain)
    nn.init.zeros_(made.bias)
    return made


class Learner(nn.Module):
    """Two small networks: which action, and how the round will end."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.actor = nn.Sequential(layer(size, 64), nn.Tanh(), layer(64, 64), nn.Tanh(), layer(64, actions, 0.01))
        self.critic = nn.Sequential(layer(size, 64), nn.Tanh(), layer(64, 64), nn.Tanh(), layer(64, 1, 1.0))

    def choices(self, seen: Tensor, masks: Tensor) -> Any:
        """The distribution over legal actions; torch's distributions have no types."""
        return Categorical(logits=self.actor(seen).masked_fill(~masks, -1e9))

    def values(self, seen: Tensor) -> Tensor:
        """What the rest of the round is expected to bring."""
        return self.critic(seen)[..., 0]  # type: ignore[no-any-return]


class Learned:
    """The learner as an agent: the legal action that it rates best."""

    encoding = "onehot"

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        """One action for every table."""
        del chances
        with torch.no_grad():
            choices = self.learner.choices(torch.from_numpy(observations), torch.from_numpy(masks == 1))
        best: NDArray[Any] = choices.logits.argmax(1).numpy()
        return best


def main(args: Args) -> None:
    """Learn, then measure."""
    torch.set_num_threads(1)  # small networks are slower on several
    torch.manual_seed(args.seed)
    envs: Any = gymnasium.make_vec(
        ENV,
        num_envs=args.tables,
        players=args.players,
        opponents=args.against,
        encoding="onehot",
        shaping="expected_margin",
        autoreset_mode="SameStep",  # so that every mask has a legal action
    )
    (size,), actions = envs.single_observation_space.shape, int(envs.single_action_space.n)
    learner = Learner(size, actions)
    optimizer = torch.optim.Adam(learner.parameters(), args.rate, eps=1e-5)

    # What a rollout holds
    shape = (args.steps, args.tables)
    seen, masks = torch.zeros(*shape, size), torch.zeros(*shape, actions, dtype=torch.bool)
    chosen = torch.zeros(shape, dtype=torch.int64)
    log_probs, rewards, ends, values = (torch.zeros(shape) for _ in range(4))

    began = time.perf_counter()
    observations, infos = envs.reset(seed=args.seed)
    rollouts = -(-args.decisions // (args.steps * args.tables))
    for rollout in range(rollouts):
        optimizer.param_groups[0]["lr"] = args.rate * (1 - rollout / rollouts)

        # Play
        for step in range(args.steps):
            seen[step], masks[step] = torch.from_numpy(observations), torch.from_numpy(infos["action_mask"] == 1)
            with torch.no_grad():
                choices = learner.choices(seen[step], masks[step])
                chosen[step] = choices.sample()
                log_probs[step], values[step] = choices.log_prob(chosen[step]), learner.values(seen[step])
            observations, earned, terminated, truncated, infos = envs.step(chosen[step].numpy())
            rewards[step], ends[step] = torch.from_numpy(earned), torch.from_numpy(terminated | truncated)

        # Advantages: nothing of the next round counts for this one
        with torch.no_grad():
            after, advantage = learner.values(torch.from_numpy(observations)), torch.zeros(args.tables)
        advantages = torch.zeros(shape)
        for step in reversed(range(args.steps)):
            goes_on = 1 - ends[step]
            surprise = rewards[step] + args.gamma * goes_on * after - values[step]
            advantage = surprise + args.gamma * args.gae_lambda * goes_on * advantage
            advantages[step], after = advantage, values[step]
        returns = advantages + values

        # Learn
        flat = [each.flatten(0, 1) for each in (seen, masks, chosen, log_probs, advantages, returns)]
        for _ in range(args.epochs):
            order: Any = torch.randperm(args.steps * args.tables)
            for some in order.split(args.batch):
                b_seen, b_masks, b_chosen, b_log_probs, b_advantages, b_returns = (each[some] for each in flat)
                b_advantages = (b_advantages - b_advantages.mean()) / (b_advantages.std(correction=0) + 1e-8)
                choices = learner.choices(b_seen, b_masks)
                ratio = (choices.log_prob(b_chosen) - b_log_probs).exp()
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                policy_loss = -torch.min(ratio * b_advantages, clipped * b_advantages).mean()
                value_loss = 0.5 * (learner.values(b_seen) - b_returns).square().mean()
                loss = policy_loss + args.value * value_loss - args.entropy * choices.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(learner.parameters(), 0.5)
                optimizer.step()
        done = (rollout + 1) * args.steps * args.tables
        rate = done / (time.perf_counter() - began)
        print(f"\rlearned from {done:,} decisions, {rate:,.0f}/s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    envs.close()

    # Measure: every deal from every seat
    rules = Rules(players=args.players)
    seats: list[Any] = [Learned(learner), *[args.against] * (args.players - 1)]
    margins = play_paired(seats, Setup(rules, seed=args.seed + 10**6), range(args.deals)).margins[:, 0]
    half = 1.96 * margins.std(ddof=1) / args.deals**0.5
    print(f"against {args.against}: {margins.mean():+.1f} ± {half:.1f} points a round")


def refusal(args: Args) -> str | None:
    """What is wrong with the options, if anything is."""
    for name in ("decisions", "tables", "steps", "epochs", "batch"):
        if getattr(args, name) < 1:
            return f"--{name} must be at least 1"
    if args.seed < 0:
        return "--seed must be at least 0"
    if not 0 < args.rate < float("inf"):
        return "--rate must be above 0"
    return "--deals must be at least 2" if args.deals < 2 else None


if __name__ == "__main__":
    options = tyro.cli(Args, description=__doc__)
    problem = refusal(options)
    try:
        if problem is None:
            main(options)
    except SkyjoError as error:
        problem = str(error)
    if problem is not None:
        print(f"cleanrl_ppo.py: error: {problem}", file=sys.stderr)
        sys.exit(2)
