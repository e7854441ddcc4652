"""Observations made of a list of fields: where each field stands, a function that writes them all, and one that
encodes them for plain networks: cards and choices as one-hot vectors, numbers scaled to about one.

A field is taken from the record, is a seat in places clockwise from the observer (`SeatOf`), or is worked out by a
compiled function (game, rules, observer). Its shape is (), (size,), ("players",) or ("players", size). A size is a
number, or the name of one in the record of the rules. Seats follow each other clockwise, the observer first.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from cardtable.table.compiling.compiler import Decorator, inlined, kernel
from cardtable.table.kernel.game_kernel import NOBODY, Compiled

Shape = tuple[int | str, ...]
PLAYERS = "players"


class SeatOf(NamedTuple):
    """A field of the record that names a seat, or NOBODY."""

    field: str


class Source(NamedTuple):
    """The source of a field of an observation."""

    shape: Shape
    source: str | SeatOf | Compiled  # a field of the record, or other than that
    secret: int | None  # what others see: of numbers by seat all but that seat, else all but the seat to move


@inlined
def observer_seat(game, rules, observer):  # noqa: ARG001
    """Return the observer's own seat, as the source of a field."""
    return observer


@inlined
def relative_seat(rules, seat, observer):
    """Return the number of places clockwise from the observer to a seat; NOBODY stays NOBODY."""
    if seat < 0:
        return NOBODY
    return seat - observer if seat >= observer else seat - observer + rules.players


def number_of(size: int | str) -> Compiled:
    """Make a function of the rules' record that returns this size."""

    @inlined
    def known(rules):  # noqa: ARG001
        return size

    @inlined
    def of_rules(rules):
        return rules[size]

    return of_rules if isinstance(size, str) else known


def place_after(shapes: Iterable[Shape]) -> Compiled:
    """Make a function of the rules' record that returns where what follows fields of these shapes begins."""

    def after(before: Compiled, shape: Shape, fields: int) -> Compiled:
        outer, inner = map(number_of, (*shape, 1, 1)[:2])

        @inlined
        def place(rules):
            return before(rules) + fields * outer(rules) * inner(rules)

        return place

    return reduce(lambda before, counted: after(before, *counted), Counter(shapes).items(), number_of(0))


def _getter(shape: Shape, source: str | SeatOf | Compiled) -> Compiled:
    """Make the function that gets a number of a field."""
    field = source.field if isinstance(source, SeatOf) else source

    @inlined
    def number(game, rules, observer, seat, k):  # noqa: ARG001
        return game[field]

    @inlined
    def item(game, rules, observer, seat, k):  # noqa: ARG001
        return game[field][k]

    @inlined
    def of_seat(game, rules, observer, seat, k):  # noqa: ARG001
        return game[field][seat]

    @inlined
    def item_of_seat(game, rules, observer, seat, k):  # noqa: ARG001
        return game[field][seat, k]

    @inlined
    def place_of_seat(game, rules, observer, seat, k):  # noqa: ARG001
        return relative_seat(rules, game[field], observer)

    @inlined
    def worked_out(game, rules, observer, seat, k):  # noqa: ARG001
        return source(game, rules, observer)

    if not isinstance(source, str):
        return place_of_seat if isinstance(source, SeatOf) else worked_out
    by_shape: dict[Shape, Compiled] = {(): number, (PLAYERS,): of_seat}
    return by_shape.get(shape, item_of_seat if PLAYERS in shape else item)


def _field_writer(source: Source) -> Compiled:
    """Make the function that writes a field from a place on, and returns the next place."""
    get, by_seat = _getter(source.shape, source.source), PLAYERS in source.shape
    is_secret, secret = source.secret is not None, source.secret or 0
    seats = number_of(PLAYERS if by_seat else 1)
    numbers = number_of(next((size for size in source.shape if size != PLAYERS), 1))

    @inlined
    def write(game, rules, observer, out, at):
        for place in range(seats(rules)):
            seat = (observer + place) % rules.players
            is_hidden = is_secret and observer != (seat if by_seat else game.seat)
            for k in range(numbers(rules)):
                out[at] = secret if is_hidden else get(game, rules, observer, seat, k)
                at += 1
        return at

    return write


def view_writer(sources: Sequence[Source], compiled: Decorator) -> Compiled:
    """Make `write_observation(game, rules, observer, out)` of these fields."""

    def both(first: Compiled, second: Compiled) -> Compiled:
        @inlined
        def write(game, rules, observer, out, at):
            return second(game, rules, observer, out, first(game, rules, observer, out, at))

        return write

    write_all = reduce(both, map(_field_writer, sources))

    @compiled
    def write_observation(game, rules, observer, out):
        """Write what a seat sees."""
        write_all(game, rules, observer, out, 0)

    return write_observation


KINDS = ("card", "choice", "number")  # index = code
CARD, CHOICE, NUMBER = range(3)

ENTRY_DTYPE = np.dtype(
    (
        np.record,
        [
            ("kind", "i8"),
            ("start", "i8"),  # where its numbers begin in the encoded vector
            ("low", "i8"),  # the value of its first number
            ("scale", "f8"),  # what a number is divided by
        ],
    ),
    align=True,
)


@kernel
def encode(observations, entries, cards, encoded):
    """Write the encoding of every observation [N, D] to `encoded` [N, E]; `entries` has one record for each of D.

    `cards` tells which number of its vector stands for each card, from the lowest.
    """
    for row in range(len(observations)):
        encoded[row, :] = 0
        for k in range(len(entries)):
            entry, value = entries[k], observations[row, k]
            if entry.kind == NUMBER:
                encoded[row, entry.start] = value / entry.scale
            elif entry.kind == CARD:
                encoded[row, entry.start + cards[value - entry.low]] = 1
            else:
                encoded[row, entry.start + value - entry.low] = 1
