"""Paired play: every deal is played from every seat, so that the luck of the deal affects all agents equally."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.play.luck import without_luck
from cardtable.arena.play.rounds import SeatedAgents, seating
from cardtable.arena.statistics import MANY, Estimate, Moments, is_varied
from cardtable.table.agents.seated_agents import AgentLike
from cardtable.table.game.card_game import Setup
from cardtable.table.game.measured_deals import DealResults, joined, taken

MARGIN, WITHOUT_LUCK, SCORE, WINS = range(4)  # what a tally has of every agent

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Paired:
    """The results of every deal, over all rotations of the agents over the seats. Deals are independent of each other;
    the agents of one deal are not.
    """

    deals: NDArray[np.int64]  # [deals], their numbers; all others are means over the rotations
    margins: Floats  # [deals, agents]
    scores: Floats  # [deals, agents]
    wins: Floats  # [deals, agents]
    is_stopped: Floats  # [deals]
    without_luck: Floats  # [deals, agents], margins minus their luck, if that is asked for
    rounds: Floats  # [deals]
    turns: Floats  # [deals]
    round_stats: Floats  # [deals, agents, facts]
    by_seat: Floats  # [deals, seats], scores

    @classmethod
    def joined(cls, parts: Sequence["Paired"]) -> Self:
        """Return several deals one after the other."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


def play_paired(agents: Sequence[AgentLike], setup: Setup, deals: range = range(1000), threads: int = 1) -> Paired:
    """Play every deal once for each rotation of the agents over the seats; see `play_rounds`."""
    return paired(setup, deals, play_rotations(agents, setup, deals, threads))


def play_rotations(agents: Sequence[AgentLike], setup: Setup, deals: range, threads: int = 1) -> DealResults:
    """Return the same, every game by itself: all deals of the first rotation, then of the next, [rotations · deals]."""
    table = SeatedAgents.of(agents, setup)
    players = len(table.agents)
    parts = table.play_parts(setup, deals, threads, partial(seating, players))
    if len(parts) == 1:
        return parts[0]
    rotations = [np.arange(len(part.rounds)) // (len(part.rounds) // players) for part in parts]
    return taken(joined(parts), np.argsort(np.concatenate(rotations), kind="stable"))


def by_agent(played: DealResults, numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers by seat, [deals, players, ...], as numbers by agent, [deals, agents, ...]."""
    order = np.argsort(played.seated, axis=1)
    return np.take_along_axis(numbers, order.reshape(order.shape + (1,) * (numbers.ndim - 2)), axis=1)


def paired(setup: Setup, deals: range, played: DealResults) -> Paired:
    """Return the deals of all rotations, [rotations · deals], agent by agent."""

    def by_deal(numbers: NDArray[Any]) -> Floats:
        mean: Floats = numbers.reshape(setup.rules.players, len(deals), *numbers.shape[1:]).mean(axis=0)
        return mean

    has_luck = played.luck.shape[2] > 0
    seated = {
        "margins": played.margins,
        "scores": played.scores,
        "wins": played.wins,
        "without_luck": without_luck(setup, played.margins, played.luck) if has_luck else played.margins,
        "round_stats": played.round_stats,
    }
    whole = {"is_stopped": played.is_stopped, "rounds": played.rounds, "turns": played.turns, "by_seat": played.scores}
    whole |= {name: by_agent(played, numbers) for name, numbers in seated.items()}
    return Paired(np.array(deals), **{name: by_deal(numbers) for name, numbers in whole.items()})


@dataclass(frozen=True)
class Standing:
    """The result of an agent."""

    agent: str
    margin: Estimate
    without_luck: Estimate  # the margin minus its luck, if the match is with luck
    score: Estimate
    wins: Estimate  # the share of rounds or games won


@dataclass(frozen=True)
class Tally:
    """The results of a table so far: means and spreads over deals of [margin, without luck, score, wins] for every
    agent, in memory that does not grow with the deals.
    """

    deals: int
    mean: Floats  # [4, agents]
    squares: Floats  # [4, agents], sums of squared deviations from the mean
    stopped: float  # the share of games that were
    rounds: float  # of a game, mean
    round_stats: Floats  # [facts], of a seat in a game, mean
    first: Floats  # margins without luck of the first agent, while they are few

    @classmethod
    def of(cls, played: Paired) -> Self:
        """Return the tally of some deals."""
        by_deal = np.stack([played.margins, played.without_luck, played.scores, played.wins])
        mean = by_deal.mean(axis=1)
        squares = ((by_deal - mean[:, None]) ** 2).sum(axis=1)
        stopped = float(played.is_stopped.mean())
        rounds, round_stats = float(played.rounds.mean()), played.round_stats.mean(axis=(0, 1))
        return cls(by_deal.shape[1], mean, squares, stopped, rounds, round_stats, played.without_luck[:MANY, 0].copy())

    def joined(self, later: "Tally") -> "Tally":
        """Return the tally of these deals and later ones (Chan, Golub and LeVeque 1983, Am. Stat. 37:242)."""
        deals = self.deals + later.deals
        share, gap = later.deals / deals, later.mean - self.mean
        return replace(
            self,
            deals=deals,
            mean=self.mean + share * gap,
            squares=self.squares + later.squares + self.deals * share * gap**2,
            stopped=self.stopped + share * (later.stopped - self.stopped),
            rounds=self.rounds + share * (later.rounds - self.rounds),
            round_stats=self.round_stats + share * (later.round_stats - self.round_stats),
            first=np.concatenate([self.first, later.first])[:MANY],
        )

    def moments(self, what: int, agent: int) -> Moments:
        """Return the moments of one agent's numbers, as `cardtable.arena.statistics` takes them."""
        spread = float(self.squares[what, agent]) / self.deals
        return Moments(self.deals, float(self.mean[what, agent]), spread, is_varied(self.first))


def shares_of_rounds(setup: Setup, round_stats: Floats, rounds: float) -> dict[str, float]:
    """Return the share of this many rounds that had each fact of the whole table, by its name."""
    named = setup.game.round_stats(setup.rules)
    return {stat.name: float(round_stats[k]) / rounds for k, stat in enumerate(named) if stat.of_table}
