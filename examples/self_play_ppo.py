"""PPO by self-play in one file: the game's own network learns in all seats of many tables. Needs torch alone."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from cardtable.table.agents.policies.model_card import kind_of
from cardtable.table.game.table_batch import batch_class
from skyjo.example_program import Learned, LearningOptions, network, run_learner, tell_progress


@dataclass(frozen=True)
class Args(LearningOptions):
    """The options of a run."""

    decisions: int = 800_000
    """Number of decisions to learn from, of all seats."""
    tables: int = 512
    """Tables that are played at the same time."""
    steps: int = 64
    """Decisions at every table between two updates."""
    epochs: int = 2
    """Passes of an update through them."""
    batch: int = 2048
    """Decisions in one step of the gradient."""
    rate: float = 2.5e-3
    """The learning rate at first; it falls linearly to 0."""
    gamma: float = 1.0
    """Discount; points count the same however long the round takes."""
    gae_lambda: float = 0.8
    """Lambda of generalised advantage estimation."""
    clip: float = 0.2
    """The clip range of PPO."""
    entropy: float = 0.01
    """Weight of the entropy at first; it falls linearly to 0."""
    value: float = 25.0
    """Weight of the value loss: rewards are small, since 100 points are 1."""
    network: Literal["game", "mlp"] = "game"
    """The game's own network, or plain ones on one-hot observations."""
    reward: str = ""
    """The reward of a round; the game's usual one if empty."""
    shaping: bool = True
    """Spread it over the decisions."""
    cost: float = 0.0
    """Cost of every decision, so that waiting costs points."""


class PlainNetworks(nn.Module):
    """One network rates actions, another one the table."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.policy, self.value = network(inputs, actions), network(inputs, 1)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits and the value of every table."""
        return self.policy(seen), self.value(seen)[:, 0]


def advantages_of(
    seats: Tensor, rewards: Tensor, ends: Tensor, values: Tensor, gamma: float, gae_lambda: float
) -> Tensor:
    """Return the advantage of every decision [T, N], by what it led to for the seat that made it.

    `seats` and `values`, [T + 1, N], are of those who decide, the last of those to move after the rollout. `rewards`
    [T, N, P] are what every seat has earned since its own last decision, after each step; `ends` [T, N]. Until a seat
    decides again or its episode ends, the result of its last decision is unknown: the advantage is 0.
    """
    steps, tables, players = rewards.shape
    rows, advantages = torch.arange(tables), torch.zeros(steps, tables)
    # Of every seat, after the step: its next decision, what it will have earned until then, and whether that is known
    reward, value, advantage, is_known = torch.zeros(4, tables, players)
    for step in reversed(range(steps)):
        next_one = rows, seats[step + 1]  # its last decision has led here
        reward[next_one], value[next_one], is_known[next_one] = rewards[step][next_one], values[step + 1], 1
        end = ends[step]  # of the episode of all seats: nothing comes after it
        reward[end], value[end], advantage[end], is_known[end] = rewards[step][end], 0, 0, 1
        decider = rows, seats[step]
        surprise = reward[decider] + gamma * value[decider] - values[step]
        advantages[step] = is_known[decider] * (surprise + gamma * gae_lambda * advantage[decider])
        advantage[decider] = advantages[step]
    return advantages


def decide(learner: nn.Module, seen: Tensor, masks: Tensor) -> tuple[Any, Tensor]:
    """Return the distribution over legal actions at every table, and the values."""
    logits, values = learner(seen)
    return Categorical(logits=logits.masked_fill(~masks, -1e9), validate_args=False), values


def learn(args: Args) -> Learned:
    """Return the agent after so many decisions."""
    rules = args.table_rules()
    shaping = args.card_game.shapings[-1] if args.shaping else None
    options: Any = {"reward": args.reward or None, "encoding": "compact" if args.network == "game" else "onehot"}
    envs = batch_class(args.card_game)(rules, args.tables, args.seed, "round", shaping=shaping, **options)
    is_plain = args.network == "mlp"
    inputs = envs.observations.shape[1]
    learner: Any = PlainNetworks(inputs, rules.actions) if is_plain else kind_of(args.game).new_network(rules)
    optimizer = torch.optim.Adam(learner.parameters(), args.rate, eps=1e-5)

    # The environment's arrays as tensors: every step writes what they show
    seen_now, masks_now = torch.from_numpy(envs.observations), torch.from_numpy(envs.masks.view(np.bool_))
    seat_now, earned = torch.from_numpy(envs.seats), torch.from_numpy(envs.rewards)

    # What a rollout holds
    shape = (args.steps, args.tables)
    seen = torch.zeros(*shape, seen_now.shape[1], dtype=seen_now.dtype)
    masks, ends = torch.zeros(*shape, rules.actions, dtype=torch.bool), torch.zeros(shape, dtype=torch.bool)
    chosen, log_probs = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape)
    rewards, values = torch.zeros(*shape, args.players), torch.zeros(args.steps + 1, args.tables)
    seats = torch.zeros(args.steps + 1, args.tables, dtype=torch.int64)
    rollouts = -(-args.decisions // (args.steps * args.tables))
    for rollout in range(rollouts):
        share_left = 1 - rollout / rollouts
        optimizer.param_groups[0]["lr"] = args.rate * share_left

        # Play: whoever is to move at a table, the learner decides
        for step in range(args.steps):
            seen[step], masks[step], seats[step] = seen_now, masks_now, seat_now
            with torch.no_grad():
                choices, values[step] = decide(learner, seen[step], masks[step])
            chosen[step] = choices.sample()
            log_probs[step] = choices.log_prob(chosen[step])
            _, terminated, truncated = envs.step(chosen[step].numpy())
            rewards[step], ends[step] = earned - args.cost, torch.from_numpy(terminated | truncated)

        with torch.no_grad():
            seats[-1], (_, values[-1]) = seat_now, learner(seen_now)
        advantages = advantages_of(seats, rewards, ends, values, args.gamma, args.gae_lambda)
        returns = advantages + values[:-1]

        # Learn
        flat = [array.flatten(0, 1) for array in (seen, masks, chosen, log_probs, advantages, returns)]
        for _ in range(args.epochs):
            order: Any = torch.randperm(args.steps * args.tables)
            for some in order.split(args.batch):
                b_seen, b_masks, b_chosen, b_log_probs, b_advantages, b_returns = (array[some] for array in flat)
                b_advantages = (b_advantages - b_advantages.mean()) / (b_advantages.std(correction=0) + 1e-8)
                choices, b_values = decide(learner, b_seen, b_masks)
                ratio = (choices.log_prob(b_chosen) - b_log_probs).exp()
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                policy_loss = -torch.min(ratio * b_advantages, clipped * b_advantages).mean()
                value_loss = (b_values - b_returns).square().mean()
                loss = policy_loss + args.value * value_loss - args.entropy * share_left * choices.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(learner.parameters(), 0.5)
                optimizer.step()
        tell_progress((rollout + 1) * args.steps * args.tables, rollouts * args.steps * args.tables)
    print(f"decisions a round: {envs.lengths.mean:.0f}, stopped: {100 * envs.lengths.stopped:.0f} %")
    return Learned(lambda observations: learner(observations)[0], encoding=options["encoding"])


if __name__ == "__main__":
    run_learner(Args, learn, __doc__)
