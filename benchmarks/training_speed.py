"""How fast learning is: self-play at the demo's settings against torch alone, and what the games take of the time.

.venv/bin/python benchmarks/training_speed.py

"Torch alone" does what is learned from and nothing else: a network of the same size looks at random stored decisions,
as many at a time as there are tables, then steps of the gradient go through them in batches of the same size. There is
no game in it and no stable-baselines3; it has one thread, and self-play two.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from figures import Figure, parser_for, report, timed

from skyjo_agents.network import TableNetwork
from skyjo_env import OFFICIAL, GameBatch
from skyjo_training.self_play import SelfPlay
from skyjo_training.self_play_tables import SelfPlayTables
from skyjo_training.skyjo_learning import SKYJO_LEARNED

DEMO = SKYJO_LEARNED.preset("demo").with_changes({"device": "cpu"})
POOLED = DEMO.with_changes({"pool": 0.2, "opponents": ("threshold:t=2,columns=true",)})


class Clock:
    """How long calls of some methods take; those inside others count once."""

    def __init__(self) -> None:
        self.seconds, self.depth = 0.0, 0

    def watch(self, kind: Any, name: str) -> None:
        """Count all calls of this method, or readings of this property, from now on."""
        found = vars(kind)[name]
        if isinstance(found, property):
            assert found.fget is not None
            setattr(kind, name, property(self._timed(found.fget)))
        else:
            setattr(kind, name, self._timed(found))

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            self.depth, start = self.depth + 1, time.perf_counter()
            try:
                return method(*arguments)
            finally:
                self.depth -= 1
                if self.depth == 0:
                    self.seconds += time.perf_counter() - start

        return run


class Learner:
    """Self-play that goes on, one rollout and one update at a time."""

    def __init__(self, config: Any) -> None:
        self.config, self.model = config, SelfPlay(config)

    def go_on(self) -> None:
        """One rollout and one update."""
        self.model.learn(self.model.num_timesteps + self.config.tables * self.config.n_steps)


class TorchAlone:
    """The same network, tables and batches, on random stored decisions."""

    def __init__(self, config: Any) -> None:
        self.config = config
        torch.set_num_threads(1)
        self.network = TableNetwork(config.rules_at(2), 2, config.cell, config.column, config.table)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-4)
        batch, rng = GameBatch(OFFICIAL, config.tables, episode="round"), np.random.default_rng(1)
        seen, masks = [], []
        for _ in range(config.n_steps):
            batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
            seen.append(torch.from_numpy(batch.observations.copy()))
            masks.append(torch.from_numpy(batch.masks.astype(np.bool_)))
        self.seen, self.masks = torch.stack(seen), torch.stack(masks)

    def go_on(self) -> None:
        """As many decisions, and steps of the gradient through them."""
        config, size = self.config, self.config.tables * self.config.n_steps
        actions, chances = self._decide()
        flat = self.seen.flatten(0, 1), self.masks.flatten(0, 1), actions.flatten(), chances.flatten()
        advantages = torch.randn(size)
        for _ in range(config.n_epochs):
            for some in torch.split(torch.randperm(size), config.batch_size):
                self._learn(advantages[some], *(part[some] for part in flat))

    def _decide(self) -> tuple[torch.Tensor, torch.Tensor]:
        made, chances = [], []
        with torch.no_grad():
            for seen, masks in zip(self.seen, self.masks, strict=True):
                logits = torch.where(masks, self.network(seen)[0], -1e8).log_softmax(1)
                made.append(torch.multinomial(logits.exp(), 1)[:, 0])
                chances.append(logits.gather(1, made[-1][:, None])[:, 0])
        return torch.stack(made), torch.stack(chances)

    def _learn(self, advantages: Any, seen: Any, masks: Any, actions: Any, chances: Any) -> None:
        logits, values = self.network(seen)
        logits = torch.where(masks, logits, -1e8).log_softmax(1)
        ratio = (logits.gather(1, actions[:, None])[:, 0] - chances).exp()
        gain = torch.min(advantages * ratio, advantages * ratio.clamp(0.8, 1.2)).mean()
        entropy = -(logits.exp() * logits).sum(1).mean()
        loss = ((values - advantages) ** 2).mean() - gain - 0.01 * entropy
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def against_torch(config: Any, runs: int) -> tuple[float, float]:
    """Decisions a second of self-play, and the median ratio to torch alone; the two take turns."""
    learner, alone = Learner(config), TorchAlone(config)
    learner.go_on()
    alone.go_on()
    times = np.array([(timed(learner.go_on), timed(alone.go_on)) for _ in range(runs)])
    size = config.tables * config.n_steps
    return size / float(np.median(times[:, 0])), float(np.median(times[:, 1] / times[:, 0]))


def share_of_games(config: Any, runs: int) -> float:
    """The part of the time, in percent, in which games are played: the tables, and whoever else sits there."""
    clock = Clock()
    kept = {name: vars(SelfPlayTables)[name] for name in ("observations", "action_masks", "seats", "step_wait")}
    for name in kept:
        clock.watch(SelfPlayTables, name)
    try:
        learner, shares = Learner(config), []
        learner.go_on()
        for _ in range(runs):
            clock.seconds = 0.0
            whole = timed(learner.go_on)
            shares.append(100 * clock.seconds / whole)
    finally:
        for name, method in kept.items():
            setattr(SelfPlayTables, name, method)
    return float(np.median(shares))


def threads(runs: int) -> float:
    """How much faster self-play is with two threads than with one; the two take turns."""
    one, two = Learner(DEMO.with_changes({"threads": 1})), Learner(DEMO)
    one.go_on()
    two.go_on()
    return float(np.median([timed(one.go_on) / timed(two.go_on) for _ in range(runs)]))


def figures(runs: int, is_quick: bool) -> Iterator[Figure]:
    """All figures."""
    rate, ratio = against_torch(DEMO, runs)
    yield Figure("self-play", 2, rate, "decisions/s")
    yield Figure("self-play: against torch alone", 2, ratio, "times as fast", 0.7)
    yield Figure("self-play: games", 2, share_of_games(DEMO, runs), "% of the time", 10, at_most=True)
    if is_quick:
        return
    rate, ratio = against_torch(POOLED, runs)
    yield Figure("self-play, opponents at 20 %", 2, rate, "decisions/s")
    yield Figure("the same against torch alone", 2, ratio, "times as fast", 0.7)
    share = share_of_games(POOLED, runs)
    yield Figure("the same: games and opponents", 2, share, "% of the time", 10, at_most=True)
    yield Figure("self-play: two threads against one", 2, threads(runs), "times as fast")


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    report(figures(options.runs, options.quick), options.json)


if __name__ == "__main__":
    main()
