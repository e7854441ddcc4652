"""Base of the rules of all games: checks, changes, text."""

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import brief, check_int, read_number
from cardtable.table.errors import RulesError, did_you_mean

LIMITS = {"target_score": (1, 10_000), "max_turns": (1, 30_000), "max_rounds": (1, 30_000)}  # ranges in all games


class TableRules:
    """The base of a game's frozen dataclass of rules, where the default of every field is the official rule.

    `ranges` has the least and greatest value of whole numbers, `options` the words that a field may be. Fields whose
    default is a bool must be bools. `named` has texts that may stand under a name in other texts.
    """

    game: ClassVar[str]
    ranges: ClassVar[Mapping[str, tuple[int, int]]]
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    named: ClassVar[Mapping[str, str]] = {}

    players: int

    @property
    def actions(self) -> int:
        """Number of action numbers."""
        raise NotImplementedError

    @cached_property
    def params(self) -> NDArray[Any]:
        """The rules as the kernel reads them: an array of one record, with a number for every field and `actions`."""
        return self._record(np.dtype((np.record, [(name, "i8") for name in (*self._defaults(), "actions")])))

    def _record(self, dtype: np.dtype[Any], **values: Any) -> NDArray[Any]:
        """Return an array of one record of this type: each field is what is given here, or else the attribute of that
        name.
        """
        record = np.zeros(1, dtype)
        for name in record.dtype.names or ():
            value = values[name] if name in values else getattr(self, name)
            record[name] = self.options[name].index(value) if name in self.options else value
        record.flags.writeable = False
        return record

    def __post_init__(self) -> None:
        for name, (least, greatest) in self.ranges.items():
            number = check_int(name, getattr(self, name), least, greatest, RulesError)
            object.__setattr__(self, name, number)
        for name, choices in self.options.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise RulesError(f"{name}={brief(value)} is not one of {', '.join(map(repr, choices))}")
        for name, usual in self._defaults().items():
            if isinstance(usual, bool) and not isinstance(getattr(self, name), bool):
                raise RulesError(f"{name}={brief(getattr(self, name))} must be True or False")

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """Return the default of every field."""
        return {field.name: field.default for field in fields(cls)}  # type: ignore[arg-type]  # a dataclass all the same

    def replace(self, **changes: Any) -> Self:
        """Return the same rules with some fields changed."""
        return replace(self, **changes)  # type: ignore[type-var]

    def changes(self) -> dict[str, Any]:
        """Return the fields that differ from the official rules: `Rules(**rules.changes()) == rules`."""
        values = {name: (getattr(self, name), usual) for name, usual in self._defaults().items()}
        return {name: value for name, (value, usual) in values.items() if value != usual}

    def to_text(self) -> str:
        """Return the changes as one line of words `name=value`; empty for the official rules."""
        return " ".join(f"{name}={self._format(value)}" for name, value in self.changes().items())

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` wrote, and names of rules."""
        if not isinstance(text, str):
            raise RulesError(f"rules are text, not {type(text).__name__}")
        defaults, changes = cls._defaults(), dict[str, Any]()
        for word in " ".join(cls.named.get(word, word) for word in text.split()).split():
            name, equals, value = word.partition("=")
            if not equals:
                raise RulesError(f"{word!r} should read name=value")
            if "=" in value or value.endswith(","):
                raise RulesError(f"{word} cannot be read; separate rules with spaces: players=3 max_rounds=1")
            if name not in defaults:
                raise RulesError(f"unknown {name}; the rules have {', '.join(defaults)}{did_you_mean(name, defaults)}")
            if name in changes:
                raise RulesError(f"{name} is given twice")
            try:
                changes[name] = cls._parse(name, value)
            except (KeyError, ValueError):
                example = cls._format(cls._example(name))
                raise RulesError(f"{name}={value} cannot be read; it should look like {name}={example}") from None
        return cls(**changes)

    @classmethod
    def _parse(cls, name: str, text: str) -> Any:
        """Return a field's value from text, by the type of its default; KeyError or ValueError if it cannot be read."""
        usual = cls._example(name)
        if isinstance(usual, bool):
            return {"true": True, "false": False}[text.lower()]
        return read_number(int, text) if isinstance(usual, int) else text

    @classmethod
    def _example(cls, name: str) -> Any:
        """Return a value of the field, for its type and error messages: its default, unless a game says otherwise."""
        return cls._defaults()[name]

    @staticmethod
    def _format(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    @classmethod
    def check(cls, rules: Any) -> Self:
        """Return the rules, given as such or as their text, if they are of this game."""
        if isinstance(rules, str):
            kind: Any = cls
            parsed: Self = _read(kind, rules)
            return parsed
        if not isinstance(rules, cls):
            package = cls.__module__.partition(".")[0]
            raise RulesError(f"rules must be {package}.{cls.__name__} or their text, not {type(rules).__name__}")
        return rules


@lru_cache(maxsize=64)
def _read(kind: Any, text: str) -> Any:
    """Return the rules of a text; they never change, so they are made once."""
    return kind.from_text(text)
