"""Learning by self-play: MaskablePPO at tables where the policy sits in every seat, or with opponents from a pool.

Every decision of the policy is learned from, whatever the seat, each with the rewards and values of its own seat.
"""

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from cardtable.errors import TableError
from skyjo_agents.network import TableNetwork, best_actions
from skyjo_env.agents import make_agent
from skyjo_env.envs.encoding import observation_box
from skyjo_env.rules import Rules
from skyjo_training.opponent_pool import Member, Pool
from skyjo_training.seat_buffer import SeatRolloutBuffer
from skyjo_training.self_play_tables import Tables
from skyjo_training.table_policy import TablePolicy
from skyjo_training.training_config import Config

VALUE_WEIGHT = 50.0  # rewards are points / 100, so values are small
MOST_GRADIENT = 0.5
DEALS = 1_000_003  # between the seeds of tables of different sizes


class NetworkAgent:
    """Plays what a network likes best."""

    def __init__(self, network: TableNetwork) -> None:
        self.network = network

    def act(self, observations: NDArray[np.int16], masks: NDArray[np.int8], _: NDArray[np.uint64]) -> NDArray[np.int64]:
        """One legal action for every table."""
        return best_actions(self.network, observations, masks)


@dataclass
class Sitting:
    """Tables of one size, what is learned from them, and who else sits there."""

    rules: Rules
    tables: Tables
    buffer: SeatRolloutBuffer
    pool: Pool


class SelfPlay(MaskablePPO):
    """`learn(config.decisions)` does what the config asks for; callbacks and loggers are those of stable-baselines3."""

    policy: TablePolicy

    def __init__(self, config: Config) -> None:
        self.config = config
        if config.device == "cuda" and not torch.cuda.is_available():
            raise TableError("device=cuda: torch finds no GPU here; auto takes one where there is one")
        torch.set_num_threads(config.threads)
        self.rng = np.random.default_rng(config.seed)
        rules = config.rules_at(max(config.players))
        widths = {"seats": rules.players, "cell": config.cell, "column": config.column, "table": config.table}
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
            vf_coef=VALUE_WEIGHT,
            max_grad_norm=MOST_GRADIENT,
            policy_kwargs={"rules": rules, "widths": widths},
            seed=config.seed % 2**32,
            device=config.device,
            _init_setup_model=False,
        )
        self.observation_space, self.action_space = observation_box(rules, "compact"), spaces.Discrete(rules.actions)
        self.n_envs = config.tables
        self.rollout_buffer_class = SeatRolloutBuffer
        self.rollout_buffer_kwargs = {"players": rules.players, "rng": self.rng}
        self._setup_model()
        self.sittings = [self._sitting(players) for players in config.players]
        self.rollouts = 0  # so far
        self.env, self._last_obs = self.sittings[0].tables, np.zeros(0)  # type: ignore[assignment]  # learn() wants some

    def _sitting(self, players: int) -> Sitting:
        config, rules = self.config, self.config.rules_at(players)
        pooled = config.pooled
        members = [Member(name, make_agent(name, rules)) for name in config.opponents]
        pool = Pool(members, config.snapshots, self.rng)
        if pooled > 0:
            pool.add(self._snapshot())
        tables = Tables(rules, config.tables - pooled, pooled, pool, config.win, config.seed + DEALS * players)
        box, actions = observation_box(rules, "compact"), spaces.Discrete(rules.actions)
        options = {"gamma": 1.0, "gae_lambda": config.decay, "n_envs": config.tables}
        buffer = SeatRolloutBuffer(config.steps, box, actions, self.device, players=players, rng=self.rng, **options)
        return Sitting(rules, tables, buffer, pool)

    @property
    def network(self) -> TableNetwork:
        """What learns."""
        return self.policy.network

    def _snapshot(self) -> Member:
        """The policy as it is now, as an opponent."""
        return Member(f"after {self.num_timesteps} decisions", NetworkAgent(self.network_copy()))

    def network_copy(self) -> TableNetwork:
        """A network of its own with the weights as they are now."""
        return deepcopy(self.network).eval()

    def add_snapshot(self) -> None:
        """Let the pools know the policy as it is now."""
        if self.config.pool > 0 and self.config.snapshots > 0:
            snapshot = self._snapshot()
            for sitting in self.sittings:
                sitting.pool.add(replace(snapshot))

    def learn(self, total_timesteps: int, callback: Any = None, **options: Any) -> "SelfPlay":  # type: ignore[override]
        """Go on until so many decisions have been learned from, those before this call included."""
        return super().learn(
            total_timesteps - self.num_timesteps, callback, **{"reset_num_timesteps": False, **options}
        )

    def collect_rollouts(
        self, env: Any, callback: BaseCallback, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Play at the tables of one size; the sizes take turns."""
        sitting = self.sittings[self.rollouts % len(self.sittings)]
        self._prepare()
        tables, pool, buffer = sitting.tables, sitting.pool, sitting.buffer
        self.rollout_buffer = buffer
        self.policy.set_training_mode(False)
        buffer.reset()
        callback.on_rollout_start()  # may change the pool; a checkpoint taken here goes on with the choice
        if tables.pool is not None:
            pool.choose()
        while not buffer.full:
            observations, masks, seats = tables.observations, tables.masks, tables.seats
            with torch.no_grad():
                seen = torch.from_numpy(observations).to(self.device)
                actions, values, chances = (part.cpu().numpy() for part in self.policy(seen, action_masks=masks))
            buffer.note_decisions(observations, masks, seats, actions, values[:, 0], chances)
            buffer.note_outcomes(*tables.step(actions))
            pool.note(tables.margins)
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

    def _prepare(self) -> None:
        """What changes as time goes by, beside the learning rate."""
        config, left = self.config, 1 - self.rollouts / self.config.rollouts
        self.ent_coef = config.entropy * max(left, 0.0)
        self.batch_size = config.batch * 2 ** ((config.doublings + 1) * self.rollouts // config.rollouts)
