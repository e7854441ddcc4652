"""Behaviour cloning: a network learns to decide as a teacher did in stored games. Needs torch and pyarrow.

skyjo match policy tempo --deals 15000 --seed 1 --store teacher
skyjo games export teacher --agent policy --out teacher.parquet
python examples/behaviour_cloning.py teacher.parquet --teacher policy
"""

import json
import sys
import time
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import torch
import tyro
from numpy.typing import NDArray
from torch import Tensor, nn

from cardtable.card_game import Setup
from cardtable.play.pairing import play_paired
from cardtable.statistics import estimate
from skyjo_env import ObservationSpec, Rules, SkyjoError
from skyjo_env.card_game import SKYJO


@dataclass(frozen=True)
class Args:
    """What a run depends on."""

    file: Annotated[str, tyro.conf.arg(metavar="FILE"), tyro.conf.Positional]
    """Decisions that `skyjo games export` has written."""
    teacher: str = "policy"
    """Whose decisions to learn."""
    against: tuple[str, ...] = ("threshold:t=2,columns=true",)
    """Who else to measure it against."""
    decisions: int = 1_000_000
    """How many decisions to learn from, at most."""
    epochs: int = 8
    """How often to go through them."""
    batch: int = 1024
    """Decisions in one step of the gradient."""
    width: int = 256
    """Units of each of the two hidden layers."""
    rate: float = 2e-3
    """The learning rate at first; it falls linearly to 0."""
    deals: int = 1000
    """Deals to measure, each played from both seats."""
    seed: int = 1
    """Seed of everything."""


@dataclass(frozen=True)
class Lessons:
    """What the teacher saw, could do and did."""

    rules: Rules
    observations: NDArray[np.int16]  # [M, D]
    masks: NDArray[np.int8]  # [M, A]
    actions: NDArray[np.int64]  # [M]

    def __len__(self) -> int:
        return len(self.actions)

    def take(self, rows: Any) -> "Lessons":
        """Some of them."""
        return Lessons(self.rules, self.observations[rows], self.masks[rows], self.actions[rows])

    @classmethod
    def read(cls, file: str, teacher: str, most: int) -> "Lessons":
        """The teacher's first decisions in a file; SkyjoError if there are none."""
        about = json.loads((pq.read_schema(file).metadata or {}).get(b"about", "{}"))
        if about.get("game") != "skyjo":
            raise SkyjoError(f"{file}: not decisions of Skyjo as `skyjo games export` writes them")
        rows = pq.read_table(file, columns=["agent", "observation", "mask", "action"])
        rows = rows.filter(pc.equal(rows["agent"], teacher)).slice(0, most)
        if len(rows) < 2:
            raise SkyjoError(f"{file}: no decisions of {teacher}; its agents: {', '.join(about['agents'])}")
        seen, masks, actions = (rows[name].combine_chunks() for name in ("observation", "mask", "action"))
        observations, may = (each.flatten().to_numpy().reshape(len(rows), -1) for each in (seen, masks))
        return cls(Rules.from_text(about["rules"]), observations, may, actions.to_numpy().astype(np.int64))


@dataclass(frozen=True)
class Clone:
    """A network that rates actions, and the agent that takes the legal one it rates highest."""

    rules: Rules
    network: nn.Module

    @classmethod
    def new(cls, rules: Rules, width: int) -> "Clone":
        """One that has learned nothing."""
        size = ObservationSpec(rules).onehot.size
        hidden = nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        return cls(rules, nn.Sequential(*hidden, nn.Linear(width, rules.actions)))

    def ratings(self, observations: NDArray[np.int16], masks: NDArray[np.int8]) -> Tensor:
        """The logits of all actions; those of illegal ones are as good as minus infinity."""
        seen: Tensor = self.network(torch.from_numpy(ObservationSpec(self.rules).onehot(observations)))
        return seen.masked_fill(torch.from_numpy(masks == 0), -1e9)

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        """One action for every table."""
        del chances
        with torch.no_grad():
            best: NDArray[Any] = self.ratings(observations, masks).argmax(1).numpy()
        return best

    def accuracy(self, lessons: Lessons) -> float:
        """How often it would have decided as the teacher did."""
        shares = [lessons.take(part) for part in np.array_split(np.arange(len(lessons)), len(lessons) // 10_000 + 1)]
        right = [self.act(one.observations, one.masks, one.actions) == one.actions for one in shares]
        return float(np.concatenate(right).mean())


def learn(lessons: Lessons, args: Args) -> Clone:
    """A clone after all epochs."""
    clone = Clone.new(lessons.rules, args.width)
    optimizer = torch.optim.Adam(clone.network.parameters(), args.rate)
    size = min(args.batch, len(lessons))
    batches = len(lessons) // size
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, args.epochs * batches)
    chooser, began = np.random.default_rng(args.seed), time.perf_counter()
    for epoch in range(args.epochs):
        order = chooser.permutation(len(lessons))[: batches * size]
        for rows in order.reshape(batches, size):
            some = lessons.take(rows)
            ratings = clone.ratings(some.observations, some.masks)
            loss: Any = nn.functional.cross_entropy(ratings, torch.from_numpy(some.actions))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        rate = (epoch + 1) * len(order) / (time.perf_counter() - began)
        print(f"\repoch {epoch + 1} of {args.epochs}, {rate:,.0f} decisions/s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return clone


def main(args: Args) -> None:
    """Read, learn, and measure."""
    torch.manual_seed(args.seed)
    lessons = Lessons.read(args.file, args.teacher, args.decisions)
    others = {name: SKYJO.make_agent(name, lessons.rules) for name in (args.teacher, *args.against)}
    held_out = max(len(lessons) // 20, 1)  # of the last games
    began = time.perf_counter()
    clone = learn(lessons.take(slice(0, -held_out)), args)
    minutes = (time.perf_counter() - began) / 60
    accuracy = clone.accuracy(lessons.take(slice(-held_out, None)))
    print(f"learned from {len(lessons) - held_out:,} decisions of {args.teacher} in {minutes:.1f} minutes")
    print(f"decides as the teacher in {accuracy:.1%} of {held_out:,} others")
    setup = Setup(lessons.rules, seed=args.seed + 10**6)
    for name, other in others.items():
        seats = [clone, *[other] * (lessons.rules.players - 1)]
        margins = play_paired(seats, setup, range(args.deals)).margins[:, 0]
        print(f"against {name}: {estimate(margins)} points a round")


def refusal(args: Args) -> str | None:
    """What is wrong with the options, if anything is."""
    for name in ("decisions", "epochs", "batch", "width"):
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
    except (SkyjoError, OSError, pa.ArrowInvalid) as error:
        problem = str(error)
    if problem is not None:
        print(f"behaviour_cloning.py: error: {problem}", file=sys.stderr)
        sys.exit(2)
