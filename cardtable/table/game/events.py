"""What events of all games are: frozen dataclasses that say what a decision did."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from html import escape
from typing import Any, cast, dataclass_transform

from cardtable.table.kernel.game_kernel import GAME_EPISODE


@dataclass_transform(frozen_default=True)
class TableEvent:
    """Something that happened at a table. Its subclasses are frozen dataclasses, without a decorator each."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def _repr_html_(self) -> str:
        """The event as a line, for notebooks."""
        name = re.sub("(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize()
        values = ((each.name.replace("_", " "), getattr(self, each.name)) for each in fields(cast("Any", self)))
        return f"<b>{name}</b>: " + escape(", ".join(f"{name} {value}" for name, value in values))


@dataclass(frozen=True)
class OfSeat:
    """The first field of an event that is about one seat."""

    seat: int


def by_seat(rules: Any, game: Any, field: str) -> tuple[int, ...]:
    """A field of a game record for every seat that plays."""
    return tuple(game[field][: rules.players].tolist())


def lowest(scores: Sequence[int]) -> tuple[int, ...]:
    """The seats that share the lowest score, and with it the win."""
    return tuple(seat for seat, score in enumerate(scores) if score == min(scores))


def winners(rules: Any, game: Any) -> tuple[int, ...]:
    """The seats with the lowest score of an episode that is over: of the game, or of its one round."""
    return lowest(by_seat(rules, game, "totals" if game["episode"] == GAME_EPISODE else "round_scores"))
