"""Tables at which agents are asked for their decisions, stored games played again, and the results of both."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardtable.table.game.card_game import Setup
from cardtable.table.kernel.game_kernel import EPISODES
from cardtable.table.kernel.scoring import margins_and_wins


@dataclass(frozen=True)
class DealResults:
    """The results of each deal: of its first round, or of the game that it begins."""

    lower_is_better: bool
    scores: NDArray[np.int64]  # [deals, players], of the round, or totals
    rounds: NDArray[np.int64]  # [deals], played
    turns: NDArray[np.int64]  # [deals], of all rounds
    is_stopped: NDArray[np.bool_]  # [deals], for having taken too long
    round_stats: NDArray[np.int64]  # [deals, players, facts], what the rounds left behind, as the game names it
    luck: NDArray[np.float64]  # [deals, players, terms], as the game names them; no terms if they are not noted
    decisions: NDArray[np.int64]  # [deals]
    actions: NDArray[Any]  # of one deal after the other, [decisions of all deals], or nothing if they are not kept
    round_scores: NDArray[np.int16]  # of one round after the other, [rounds of all deals, players], or nothing
    seated: NDArray[np.int64]  # [deals, players], the number of the agent in every seat

    @property
    def margins(self) -> NDArray[np.float64]:
        """Difference of the seat's score to the mean of the others', positive if it is better, [deals, players]."""
        return self._margins_and_wins[0]

    @property
    def wins(self) -> NDArray[np.float64]:
        """1 for the best score, shared among equals, [deals, players]; no seat wins a stopped game."""
        return np.where(self.is_stopped[:, None], 0.0, self._margins_and_wins[1])

    @cached_property
    def _margins_and_wins(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return margins_and_wins(self.scores, self.lower_is_better)


ARRAYS = tuple(field.name for field in fields(DealResults) if field.name != "lower_is_better")


def joined(parts: Sequence[DealResults]) -> DealResults:
    """Return several pieces as one."""
    arrays = (np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS)
    return DealResults(parts[0].lower_is_better, *arrays)


def taken(played: DealResults, order: NDArray[np.int64]) -> DealResults:
    """Return these deals, in this order."""
    by_deal = {name: getattr(played, name) for name in ARRAYS}
    ragged = {name: by_deal.pop(name) for name in ("actions", "round_scores")}
    parts = {name: numbers[order] for name, numbers in by_deal.items()}
    for name, lengths in (("actions", played.decisions), ("round_scores", played.rounds)):
        starts, ends = (np.cumsum(numbers) - numbers for numbers in (lengths, lengths[order]))
        places = np.repeat(starts[order] - ends, lengths[order]) + np.arange(lengths[order].sum())
        parts[name] = ragged[name][places] if len(ragged[name]) > 0 else ragged[name]
    return DealResults(played.lower_is_better, **parts)


class SeatViews(NamedTuple):
    """Observations and masks of the seats that decide, at n tables."""

    observations: NDArray[np.int16]  # [n, D]
    masks: NDArray[np.int8]  # [n, A]
    seats: NDArray[np.int8]  # [n]


class MeasuredDeals:
    """Tables of one game, each with a separate deal. The methods are about the tables that still play.

    The random choices of agents follow from what they see (`cardtable.table.agents.agents.rng_states_of`). So an
    observation should hold the seat and a counter, such as the turns: no seat should see the same observation twice in
    an episode.
    """

    def __init__(self, setup: Setup, deals: ArrayLike) -> None:
        self._setup, self._rules, self._card_game = setup, setup.rules, setup.game
        card_game, numbers = self._card_game, np.array(deals, np.uint64)
        self.spec = card_game.spec_of(setup.rules)  # of what is shown
        # The full state of every table, also where play has ended
        self.games, self._results = (
            np.zeros(len(numbers), card_game.dtype),
            np.zeros(len(numbers), card_game.result_type),
        )
        episode = EPISODES.index(setup.episode)
        card_game.batch_loops.deal_tables(self.games, self._rules.params, np.uint64(setup.seed), numbers, episode)
        self._scratch = np.zeros(2, card_game.dtype), np.zeros(1, card_game.luck.scratch)
        self._moves: list[tuple[Any, Any]] = []
        self._ends: list[tuple[Any, Any]] = []
        self._go_on_at(np.arange(len(numbers)))

    def _go_on_at(self, playing: NDArray[np.int64]) -> None:
        """Take what lies on the tables that still play, and what is seen there."""
        rules, n = self._rules, len(playing)
        self.playing = playing  # the numbers of the tables where somebody decides, in order
        self.states = self.games[playing]  # all that lies on these tables, for agents that see hidden cards
        observations, masks = np.zeros((n, self.spec.size), np.int16), np.zeros((n, rules.actions), np.int8)
        seats, self._phases = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self._card_game.batch_loops.show_tables(self.states, rules.params, observations, masks, seats, self._phases)
        self.shown = SeatViews(observations, masks, seats)  # what the seats that decide see and may do

    def refusal(self, actions: NDArray[np.int64]) -> tuple[int, str] | None:
        """Return the place in `playing` of the first table where an action is illegal and why, or None if all are
        legal.
        """
        wrong = int(self._card_game.batch_loops.first_illegal(self.states, self._rules.params, actions))
        if wrong < 0:
            return None
        seat, phase = int(self.shown.seats[wrong]), self._card_game.phases[self._phases[wrong]]
        mask = self.shown.masks[wrong]
        return wrong, str(self._card_game.illegal_action(self._rules, seat, phase, mask, int(actions[wrong])))

    def step(self, actions: NDArray[np.int64]) -> None:
        """Carry out a legal action at every table."""
        playing, rounds = self.playing, self._results["rounds"][self.playing]
        points = np.zeros((len(playing), self._rules.players), np.int16)
        outputs = self.shown.observations, *self._scratch, self._results, points, self._setup.with_luck
        self._card_game.measured_rounds.step_noting(self.games, self._rules.params, playing, actions, *outputs)
        self._moves.append((playing, actions.astype(self._card_game.action_type)))
        ended = self._results["rounds"][playing] != rounds
        self._ends.append((playing[ended], points[ended]))
        self._go_on_at(playing[self.games["phase"][playing] < self._card_game.over])

    def rounds(self) -> DealResults:
        """Return the results of all deals; for those still in play, the luck and rounds so far."""
        return results_of(self._setup, self._results, _by_deal(self._moves), _by_deal(self._ends).ravel())


def _by_deal(steps: list[tuple[Any, Any]]) -> Any:
    """Return records of some tables at a time as one array: deal by deal, in the order of play."""
    tables, what = (np.concatenate(parts) for parts in zip(*steps, strict=True))
    return what[np.argsort(tables, kind="stable")]


def replayed(setup: Setup, deals: ArrayLike, lengths: NDArray[np.int64], actions: NDArray[Any]) -> DealResults:
    """Return the results of stored actions: `lengths[k]` of them for deal k, one deal after the other, without luck.

    A deal has -1 decisions if one of its actions is illegal, or its game is not over with the last.
    """
    rules, card_game = setup.rules, setup.game
    results, games = np.zeros(len(lengths), card_game.result_type), np.zeros(1, card_game.dtype)
    points = np.empty((len(actions) + 1) * rules.players, np.int16)  # no round takes less than an action
    what = np.uint64(setup.seed), np.array(deals, np.uint64), EPISODES.index(setup.episode), lengths, actions
    size = card_game.measured_rounds.replay(games, rules.params, *what, results, points)
    return results_of(setup, results, actions, points[:size])


def results_of(setup: Setup, results: NDArray[Any], actions: NDArray[Any], points: NDArray[np.int16]) -> DealResults:
    """Return the results that the setup asks for; `actions` and `points` (by round and seat) go deal after deal."""
    players, stop = setup.rules.players, None if setup.record_actions else 0
    columns = {name: results[name].copy() for name in ("rounds", "turns", "decisions")}
    columns |= {name: results[name][:, :players].copy() for name in ("scores", "round_stats", "luck")}
    if not setup.with_luck:
        columns["luck"] = columns["luck"][:, :, :0]
    return DealResults(
        setup.game.lower_is_better,
        **columns,
        is_stopped=results["is_stopped"] != 0,
        actions=actions[:stop],
        round_scores=points.reshape(-1, players)[:stop],
        seated=np.tile(np.arange(players), (len(results), 1)),
    )
