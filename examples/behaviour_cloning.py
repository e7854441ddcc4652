"""Behaviour cloning: a network learns to decide as a teacher did in stored games. Needs torch and pyarrow.

skyjo match policy tempo --deals 15000 --seed 1 --store teacher
skyjo games export teacher --agent policy --out teacher.parquet
python examples/behaviour_cloning.py teacher.parquet --teacher policy
"""

import json
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import torch
import tyro
from numpy.typing import NDArray
from torch import nn

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from skyjo.example_program import Learned, MeasuredOptions, network, run, tell_margin, tell_progress


@dataclass(frozen=True)
class Args:
    """The options of a run."""

    file: Annotated[str, tyro.conf.arg(metavar="FILE"), tyro.conf.Positional]
    """Decisions that `skyjo games export` has written."""
    teacher: str = "policy"
    """Agent whose decisions to learn."""
    against: tuple[str, ...] = ("threshold:t=2,columns=true",)
    """Other agent to measure it against."""
    decisions: int = 1_000_000
    """Number of decisions to learn from, at most."""
    epochs: int = 8
    """Number of passes through them."""
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
    """The views, masks and actions of the teacher."""

    observations: NDArray[np.int16]  # [M, D]
    masks: NDArray[np.int8]  # [M, A]
    actions: NDArray[np.int64]  # [M]

    def take(self, rows: Any) -> "Lessons":
        """Return some of them."""
        return Lessons(self.observations[rows], self.masks[rows], self.actions[rows])


def read(args: Args) -> tuple[dict[str, Any], Lessons]:
    """Return the description in a file, and the teacher's first decisions in it; TableError if there are none."""
    try:
        about = json.loads((pq.read_schema(args.file).metadata or {}).get(b"about", "{}"))
        rows = pq.read_table(args.file)
    except pa.ArrowInvalid as error:
        raise TableError(f"{args.file}: {error}") from None
    if about.get("game") is None:
        raise TableError(f"{args.file}: not decisions as `skyjo games export` writes them")
    rows = rows.filter(pc.equal(rows["agent"], args.teacher)).slice(0, args.decisions)
    if len(rows) < 2:
        raise TableError(f"{args.file}: no decisions of {args.teacher}; its agents: {', '.join(about['agents'])}")
    seen, masks, actions = (rows[name].combine_chunks() for name in ("observation", "mask", "action"))
    observations, may = (column.flatten().to_numpy().reshape(len(rows), -1) for column in (seen, masks))
    return about, Lessons(observations, may, actions.to_numpy().astype(np.int64))


def learn(lessons: Lessons, onehot: Any, args: Args) -> nn.Module:
    """Return a network that rates actions, after all epochs."""
    rates: nn.Module = network(onehot.size, lessons.masks.shape[1], args.width)
    optimizer = torch.optim.Adam(rates.parameters(), args.rate)
    count = len(lessons.actions)
    size = min(args.batch, count)
    batches = count // size
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, args.epochs * batches)
    chooser = np.random.default_rng(args.seed)
    for epoch in range(args.epochs):
        for rows in chooser.permutation(count)[: batches * size].reshape(batches, size):
            some = lessons.take(rows)
            ratings = rates(torch.from_numpy(onehot(some.observations)))
            legal = ratings.masked_fill(torch.from_numpy(some.masks == 0), -1e9)
            loss: Any = nn.functional.cross_entropy(legal, torch.from_numpy(some.actions))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        tell_progress((epoch + 1) * count, args.epochs * count)
    return rates


def accuracy(clone: Learned, onehot: Any, lessons: Lessons) -> float:
    """Return how often the clone decides as the teacher did."""
    parts = np.array_split(np.arange(len(lessons.actions)), len(lessons.actions) // 10_000 + 1)
    shares = [lessons.take(part) for part in parts]
    right = [clone.act(onehot(one.observations), one.masks, one.actions) == one.actions for one in shares]
    return float(np.concatenate(right).mean())


def main(args: Args) -> None:
    """Read, learn, and measure."""
    torch.manual_seed(args.seed)
    about, lessons = read(args)
    card_game = find_game(about["game"])
    rules = card_game.rules(about["rules"])
    others, onehot = (args.teacher, *args.against), card_game.spec_of(rules).onehot
    for name in others:
        agents_of(card_game).make(name, rules)  # which refuses unknown names
    held_out = max(len(lessons.actions) // 20, 1)  # of the last games
    clone = Learned(learn(lessons.take(slice(0, -held_out)), onehot, args))
    right = accuracy(clone, onehot, lessons.take(slice(-held_out, None)))
    print(f"learned from {len(lessons.actions) - held_out:,} decisions of {args.teacher}")
    print(f"decides as the teacher in {right:.1%} of {held_out:,} others")
    table = MeasuredOptions(about["game"], about["rules"], rules.players, args.seed, deals=args.deals)
    for name in others:
        tell_margin(clone, name, table)


if __name__ == "__main__":
    run(Args, main, __doc__)
