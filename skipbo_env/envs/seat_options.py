"""SeatOptions: how the tables of a learner are set up, for every environment of Skip-Bo that has one seat."""

from dataclasses import dataclass
from typing import ClassVar

from cardtable.envs import seat_options
from cardtable.envs.env_game import EnvGame
from cardtable.errors import TableError
from skipbo_env.envs.skipbo_envs import SKIPBO_ENVS
from skipbo_env.rules import OFFICIAL, Rules


@dataclass(frozen=True)
class SeatOptions(seat_options.SeatOptions):
    """See `cardtable.envs.seat_options.SeatOptions`."""

    kind: ClassVar[EnvGame] = SKIPBO_ENVS

    rules: Rules = OFFICIAL

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rules.max_turns < self.rules.players:
            raise TableError(
                f"max_turns={self.rules.max_turns} is too small: with players={self.rules.players} every round could "
                "be stopped before the learner has decided"
            )
