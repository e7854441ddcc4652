"""SeatOptions: how a learner's tables are set up, checked in one place for every single-seat environment."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import CardGame, find_game
from cardtable.checks import code_of, whole_number
from cardtable.envs.encoding import ENCODINGS
from cardtable.envs.opponents import Opponents
from cardtable.errors import TableError
from cardtable.kernel.game_kernel import EPISODES, NOBODY
from cardtable.kernel.seats import SEATING_DTYPE

ILLEGAL = ("error", "lose")


@dataclass(frozen=True)
class SeatOptions:
    """The rules, the opponents, and the learner's observations and rewards; docs/environments.md explains each option.

    TableError for a value that an option does not have. The opponents are checked where they sit down (`opponents.py`).
    """

    rules: Any
    opponents: Opponents = ("random",)
    seat: str | int = "random"
    episode: str = "round"
    reward: str | None = None  # the usual one of the game
    shaping: str | None = None
    encoding: str = "compact"
    illegal: str = "error"

    def __post_init__(self) -> None:
        code_of("encoding", self.encoding, ENCODINGS)
        code_of("episode", self.episode, EPISODES)
        if self.reward is None:
            object.__setattr__(self, "reward", self.kind.rewards[0])
        code_of("reward", self.reward, self.kind.rewards)
        code_of("shaping", self.shaping, self.kind.shapings)
        code_of("illegal", self.illegal, ILLEGAL)
        if self.seat != "random":
            _check_seat(self.rules, self.seat)
        if self.kind.stops_too_soon(self.rules):
            raise TableError(
                f"max_turns={self.rules.max_turns} is too small: with players={self.rules.players} a round could be "
                "stopped before every seat has decided"
            )

    @property
    def kind(self) -> CardGame:
        """The game with these rules."""
        return find_game(self.rules.game)

    def seating(self, opponents: list[int], restarts: bool) -> NDArray[np.void]:
        """The options as the compiled loop reads them; `opponents` says who sits at each place after the learner."""
        kind, seating = self.kind, np.zeros(1, SEATING_DTYPE)
        seating["episode"], seating["restarts"] = EPISODES.index(self.episode), restarts
        seating["reward"], seating["shaping"] = kind.rewards.index(str(self.reward)), kind.shapings.index(self.shaping)
        seating["seat"] = NOBODY if self.seat == "random" else self.seat
        seating["forfeits"] = ILLEGAL.index(self.illegal)
        seating["penalty"] = kind.penalty(self.rules, str(self.reward))
        seating["opponent"][0, : self.rules.players] = opponents
        return seating


def _check_seat(rules: Any, seat: Any) -> None:
    try:
        whole_number("seat", seat, 0, rules.players - 1)
    except TableError as error:
        raise TableError(f'{error}, or "random"') from None
