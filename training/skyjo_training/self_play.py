"""Learning by self-play: MaskablePPO at tables where the policy sits in every seat, or with opponents from a pool.

The policy learns from every decision that it makes, in whatever seat, with the rewards and values of that seat.
"""

from copy import deepcopy
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import explained_variance
from torch import Tensor, nn
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_

from cardtable.table.agents.agents import agents_of, choose
from cardtable.table.agents.policies.policy_agent import NetworkAgent
from cardtable.table.agents.policies.policy_file import PolicyNetwork, load_policy
from cardtable.table.envs.options import observation_space
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from skyjo_training.learned_game import learned_game
from skyjo_training.opponent_pool import Member, OpponentPool
from skyjo_training.seat_buffer import SeatRolloutBuffer
from skyjo_training.self_play_vec_env import SelfPlayVecEnv, TableSetup
from skyjo_training.table_policy import TablePolicy, threads_for_shares
from skyjo_training.training_config import Config


class MeanWeights:
    """Sums up weights; a network can then take their mean."""

    def __init__(self) -> None:
        self.sums: dict[str, Tensor] = {}
        self.counted = 0

    def add(self, network: nn.Module) -> None:
        """Add the weights as they are now."""
        for name, weight in network.state_dict().items():
            before = self.sums.get(name)
            now = weight.detach().double()
            self.sums[name] = now if before is None else before + now
        self.counted += 1

    def apply_to(self, network: nn.Module) -> None:
        """Set a network to the mean, if anything has been added."""
        if self.counted > 0:
            network.load_state_dict({name: (total / self.counted).float() for name, total in self.sums.items()})

    def restore(self, sums: dict[str, Tensor], counted: int, device: torch.device) -> None:
        """Continue from what was counted before."""
        self.sums, self.counted = {name: total.to(device) for name, total in sums.items()}, counted


DEALS = 1_000_003  # between the seeds of tables of different sizes


def start_of(config: Config) -> dict[str, Tensor]:
    """The weights that a run begins with; TableError if they are not those of a network like the run's own.

    A run with a value network may start from a network without one: its policy and its value network both begin as that
    network. Only what a table is worth to the others, which that network does not know, begins at random.
    """
    path = Path(config.start)
    network, _ = load_policy(path, config.rules_at(max(config.players)))
    weights = network.state_dict()
    lacks_value_network = config.widths.get("value_network") and not network.widths["value_network"]
    if network.widths != config.widths | ({"value_network": 0} if lacks_value_network else {}):
        raise TableError(f"start={path}: its network has {network.widths}, and this run's has {config.widths}")
    own = {name: weight for name, weight in weights.items() if not name.startswith("rivals.")}
    return (
        weights | {f"value_network.{name}": weight for name, weight in own.items()} if lacks_value_network else weights
    )


class SelfPlay(MaskablePPO):
    """`learn(config.decisions)` trains as the config says; callbacks and loggers are those of stable-baselines3."""

    policy: TablePolicy

    def __init__(self, config: Config) -> None:
        self.config, self.game = config, learned_game(config.game)
        if config.device == "cuda" and not torch.cuda.is_available():
            raise TableError("device=cuda: torch finds no GPU here; auto uses one if there is one")
        torch.set_num_threads(config.threads if config.method == "search" else 1)
        self.rng = np.random.default_rng(config.seed)
        rules = config.rules_at(max(config.players))
        super().__init__(
            TablePolicy,
            None,  # type: ignore[arg-type]  # the opponents at the tables may need the network
            learning_rate=lambda share_left: (
                config.last_learning_rate + (config.learning_rate - config.last_learning_rate) * max(share_left, 0.0)
            ),
            n_steps=config.n_steps,
            batch_size=config.batch_size,
            n_epochs=config.n_epochs,
            gamma=1.0,
            gae_lambda=config.gae_lambda,
            ent_coef=config.ent_coef,
            vf_coef=self.game.vf_coef,
            policy_kwargs={"rules": rules, "widths": config.widths, "optimizer_kwargs": {"eps": 1e-5, "fused": True}},
            seed=config.seed % 2**32,
            device=config.device,
            _init_setup_model=False,
        )
        self.observation_space, self.action_space = observation_space(rules), spaces.Discrete(rules.actions)
        self.n_envs = config.tables
        self._setup_model()
        if config.start:
            self.network.load_state_dict(self.network.state_dict() | start_of(config))
        self.rollouts = 0  # so far
        self.mean = MeanWeights()
        self.groups = [self._tables(players) for players in config.players]  # the tables of each size
        self._last_episode_starts = np.ones(config.tables, np.bool_)

    def _tables(self, players: int) -> SelfPlayVecEnv:
        config, rules, opposed = self.config, self.table_rules(players), self.opposed
        make_agent = agents_of(find_game(config.game)).make
        usual = config.rules_at(players)  # a policy among the opponents knows no others
        named = [Member(name, make_agent(name, usual)) for name in config.opponents]
        opponents = OpponentPool(named, config.snapshots, self.game.hardness, self.rng)
        if opposed > 0:
            opponents.add(self._snapshot())
            opponents.choose()
        setup = TableSetup(
            rules, config.tables - opposed, opposed, config.win, config.seed + DEALS * players, config.margin
        )
        return SelfPlayVecEnv(setup, opponents)

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
            for tables in self.groups:
                tables.opponents.add(replace(snapshot))

    @property
    def tables(self) -> SelfPlayVecEnv:
        """The tables of the current rollout; the sizes take turns."""
        return self.groups[self.rollouts % len(self.groups)]

    def learn(self, total_timesteps: int, callback: Any = None) -> "SelfPlay":  # type: ignore[override]
        """Continue until the policy has learned from this many decisions, including those before this call."""
        self._go_to_tables()
        with threads_for_shares(self.config.threads) as run:
            self.policy.run = run if self.device.type == "cpu" else None  # a GPU takes a whole batch at once
            try:
                return super().learn(total_timesteps - self.num_timesteps, callback, reset_num_timesteps=False)
            finally:
                self.policy.run = None

    def _go_to_tables(self) -> None:
        """Go to the tables of the next rollout, with an empty buffer; in the first ones the teacher decides there."""
        config, tables = self.config, self.tables
        self.env, self._last_obs = tables, tables.observations
        self.rollout_buffer = SeatRolloutBuffer(self.n_steps, tables, self.device, self.gamma, self.gae_lambda)
        self.policy.teacher = None
        if self.rollouts < config.taught_rollouts:
            game = find_game(config.game)
            teacher = agents_of(game).make(config.teacher, tables.rules)
            self.policy.teacher = partial(choose, teacher, config.teacher, game.spec_of(tables.rules))

    def train(self) -> None:
        """Learn from the last rollout with the settings of this part of the run, and go to the next tables."""
        config = self.config
        self.ent_coef = config.ent_coef * max(1 - self.rollouts / config.rollouts, 0.0)
        self.batch_size = config.batch_size * 2 ** ((config.doublings + 1) * self.rollouts // config.rollouts)
        self._update()
        if self.tables.opposed is not None:
            self.tables.opponents.choose()
        self.rollouts += 1
        if self.rollouts > config.first_averaged:
            self.mean.add(self.network)
        self._go_to_tables()

    def _update(self) -> None:
        """Learn from the policy's own decisions, as MaskablePPO does, or from those of its teacher."""
        np.random.seed(self.rng.integers(2**32))  # noqa: NPY002 (MaskablePPO shuffles with this generator)
        if self.rollouts < self.config.taught_rollouts:
            self._imitate()
        else:
            super().train()

    def _imitate(self) -> None:
        """Learn to decide as the teacher did, and to value what its decisions led to."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        losses = []
        for batch in chain.from_iterable(self.rollout_buffer.get(self.batch_size) for _ in range(self.n_epochs)):
            values, log_probs, entropy = self.policy.evaluate_actions(
                batch.observations, batch.actions.long().flatten(), batch.action_masks
            )
            policy_loss, value_loss = -log_probs.mean(), mse_loss(values.flatten(), batch.returns)
            loss: Any = policy_loss + self.vf_coef * value_loss
            self.policy.optimizer.zero_grad()
            loss.backward()
            clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
            self.policy.optimizer.step()
            losses.append(torch.stack([policy_loss, value_loss, -entropy.mean()]).detach())
        self._n_updates += self.n_epochs
        for name, loss in zip(("policy_loss", "value_loss", "entropy_loss"), torch.stack(losses).mean(0), strict=True):
            self.logger.record(f"train/{name}", loss.item())
        explained = explained_variance(self.rollout_buffer.values.flatten(), self.rollout_buffer.returns.flatten())
        self.logger.record("train/explained_variance", explained)
