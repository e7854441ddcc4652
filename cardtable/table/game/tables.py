"""Tables at which agents are asked for their decisions, stored games played again, and what is noted of both."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardtable.table.game.deal_results import DealResults
from cardtable.table.kernel.game_kernel import EPISODES

if TYPE_CHECKING:
    from cardtable.table.game.card_game import Setup


class SeatViews(NamedTuple):
    """What the seats that decide are shown, at n tables."""

    observations: NDArray[np.int16]  # [n, D]
    masks: NDArray[np.int8]  # [n, A]
    seats: NDArray[np.int8]  # [n]


class Tables:
    """Tables of one game, each with a deal of its own. The methods are about the tables that still play.

    The random choices of agents follow from what they see (`cardtable.table.agents.agents.chances_of`). So an
    observation should hold the seat and a counter, such as the turns: no seat should see the same observation twice in
    an episode.
    """

    def __init__(self, setup: "Setup", deals: ArrayLike) -> None:
        self._setup, self._rules, self._kind = setup, setup.rules, setup.game
        kind, numbers = self._kind, np.array(deals, np.uint64)
        self.spec = kind.spec_of(setup.rules)  # of what `show` shows
        self._games, self._results = np.zeros(len(numbers), kind.dtype), np.zeros(len(numbers), kind.result_type)
        episode = EPISODES.index(setup.episode)
        kind.many.deal_tables(self._games, self._rules.params, np.uint64(setup.seed), numbers, episode)
        self._room = np.zeros(2, kind.dtype), np.zeros(1, kind.luck.room)
        self._moves: list[tuple[Any, Any]] = []
        self._ends: list[tuple[Any, Any]] = []
        self._go_on_at(np.arange(len(numbers)))

    def _go_on_at(self, playing: NDArray[np.int64]) -> None:
        """Take what lies on the tables that still play, and what is seen there."""
        rules, n = self._rules, len(playing)
        self.playing = playing  # the numbers of the tables where somebody decides, in order
        self._now = self._games[playing]
        observations, masks = (
            np.zeros((n, self.spec.size), np.int16),
            np.zeros((n, rules.actions), np.int8),
        )
        seats, self._phases = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self._kind.many.show_tables(self._now, rules.params, observations, masks, seats, self._phases)
        self._shown = SeatViews(observations, masks, seats)

    def show(self) -> SeatViews:
        """What the seats that decide see and may do."""
        return self._shown

    def states(self) -> NDArray[Any]:
        """All that lies on the tables, [n], for agents that see hidden cards."""
        return self._now

    def refusal(self, actions: NDArray[np.int64]) -> tuple[int, str] | None:
        """The place in `playing` of the first table where an action is illegal and why, or None if all are legal."""
        wrong = int(self._kind.many.first_illegal(self._now, self._rules.params, actions))
        if wrong < 0:
            return None
        seat, phase = int(self._shown.seats[wrong]), self._kind.phases[self._phases[wrong]]
        mask = self._shown.masks[wrong]
        return wrong, str(self._kind.illegal_action(self._rules, seat, phase, mask, int(actions[wrong])))

    def step(self, actions: NDArray[np.int64]) -> None:
        """Carry out a legal action at every table."""
        playing, rounds = self.playing, self._results["rounds"][self.playing]
        points = np.zeros((len(playing), self._rules.players), np.int16)
        noted = self._shown.observations, *self._room, self._results, points, self._setup.with_luck
        self._kind.noted.step_noting(self._games, self._rules.params, playing, actions, *noted)
        self._moves.append((playing, actions.astype(self._kind.action_type)))
        ended = self._results["rounds"][playing] != rounds
        self._ends.append((playing[ended], points[ended]))
        self._go_on_at(playing[self._games["phase"][playing] < self._kind.over])

    def rounds(self) -> DealResults:
        """The results of all deals; for those still in play, the luck and rounds so far."""
        return results_of(self._setup, self._results, _by_deal(self._moves), _by_deal(self._ends).ravel())


def _by_deal(noted: list[tuple[Any, Any]]) -> Any:
    """What was noted at some tables at a time, as one array: deal by deal, in the order of play."""
    tables, what = (np.concatenate(parts) for parts in zip(*noted, strict=True))
    return what[np.argsort(tables, kind="stable")]


def replayed(setup: "Setup", deals: ArrayLike, lengths: NDArray[np.int64], actions: NDArray[Any]) -> DealResults:
    """See `cardtable.table.game.card_game.CardGame.replay`."""
    rules, kind = setup.rules, setup.game
    results, games = np.zeros(len(lengths), kind.result_type), np.zeros(1, kind.dtype)
    points = np.empty((len(actions) + 1) * rules.players, np.int16)  # no round takes less than an action
    what = np.uint64(setup.seed), np.array(deals, np.uint64), EPISODES.index(setup.episode), lengths, actions
    size = kind.noted.replay(games, rules.params, *what, results, points)
    return results_of(setup, results, actions, points[:size])


def results_of(setup: "Setup", results: NDArray[Any], actions: NDArray[Any], points: NDArray[np.int16]) -> DealResults:
    """What the setup asks for; `actions` and `points` (by round and seat) are those of one deal after the other."""
    players, kept = setup.rules.players, None if setup.keep else 0
    scores, facts, luck = (results[name][:, :players].copy() for name in ("scores", "facts", "luck"))
    rounds, turns, decisions = (results[name].copy() for name in ("rounds", "turns", "decisions"))
    return DealResults(
        lower_is_better=setup.game.lower_is_better,
        scores=scores,
        rounds=rounds,
        turns=turns,
        is_stopped=results["is_stopped"] != 0,
        facts=facts,
        luck=luck if setup.with_luck else luck[:, :, :0],
        decisions=decisions,
        actions=actions[:kept],
        round_scores=points.reshape(-1, players)[:kept],
        seated=np.tile(np.arange(players), (len(results), 1)),
    )
