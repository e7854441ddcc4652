"""Learning by self-play: MaskablePPO at tables where the policy sits in every seat, or with opponents from a pool.

The policy learns from every decision that it makes, in whatever seat, with the rewards and values of that seat.
"""

from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance
from torch import Tensor

from cardtable.agents import Agent, choose
from cardtable.card_game import find_game
from cardtable.envs.encoding import observation_space
from cardtable.errors import TableError
from cardtable.policies.policy_agent import NetworkAgent
from cardtable.policies.policy_file import PolicyNetwork, load_policy
from cardtable.table_rules import TableRules
from skyjo_training.learned_game import learned_game
from skyjo_training.mean_weights import MeanWeights
from skyjo_training.opponent_pool import Member, OpponentPool
from skyjo_training.seat_buffer import Decisions, SeatRolloutBuffer
from skyjo_training.self_play_tables import SelfPlayTables, TableSetup
from skyjo_training.shares import SHARES, Share, sharing
from skyjo_training.table_policy import TablePolicy
from skyjo_training.training_config import Config
from skyjo_training.updates import (
    MOST_GRADIENT,
    PPO_FIGURES,
    TEACHER_FIGURES,
    Loss,
    normalised,
    ppo_loss,
    teacher_loss,
    update,
)

CLIP = 0.2  # PPO's clip range
DEALS = 1_000_003  # between the seeds of tables of different sizes


def start_of(config: Config) -> dict[str, Tensor]:
    """The weights that a run begins with; TableError if they are not those of a network like the run's own.

    A run with a judge takes a network without one for both, but for what no run without a judge learns: what a table is
    worth to the others.
    """
    path = Path(config.start)
    network, _ = load_policy(path, config.rules_at(max(config.players)))
    weights = network.state_dict()
    lacks_judge = config.widths.get("judge") and not network.widths["judge"]
    if network.widths != config.widths | ({"judge": 0} if lacks_judge else {}):
        raise TableError(f"start={path}: its network has {network.widths}, and this run's has {config.widths}")
    known = {name: weight for name, weight in weights.items() if not name.startswith("rivals.")}
    return weights | {f"judge.{name}": weight for name, weight in known.items()} if lacks_judge else weights


@dataclass
class TableGroup:
    """Tables of one size, the buffer for what is played there, and the opponents of the policy."""

    rules: TableRules
    tables: SelfPlayTables
    buffer: SeatRolloutBuffer
    opponents: OpponentPool
    teacher: Agent | None


class SelfPlay(MaskablePPO):
    """`learn(config.decisions)` trains as the config says; callbacks and loggers are those of stable-baselines3."""

    policy: TablePolicy

    def __init__(self, config: Config) -> None:
        self.config, self.game = config, learned_game(config.game)
        if config.device == "cuda" and not torch.cuda.is_available():
            raise TableError("device=cuda: torch finds no GPU here; auto takes one where there is one")
        torch.set_num_threads(config.threads if config.method == "search" else 1)
        self.rng = np.random.default_rng(config.seed)
        rules = config.rules_at(max(config.players))
        super().__init__(
            TablePolicy,
            None,  # type: ignore[arg-type]
            learning_rate=lambda left: config.last_rate + (config.rate - config.last_rate) * max(left, 0.0),
            n_steps=config.steps,
            batch_size=config.batch,
            n_epochs=config.epochs,
            gamma=1.0,
            gae_lambda=config.decay,
            ent_coef=config.entropy,
            vf_coef=self.game.value_weight,
            max_grad_norm=MOST_GRADIENT,
            policy_kwargs={"rules": rules, "widths": config.widths, "optimizer_kwargs": {"eps": 1e-5, "fused": True}},
            seed=config.seed % 2**32,
            device=config.device,
            _init_setup_model=False,
        )
        self.observation_space, self.action_space = observation_space(rules), spaces.Discrete(rules.actions)
        self.n_envs = config.tables
        self.rollout_buffer_class = SeatRolloutBuffer
        self.rollout_buffer_kwargs = {"players": rules.players, "rng": self.rng}
        self._setup_model()
        if config.start:
            self.network.load_state_dict(self.network.state_dict() | start_of(config))
        self.groups = [self._group(players) for players in config.players]
        self.rollouts = 0  # so far
        self.mean = MeanWeights()
        self.env, self._last_obs = self.groups[0].tables, np.zeros(0)  # type: ignore[assignment]  # learn() wants some

    def _group(self, players: int) -> TableGroup:
        config, rules, opposed = self.config, self.table_rules(players), self.opposed
        make_agent = find_game(config.game).agents.make
        usual = config.rules_at(players)  # a policy among the opponents knows no others
        named = [Member(name, make_agent(name, usual)) for name in config.opponents]
        opponents = OpponentPool(named, config.snapshots, self.game.hardness, self.rng)
        if opposed > 0:
            opponents.add(self._snapshot())
        setup = TableSetup(
            rules, config.tables - opposed, opposed, config.win, config.seed + DEALS * players, config.margin
        )
        buffer = SeatRolloutBuffer(
            config.steps,
            observation_space(rules),
            spaces.Discrete(rules.actions),
            self.device,
            config.decay,
            gamma=1.0,
            n_envs=config.tables,
            players=players,
            rng=self.rng,
        )
        teacher = make_agent(config.teacher, rules) if config.teacher else None
        return TableGroup(rules, SelfPlayTables(setup, opponents), buffer, opponents, teacher)

    @property
    def opposed(self) -> int:
        """The number of tables where only the policy's own decisions are seen."""
        return self.config.opposed

    def table_rules(self, players: int) -> Any:
        """The rules of the tables at which it learns."""
        return self.config.rules_at(players)

    @property
    def network(self) -> PolicyNetwork:
        """The network that learns."""
        return self.policy.network

    def _snapshot(self) -> Member:
        """The policy as it is now, as an opponent."""
        return Member(f"after {self.num_timesteps} decisions", NetworkAgent(self.network_copy()))

    def network_copy(self) -> PolicyNetwork:
        """A copy of the network with the weights as they are now."""
        return deepcopy(self.network).eval()

    def add_snapshot(self) -> None:
        """Add the policy as it is now to the opponents at tables of every size."""
        if self.opposed > 0 and self.config.snapshots > 0:
            snapshot = self._snapshot()
            for group in self.groups:
                group.opponents.add(replace(snapshot))

    def learn(self, total_timesteps: int, callback: Any = None) -> "SelfPlay":  # type: ignore[override]
        """Continue until the policy has learned from this many decisions, including those before this call."""
        return super().learn(total_timesteps - self.num_timesteps, callback, reset_num_timesteps=False)

    def collect_rollouts(
        self, env: Any, callback: BaseCallback, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Play at the tables of one size; the sizes take turns."""
        group = self.groups[self.rollouts % len(self.groups)]
        self._prepare()
        tables, opponents, buffer = group.tables, group.opponents, group.buffer
        self.rollout_buffer = buffer
        self.policy.set_training_mode(False)
        buffer.reset()
        callback.on_rollout_start()  # may add a snapshot; a run that goes on from a checkpoint taken here chooses again
        if tables.opposed is not None:
            opponents.choose()
        with self._sharing() as share:
            while not buffer.full:
                decisions = self._decide(tables, group.teacher, share)
                buffer.note(decisions, *tables.step(decisions.actions))
                opponents.note(tables.margins)
                self.num_timesteps += len(tables)
                callback.update_locals(locals())
                if not callback.on_step():
                    return False
        with torch.no_grad():
            last = self.policy.predict_values(torch.from_numpy(tables.observations).to(self.device))
        buffer.compute_advantages(tables.seats, last[:, 0].cpu().numpy())
        callback.on_rollout_end()
        self.rollouts += 1
        return True

    def _decide(self, tables: SelfPlayTables, teacher: Agent | None, share: Share) -> Decisions:
        observations, masks, seats = tables.observations, tables.masks, tables.seats
        drawn = self.policy.chances(len(masks))

        def decide(some: slice) -> tuple[Tensor, ...]:
            with torch.no_grad():
                seen = torch.from_numpy(observations[some]).to(self.device)
                return self.policy.decide(seen, masks[some], drawn[some])

        parts = zip(*share(decide, len(masks)), strict=True)
        actions, values, log_probs = (torch.cat(part).cpu().numpy() for part in parts)
        if teacher is not None and self.rollouts < self.config.taught_rollouts:
            actions = choose(teacher, self.config.teacher, observations, masks)
        return Decisions(observations, masks, seats, actions, values[:, 0], log_probs)

    def train(self) -> None:
        """Learn from the last rollout: from the policy's own decisions, or those of its teacher."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        follows = self.rollouts <= self.config.taught_rollouts
        loss: Loss = partial(teacher_loss, value_weight=self.vf_coef)
        if not follows:
            loss = partial(ppo_loss, clip=CLIP, entropy_weight=self.ent_coef, value_weight=self.vf_coef)
        found = []
        with self._sharing() as share:
            for _ in range(self.n_epochs):
                for batch in self.rollout_buffer.get(self.batch_size):
                    ready = batch._replace(actions=batch.actions.long(), advantages=normalised(batch.advantages))
                    found.append(update(self.policy, loss, ready, share))
        self._n_updates += self.n_epochs
        self._log(TEACHER_FIGURES if follows else PPO_FIGURES, torch.stack(found).mean(0).tolist())
        if self.rollouts > self.config.first_averaged:
            self.mean.add(self.network)

    def _log(self, names: tuple[str, ...], figures: list[float]) -> None:
        """Log the figures of an update."""
        buffer = self.rollout_buffer
        for name, figure in zip(names, figures, strict=True):
            self.logger.record(f"train/{name}", figure)
        explained = explained_variance(buffer.values.flatten(), buffer.returns.flatten())
        self.logger.record("train/explained_variance", explained)

    def _sharing(self) -> AbstractContextManager[Share]:
        """Threads for the shares of a batch; a GPU takes all of it at once."""
        return sharing(self.config.threads, SHARES if self.device.type == "cpu" else 1)

    def _prepare(self) -> None:
        """Set what changes from rollout to rollout, beside the learning rate."""
        config, left = self.config, 1 - self.rollouts / self.config.rollouts
        self.ent_coef = config.entropy * max(left, 0.0)
        self.batch_size = config.batch * 2 ** ((config.doublings + 1) * self.rollouts // config.rollouts)
