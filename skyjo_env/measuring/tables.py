"""Tables of Skyjo at which agents are asked for their decisions, in step with each other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup, Shown
from cardtable.rounds import Rounds
from skyjo_env.actions import illegal_action
from skyjo_env.kernel.batch import deal_tables, first_illegal, play_tables, show_tables
from skyjo_env.kernel.state import EPISODES, GAME_DTYPE, OVER, PHASES, ROUND_EPISODE, TRUNCATED
from skyjo_env.measuring.deal_results import RESULT_DTYPE, rounds_of
from skyjo_env.measuring.luck_terms import JUDGE_DTYPE, TERMS, luck_at_tables
from skyjo_env.observation import spec_of


class SkyjoTables:
    """See `cardtable.card_game.Tables`."""

    def __init__(self, setup: Setup, deals: range) -> None:
        self._setup, self._rules = setup, _skyjo_rules(setup)
        self._seed, self._deals = np.uint64(setup.seed), np.array(deals, np.uint64)
        self._games, self._results = np.zeros(len(deals), GAME_DTYPE), np.zeros(len(deals), RESULT_DTYPE)
        deal_tables(self._games, self._rules.params, self._seed, self._deals, EPISODES.index(setup.episode))
        self.playing = np.arange(len(deals))
        self._luck = np.zeros((len(deals), self._rules.players, TERMS * setup.with_luck))
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
        tables, playing = self._now, self.playing
        rounds, turns = tables["round_number"].copy(), tables["turns"].copy()
        before = tables.copy() if self._setup.with_luck else None
        play_tables(tables, self._rules.params, actions)
        if before is not None:
            luck, judges = self._luck[playing], np.zeros(1, JUDGE_DTYPE)
            luck_at_tables(before, tables, self._rules.params, judges, self._shown.observations, actions, luck)
            self._luck[playing] = luck
        self._games[playing] = tables
        self._moves.append((playing, actions.astype(np.uint8)))
        ended = (tables["round_number"] != rounds) | (tables["phase"] >= OVER)
        self._note_rounds(playing[ended], tables[ended], turns[ended] + 1)
        self.playing = playing[tables["phase"] < OVER]
        self._show()

    def _note_rounds(self, at: NDArray[np.int64], tables: NDArray[Any], turns: NDArray[np.int64]) -> None:
        """At some tables a round is over."""
        self._ends.append((at, tables["round_scores"][:, : self._rules.players]))
        self._results["rounds"][at] += 1
        self._results["turns"][at] += turns
        self._results["cleared"][at] += tables["cleared"]

    def rounds(self) -> Rounds:
        """The results of all deals."""
        results, games = self._results, self._games
        results["luck"][:, : self._rules.players, : self._luck.shape[2]] = self._luck
        results["decisions"] = np.bincount(np.concatenate([at for at, _ in self._moves]))
        results["is_stopped"] = games["phase"] == TRUNCATED
        is_round = EPISODES.index(self._setup.episode) == ROUND_EPISODE
        results["scores"] = games["round_scores" if is_round else "totals"]
        return rounds_of(self._setup, results, _by_deal(self._moves), _by_deal(self._ends).ravel())


def _skyjo_rules(setup: Setup) -> Any:
    """The rules of a setup are those of its game."""
    return setup.rules


def _by_deal(noted: list[tuple[Any, Any]]) -> Any:
    """What was noted at some tables at a time, as one array: deal by deal, in the order of play."""
    tables, what = (np.concatenate(parts) for parts in zip(*noted, strict=True))
    return what[np.argsort(tables, kind="stable")]
