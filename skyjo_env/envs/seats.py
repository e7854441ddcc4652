"""SeatBatch: N tables, each seen from the one seat that a learner plays, with opponents at all others."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo_env.actions import illegal_action
from skyjo_env.agents import Agent, choose, make_agent
from skyjo_env.checks import as_array, brief, episode_code, whole_number
from skyjo_env.envs.options import code_of, illegal_penalty, reward_code, shaping_code
from skyjo_env.errors import AgentError, CallError, IllegalActionError, SkyjoError
from skyjo_env.game import Game
from skyjo_env.kernel.seats import (
    SEATING_DTYPE,
    TABLE_DTYPE,
    Lines,
    Shown,
    play_line,
)
from skyjo_env.kernel.state import GAME_DTYPE, NOBODY
from skyjo_env.observation import spec_of
from skyjo_env.rules import Rules

ILLEGAL = ("error", "lose")


class SeatBatch:
    """N tables that wait for the learner; the environments for one seat are thin clothes over it.

    Every table plays the deals of its own seed. `step` carries out the learner's decisions and lets the opponents play
    until the learner decides everywhere, one call for all tables of one opponent at a time. Afterwards
    `observations` and `masks` are new arrays; `tables` has the seat, the reward since the last decision,
    the outcome of the step and the scores of an episode that ended.
    """

    def __init__(
        self,
        rules: Rules,
        n: int,
        opponents: Iterable[str | Agent],
        seat: str | int,
        episode: str,
        reward: str,
        shaping: str | None,
        illegal: str,
        restarts: bool,
    ) -> None:
        """With `restarts` the next episode begins in the step in which one ends, else in the step after it."""
        self.rules = rules
        self.opponents, self.names, places = seat_opponents(rules, opponents)
        self.tables = np.zeros(n, TABLE_DTYPE)
        self._games = np.zeros(n, GAME_DTYPE)
        seating = np.zeros(1, SEATING_DTYPE)
        seating["episode"], seating["restarts"] = episode_code(episode), restarts
        seating["reward"], seating["shaping"] = reward_code(reward), shaping_code(shaping)
        seating["seat"] = NOBODY if seat == "random" else _check_seat(rules, seat)
        seating["forfeits"] = self._forfeits = code_of("illegal", illegal, ILLEGAL)
        seating["penalty"] = illegal_penalty(rules, reward_code(reward))
        seating["opponent"][0, : rules.players] = places
        self._state = (self._games, rules.params, seating, self.tables)
        self._numbers = np.arange(n)
        self._is_settled = False
        _check_turns(rules)
        size, actions = spec_of(rules).size, rules.actions
        self._lines = _lines(len(self.opponents), n, size, actions)
        self._shown = Shown(
            np.zeros((n, size), np.int16), np.zeros((n, actions), np.int8), np.zeros((n, size), np.int16)
        )

    def __len__(self) -> int:
        return len(self._games)

    def _show_anew(self) -> None:
        """Fresh arrays to look at: what was handed out is never overwritten."""
        old = self._shown
        self._shown = Shown(np.empty_like(old.observations), np.empty_like(old.masks), old.finals)

    @property
    def observations(self) -> NDArray[np.int16]:
        """What the learner sees at every table, [N, D]."""
        return self._shown.observations

    @property
    def masks(self) -> NDArray[np.int8]:
        """What the learner may do at every table, [N, A]; nothing where its episode has ended."""
        return self._shown.masks

    @property
    def finals(self) -> NDArray[np.int16]:
        """With `restarts`, the last observations of the episodes that ended in this step, [N, D]; overwritten."""
        return self._shown.finals

    def begin(self, seeds: NDArray[np.uint64] | None, deal: int | None = None) -> None:
        """A new episode at every table: deal 0 of new seeds, or the next deal of the old; or the deal that is given."""
        if seeds is not None:
            self.tables["seed"], deal = seeds, deal or 0
        if deal is not None:
            self.tables["deal"] = np.uint64((deal - 1) % 2**64)  # a table goes on with the deal after this one
        self.tables["is_due"] = 1
        self._is_settled = True
        self.step(self._numbers)

    def step(self, actions: Any) -> None:
        """The learner's decision at every table, and all that follows until it decides again.

        An illegal one is an IllegalActionError that changes nothing, or ends the episode with a penalty.
        """
        if not self._is_settled:
            raise SkyjoError("an opponent failed in the last step, so the episodes cannot go on: call reset()")
        numbers = self._check_actions(actions)
        self.last_actions = numbers
        before = self._shown
        self._show_anew()
        wrong = self._play_line(len(self.opponents), numbers)
        if wrong >= 0:
            self._shown = before
            raise self._illegal(wrong, as_array(actions)[wrong].item())
        self._is_settled = False
        self._let_opponents_play()
        self._is_settled = True

    def _play_line(self, who: int, actions: NDArray[np.int64]) -> int:
        wrong: int = play_line(*self._state, who, actions, *self._lines, *self._shown)
        return wrong

    def _let_opponents_play(self) -> None:
        """Every opponent decides at all tables that wait for it, again and again, until none does."""
        sizes = self._lines.sizes[:-1]
        while any(sizes.tolist()):
            for opponent in range(len(sizes)):
                count = int(sizes[opponent])  # lines grow while others are played
                if count > 0:
                    self._let_play(opponent, count)

    def _let_play(self, opponent: int, count: int) -> None:
        """One decision of an opponent at every table in its line."""
        lines, name = self._lines, self.names[opponent]
        observations, masks = lines.observations[opponent, :count], lines.masks[opponent, :count]
        actions = choose(self.opponents[opponent], name, observations, masks, lines.chances[opponent, :count])
        wrong = self._play_line(opponent, actions)
        if wrong >= 0:
            raise self._illegal(int(lines.tables[opponent, wrong]), int(actions[wrong]), f"agent {name}, ")

    def _check_actions(self, actions: Any) -> NDArray[np.int64]:
        array = as_array(actions)
        if array.shape != self._games.shape or array.dtype.kind not in "iu":
            raise SkyjoError(
                f"actions must be an array of {len(self)} whole numbers (int64), one for every table, "
                f"not of shape {array.shape} and type {array.dtype}"
            )
        numbers = np.ascontiguousarray(array, np.int64)
        if self._forfeits and (numbers.min() < 0 or numbers.max() >= self.rules.actions):
            raise CallError(
                f"actions must be from 0 to {self.rules.actions - 1}, not {numbers.min()} to {numbers.max()}"
            )
        return numbers

    def _illegal(self, table: int, action: Any, who: str = "") -> IllegalActionError:
        game = self.game(table)
        error = illegal_action(self.rules, game.seat, game.phase, game.mask(), action, f"table {table}: {who}")
        return type(error)(f"{error}\n{game.position()}") if who else error

    @property
    def rewards(self) -> NDArray[np.float64]:
        """The learner's reward since its last decision at every table, [N]."""
        return self.tables["reward"].copy()

    @property
    def outcomes(self) -> NDArray[np.int64]:
        """How the last step left the episode at every table, as an index of OUTCOMES, [N]."""
        return self.tables["outcome"].copy()

    def scores(self, tables: int | NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Round scores and totals by seat of the episodes that ended last at these tables."""
        players, records = self.rules.players, self.tables[tables]
        return records["round_scores"][..., :players].astype(np.int64), records["totals"][..., :players].astype(
            np.int64
        )

    def game(self, table: int) -> Game:
        """A copy of what lies on one table, to look at or to play on with."""
        return Game.of_record(self.rules, self._games[table : table + 1])


def seat_opponents(
    rules: Rules, opponents: Iterable[str | Agent]
) -> tuple[tuple[Agent, ...], tuple[str, ...], list[int]]:
    """The agents, their names, and which of them sits at each place clockwise from the learner.

    One opponent takes all seats but the learner's; otherwise there must be one for each.
    """
    if isinstance(opponents, str) or not isinstance(opponents, Iterable):
        raise AgentError(f"opponents={brief(opponents)} must be a list of names or of objects with a method act")
    chosen = list(opponents)
    others = rules.players - 1
    if len(chosen) not in (1, others):
        raise AgentError(f"opponents: {len(chosen)} given, but there must be 1 or {others} (players={rules.players})")
    distinct = list(dict.fromkeys(map(_key, chosen)))
    agents = [next(one for one in chosen if _key(one) == key) for key in distinct]
    seated = [distinct.index(_key(one)) for one in (chosen * others if len(chosen) == 1 else chosen)]
    return tuple(_agent(one, rules) for one in agents), tuple(map(_name, agents)), [NOBODY, *seated]


def _key(opponent: Any) -> Any:
    """Opponents of the same name, or the same object, are one agent, called once for all its seats."""
    return opponent if isinstance(opponent, str) else id(opponent)


def _name(opponent: Any) -> str:
    return opponent if isinstance(opponent, str) else type(opponent).__name__


def _agent(opponent: Any, rules: Rules) -> Agent:
    if isinstance(opponent, str):
        return make_agent(opponent, rules)
    if not isinstance(opponent, Agent) or isinstance(opponent, type):
        raise AgentError(f"opponent {brief(opponent)} is neither the name of an agent nor an object with a method act")
    return opponent


def _check_seat(rules: Rules, seat: Any) -> int:
    if isinstance(seat, str):
        raise SkyjoError(f'seat={brief(seat)} must be "random" or a whole number from 0 to {rules.players - 1}')
    return whole_number("seat", seat, 0, rules.players - 1)


def _check_turns(rules: Rules) -> None:
    """A round must not be over before the learner has decided for the first time."""
    if rules.max_turns < rules.players and (rules.initial_flip == "random" or rules.opening_flips == 0):
        raise SkyjoError(
            f"max_turns={rules.max_turns} is too small: with players={rules.players} a round could be stopped "
            "before every seat has decided"
        )


def _lines(opponents: int, n: int, size: int, actions: int) -> Lines:
    return Lines(
        np.array([0] * opponents + [n]),
        np.tile(np.arange(n), (opponents + 1, 1)),
        np.zeros((opponents, n), np.uint64),
        np.zeros((opponents, n, size), np.int16),
        np.zeros((opponents, n, actions), np.int8),
    )
