"""Tables of Skip-Bo at which agents are asked for their decisions, in step with each other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup, Shown
from cardtable.rounds import Rounds
from skipbo_env.actions import illegal_action
from skipbo_env.kernel.batch import deal_tables, first_illegal, show_tables
from skipbo_env.kernel.state import CARDS, EPISODES, GAME_DTYPE, OVER, PHASES
from skipbo_env.measuring.deal_results import RESULT_DTYPE, rounds_of
from skipbo_env.measuring.jit import compiled
from skipbo_env.measuring.noting import note_end, play_noting
from skipbo_env.observation import spec_of


@compiled
def play_tables_noting(games, rules, actions, playing, room, counts, results, points, has_luck):
    """One legal decision at the tables that still play; `room` is for two tables, `points` [tables, players]."""
    for k in range(len(playing)):
        table = playing[k]
        room[0] = games[table]
        play_noting(room, rules[0], actions[k], counts, results[table], points[k], has_luck)
        games[table] = room[0]
        if room[0].phase >= OVER:
            note_end(room[0], rules[0], results[table])


class SkipboTables:
    """See `cardtable.card_game.Tables`."""

    def __init__(self, setup: Setup, deals: range) -> None:
        rules: Any = setup.rules
        self._setup, self._rules = setup, rules
        self._games, self._results = np.zeros(len(deals), GAME_DTYPE), np.zeros(len(deals), RESULT_DTYPE)
        numbers = np.array(deals, np.uint64)
        deal_tables(self._games, rules.params, np.uint64(setup.seed), numbers, EPISODES.index(setup.episode))
        self.playing = np.arange(len(deals))
        self._room, self._counts = np.zeros(2, GAME_DTYPE), np.zeros(CARDS, np.int64)
        self._moves: list[tuple[Any, Any]] = []
        self._ends: list[tuple[Any, Any]] = []
        self._show()

    def _show(self) -> None:
        """Take what lies on the tables that still play, and what is seen there."""
        rules, n = self._rules, len(self.playing)
        self._now = self._games[self.playing]
        observations, masks = np.zeros((n, spec_of(rules).size), np.int16), np.zeros((n, rules.actions), np.int8)
        seats, self._phases = np.zeros(n, np.int8), np.zeros(n, np.int8)
        show_tables(self._now, rules.params, observations, masks, seats, self._phases)
        self._shown = Shown(observations, masks, seats)

    def show(self) -> Shown:
        """What the seats that decide see and may do."""
        return self._shown

    def states(self) -> NDArray[Any]:
        """The kernel's records of the tables that still play."""
        return self._now

    def refusal(self, actions: NDArray[np.int64]) -> tuple[int, str] | None:
        """The first illegal action: at which place of `playing`, and why it is refused."""
        wrong = int(first_illegal(self._now, self._rules.params, actions))
        if wrong < 0:
            return None
        seat, phase = int(self._shown.seats[wrong]), PHASES[self._phases[wrong]]
        error = illegal_action(self._rules, seat, phase, self._shown.masks[wrong], int(actions[wrong]))
        return wrong, str(error)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Carry out a legal action at every table."""
        playing, rounds = self.playing, self._results["rounds"].copy()
        points = np.zeros((len(playing), self._rules.players), np.int16)
        noted = self._room, self._counts, self._results, points, self._setup.with_luck
        play_tables_noting(self._games, self._rules.params, actions, playing, *noted)
        self._moves.append((playing, actions.astype(np.uint8)))
        ended = self._results["rounds"][playing] != rounds[playing]
        self._ends.append((playing[ended], points[ended]))
        self.playing = playing[self._games["phase"][playing] < OVER]
        self._show()

    def rounds(self) -> Rounds:
        """The results of all deals."""
        return rounds_of(self._setup, self._results, _by_deal(self._moves), _by_deal(self._ends).ravel())


def _by_deal(noted: list[tuple[Any, Any]]) -> Any:
    """What was noted at some tables at a time, as one array: deal by deal, in the order of play."""
    tables, what = (np.concatenate(parts) for parts in zip(*noted, strict=True))
    return what[np.argsort(tables, kind="stable")]
