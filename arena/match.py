"""A match: paired deals until there are enough of them, and what they say about the agents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.paired import Paired, play_paired
from arena.statistics import Estimate, estimate
from skyjo_env.agents import make_agent
from skyjo_env.checks import whole_number
from skyjo_env.errors import SkyjoError
from skyjo_env.rules import OFFICIAL, Rules

FEWEST = 2  # deals that have an interval
PIECE = 64  # deals at first; pieces grow with what has been played

Margins = NDArray[np.float64]  # of the first agent, one for each deal


@dataclass(frozen=True)
class Standing:
    """How an agent has done."""

    agent: str
    margin: Estimate
    without_luck: Estimate  # the same less what luck explains of it, if the match is with luck
    score: Estimate
    wins: Estimate  # the share of rounds or games won


@dataclass(frozen=True)
class Match:
    """Who plays how: the agents in the order of the first rotation's seats."""

    agents: Sequence[str]
    rules: Rules = OFFICIAL
    episode: str = "round"
    seed: int = 0
    threads: int = 1
    may_peek: bool = False
    with_luck: bool = False  # take off the margins what luck explains of them

    def __post_init__(self) -> None:
        if len(self.agents) != self.rules.players:
            raise SkyjoError(f"{len(self.agents)} agents for players={self.rules.players}: one for every seat")

    def play(
        self,
        deals: int,
        is_enough: Callable[[Margins], bool] | None = None,
        report: Callable[[int, Paired], None] | None = None,
    ) -> Paired:
        """Play so many deals, or fewer if the first agent's margins are found to be enough after a piece of them.

        `report` is called with the deals played so far, and what came of them.
        """
        deals = whole_number("deals", deals, FEWEST, 10**9)
        table = [make_agent(agent, self.rules) for agent in self.agents]
        parts: list[Paired] = []
        played = 0
        while played < deals:
            piece = range(played, min(deals, played + max(PIECE, played // 4)))
            arguments: Any = (self.rules, self.seed, piece, self.threads, self.may_peek, self.episode, self.with_luck)
            parts.append(play_paired(table, *arguments))
            played = piece.stop
            so_far = joined(parts)
            if report is not None:
                report(played, so_far)
            if is_enough is not None and is_enough(so_far.without_luck[:, 0]):
                break
        return joined(parts)

    def standings(self, played: Paired) -> list[Standing]:
        """Every agent's means with their intervals over deals."""
        columns = zip(played.margins.T, played.without_luck.T, played.scores.T, played.wins.T, strict=True)
        return [Standing(agent, *map(estimate, numbers)) for agent, numbers in zip(self.agents, columns, strict=True)]


def joined(parts: Sequence[Paired]) -> Paired:
    """Several pieces as one."""
    names = ("margins", "scores", "wins", "is_stopped", "without_luck")
    return Paired(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def seat_all(agents: Sequence[str], players: int | None) -> list[str]:
    """One agent for every seat: the last one takes all that are left."""
    if not agents:
        raise SkyjoError("a match needs agents: name two or more, or one to play against itself")
    missing = (players or max(2, len(agents))) - len(agents)
    if missing < 0:
        raise SkyjoError(f"{len(agents)} agents are too many for players={players}")
    return [*agents, *[agents[-1]] * missing]
