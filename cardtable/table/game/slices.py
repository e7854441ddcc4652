"""Vectors of numbers with named slices: place, bounds and meaning of each; and their one-hot form."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import takewhile
from math import prod
from typing import Any, Generic, Literal, NamedTuple, TypeVar, cast, dataclass_transform, get_args

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import as_array
from cardtable.table.errors import TableError
from cardtable.table.kernel.game_kernel import Compiled
from cardtable.table.kernel.views import ENTRY_DTYPE, KINDS, Source, encode, place_after

Numbers = NDArray[np.signedinteger[Any]]  # a slice; int16 in the observations of a game
Encoding = Literal["compact", "onehot"]  # the forms of an observation
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)


Bound = int | str | Callable[[Any], int]  # a number, the attribute of the rules that holds it, or a function of them


class Seen(NamedTuple):
    """A field of a view, which a class of views declares by `seen`. Everything about its slice follows from it."""

    kind: str
    low: Bound
    high: Bound
    meaning: str
    shape: tuple[int | str, ...]
    usual: Bound | None = None
    source: Any = None
    secret: int | None = None


def seen(kind: str, low: Bound, high: Bound, meaning: str, *shape: int | str, **more: Any) -> Any:
    """Declare a field of a view: a card, a choice of few numbers, a number, or a pile of cards, in these bounds.

    The shape is as in `cardtable.table.kernel.views`, and so are `source`, by default the record's field of the same
    name. A field by seat that only its owner may see gives as `secret` the number that all others see in its place.
    `usual` is the usual size of numbers that stay far from their bounds.
    """
    return Seen(kind, low, high, meaning, shape, **more)


@dataclass_transform(eq_default=False)
class TableView:
    """The slices of observations by name, each with the axes of a batch before its own. A subclass is a dataclass; the
    fields that it declares by `seen` are the one list from which slices, places and `write_observation` follow.
    """

    def __init_subclass__(cls) -> None:
        dataclass(eq=False)(cls)


def others(rules: Any) -> int:
    """Return the number of other seats: the bound of places clockwise, and of the turns in a final lap."""
    return int(rules.players) - 1


def codes(words: Sequence[str]) -> str:
    """Return words with their numbers, as a meaning."""
    return ", ".join(f"{code} {word}" for code, word in enumerate(words))


def _declared(view: type[Any]) -> list[tuple[str, Seen]]:
    return [(field.name, cast("Seen", field.default)) for field in fields(view)]


def sources_of(view: type[Any]) -> tuple[Source, ...]:
    """Return the sources of the fields of a view, for the functions in `cardtable.table.kernel.views`."""
    return tuple(Source(seen.shape, seen.source or name, seen.secret) for name, seen in _declared(view))


def place_of(view: type[Any], name: str) -> Compiled:
    """Make the function of the rules' record that returns where a field of a view begins."""
    before = takewhile(lambda field: field[0] != name, _declared(view))
    return place_after(seen.shape for _, seen in before)


def _bound(rules: Any, bound: Bound) -> int:
    if callable(bound):
        return bound(rules)
    return int(getattr(rules, bound)) if isinstance(bound, str) else bound


class Cards(NamedTuple):
    """Codes that a slice of kind "card" may show, in the order of its one-hot vector, and their legend."""

    codes: tuple[int, ...]  # increasing; the first is the slice's lowest number
    legend: str


NO_CARDS = Cards((0,), "none")  # of a game whose observations show cards only as numbers


@dataclass(frozen=True)
class Slice:
    """One named part of an observation; a shape of () is a single number."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    kind: str  # a card, a choice of few numbers, a number, or a pile of cards
    meaning: str
    scale: int  # the usual size of its numbers

    @property
    def stop(self) -> int:
        """Index at which the next slice begins."""
        return self.start + prod(self.shape)


def slices_of(view: type[Any], rules: Any) -> tuple[Slice, ...]:
    """Return the slices that a view declares, under these rules."""
    sizes, slices = rules.params[0], list[Slice]()
    for name, seen in _declared(view):
        shape = tuple(size if isinstance(size, int) else int(sizes[size]) for size in seen.shape)
        low, high = _bound(rules, seen.low), _bound(rules, seen.high)
        scale = max(abs(low), abs(high), 1) if seen.usual is None else _bound(rules, seen.usual)
        start = slices[-1].stop if slices else 0
        slices.append(Slice(name, start, shape, low, high, seen.kind, seen.meaning, scale))
    return tuple(slices)


View = TypeVar("View")


class SliceSpec(Generic[View]):
    """Reader of the observations that a view declares, under given rules; `cards` are those that a seat may see."""

    def __init__(self, view: type[View], rules: Any, cards: Cards = NO_CARDS) -> None:
        self.view_type, self.rules, self.cards = view, rules, cards
        self.slices = slices_of(view, rules)
        self.size = self.slices[-1].stop
        entries = [part for part in self.slices for _ in range(part.start, part.stop)]
        self.low = np.array([part.low for part in entries], np.int16)
        self.high = np.array([part.high for part in entries], np.int16)
        self.low.flags.writeable = self.high.flags.writeable = False

    def view(self, observation: Any) -> View:
        """Return the slices as named arrays that share the observation's memory; leading axes (of a batch) are kept.

        The slices of a tensor of torch are tensors.
        """
        if np.shape(observation)[-1:] != (self.size,):
            raise TableError(
                f"under these rules an observation has {self.size} entries, not shape {np.shape(observation)}; "
                "was it made under others?"
            )
        observation = observation if hasattr(observation, "reshape") else np.asarray(observation)
        batch = tuple(observation.shape[:-1])
        return self.view_type(
            **{part.name: observation[..., part.start : part.stop].reshape(batch + part.shape) for part in self.slices}
        )

    @cached_property
    def onehot(self) -> "OneHot":
        """The same as vectors for plain networks: `spec.onehot(observations)`."""
        return OneHot(self)

    def check(self, observations: Any) -> NDArray[np.int16]:
        """Return observations that are possible under these rules, one or many; TableError for any other."""
        array = self.check_bounds(observations)
        for name, agrees in self._agreements(self.view(array.astype(np.int64))).items():
            if not np.all(agrees):
                raise TableError(f"{name} of an observation does not agree with the rest of it")
        return array

    def check_bounds(self, observations: Any) -> NDArray[np.int16]:
        """Return observations, one or many, in which every number is within its bounds; TableError for any other."""
        array = as_array(observations)
        if array.dtype.kind not in "iu" or array.shape[-1:] != (self.size,):
            raise TableError(
                f"observations must be whole numbers, {self.size} in the last axis, "
                f"not of shape {array.shape} and type {array.dtype}"
            )
        outside = np.argwhere((array < self.low) | (array > self.high))
        if len(outside):
            at = int(outside[0][-1])
            part = next(part for part in self.slices if part.start <= at < part.stop)
            raise TableError(f"entry {at} ({part.name}) of an observation is not from {part.low} to {part.high}")
        return np.ascontiguousarray(array, np.int16)

    def _agreements(self, view: View) -> dict[str, Any]:
        """Return which of the conditions between slices hold, by the message for a violation."""
        del view
        return {}

    def describe(self) -> str:
        """Return the slices as a Markdown table."""
        rows = [("name", "start", "shape", "low", "high", "meaning"), ("---",) * 6]
        for part in self.slices:
            shape = " × ".join(map(str, part.shape)) or "1"
            rows.append((part.name, str(part.start), shape, str(part.low), str(part.high), part.meaning))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        cells = (" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
        return "\n".join(f"| {row} |" for row in cells)


class OneHot:
    """Observations as float32 vectors: a card or a choice becomes a 1 among zeros, a number is scaled to about one.

    >>> from skyjo_env import OFFICIAL, Game, ObservationSpec
    >>> onehot = ObservationSpec(OFFICIAL).onehot
    >>> vector = onehot(Game(OFFICIAL).observation())
    >>> vector.shape, vector.dtype.name, int(vector[:7].argmax())
    ((516,), 'float32', 0)
    """

    def __init__(self, spec: SliceSpec[Any]) -> None:
        self._spec = spec
        codes = np.array(spec.cards.codes)
        self.places = np.zeros(codes[-1] - codes[0] + 1, np.int64)
        self.places[codes - codes[0]] = np.arange(len(codes))
        self.entries = np.zeros(spec.size, ENTRY_DTYPE)
        low, high, start = [], [], 0
        for part in spec.slices:
            kind, width, _ = _encoded(part, spec.cards)
            entries = self.entries[part.start : part.stop]
            entries["kind"], entries["low"] = KINDS.index(kind), part.low
            entries["scale"] = part.scale
            entries["start"] = start + width * np.arange(len(entries))
            start += width * len(entries)
            bounds = (part.low / part.scale, part.high / part.scale) if kind == "number" else (0.0, 1.0)
            low.append(np.full(width * len(entries), bounds[0], np.float32))
            high.append(np.full(width * len(entries), bounds[1], np.float32))
        self.low, self.high, self.size = np.concatenate(low), np.concatenate(high), start

    def __call__(self, observations: Any) -> NDArray[np.float32]:
        """Return the encoding of observations, one or many; leading axes are kept. TableError if they are out of
        bounds.
        """
        array = self._spec.check_bounds(observations)
        return self.encode(array.reshape(-1, self._spec.size)).reshape(*array.shape[:-1], self.size)

    def encode(
        self, observations: NDArray[np.int16], scratch: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Return the encoding of a game's own observations [N, D], unchecked, in a new array or in `scratch`."""
        encoded = np.empty((len(observations), self.size), np.float32) if scratch is None else scratch
        encode(observations, self.entries, self.places, encoded)
        return encoded

    def describe(self) -> str:
        """Return the encoded slices as a Markdown table."""
        rows = ["| name | start | shape | one number for each |", "| --- | --- | --- | --- |"]
        for part in self._spec.slices:
            kind, width, legend = _encoded(part, self._spec.cards)
            start, shape = self.entries[part.start]["start"], (*part.shape, width) if kind != "number" else part.shape
            rows.append(f"| {part.name} | {start} | {' × '.join(map(str, shape)) or '1'} | {legend} |")
        return "\n".join(rows)


def _encoded(part: Slice, cards: Cards) -> tuple[str, int, str]:
    """Return the encoding of a slice: the kind, the number of numbers for each entry, and their meaning."""
    if part.kind == "card":
        return "card", len(cards.codes), cards.legend
    if part.kind == "choice":
        return "choice", part.high - part.low + 1, f"value from {part.low} to {part.high}"
    return "number", 1, f"the number divided by {part.scale:g}"  # also a pile, whose vectors would be far too long
