"""The rules of a game: one frozen dataclass with every option, checked when it is made."""

from dataclasses import dataclass, fields
from dataclasses import replace as dataclass_replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import brief, whole_number
from cardtable.errors import RulesError
from skipbo_env.kernel.state import ACTIONS, DECK, HAND, MAX_PLAYERS, OPTIONS, RULES_DTYPE

# The least and the greatest of every whole-number field.
RANGES = {
    "players": (2, MAX_PLAYERS),
    "target_score": (1, 10_000),
    "max_turns": (1, 30_000),
    "max_rounds": (1, 30_000),
}
STOCKS = (1, 30)
USUAL_STOCK, CROWDED_STOCK = 30, 20  # for two to four players, and for more (1.5)
CROWD = 5
MARKS = ("compulsory", "discard_wild")


@dataclass(frozen=True)
class Rules:
    """Everything about a game that can be chosen; the defaults are the official rules. SKIPBO_RULES.md has a clause
    for each.

    Fields can only be combined into games that can be played: anything else raises `RulesError`, which names them.

    >>> Rules(players=4).replace(view="tops").changes()
    {'players': 4, 'view': 'tops'}
    >>> Rules(players=5).stock_size
    20
    """

    game: ClassVar[str] = "skipbo"

    players: int = 2
    stock: int | None = None
    first_starter: str = "seat_0"
    next_starter: str = "rotate"
    refill: str = "at_once"
    compulsory: bool = False
    discard_wild: bool = True
    recycle: str = "when_needed"
    recycled_wild: str = "wild"
    no_cards: str = "play_on"
    blocked: str = "draw"
    view: str = "table"
    symmetric: str = "all"
    target_score: int = 500
    max_turns: int = 3000
    max_rounds: int = 1000

    def __post_init__(self) -> None:
        for name, (least, greatest) in RANGES.items():
            number = whole_number(name, getattr(self, name), least, greatest, RulesError)
            object.__setattr__(self, name, number)
        if self.stock is not None:
            object.__setattr__(self, "stock", whole_number("stock", self.stock, *STOCKS, RulesError))
        for name, known in OPTIONS.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in known:
                raise RulesError(f"{name}={brief(value)} is not one of {', '.join(map(repr, known))}")
        for name in MARKS:
            if not isinstance(getattr(self, name), bool):
                raise RulesError(f"{name}={brief(getattr(self, name))} must be True or False")
        needed = self.players * (self.stock_size + HAND)
        if needed > DECK:
            raise RulesError(
                f"stock={self.stock_size} is too much for players={self.players}: the stock piles and {HAND} hand "
                f"cards for everybody need {needed} cards, and the deck has {DECK}; "
                f"at most stock={DECK // self.players - HAND}"
            )

    @property
    def stock_size(self) -> int:
        """The cards that are dealt to a stock pile (1.5)."""
        if self.stock is not None:
            return self.stock
        return USUAL_STOCK if self.players < CROWD else CROWDED_STOCK

    @property
    def actions(self) -> int:
        """How many action numbers there are: 125 under all rules."""
        return ACTIONS

    def replace(self, **changes: Any) -> "Rules":
        """The same rules with some fields changed."""
        _check_names(changes)
        return dataclass_replace(self, **changes)

    def changes(self) -> dict[str, Any]:
        """The fields that differ from the official rules: `Rules(**rules.changes()) == rules`."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made from the fields alone, and checked again."""
        return _make, (self.changes(),)

    def to_text(self) -> str:
        """The changes as one line, such as `players=3 stock=10`; empty for the official rules."""
        return " ".join(f"{name}={_format(value)}" for name, value in self.changes().items())

    @classmethod
    def from_text(cls, text: str) -> "Rules":
        """Read what `to_text` wrote.

        >>> Rules.from_text("players=3 compulsory=true").compulsory
        True
        """
        if not isinstance(text, str):
            raise RulesError(f"rules are text, not {type(text).__name__}")
        changes: dict[str, Any] = {}
        for word in text.split():
            name, equals, value = word.partition("=")
            if not equals:
                raise RulesError(f"{word!r} should read name=value")
            _check_names([name])
            if name in changes:
                raise RulesError(f"{name} is given twice")
            changes[name] = _parse(name, value)
        return cls(**changes)

    @cached_property
    def params(self) -> NDArray[Any]:
        """The rules as the kernel reads them: an array of one record."""
        params = np.zeros(1, RULES_DTYPE)
        for field in fields(self):
            value = getattr(self, field.name)
            name = "visible" if field.name == "view" else field.name
            params[name] = OPTIONS[field.name].index(value) if field.name in OPTIONS else value or 0
        params["stock"], params["actions"] = self.stock_size, self.actions
        params.flags.writeable = False
        return params


def _make(changes: dict[str, Any]) -> Rules:
    return Rules(**changes)


def check_rules(rules: Any) -> Rules:
    """The rules, if they are `Rules`."""
    if not isinstance(rules, Rules):
        raise RulesError(f"rules must be skipbo_env.Rules, not {type(rules).__name__}")
    return rules


def _check_names(names: Any) -> None:
    known = [field.name for field in fields(Rules)]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise RulesError(f"unknown {', '.join(unknown)}; the rules have {', '.join(known)}")


def _format(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse(name: str, text: str) -> Any:
    """A field's value from text, by the type of its default."""
    default = getattr(OFFICIAL, name)
    try:
        if isinstance(default, bool):
            return {"true": True, "false": False}[text.lower()]
        if isinstance(default, int) or name == "stock":
            return int(text)
    except (KeyError, ValueError):
        example = "30" if name == "stock" else _format(default)
        raise RulesError(f"{name}={text} cannot be read; it should look like {name}={example}") from None
    return text


OFFICIAL = Rules()
"""The rules as printed."""

STRITTMATTER = Rules(stock=30, view="own", max_rounds=1)
"""The model of Strittmatter's paper: two players, one round, and each sees the tops of their own piles alone."""
