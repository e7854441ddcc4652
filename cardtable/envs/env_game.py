"""EnvGame: what the environments of one game are made from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, NamedTuple

from cardtable.agents import AgentRegistry
from cardtable.envs.compiled.env_kernel import Compiled
from cardtable.table_game import GameParts, TableGame


class Cards(NamedTuple):
    """What a slice of kind "card" may show, in the order of its one-hot vector, and how its legend says so."""

    codes: tuple[int, ...]  # increasing; the first is the slice's lowest number
    legend: str


@dataclass(frozen=True, eq=False)
class EnvGame:
    """What the environments of a game need beside its table. Copies and pickles of an environment refer to it."""

    place: str  # where it stands, `module:name`
    name: str  # of the PettingZoo environment

    table: type[TableGame[Any]]  # made by (rules, seed, deal, episode)
    action_names: Callable[[Any], tuple[str, ...]]
    agents: AgentRegistry

    at_phase: int  # where an observation has the phase,
    at_seat: int  # the observer's seat,
    at_round: int  # and the number of the round
    scales: Callable[[Any], Mapping[str, float]]  # the usual size of a slice's numbers, where it is not its bounds
    cards: Callable[[Any], Cards]

    check_line: Compiled  # `compiled.seat_loop.check_line` and ...
    play_line: Compiled  # ... `compiled.seat_loop.play_line`, compiled with this game's functions
    reward_seats: Compiled  # `compiled.env_kernel.reward_seats`, likewise
    rewards: tuple[str, ...]  # index = code
    shapings: tuple[str | None, str]  # index = code
    penalty: Callable[[Any, str], float]  # (rules, reward): for an illegal action

    text: Callable[..., str]  # (game, colour=) -> the table as text
    pictures: str  # the module with draw_table(game, size) and Window, imported when the first picture is drawn

    @property
    def parts(self) -> GameParts:
        """What its table is made of."""
        return self.table.parts

    def __reduce__(self) -> tuple[Any, ...]:
        return resolve_name, (self.place,)
