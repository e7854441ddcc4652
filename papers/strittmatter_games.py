"""The games of the Skip-Bo paper's evaluation: the players, every deal from both seats, the choices they have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.play.pairing import by_agent, play_rotations
from cardtable.arena.play.rounds import play_rounds
from cardtable.table.agents.agents import choose
from cardtable.table.game.card_game import Setup
from cardtable.table.game.measured_deals import DealResults, MeasuredDeals, taken
from papers.paper import THREADS, Report
from skipbo_env import make_agent
from skipbo_env.card_game import ROUND_STATS
from skipbo_env.kernel import ACTIONS, PLAY_HAND
from skipbo_env.kernel.view import View
from skipbo_env.rules import STRITTMATTER, Rules

RANDOM = "random"
PLAYS_FIRST = "random:plays_first=true"
GREEDY = "greedy"
FOUR_PILES = "greedy:pile=smallest"
LITERAL = "hpvp"
FARTHEST = "hpvp:gap=farthest"
AS_ZERO = "hpvp:gap=nearest,empty=as_zero"
FIRST = "hpvp:gap=nearest,empty=first"
SPREAD = "hpvp:gap=farthest,empty=as_zero"
PLANNER = "planner"

PLAYERS = {
    RANDOM: "any legal action, with equal probability",
    PLAYS_FIRST: "any play, with equal probability; without one, any discard",
    GREEDY: "stock, hand, discard piles; discards the first hand card, always on the first pile",
    FOUR_PILES: "as `greedy`, but discards on the smallest pile: the control that uses four piles",
    LITERAL: "HPVP to the letter: discards on the pile whose top is nearest to 12; empty piles do not count",
    FARTHEST: "HPVP to the letter, with the pile whose top is farthest from 12",
    AS_ZERO: "nearest to 12, an empty pile counts as 0: the reading of the published program",
    FIRST: "an empty pile first, then nearest to 12",
    SPREAD: "farthest from 12, an empty pile counts as 0 and so comes first",
    PLANNER: "searches its turn for the stock card; built to win, not in the paper",
}  # by agent

READINGS = (LITERAL, FARTHEST, AS_ZERO, FIRST, SPREAD)  # of HPVP
FOUR_PILE_READINGS = (AS_ZERO, FIRST, SPREAD)

Pair = tuple[str, str]
DETAILS: tuple[Pair, ...] = (
    (f"{FIRST},wild_use=last", FIRST),
    (f"{FIRST},tie=wild", FIRST),
    ("greedy:pile=smallest,hand_order=rank", FOUR_PILES),
    ("greedy:pile=random", FOUR_PILES),
    ("random:plays_first=true,over=slots", PLAYS_FIRST),
)  # other points that the paper leaves open, each against the player that decides it in the usual way

PAIRS: tuple[Pair, ...] = ((PLAYS_FIRST, GREEDY), (GREEDY, LITERAL), (FOUR_PILES, AS_ZERO), (FOUR_PILES, FIRST))


@dataclass(frozen=True)
class Change:
    """A change of the paper's model, and the players that try it."""

    words: str
    kind: Literal["fault", "variant", "view"]  # of the published program; of the rules; of what players see
    rules: Mapping[str, Any]
    pairs: tuple[Pair, ...] = PAIRS


CHANGES = (
    Change("an emptied hand is not refilled", "fault", {"refill": "never"}),
    Change("wild cards come back as naturals", "fault", {"recycled_wild": "as_played"}),
    Change("both", "fault", {"refill": "never", "recycled_wild": "as_played"}),
    Change("stock piles of 10", "variant", {"stock": 10}),
    Change("completed piles are shuffled in at once", "variant", {"recycle": "on_completion"}),
    Change("all open cards are seen", "view", {"view": "table"}, pairs=((FIRST, PLANNER),)),
)

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Matchup:
    """The games of two players on every deal. The first player starts a deal's first game, the other its second."""

    players: Pair
    wins: Flags  # [deals, games, players]
    turns: Counts  # [deals, games, players]
    is_blocked: Flags  # [deals, games]

    @property
    def points(self) -> Floats:
        """1 for a win, ½ for both players in a game without a winner, [deals, games, players]."""
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

    @property
    def is_truncated(self) -> Flags:
        """True for every game that was stopped for having taken too long, [deals, games]."""
        return ~self.wins.any(axis=2) & ~self.is_blocked

    def winners_turns(self, player: int) -> Counts:
        """Return the turns that a player took in each game that it won."""
        return self.turns[:, :, player][self.wins[:, :, player]]

    def differing_rounds(self) -> int:
        """Return the number of games won in which the complete rounds are not the winner's turns minus 1."""
        is_won = self.wins.any(axis=2)
        rounds = (self.turns - self.wins).min(axis=2)  # without the winning turn
        return int(np.count_nonzero((rounds != (self.turns * self.wins).sum(axis=2) - 1) & is_won))


@dataclass(frozen=True)
class Evaluator:
    """Plays the same deals with any players."""

    deals: int
    seed: int
    report: Report

    def rotations(
        self, players: Pair, rules: Rules = STRITTMATTER, *, record_actions: bool = False
    ) -> list[DealResults]:
        """Return every deal twice: the first player starts, then the second one; with all actions if they are kept."""
        setup = Setup(rules, self.seed, record_actions=record_actions)
        agents = [make_agent(player, rules) for player in players]
        played = play_rotations(agents, setup, range(self.deals), THREADS)
        self.report(1)
        return [taken(played, games) for games in np.arange(2 * self.deals).reshape(2, -1)]

    def pair(self, players: Pair, rules: Rules = STRITTMATTER) -> Matchup:
        """Return the games of two players."""
        return matchup(players, self.rotations(players, rules))

    def alone(self, player: str) -> tuple[Matchup, DealResults]:
        """Return a player's games against itself, one for each deal, and the same with all actions."""
        agents = [make_agent(player, STRITTMATTER) for _ in range(2)]
        rounds = play_rounds(agents, Setup(STRITTMATTER, self.seed, record_actions=True), range(self.deals), THREADS)
        self.report(1)
        return matchup((player, player), [rounds]), rounds


def matchup(players: Pair, rotations: Sequence[DealResults]) -> Matchup:
    """Return the games of both rotations by player. Only the winner of a round scores (SKIPBO_RULES 5.4)."""
    return Matchup(
        players,
        np.stack([by_agent(rounds, rounds.scores > 0) for rounds in rotations], axis=1),
        np.stack([by_agent(rounds, round_fact(rounds, "turns_taken")) for rounds in rotations], axis=1),
        np.stack([round_fact(rounds, "blocked")[:, 0] != 0 for rounds in rotations], axis=1),
    )


def round_fact(rounds: DealResults, name: str) -> Counts:
    """Return a number that each round leaves behind for every seat, [deals, seats]."""
    counts: Counts = rounds.round_stats[:, :, [stat.name for stat in ROUND_STATS].index(name)]
    return counts


def differing_games(some: DealResults, others: DealResults) -> int:
    """Return the number of deals whose games went on differently."""
    pairs = zip(games_of(some), games_of(others), strict=True)
    return sum(not np.array_equal(one, other) for one, other in pairs)


def games_of(rounds: DealResults) -> list[NDArray[np.uint8]]:
    """Return the actions of each deal."""
    return np.split(rounds.actions, np.cumsum(rounds.decisions)[:-1])


@dataclass(frozen=True)
class Choices:
    """The decisions of some games: means over all decisions, unless they say otherwise."""

    decisions: int  # their number
    stock_choices: float  # share with the stock card playable on places that need different ranks
    others_holding: float  # share at which the other player holds cards
    recycled: float  # share of games in which completed cards were shuffled again
    agreeing: Mapping[str, float]  # share at which another agent would have chosen the same action


def choices_of(rounds: DealResults, seed: int, deals: int, others: Sequence[str]) -> Choices:
    """Play the games of the first deals again and look at every decision."""
    setup = Setup(STRITTMATTER, seed)
    tables, games = MeasuredDeals(setup, range(deals)), games_of(rounds)
    agents = {name: make_agent(name, STRITTMATTER) for name in others}
    rows, move, recycled = [], 0, np.zeros(deals, np.bool_)
    while len(tables.playing) > 0:
        views = tables.shown
        view = tables.spec.view(views.observations)
        actions = np.array([games[deal][move] for deal in tables.playing], np.int64)
        recycled[tables.playing] = view.recycles > 0
        chosen = [choose(agents[name], name, tables.spec, views.observations, views.masks) for name in others]
        rows.append(np.column_stack([*_counted(views.masks, view), *(own == actions for own in chosen)]))
        tables.step(actions)
        move += 1
    decisions = np.concatenate(rows)
    stock_choices, holding, *agreeing = decisions.mean(axis=0).tolist()
    return Choices(
        decisions=len(decisions),
        stock_choices=stock_choices,
        others_holding=holding,
        recycled=float(recycled.mean()),
        agreeing=dict(zip(others, agreeing, strict=True)),
    )


def _counted(masks: NDArray[np.int8], view: View) -> tuple[NDArray[Any], ...]:
    """Return, for each table, whether the stock card has a choice, and whether the other player holds cards."""
    is_playable = masks[:, :PLAY_HAND] != 0
    needed = np.where(is_playable, view.building, -1).max(axis=1)
    least = np.where(is_playable, view.building, ACTIONS).min(axis=1)
    has_choice = is_playable.any(axis=1) & (needed != least)
    return has_choice, view.hand_sizes[:, 1] > 0
