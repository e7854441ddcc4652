"""Paired play: every deal is played from every seat, so that the luck of the deal falls on all agents alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from arena.correction import without_luck
from arena.rounds import Rounds, play_rounds
from skyjo_env.agents import Agent, make_agent
from skyjo_env.rules import OFFICIAL, Rules

T = TypeVar("T")


@dataclass(frozen=True)
class Paired:
    """What came of every deal, over all rotations of the agents over the seats. Deals are independent of each other;
    the agents of one deal are not.
    """

    margins: NDArray[np.float64]  # [deals, agents], mean
    scores: NDArray[np.float64]  # [deals, agents], mean
    wins: NDArray[np.float64]  # [deals, agents], share
    is_stopped: NDArray[np.float64]  # [deals], share
    without_luck: NDArray[np.float64]  # [deals, agents], margins less what luck explains, if that is asked for


def play_paired(
    agents: Sequence[str | Agent],
    rules: Rules = OFFICIAL,
    seed: int = 0,
    deals: range = range(1000),
    threads: int = 1,
    may_peek: bool = False,
    episode: str = "round",
    with_luck: bool = False,
) -> Paired:
    """Play every deal once for each rotation of the agents over the seats; see `play_rounds`."""
    table = [make_agent(agent, rules) if isinstance(agent, str) else agent for agent in agents]
    return paired(
        [
            play_rounds(seated(table, rotation), rules, seed, deals, threads, may_peek, episode, with_luck)
            for rotation in range(len(table))
        ]
    )


def seated(agents: Sequence[T], rotation: int) -> list[T]:
    """Who sits where: seat k is taken by agent (k + rotation) % n."""
    return [*agents[rotation:], *agents[:rotation]]


def paired(rotations: Sequence[Rounds]) -> Paired:
    """The deals of all rotations, agent by agent."""
    parts = []
    for rotation, played in enumerate(rotations):
        has_luck = played.luck.shape[2] > 0
        corrected = without_luck(played.margins, played.luck) if has_luck else played.margins
        seen = played.margins, played.scores, played.wins, corrected
        margins, scores, wins, lucky = (np.roll(by_seat, rotation, axis=1) for by_seat in seen)
        parts.append((margins, scores, wins, played.is_stopped, lucky))
    return Paired(*(np.mean(part, axis=0) for part in zip(*parts, strict=True)))
