"""A match: paired deals until there are enough of them, and what they say about the agents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.paired import Estimate, Paired, estimate, play_paired
from skyjo_env.agents import make_agent
from skyjo_env.checks import whole_number
from skyjo_env.errors import SkyjoError
from skyjo_env.rules import OFFICIAL, Rules

FEWEST = 2  # deals that have an interval
PIECE = 64  # deals at first; pieces grow with what has been played
SEEN = 1000  # deals before an interval may end a match: earlier it is too rough to be trusted


@dataclass(frozen=True)
class Standing:
    """How an agent has done."""

    agent: str
    margin: Estimate
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

    def __post_init__(self) -> None:
        if len(self.agents) != self.rules.players:
            raise SkyjoError(f"{len(self.agents)} agents for players={self.rules.players}: one for every seat")

    def play(
        self, deals: int, until: float | None = None, report: Callable[[int, Paired], None] | None = None
    ) -> Paired:
        """Play so many deals; with `until` only until half the interval of the first agent's margin is that narrow.

        `report` is called with the deals played so far, and what came of them.
        """
        deals = whole_number("deals", deals, FEWEST, 10**9)
        if until is not None and not until > 0:
            raise SkyjoError(f"until={until} must be a number of points above 0")
        table = [make_agent(agent, self.rules) for agent in self.agents]
        parts: list[Paired] = []
        played = 0
        while played < deals:
            piece = range(played, min(deals, played + max(PIECE, played // 4)))
            arguments: Any = (self.rules, self.seed, piece, self.threads, self.may_peek, self.episode)
            parts.append(play_paired(table, *arguments))
            played = piece.stop
            so_far = joined(parts)
            if report is not None:
                report(played, so_far)
            if until is not None and played >= SEEN and estimate(so_far.margins[:, 0]).half <= until:
                break
        return joined(parts)

    def standings(self, played: Paired) -> list[Standing]:
        """Every agent's means with their intervals over deals."""
        columns = zip(played.margins.T, played.scores.T, played.wins.T, strict=True)
        return [Standing(agent, *map(estimate, numbers)) for agent, numbers in zip(self.agents, columns, strict=True)]


def joined(parts: Sequence[Paired]) -> Paired:
    """Several pieces as one."""
    names = ("margins", "scores", "wins", "is_stopped")
    return Paired(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def seat_all(agents: Sequence[str], players: int | None) -> list[str]:
    """One agent for every seat: the last one takes all that are left."""
    if not agents:
        raise SkyjoError("a match needs agents: name two or more, or one to play against itself")
    missing = (players or max(2, len(agents))) - len(agents)
    if missing < 0:
        raise SkyjoError(f"{len(agents)} agents are too many for players={players}")
    return [*agents, *[agents[-1]] * missing]
