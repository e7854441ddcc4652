"""What benchmarks/baselines.py compares: how each method learns, what is measured of it on the way and at the end."""

import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback

from cardtable.agents import Agent
from cardtable.card_game import Setup
from cardtable.play.pairing import play_paired
from cardtable.policies.policy_agent import NetworkAgent
from cardtable.slices import Encoding
from skyjo_env import OFFICIAL, make_agent
from skyjo_training import SkyjoVecEnv
from skyjo_training.learned_game import learned_game
from skyjo_training.self_play import SelfPlay
from skyjo_training.table_policy import TablePolicy

OPPONENT = "tempo"  # of every learner but self-play
SCRIPTED = ("naive", "threshold:t=2", "threshold:t=2,columns=true", "expected", OPPONENT)
TABLES = 128
POINTS = 10  # of a learning curve, beside the one before learning
CURVE_DEALS = 60
SPREAD = 1000  # between the seeds of two runs: every table has a seed of its own
MEASURING = 2**63  # the deals of measurements begin here; none of them is learned from
PACKAGES = ("stable-baselines3", "sb3-contrib", "torch", "numpy")


@dataclass(frozen=True)
class Method:
    """A way to learn: an algorithm of stable-baselines3 with its options, or self-play if there is none."""

    title: str
    algorithm: type[BaseAlgorithm] | None
    policy: str | type[TablePolicy] = "MlpPolicy"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def knows_the_mask(self) -> bool:
        """Does it choose among the legal actions only?"""
        return self.algorithm in (None, MaskablePPO)

    @property
    def encoding(self) -> Encoding:
        """What its network is shown: this project's own knows what is in the compact observation."""
        return "onehot" if self.policy == "MlpPolicy" else "compact"


_SAME = {"learning_rate": 1e-3, "gae_lambda": 0.8}
_ROLLOUTS = {"n_steps": 32, "batch_size": 1024}
METHODS = {
    "random": Method("no learning: legal actions at random", None),
    "ppo": Method("PPO", PPO, options={**_SAME, **_ROLLOUTS, "gamma": 0.99}),
    "a2c": Method("A2C", A2C, options={"gae_lambda": 0.8, "gamma": 0.99}),
    "dqn": Method(
        "DQN",
        DQN,
        options={
            "learning_rate": 1e-3,
            "gamma": 0.99,
            "buffer_size": 50_000,
            "learning_starts": 2000,
            "train_freq": 1,
            "batch_size": 256,
            "gradient_steps": 8,
            "target_update_interval": 2000,
        },
    ),
    "maskable_ppo": Method("MaskablePPO", MaskablePPO, options={**_SAME, **_ROLLOUTS, "gamma": 1.0}),
    "maskable_ppo_network": Method(
        "MaskablePPO, this project's network",
        MaskablePPO,
        TablePolicy,
        {**_SAME, **_ROLLOUTS, "gamma": 1.0, "n_epochs": 2, "vf_coef": 50.0},
    ),
    "self_play": Method(
        "self-play",
        None,
        options={
            "tables": TABLES,
            "n_steps": 32,
            "batch_size": 1024,
            "learning_rate": 1e-3,
            "cell": 32,  # the widths of the network in the row above
            "column": 64,
            "table": 128,
            "average": 0.0,
        },
    ),
}


@dataclass(frozen=True)
class Point:
    """What was measured on the way."""

    decisions: int
    margin: float  # points a round against OPPONENT
    illegal: float  # share of the decisions since the point before


@dataclass(frozen=True)
class Run:
    """What became of one run."""

    method: str
    seed: int
    wanted: int  # decisions
    decisions: int  # as many as fill the last rollout
    deals: int  # of every margin
    seconds: float  # of the processor, to learn
    measuring: float  # the same, to measure
    curve: list[Point]
    margins: dict[str, float]  # points a round, by scripted player
    stopped: float  # share of all these rounds that were stopped
    versions: dict[str, str]

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Of a JSON file."""
        return cls(**document | {"curve": [Point(**point) for point in document["curve"]]})


class MlpAgent:
    """Plays the legal action that a model of stable-baselines3 rates best, whether or not it has learned with masks."""

    encoding = "onehot"

    def __init__(self, model: Any) -> None:
        self.policy = model.policy

    def act(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """The best action for every table."""
        del chances
        with torch.no_grad():
            seen = torch.from_numpy(observations)
            is_q = hasattr(self.policy, "q_net")
            rated = self.policy.q_net(seen) if is_q else self.policy.get_distribution(seen).distribution.logits
            best: NDArray[np.int64] = rated.masked_fill(torch.from_numpy(masks == 0), -torch.inf).argmax(1).numpy()
        return best


def run_of(name: str, seed: int, decisions: int, deals: int, tell: Callable[[int], None]) -> Run:
    """Learn and measure; `tell` is called with the number of decisions so far."""
    torch.set_num_threads(1)
    watcher = _Watcher(decisions, seed, tell)
    began = time.process_time()
    if name == "random":
        agent: Agent = make_agent("random")
        watcher.look(agent)
    else:
        model = _learner(METHODS[name], seed, decisions)
        watcher.agent = agent = _agent(model)
        model.learn(decisions, watcher)
        watcher.look(agent)
    seconds = time.process_time() - began - watcher.seconds
    began = time.process_time()
    played = {player: _played(agent, player, seed, deals) for player in SCRIPTED}
    return Run(
        method=name,
        seed=seed,
        wanted=decisions,
        decisions=watcher.num_timesteps,
        deals=deals,
        seconds=seconds if name != "random" else 0.0,
        measuring=watcher.seconds + time.process_time() - began,
        curve=watcher.points,
        margins={player: margin for player, (margin, _) in played.items()},
        stopped=float(np.mean([stopped for _, stopped in played.values()])),
        versions={"python": platform.python_version(), **{package: version(package) for package in PACKAGES}},
    )


def _learner(method: Method, seed: int, decisions: int) -> Any:
    if method.algorithm is None:
        changes = {"decisions": decisions, "seed": seed, "threads": 1, "device": "cpu", **method.options}
        return SelfPlay(learned_game("skyjo").preset("demo").with_changes(changes))
    tables = SkyjoVecEnv(
        TABLES,
        opponents=OPPONENT,
        shaping="expected_margin",
        encoding=method.encoding,
        illegal="error" if method.knows_the_mask else "lose",
    )
    kwargs: dict[str, Any] = {"policy_kwargs": {"rules": tables.rules}} if method.policy is TablePolicy else {}
    return method.algorithm(method.policy, tables, seed=SPREAD * seed, device="cpu", **method.options, **kwargs)


def _agent(model: Any) -> Agent:
    return NetworkAgent(model.policy.network) if isinstance(model.policy, TablePolicy) else MlpAgent(model)


def _played(agent: Agent, player: str, seed: int, deals: int) -> tuple[float, float]:
    """The margin in points a round, and the share of rounds that were stopped. Other seeds play other deals."""
    played = play_paired([agent, player], Setup(OFFICIAL, seed=MEASURING + seed), range(deals))
    return float(played.margins[:, 0].mean()), float(played.is_stopped.mean())


class _Watcher(BaseCallback):
    """Measures the learner before it begins, and whenever another tenth of the decisions is done."""

    agent: Agent

    def __init__(self, decisions: int, seed: int, tell: Callable[[int], None]) -> None:
        super().__init__()
        self.wanted, self.seed, self.tell = decisions, seed, tell
        self.points: list[Point] = []
        self.seconds = 0.0  # of the processor, to measure
        self._illegal = self._looked = 0

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.wanted * len(self.points) / POINTS:
            self.look(self.agent)

    def _on_step(self) -> bool:
        self._illegal += sum("illegal_action" in info for info in self.locals.get("infos", ()))
        return True

    def look(self, agent: Agent) -> None:
        """Play against the opponent."""
        began = time.process_time()
        margin, _ = _played(agent, OPPONENT, self.seed, CURVE_DEALS)
        illegal = self._illegal / max(self.num_timesteps - self._looked, 1)
        self.points.append(Point(self.num_timesteps, margin, illegal))
        self._illegal, self._looked = 0, self.num_timesteps
        self.seconds += time.process_time() - began
        self.tell(self.num_timesteps)
