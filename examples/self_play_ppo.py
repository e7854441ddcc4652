"""PPO by self-play in one file: one learner in all seats of many tables. Needs torch, and nothing else."""

import sys
import time
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.distributions import Categorical

from cardtable.card_game import Setup
from cardtable.play.pairing import play_paired
from skyjo_env import EMPTY, HIDDEN, PHASES, ObservationSpec, Rules, SkyjoError
from skyjo_env.envs import SkyjoSelfPlay


@dataclass(frozen=True)
class Args:
    """What a run depends on."""

    players: int = 2
    """Players at each table, 2 to 8."""
    against: str = "threshold:t=2,columns=true"
    """The agent to measure against at the end; nobody learns from it."""
    decisions: int = 800_000
    """How many decisions to learn from, of all seats."""
    tables: int = 512
    """Tables that are played at the same time."""
    steps: int = 64
    """Decisions at every table between two updates."""
    epochs: int = 2
    """How often an update goes through them."""
    batch: int = 2048
    """Decisions in one step of the gradient."""
    rate: float = 2.5e-3
    """The learning rate at first; it falls linearly to 0."""
    gamma: float = 1.0
    """Discount; points count the same however long the round takes."""
    gae_lambda: float = 0.8
    """How far advantages look ahead."""
    clip: float = 0.2
    """The clip range of PPO."""
    entropy: float = 0.01
    """Weight of the entropy at first; it falls linearly to 0."""
    value: float = 25.0
    """Weight of the value loss: rewards are small, since 100 points are 1."""
    deals: int = 1000
    """Deals to measure at the end, each played from every seat."""
    seed: int = 1
    """Seed of everything."""


class Learner(nn.Module):
    """Which action, and what the rest of the round brings; the same layers read every column and every cell."""

    def __init__(self, rules: Rules, width: int = 64) -> None:
        super().__init__()
        self.rules, self.spec, kinds = rules, ObservationSpec(rules), EMPTY + 1 - rules.values[0]
        facts = len(PHASES) + 3 * rules.players + 3 + len(rules.values)
        self.card, self.on_cell = nn.Embedding(kinds, width), nn.Embedding(kinds, width)
        self.column = nn.Sequential(nn.Linear(width + 2, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.table = nn.Sequential(
            nn.Linear((rules.players + 2) * width + facts, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()
        )
        self.around, self.match = nn.Linear(width + 128, width), nn.Linear(4, width)
        self.cells, self.others, self.value = nn.Linear(width, 2), nn.Linear(128, 2), nn.Linear(128, 1)
        for layer in (self.cells, self.others, self.value):  # all actions begin equally likely
            layer.weight.data.mul_(0.01)

    def forward(self, seen: Tensor, masks: Tensor) -> tuple[Any, Tensor]:
        """The distribution over legal actions at every table, and the values."""
        rules, low = self.rules, self.rules.values[0]
        view = SimpleNamespace(**{k: torch.from_numpy(v) for k, v in vars(self.spec.view(seen.numpy())).items()})
        cells = view.cells.int().view(-1, rules.players, rules.columns, rules.rows)
        hand, top = view.hand.int(), view.discard_top.int()
        equal = [(cells == card[:, None, None, None]).sum(3, keepdim=True) for card in (hand, top)]
        columns = self.column(torch.cat([self.card(cells - low).sum(3), *equal], dim=3))
        pool = view.hidden_pool.float()
        mean = (pool * torch.tensor(rules.values)).sum(1) / pool.sum(1).clamp(min=1)
        facts = [
            nn.functional.one_hot(view.phase.long(), len(PHASES)),
            view.hidden_left / 12,
            view.open_sums / 50,
            (view.open_sums + view.hidden_left * mean[:, None]) / 50,
            torch.stack([view.ender >= 0, view.turns / 20, mean / 5], dim=1),
            pool / 10,
        ]
        boards, cards = columns.sum(2).flatten(1), [self.card(card - low) for card in (hand, top)]
        table = self.table(torch.cat([boards, *cards, *facts], dim=1))

        # Every own cell: what the card at hand, or on top of the discards, brings there
        own, card = cells[:, 0], torch.where(hand < HIDDEN, hand, top)[:, None, None]
        worth = torch.where(own == HIDDEN, mean[:, None, None], own * (own < HIDDEN))
        alike = (own == card).float()
        beside = alike.sum(2, keepdim=True) - alike
        whole = (beside == rules.rows - 1) * worth.sum(2, keepdim=True) / 6
        gain = (worth - card * (card < HIDDEN)) / 6
        match = self.match(torch.stack([gain, gain.clamp(min=0), beside, whole], dim=3))
        around = self.around(torch.cat([columns[:, 0], table[:, None].expand(-1, rules.columns, -1)], dim=2))
        by_cell = self.cells((self.on_cell(own - low) + match + around[:, :, None]).relu()).flatten(1, 2)
        logits = torch.cat([self.others(table), by_cell[..., 0], by_cell[..., 1]], dim=1)
        choices: Any = Categorical(logits=logits.masked_fill(~masks, -1e9), validate_args=False)
        return choices, self.value(table)[:, 0]


@dataclass
class Learned:
    """The learner as an agent: the legal action that it rates best."""

    learner: Learner

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        """One action for every table."""
        del chances
        with torch.no_grad():
            choices, _ = self.learner(torch.from_numpy(observations), torch.from_numpy(masks == 1))
        best: NDArray[Any] = choices.logits.argmax(1).numpy()
        return best


def advantages_of(
    seats: Tensor, rewards: Tensor, ends: Tensor, values: Tensor, gamma: float, gae_lambda: float
) -> Tensor:
    """The advantage of every decision [T, N], by what it led to for the seat that made it.

    `seats` and `values`, [T + 1, N], are of those who decide, the last of those to move after the rollout. `rewards`
    [T, N, P] are what every seat has earned since its own last decision, after each step; `ends` [T, N]. Until a seat
    decides again or its episode ends, nobody knows what its last decision led to: the advantage is 0.
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


def main(args: Args) -> None:
    """Learn, then measure."""
    torch.set_num_threads(1)  # small networks are slower on several
    torch.manual_seed(args.seed)
    rules = Rules(players=args.players)
    envs = SkyjoSelfPlay(args.tables, rules, shaping="expected_margin", seed=args.seed)
    learner = Learner(rules)
    optimizer = torch.optim.Adam(learner.parameters(), args.rate, eps=1e-5)

    # The environment's arrays as tensors: every step writes what they show
    seen_now, masks_now = torch.from_numpy(envs.observations), torch.from_numpy(envs.masks.view(np.bool_))
    seat_now, earned = torch.from_numpy(envs.current_seat), torch.from_numpy(envs.rewards)

    # What a rollout holds
    shape = (args.steps, args.tables)
    seen = torch.zeros(*shape, seen_now.shape[1], dtype=torch.int16)
    masks, ends = torch.zeros(*shape, rules.actions, dtype=torch.bool), torch.zeros(shape, dtype=torch.bool)
    chosen, log_probs, rewards = (
        torch.zeros(shape, dtype=torch.int64),
        torch.zeros(shape),
        torch.zeros(*shape, args.players),
    )
    seats, values = (
        torch.zeros(args.steps + 1, args.tables, dtype=torch.int64),
        torch.zeros(args.steps + 1, args.tables),
    )

    began, used = time.perf_counter(), time.process_time()
    rollouts = -(-args.decisions // (args.steps * args.tables))
    for rollout in range(rollouts):
        left = 1 - rollout / rollouts
        optimizer.param_groups[0]["lr"] = args.rate * left

        # Play: whoever is to move at a table, the learner decides
        for step in range(args.steps):
            seen[step], masks[step], seats[step] = seen_now, masks_now, seat_now
            with torch.no_grad():
                choices, values[step] = learner(seen[step], masks[step])
            chosen[step] = choices.sample()
            log_probs[step] = choices.log_prob(chosen[step])
            _, terminated, truncated = envs.step(chosen[step].numpy())
            rewards[step], ends[step] = earned, torch.from_numpy(terminated | truncated)

        with torch.no_grad():
            seats[-1], (_, values[-1]) = seat_now, learner(seen_now, masks_now)
        advantages = advantages_of(seats, rewards, ends, values, args.gamma, args.gae_lambda)
        returns = advantages + values[:-1]

        # Learn
        flat = [each.flatten(0, 1) for each in (seen, masks, chosen, log_probs, advantages, returns)]
        for _ in range(args.epochs):
            order: Any = torch.randperm(args.steps * args.tables)
            for some in order.split(args.batch):
                b_seen, b_masks, b_chosen, b_log_probs, b_advantages, b_returns = (each[some] for each in flat)
                b_advantages = (b_advantages - b_advantages.mean()) / (b_advantages.std(correction=0) + 1e-8)
                choices, b_values = learner(b_seen, b_masks)
                ratio = (choices.log_prob(b_chosen) - b_log_probs).exp()
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                policy_loss = -torch.min(ratio * b_advantages, clipped * b_advantages).mean()
                value_loss = (b_values - b_returns).square().mean()
                loss = policy_loss + args.value * value_loss - args.entropy * left * choices.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(learner.parameters(), 0.5)
                optimizer.step()
        done = (rollout + 1) * args.steps * args.tables
        rate = done / (time.perf_counter() - began)
        print(f"\rlearned from {done:,} decisions, {rate:,.0f}/s", end="", file=sys.stderr, flush=True)
    print(f"; {time.process_time() - used:.0f} s of processor time", file=sys.stderr)

    # Measure: every deal from every seat
    seated: list[Any] = [Learned(learner), *[args.against] * (args.players - 1)]
    margins = play_paired(seated, Setup(rules, seed=args.seed + 10**6), range(args.deals)).margins[:, 0]
    half = 1.96 * margins.std(ddof=1) / args.deals**0.5
    print(f"against {args.against}: {margins.mean():+.1f} ± {half:.1f} points a round")


def refusal(args: Args) -> str | None:
    """What is wrong with the options, if anything is."""
    for name in ("decisions", "tables", "steps", "epochs", "batch"):
        if getattr(args, name) < 1:
            return f"--{name} must be at least 1"
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
        print(f"self_play_ppo.py: error: {problem}", file=sys.stderr)
        sys.exit(2)
