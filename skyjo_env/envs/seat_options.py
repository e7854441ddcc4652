"""SeatOptions: how the tables of a learner are set up, for every environment of Skyjo that has one seat."""

from dataclasses import dataclass
from typing import ClassVar

from cardtable.envs import seat_options
from cardtable.envs.env_game import EnvGame
from cardtable.errors import TableError
from skyjo_env.envs.skyjo_envs import SKYJO_ENVS
from skyjo_env.rules import OFFICIAL, Rules


@dataclass(frozen=True)
class SeatOptions(seat_options.SeatOptions):
    """See `cardtable.envs.seat_options.SeatOptions`."""

    kind: ClassVar[EnvGame] = SKYJO_ENVS

    rules: Rules = OFFICIAL
    reward: str = "margin"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_turns(self.rules)


def _check_turns(rules: Rules) -> None:
    """A round must not be over before the learner has decided for the first time."""
    if rules.max_turns < rules.players and (rules.initial_flip == "random" or rules.opening_flips == 0):
        raise TableError(
            f"max_turns={rules.max_turns} is too small: with players={rules.players} a round could be stopped "
            "before every seat has decided"
        )
