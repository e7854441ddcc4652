"""SeatOptions: how the tables of a learner are set up, checked once for every environment that has one seat."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import Agent
from cardtable.checks import code_of, whole_number
from cardtable.errors import TableError
from skyjo_env.envs.compiled.rewards import REWARDS, SHAPINGS
from skyjo_env.envs.compiled.seat_loop import SEATING_DTYPE
from skyjo_env.envs.encoding import ENCODINGS
from skyjo_env.envs.options import illegal_penalty
from skyjo_env.kernel.state import EPISODES, NOBODY
from skyjo_env.rules import OFFICIAL, Rules

ILLEGAL = ("error", "lose")


@dataclass(frozen=True)
class SeatOptions:
    """The rules, the opponents and what the learner is told and paid; docs/environments.md explains each option.

    TableError for a value that an option does not have. The opponents are checked where they sit down (`opponents.py`).
    """

    rules: Rules = OFFICIAL
    opponents: Iterable[str | Agent] = ("random",)
    seat: str | int = "random"
    episode: str = "round"
    reward: str = "margin"
    shaping: str | None = None
    encoding: str = "compact"
    illegal: str = "error"

    def __post_init__(self) -> None:
        code_of("encoding", self.encoding, ENCODINGS)
        code_of("episode", self.episode, EPISODES)
        code_of("reward", self.reward, REWARDS)
        code_of("shaping", self.shaping, SHAPINGS)
        code_of("illegal", self.illegal, ILLEGAL)
        if self.seat != "random":
            _check_seat(self.rules, self.seat)
        _check_turns(self.rules)

    def seating(self, opponents: list[int], restarts: bool) -> NDArray[np.void]:
        """The options as the compiled loop reads them; `opponents` says who sits at each place after the learner."""
        seating = np.zeros(1, SEATING_DTYPE)
        seating["episode"], seating["restarts"] = EPISODES.index(self.episode), restarts
        seating["reward"], seating["shaping"] = REWARDS.index(self.reward), SHAPINGS.index(self.shaping)
        seating["seat"] = NOBODY if self.seat == "random" else self.seat
        seating["forfeits"] = ILLEGAL.index(self.illegal)
        seating["penalty"] = illegal_penalty(self.rules, self.reward)
        seating["opponent"][0, : self.rules.players] = opponents
        return seating


def _check_seat(rules: Rules, seat: Any) -> None:
    try:
        whole_number("seat", seat, 0, rules.players - 1)
    except TableError as error:
        raise TableError(f'{error}, or "random"') from None


def _check_turns(rules: Rules) -> None:
    """A round must not be over before the learner has decided for the first time."""
    if rules.max_turns < rules.players and (rules.initial_flip == "random" or rules.opening_flips == 0):
        raise TableError(
            f"max_turns={rules.max_turns} is too small: with players={rules.players} a round could be stopped "
            "before every seat has decided"
        )
