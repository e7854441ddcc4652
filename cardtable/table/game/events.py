"""Events of all games: frozen dataclasses that tell the effects of a decision, read from the kernel's log.

A game declares a base class, and below it a class for each kind of event, in the order of their numbers in its kernel.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from html import escape
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeVar, cast, dataclass_transform, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from cardtable.table.kernel.events import LOG_SIZE

Log = NDArray[np.int64]


@dataclass_transform(frozen_default=True)
class TableEvent:
    """Something that happened at a table. Its subclasses are frozen dataclasses, without a decorator each.

    A field is a number, a truth, or a tuple of these. `Annotated[str, WORDS]` is a word, whose number counts in WORDS,
    and `| None` stands for -1. `Annotated[int, Secret(code)]` is known to the event's seat only.
    """

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def _repr_html_(self) -> str:
        """Return the event as a line, for notebooks."""
        name = re.sub("(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize()
        values = ((field.name.replace("_", " "), getattr(self, field.name)) for field in fields(cast("Any", self)))
        return f"<b>{name}</b>: " + escape(", ".join(f"{name} {value}" for name, value in values))


Event = TypeVar("Event", bound=TableEvent)  # of one game


@dataclass(frozen=True)
class OfSeat:
    """The first field of an event that is about one seat."""

    seat: int


class Secret(int):
    """Marks a field that only the event's seat may know. For each of its numbers, others see this one."""


class Field(NamedTuple):
    """Layout of a field of an event in a log."""

    name: str
    depth: int  # 0 for a number, 1 for a tuple, 2 for a tuple of tuples; each tuple begins with its length
    words: Sequence[Any] | None  # what the numbers stand for, if not for themselves
    is_optional: bool  # does -1 stand for None?
    secret: Secret | None

    def read(self, numbers: Iterator[int]) -> Any:
        """Read the field from the numbers of a log."""
        return self._part(numbers, self.depth)

    def hidden(self, value: Any) -> Any:
        """Return the replacement that other seats see in place of a secret value."""
        return (self.secret,) * len(value) if self.depth > 0 else self.secret

    def _part(self, numbers: Iterator[int], depth: int) -> Any:
        if depth == 0:
            number = next(numbers)
            is_none = self.is_optional and number < 0
            return None if is_none else number if self.words is None else self.words[number]
        return tuple(self._part(numbers, depth - 1) for _ in range(next(numbers)))


@cache
def fields_of(kind: Any) -> tuple[Field, ...]:
    """Return the fields of a kind of event, in order."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_field(field.name, hints[field.name]) for field in fields(kind))


def _field(name: str, hint: Any) -> Field:
    kind, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    secret = next((mark for mark in marks if isinstance(mark, Secret)), None)
    depth = 0
    while get_origin(kind) is tuple:
        depth, kind = depth + 1, get_args(kind)[0]
    words = next((mark for mark in marks if not isinstance(mark, Secret)), (False, True) if kind is bool else None)
    return Field(name, depth, words, isinstance(kind, UnionType), secret)


def new_log() -> Log:
    """Return a log without events."""
    log = np.empty(LOG_SIZE, np.int64)
    log[0] = 1
    return log


def events_in(log: Log, base: type[Event]) -> tuple[Event, ...]:
    """Return the events in a log, of the kinds declared below `base`; those that continue the one before are one with
    it.
    """
    listed: list[tuple[type[Event], dict[str, Any]]] = []
    kinds, numbers = base.__subclasses__(), iter(log[1 : log[0]].tolist())
    for number in numbers:
        kind = kinds[number]
        values = {field.name: field.read(numbers) for field in fields_of(kind)}
        lists = {field.name for field in fields_of(kind) if field.depth > 0}
        before, values_before = listed[-1] if listed else (None, {})
        if kind is before and lists and all(values_before[name] == values[name] for name in values.keys() - lists):
            values_before.update({name: values_before[name] + values[name] for name in lists})
        else:
            listed.append((kind, values))
    return tuple(kind(**values) for kind, values in listed)


def seen_by(event: Event, seat: int | None) -> Event:
    """Return the event as this seat sees it, or a spectator (None): what only another seat knows is hidden."""
    secretive: Any = event
    secrets = [field for field in fields_of(secretive.__class__) if field.secret is not None]
    if not secrets or secretive.seat == seat:
        return event
    seen: Event = replace(secretive, **{field.name: field.hidden(getattr(secretive, field.name)) for field in secrets})
    return seen


def event_document(event: Event) -> dict[str, Any]:
    """Return an event for JSON: its name as "event", and its fields."""
    return {"event": type(event).__name__, **vars(event)}
