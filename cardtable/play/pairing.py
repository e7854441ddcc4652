"""Paired play: every deal is played from every seat, so that the luck of the deal affects all agents equally.

With three or more players it also matters who sits before you. So the order around the table changes from deal to deal:
all orders take turns, or many of them if there are too many.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import Agent, check_no_class, sees_hidden
from cardtable.card_game import Setup
from cardtable.checks import brief
from cardtable.errors import AgentError, TableError
from cardtable.play.decisions import Watch, play_rounds
from cardtable.play.luck import without_luck
from cardtable.play.pool import ThreadsOrPool
from cardtable.rounds import Rounds, joined, taken

MOST_ORDERS = 120  # all orders of up to 6 players


@dataclass(frozen=True)
class Paired:
    """The results of every deal, over all rotations of the agents over the seats. Deals are independent of each other;
    the agents of one deal are not.
    """

    margins: NDArray[np.float64]  # [deals, agents], mean
    scores: NDArray[np.float64]  # [deals, agents], mean
    wins: NDArray[np.float64]  # [deals, agents], share
    is_stopped: NDArray[np.float64]  # [deals], share
    without_luck: NDArray[np.float64]  # [deals, agents], margins less what luck explains, if that is asked for
    rounds: NDArray[np.float64]  # [deals], mean
    traces: NDArray[np.float64]  # [deals, traces], mean over the seats, too


def play_paired(
    agents: Sequence[str | Agent], setup: Setup, deals: range = range(1000), threads: ThreadsOrPool = 1
) -> Paired:
    """Play every deal once for each rotation of the agents over the seats; see `play_rounds`."""
    if not isinstance(setup, Setup):
        raise TableError(f"setup={brief(setup)} must be a Setup, such as Setup(OFFICIAL, seed=1)")
    if not isinstance(deals, range):
        raise TableError(f"deals={brief(deals)} must be a range, such as range(1000)")
    make, rules = setup.game.agents.make, setup.rules
    table = [make(agent, rules) if isinstance(agent, str) else _checked(agent) for agent in agents]
    rotations = [play_rotation(table, rotation, setup, deals, threads) for rotation in range(len(table))]
    return paired(setup, rotations)


def _checked(agent: Agent) -> Agent:
    """AgentError for what is none."""
    check_no_class(agent, "agent")
    if not hasattr(agent, "act_knowing" if sees_hidden(agent) else "act"):
        raise AgentError(f"agent {brief(agent)} has no method act")
    return agent


def play_rotation(
    agents: Sequence[Agent],
    rotation: int,
    setup: Setup,
    deals: range,
    threads: ThreadsOrPool = 1,
    watch: Watch | None = None,
) -> Rounds:
    """Every deal once, with its order of agents rotated by this many seats; see `play_rounds`."""
    parts, played = [], []
    ways = len(orders(len(agents)))
    for number in range(min(ways, len(deals))):
        mine = deals[number::ways]
        seats = seating(len(agents), np.array(mine), rotation)
        found = play_rounds([agents[each] for each in seats[0]], setup, mine, threads, watch)
        parts.append(replace(found, seated=seats))
        played.append(np.array(mine))
    return parts[0] if len(parts) == 1 else taken(joined(parts), np.argsort(np.concatenate(played)))


@cache
def orders(players: int) -> tuple[tuple[int, ...], ...]:
    """The orders in which agents sit around a table, deal after deal: all of them, or a selection spread evenly over
    all.
    """
    found = list(permutations(range(1, players)))
    chosen = found if len(found) <= MOST_ORDERS else [found[k * len(found) // MOST_ORDERS] for k in range(MOST_ORDERS)]
    return tuple((0, *others) for others in chosen)


def seating(players: int, deals: NDArray[np.int64], rotation: int) -> NDArray[np.int64]:
    """The number of the agent in every seat, [deals, players]."""
    ways = np.array(orders(players))
    return np.roll(ways[deals % len(ways)], -rotation, axis=1)


def by_agent(played: Rounds, numbers: NDArray[Any]) -> NDArray[Any]:
    """Numbers by seat, [deals, players, ...], as numbers by agent, [deals, agents, ...]."""
    order = np.argsort(played.seated, axis=1)
    return np.take_along_axis(numbers, order.reshape(order.shape + (1,) * (numbers.ndim - 2)), axis=1)


def paired(setup: Setup, rotations: Sequence[Rounds]) -> Paired:
    """The deals of all rotations, agent by agent."""
    parts = []
    for played in rotations:
        has_luck = played.luck.shape[2] > 0
        corrected = without_luck(setup, played.margins, played.luck) if has_luck else played.margins
        seen = played.margins, played.scores, played.wins
        margins, scores, wins, lucky = (by_agent(played, each) for each in (*seen, corrected))
        parts.append((margins, scores, wins, played.is_stopped, lucky, played.rounds, played.traces.mean(axis=1)))
    return Paired(*(np.mean(part, axis=0) for part in zip(*parts, strict=True)))
