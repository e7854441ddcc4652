"""The decisions of stored games: what the seat to move saw, what it could do and did, and what that brought it.

The games are played again by the rules, many at a time; the agents need not be installed.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.analysis import Analyst
from cardtable.arena.stored.game_search import Chosen
from cardtable.arena.stored.pieces import GameId, numbers
from cardtable.arena.stored.store import StoreError
from cardtable.table.game.records import recorded
from cardtable.table.kernel.game_kernel import EPISODES

TOGETHER = 1 << 14  # decisions that are read at a time, unless one game has more
USUAL_REWARD, UNSHAPED = 0, 0  # codes


class Decisions(NamedTuple):
    """Every decision of some games, [M], one game after the other in the order of play."""

    games: NDArray[np.int64]  # the number of the game, from 0
    rounds: NDArray[np.int64]  # from 1
    turns: NDArray[np.int64]  # completed before in the round
    seats: NDArray[np.int8]
    phases: NDArray[np.int8]
    observations: NDArray[np.int16]  # [M, D]
    masks: NDArray[np.int8]  # [M, A]
    actions: NDArray[np.int64]
    rewards: NDArray[np.float64]  # the seat's until it decided again, as the environments for one seat pay it
    finals: NDArray[np.int16]  # [games, players, D], what every seat saw at the end
    final_rounds: NDArray[np.int64]  # [games]


def actions_of(chosen: Chosen) -> list[NDArray[Any]]:
    """Every action of each game."""
    return [np.frombuffer(each, chosen.plan.game.action_type) for each in chosen.rows["actions"].to_pylist()]


def ids_of(chosen: Chosen) -> list[GameId]:
    """What each game is called."""
    columns = (numbers(chosen.rows, name).tolist() for name in GameId._fields)
    return [GameId(*row) for row in zip(*columns, strict=True)]


def parts_of(chosen: Chosen) -> Iterator[Chosen]:
    """The same games, a few at a time."""
    lengths = [len(each) for each in actions_of(chosen)]
    cuts = np.flatnonzero(np.diff((np.cumsum(lengths) - 1) // TOGETHER)) + 1
    for start, stop in pairwise([0, *cuts.tolist(), len(lengths)]):
        if start < stop:
            rows = chosen.rows.slice(start, stop - start)
            yield Chosen(chosen.plan, rows, *(column[start:stop] for column in chosen[2:]))


def losses_of(chosen: Chosen, analyst: Analyst) -> NDArray[np.float32]:
    """The points that every decision gave away, as the analyst judges it, [M]."""
    plan, games = chosen.plan, zip(ids_of(chosen), actions_of(chosen), strict=True)
    records = (recorded(plan.setup, game.deal, actions.tolist()) for game, actions in games)
    return np.array([judged.lost for record in records for judged in analyst.decisions(record)], np.float32)


def decisions_of(chosen: Chosen) -> Decisions:
    """All decisions of these games; StoreError names the first game that does not end with the last of its actions."""
    return _Replay(chosen).decisions()


class _Replay:
    """Games that are played again, all at once."""

    def __init__(self, chosen: Chosen) -> None:
        self._chosen, self._kind, self._setup = chosen, chosen.plan.game, chosen.plan.setup
        actions = actions_of(chosen)
        self._lengths = np.array([len(each) for each in actions])
        n, m, players = len(actions), int(self._lengths.sum()), self._setup.rules.players
        size, choices = self._kind.spec_of(self._setup.rules).size, self._setup.rules.actions
        self._tables = np.zeros(n, self._kind.dtype)
        self._results = np.zeros((n, players), np.float32), np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self._shown = _views(n, size, choices)
        self._brought = np.zeros((m, players))  # by every decision to every seat
        observations, masks, seats, phases = _views(m, size, choices)
        self._found = Decisions(
            games=np.zeros(m, np.int64),
            rounds=np.zeros(m, np.int64),
            turns=np.zeros(m, np.int64),
            seats=seats,
            phases=phases,
            observations=observations,
            masks=masks,
            actions=np.concatenate(actions).astype(np.int64),
            rewards=np.zeros(m),
            finals=np.zeros((n, players, size), np.int16),
            final_rounds=np.zeros(n, np.int64),
        )

    def decisions(self) -> Decisions:
        """Play all of them to the end."""
        setup, many, deals = self._setup, self._kind.many, numbers(self._chosen.rows, "deal").astype(np.uint64)
        episode = EPISODES.index(setup.episode)
        many.deal_tables(self._tables, setup.rules.params, np.uint64(setup.seed), deals, episode)
        many.show_tables(self._tables, setup.rules.params, *self._shown)
        starts = np.cumsum(self._lengths) - self._lengths
        for move in range(int(self._lengths.max())):
            playing = np.flatnonzero(self._lengths > move)
            rows = starts[playing] + move
            self._note(playing, rows)
            self._step(playing, self._found.actions[rows], deals)
            self._reward(playing, rows)
        self._refuse(np.flatnonzero(self._tables["phase"] < self._kind.over))
        self._found.rewards[:] = credited(self._brought, self._found.seats, self._found.games)
        self._see_ends()
        return self._found

    def _note(self, playing: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Note what lies on the tables that still play."""
        found, (observations, masks, seats, phases) = self._found, self._shown
        found.games[rows] = playing
        found.rounds[rows], found.turns[rows] = (self._tables[name][playing] for name in ("round_number", "turns"))
        found.seats[rows], found.phases[rows] = seats[playing], phases[playing]
        found.observations[rows], found.masks[rows] = observations[playing], masks[playing]

    def _step(self, playing: NDArray[np.int64], actions: NDArray[np.int64], deals: NDArray[np.uint64]) -> None:
        self._refuse(playing[self._tables["phase"][playing] >= self._kind.over])
        at_all = np.zeros(len(self._tables), np.int64)
        at_all[playing] = actions
        given = self._tables, self._setup.rules.params, at_all, np.uint64(self._setup.seed), deals, 0, False
        wrong = self._kind.many.step_tables(*given, self._results, self._shown)
        self._refuse([wrong] if wrong >= 0 else [])

    def _reward(self, playing: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Note what the decisions that ended a round brought every seat; others bring nothing."""
        after, expected = self._tables[playing], np.zeros(self._setup.rules.players)
        has_scored = (after["round_number"] != self._found.rounds[rows]) | (after["phase"] == self._kind.over)
        for place in np.flatnonzero(has_scored).tolist():
            paid = self._setup.rules.params, USUAL_REWARD, UNSHAPED, True, expected, self._brought[rows[place]]
            self._kind.seats.reward_seats(after[place : place + 1], *paid)

    def _see_ends(self) -> None:
        self._found.final_rounds[:] = self._tables["round_number"]
        for table, views in enumerate(self._found.finals):
            for seat, view in enumerate(views):
                self._kind.one.observe_one(self._tables[table : table + 1], self._setup.rules.params, seat, view)

    def _refuse(self, wrong: Any) -> None:
        """StoreError for the first of these games."""
        if len(wrong) > 0:
            game = ids_of(self._chosen)[wrong[0]]
            raise StoreError(f"game {game} cannot be played again by its actions; games check says more")


def _views(n: int, size: int, actions: int) -> tuple[NDArray[Any], ...]:
    """Room for what n seats see and may do, which seats they are, and their phases."""
    return np.zeros((n, size), np.int16), np.zeros((n, actions), np.int8), np.zeros(n, np.int8), np.zeros(n, np.int8)


def credited(brought: NDArray[np.float64], seats: NDArray[np.int8], games: NDArray[np.int64]) -> NDArray[np.float64]:
    """What every decision earned, [M]: all that its seat was paid until it decided again in the game. `brought` is what
    every decision brought every seat, [M, players].
    """
    rewards, is_first = np.zeros(len(seats)), np.diff(games, prepend=-1) != 0
    for seat in range(brought.shape[1]):
        starts = np.flatnonzero((seats == seat) | is_first)
        sums, is_own = np.add.reduceat(brought[:, seat], starts), seats[starts] == seat
        rewards[starts[is_own]] = sums[is_own]
    return rewards
