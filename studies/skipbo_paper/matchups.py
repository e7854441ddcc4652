"""Two players on many deals, each played twice with the starter swapped; or a player at both seats, on each once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.deal_results import DealResults
from cardtable.play.decisions import ThreadsOrPool, play_rounds
from cardtable.play.pairing import by_agent, play_rotation
from skipbo_env.rules import STRITTMATTER, Rules
from studies.skipbo_paper.players import PLANNER

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
SEARCHING = 12  # games of the other players that take as long as one with a player that searches
Report = Callable[[float], None]  # called with the work done since the last call


class Played(NamedTuple):
    """Games with the same players in the same seats; seat 0 starts."""

    seats: tuple[str, str]
    setup: Setup
    deals: range
    rounds: DealResults


Keep = Callable[[Played], None]  # stores games


@dataclass(frozen=True)
class Matchup:
    """The results of every deal. The first player starts a deal's first game, and the other one its second, if any."""

    players: tuple[str, str]
    wins: NDArray[np.bool_]  # [deals, games, players]
    is_blocked: NDArray[np.bool_]  # [deals, games]
    is_truncated: NDArray[np.bool_]  # [deals, games]
    decisions: Counts  # [deals, games]
    turns: Counts  # [deals, games, players]
    completed: Counts  # [deals, games, players], building piles brought to 12
    wilds: Counts  # [deals, games, players], wild cards discarded

    @cached_property
    def points(self) -> Floats:
        """1 for a win, ½ for everybody in a game that nobody wins, [deals, games, players]."""
        return np.where(self.wins.any(axis=2, keepdims=True), self.wins, 0.5)

    @property
    def shares(self) -> Floats:
        """The first player's points of a deal, averaged over its games, [deals]."""
        shares: Floats = self.points[:, :, 0].mean(axis=1)
        return shares

    @property
    def starters(self) -> Floats:
        """The starter's points of a deal, averaged over its games, [deals]."""
        shares: Floats = np.mean([self.points[:, game, game] for game in range(self.points.shape[1])], axis=0)
        return shares

    def winners_turns(self, player: int) -> Counts:
        """The turns that a player took in each game that it won."""
        return self.turns[:, :, player][self.wins[:, :, player]]

    @property
    def complete_rounds(self) -> Counts:
        """Of each game that was won, how many times everybody had had a turn before the winning one."""
        before = self.turns - self.wins  # less the winning turn
        rounds: Counts = before.min(axis=2)[self.wins.any(axis=2)]
        return rounds

    @property
    def all_turns(self) -> Counts:
        """The turns of both players in each game."""
        turns: Counts = self.turns.sum(axis=2).ravel()
        return turns


@dataclass(frozen=True)
class Play:
    """How many deals are played, and how; what to call with the work done, and with the games."""

    deals: int
    seed: int
    threads: ThreadsOrPool
    report: Report
    keep: Keep | None = None

    def pair(self, first: str, second: str, rules: Rules = STRITTMATTER) -> Matchup:
        """Two players, every deal twice."""
        return matchup((first, second), [played.rounds for played in self.games(first, second, rules)])

    def games(self, first: str, second: str, rules: Rules = STRITTMATTER, *, keep: bool = False) -> list[Played]:
        """The games of two players where the first one starts, and where the second one does."""
        setup, names = self.setup(rules, keep=keep), (first, second)
        agents, found = [setup.game.agents.make(name, rules) for name in names], []
        for rotation, seats in enumerate((names, (second, first))):
            rounds = play_rotation(agents, rotation, setup, range(self.deals), self.threads)
            found.append(self._kept(Played(seats, setup, range(self.deals), rounds)))
        return found

    def alone(self, player: str, rules: Rules = STRITTMATTER) -> tuple[Matchup, Played]:
        """A player at both seats, with all its actions."""
        setup = self.setup(rules, keep=True)
        agents = [setup.game.agents.make(player, rules) for _ in range(2)]
        rounds = play_rounds(agents, setup, range(self.deals), self.threads)
        played = self._kept(Played((player, player), setup, range(self.deals), rounds))
        return matchup((player, player), [rounds]), played

    def setup(self, rules: Rules, *, keep: bool = False) -> Setup:
        """What is played; actions are kept if somebody wants them."""
        return Setup(rules, self.seed, keep=keep or self.keep is not None)

    def _kept(self, played: Played) -> Played:
        if self.keep is not None:
            self.keep(played)
        self.report(len(played.deals) * cost(played.seats))
        return played


def cost(players: tuple[str, str]) -> int:
    """Roughly how long a game takes."""
    return SEARCHING if PLANNER in players else 1


def matchup(players: tuple[str, str], rotations: list[DealResults]) -> Matchup:
    """The games of both rotations, by player."""
    wins = [by_agent(played, has_won(played)) for played in rotations]
    turns, completed, wilds = (
        np.stack([by_agent(played, fact(played, name)) for played in rotations], axis=1)
        for name in ("turns_taken", "completed", "wilds")
    )
    return Matchup(
        players,
        np.stack(wins, axis=1),
        np.stack([fact(played, "blocked")[:, 0] != 0 for played in rotations], axis=1),
        np.stack([played.is_stopped for played in rotations], axis=1),
        np.stack([played.decisions for played in rotations], axis=1),
        turns,
        completed,
        wilds,
    )


def has_won(played: DealResults) -> NDArray[np.bool_]:
    """Who has won, by seat: the winner of a round alone scores anything (SKIPBO_RULES 5.4)."""
    return played.scores > 0


def fact(played: DealResults, name: str) -> Counts:
    """What the rounds left behind under this name, by seat."""
    names = [each.name for each in Setup(STRITTMATTER).game.facts(STRITTMATTER)]
    found: Counts = played.facts[:, :, names.index(name)]
    return found
