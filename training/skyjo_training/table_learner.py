"""Learning at many tables as a config says: what the methods of learning have in common."""

from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.on_policy_algorithm import OnPolicyAlgorithm
from stable_baselines3.common.save_util import load_from_zip_file
from stable_baselines3.common.utils import LinearSchedule
from torch import Tensor
from torch.optim.swa_utils import AveragedModel

from cardtable.table.agents.agents import Agent, agents_of, choose
from cardtable.table.agents.policies.policy_agent import NetworkAgent
from cardtable.table.agents.policies.policy_file import PolicyNetwork, load_policy
from cardtable.table.envs.options import observation_space
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import find_game
from skyjo_training.checkpoint import State
from skyjo_training.learned_game import learned_game
from skyjo_training.opponent_pool import Member, OpponentPool
from skyjo_training.self_play_tables import SelfPlayTables, TableSetup
from skyjo_training.table_policy import TablePolicy
from skyjo_training.training_config import Config

DEALS = 1_000_003  # between the seeds of tables of different sizes
SHARES = 2**40  # between the seeds of shares of the tables


def start_of(config: Config) -> dict[str, Tensor]:
    """Return the weights that a run begins with; TableError if they are not those of a network like the run's own.

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


@dataclass(frozen=True)
class TableGroup:
    """The tables of one size, in shares that can be played at the same time."""

    rules: Any
    opponents: OpponentPool
    shares: list[SelfPlayTables]

    def state(self) -> State:
        """Return the state of all tables and of the opponents; snapshots among them by their names."""
        return {"shares": [tables.state() for tables in self.shares], "opponents": self.opponents.state()}

    def restore(self, state: State, snapshots: dict[str, Agent]) -> None:
        """Continue from the result of `state`, with these snapshots by name."""
        for tables, saved in zip(self.shares, state["shares"], strict=True):
            tables.restore(saved)
        self.opponents.restore(state["opponents"], snapshots)


class TableLearner(OnPolicyAlgorithm):
    """`learn(config.decisions)` trains as the config says; callbacks and loggers are those of stable-baselines3.

    A method of learning collects rollouts at the `tables` of the current size, and learns from them in `_update`.
    """

    policy: TablePolicy  # type: ignore[assignment]  # stable-baselines3's algorithms narrow it in the same way
    shares: ClassVar[int] = 1  # of the tables of one size

    def __init__(self, config: Config) -> None:
        self.config, self.game = config, learned_game(config.game)
        if config.device == "cuda" and not torch.cuda.is_available():
            raise TableError("device=cuda: torch finds no GPU here; auto uses one if there is one")
        self.rng = np.random.default_rng(config.seed)
        rules = config.rules_at(max(config.players))
        super().__init__(
            TablePolicy,  # type: ignore[arg-type]  # one that masks
            None,  # type: ignore[arg-type]  # self-play has no environment
            learning_rate=LinearSchedule(config.learning_rate, config.last_learning_rate, end_fraction=1.0),
            n_steps=config.n_steps,
            gamma=1.0,
            gae_lambda=config.gae_lambda,
            ent_coef=config.ent_coef,
            vf_coef=self.game.vf_coef,
            max_grad_norm=0.5,
            use_sde=False,
            sde_sample_freq=-1,
            policy_kwargs={"rules": rules, "widths": config.widths, "optimizer_kwargs": {"eps": 1e-5, "fused": True}},
            seed=config.seed % 2**32,
            device=self.usable_device,
            _init_setup_model=False,
        )
        self.observation_space, self.action_space = observation_space(rules), spaces.Discrete(rules.actions)
        self.n_envs, self.batch_size, self.n_epochs = config.tables, config.batch_size, config.n_epochs
        self._setup_model()
        if config.start:
            self.network.load_state_dict(self.network.state_dict() | start_of(config))
        self._last_obs: Any = ()  # so that no environment is asked for the first ones
        self.rollouts = 0  # so far
        self.mean = AveragedModel(self.network)  # of the weights, over the end of the run
        self.groups = [self._group(players) for players in config.players]  # the tables of each size

    def _setup_model(self) -> None:
        """Make the policy; every method keeps its rollouts in its own way."""
        self.rollout_buffer: Any = None
        self._setup_lr_schedule()
        self.set_random_seed(self.seed)
        self.policy = TablePolicy(self.observation_space, self.action_space, self.lr_schedule, **self.policy_kwargs)
        self.policy.to(self.device)

    def _group(self, players: int) -> TableGroup:
        config, rules, opposed = self.config, self.table_rules(players), self.opposed
        make_agent = agents_of(find_game(config.game)).make
        usual = config.rules_at(players)  # a policy among the opponents knows no others
        named = [Member(name, make_agent(name, usual)) for name in config.opponents]
        opponents = OpponentPool(named, config.snapshots, self.game.hardness, self.rng)
        if opposed > 0:
            opponents.add(self._snapshot())
            opponents.choose()
        seed, shares = config.seed + DEALS * players, []
        for number in range(min(self.shares, config.tables)):
            first, last = (config.tables * part // self.shares for part in (number, number + 1))
            of_pool = opposed * last // config.tables - opposed * first // config.tables
            setup = TableSetup(
                rules, last - first - of_pool, of_pool, config.win, seed + SHARES * number, config.margin
            )
            shares.append(SelfPlayTables(setup, opponents))
        return TableGroup(rules, opponents, shares)

    @property
    def usable_device(self) -> str:
        """Device on which the network runs."""
        return self.config.device

    @property
    def opposed(self) -> int:
        """The number of tables where only the policy's own decisions are seen."""
        return self.config.opposed

    def table_rules(self, players: int) -> Any:
        """Return the rules of the tables at which it learns."""
        return self.config.rules_at(players)

    @property
    def network(self) -> PolicyNetwork:
        """The network that learns."""
        return self.policy.network

    def _snapshot(self) -> Member:
        """Return the policy as it is now, as an opponent."""
        return Member(f"after {self.num_timesteps} decisions", NetworkAgent(self.network_copy()))

    def network_copy(self) -> PolicyNetwork:
        """Return a copy of the network with the weights as they are now."""
        return deepcopy(self.network).eval()

    def add_snapshot(self) -> None:
        """Add the policy as it is now to the opponents at tables of every size."""
        if self.opposed > 0 and self.config.snapshots > 0:
            snapshot = self._snapshot()
            for tables in self.groups:
                tables.opponents.add(replace(snapshot))

    @property
    def tables(self) -> TableGroup:
        """The tables of the current rollout; the sizes take turns."""
        return self.groups[self.rollouts % len(self.groups)]

    @property
    def is_taught(self) -> bool:
        """True if the teacher decides in the current rollout."""
        return self.rollouts < self.config.taught_rollouts

    def teacher(self) -> Any:
        """Return the function that gives the teacher's decisions, from observations and masks."""
        game, rules = find_game(self.config.game), self.tables.rules
        agent = agents_of(game).make(self.config.teacher, rules)
        return partial(choose, agent, self.config.teacher, game.spec_of(rules))

    def learn(self, total_timesteps: int, callback: Any = None) -> Self:  # type: ignore[override]
        """Continue until the policy has learned from this many decisions, including those before this call."""
        torch.set_num_threads(self.config.threads if self.shares == 1 else 1)
        total, callback = self._setup_learn(total_timesteps - self.num_timesteps, callback, reset_num_timesteps=False)
        callback.on_training_start(locals(), globals())
        while self.num_timesteps < total and self.collect_rollouts(None, callback, None, self.n_steps):  # type: ignore[arg-type]
            self._update_current_progress_remaining(self.num_timesteps, total)
            self.dump_logs(self.rollouts)
            self.train()
        callback.on_training_end()
        return self

    def carry_on(self, callback: BaseCallback) -> None:
        """Continue to the end of the run; the policy then has the mean of its last weights, if they are averaged."""
        self.learn(self.config.decisions, callback)
        if self.mean.n_averaged > 0:
            self.network.load_state_dict(self.mean.module.state_dict())

    def predict(self, *arguments: Any, **options: Any) -> Any:
        """Predict as MaskablePPO does, with `action_masks` of the legal actions."""
        return self.policy.predict(*arguments, **options)

    def run_state(self) -> State:
        """See `skyjo_training.checkpoint.Model`."""
        members: Any = [member for group in self.groups for member in group.opponents.snapshots]
        return {
            "rollouts": self.rollouts,
            "rng": self.rng.bit_generator.state,
            "mean": self.mean.state_dict(),
            "snapshots": {member.name: member.agent.network.state_dict() for member in members},
            "groups": [group.state() for group in self.groups],
        }

    def restore_run(self, state: State) -> None:
        """See `skyjo_training.checkpoint.Model`."""
        self.rollouts, self.rng.bit_generator.state = state["rollouts"], state["rng"]
        self.mean.load_state_dict(state["mean"])
        snapshots: dict[str, Agent] = {}
        for name, weights in state["snapshots"].items():
            network = self.network_copy()
            network.load_state_dict(weights)
            snapshots[name] = NetworkAgent(network)
        for group, saved in zip(self.groups, state["groups"], strict=True):
            group.restore(saved, snapshots)

    def _excluded_save_params(self) -> list[str]:
        """Nothing is saved that follows from the config, nor the tables."""
        return [*super()._excluded_save_params(), "game", "groups", "mean"]

    @classmethod
    def load(cls, path: Any, **options: Any) -> Self:  # type: ignore[override]  # noqa: ARG003
        """Return a saved model, on its config's device and with new tables; runs continue exactly by their checkpoints.

        Only for files that you trust: a zip of stable-baselines3 runs code.
        """
        data, parameters, _ = load_from_zip_file(path, device="cpu")
        assert data is not None
        model = cls(data["config"])
        model.set_parameters(parameters)
        for name in ("num_timesteps", "rollouts", "_n_updates"):
            setattr(model, name, data[name])
        return model

    def train(self) -> None:
        """Learn from the last rollout with the settings of this part of the run, and go to the next tables."""
        config = self.config
        self.batch_size = config.batch_size * 2 ** ((config.doublings + 1) * self.rollouts // config.rollouts)
        self._update_learning_rate(self.policy.optimizer)
        self._update()
        self._n_updates += config.n_epochs
        if self.opposed > 0:
            self.tables.opponents.choose()
        if self.rollouts == config.first_averaged:
            self.mean.n_averaged.zero_()  # a run that has become longer begins its mean anew
        if self.rollouts >= config.first_averaged:
            self.mean.update_parameters(self.network)
        self.rollouts += 1

    def _update(self) -> None:
        """Learn from the last rollout."""
        raise NotImplementedError
