"""PPO with masks in one file, in the style of CleanRL: nothing but torch and the environment. Needs torch."""

from dataclasses import dataclass
from typing import Any

import gymnasium
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from skyjo.example_program import Learned, LearningOptions, run_learner, tell_progress


@dataclass(frozen=True)
class Args(LearningOptions):
    """The options of a run."""

    decisions: int = 200_000
    """Number of decisions to learn from."""
    tables: int = 128
    """Tables that are played at the same time."""
    steps: int = 32
    """Decisions at every table between two updates."""
    epochs: int = 4
    """Passes of an update through them."""
    batch: int = 1024
    """Decisions in one step of the gradient."""
    rate: float = 1e-3
    """The learning rate at first; it falls linearly to 0."""
    gamma: float = 1.0
    """Discount; points count the same however long the round takes."""
    gae_lambda: float = 0.8
    """Lambda of generalised advantage estimation."""
    clip: float = 0.2
    """The clip range of PPO."""
    entropy: float = 0.01
    """Weight of the entropy."""
    value: float = 0.5
    """Weight of the value loss."""


def layer(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    """Return a layer with orthogonal weights."""
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Learner(nn.Module):
    """Two small networks: which action, and how the round will end."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.actor = nn.Sequential(layer(size, 64), nn.Tanh(), layer(64, 64), nn.Tanh(), layer(64, actions, 0.01))
        self.critic = nn.Sequential(layer(size, 64), nn.Tanh(), layer(64, 64), nn.Tanh(), layer(64, 1, 1.0))

    def choices(self, seen: Tensor, masks: Tensor) -> Any:
        """Return the distribution over legal actions; torch's distributions have no types."""
        return Categorical(logits=self.actor(seen).masked_fill(~masks, -1e9))

    def values(self, seen: Tensor) -> Tensor:
        """Return the expected reward of the rest of the round."""
        return self.critic(seen)[..., 0]  # type: ignore[no-any-return]


def learn(args: Args) -> Learned:
    """Return the agent after so many decisions."""
    envs: Any = gymnasium.make_vec(
        args.environment,
        num_envs=args.tables,
        autoreset_mode="SameStep",  # so that every mask has a legal action
        **args.seat(),
    )
    (size,), actions = envs.single_observation_space.shape, int(envs.single_action_space.n)
    learner = Learner(size, actions)
    optimizer = torch.optim.Adam(learner.parameters(), args.rate, eps=1e-5)

    # What a rollout holds
    shape = (args.steps, args.tables)
    seen, masks = torch.zeros(*shape, size), torch.zeros(*shape, actions, dtype=torch.bool)
    chosen = torch.zeros(shape, dtype=torch.int64)
    log_probs, rewards, ends, values = (torch.zeros(shape) for _ in range(4))

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
        flat = [array.flatten(0, 1) for array in (seen, masks, chosen, log_probs, advantages, returns)]
        for _ in range(args.epochs):
            order: Any = torch.randperm(args.steps * args.tables)
            for some in order.split(args.batch):
                b_seen, b_masks, b_chosen, b_log_probs, b_advantages, b_returns = (array[some] for array in flat)
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
        tell_progress((rollout + 1) * args.steps * args.tables, rollouts * args.steps * args.tables)
    envs.close()
    return Learned(learner.actor)


if __name__ == "__main__":
    run_learner(Args, learn, __doc__)
