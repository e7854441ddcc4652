"""Observations made of a list of fields: each stands at its place, seats go clockwise, and secrets stay secret."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardtable.table.compiling.compiler import compiler_of
from cardtable.table.game.slices import Numbers, SliceSpec, TableView, others, place_of, seen, sources_of
from cardtable.table.kernel.views import SeatOf, view_writer

NOTHING, PLAYERS = 9, 3
compiled = compiler_of(__file__)
FIELDS: Any = [("seat", "i8"), ("hand", "i8"), ("pool", "i8", 2), ("totals", "i8", 4), ("cards", "i8", (4, 2))]
GAME: Any = np.zeros(1, FIELDS)
RULES: Any = np.array([(PLAYERS, 2)], [("players", "i8"), ("cells", "i8")])
GAME[0] = 1, 5, (6, 7), (10, 20, 30, 0), ((1, 2), (3, 4), (5, 6), (0, 0))


@compiled
def twice_the_hand(game, rules, observer):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return 2 * game.hand


class View(TableView):
    """A field of every kind."""

    decider: Numbers = seen("choice", 0, others, "who decides", source=SeatOf("seat"))
    hand: Numbers = seen("card", 0, 9, "known to its holder", secret=NOTHING)
    double: Numbers = seen("number", 0, 18, "worked out", source=twice_the_hand)
    pool: Numbers = seen("number", 0, 9, "an array", 2)
    totals: Numbers = seen("number", 0, 99, "by seat", "players", usual=50)
    own: Numbers = seen("card", 0, 9, "by seat and cell", "players", "cells", source="cards", secret=NOTHING)


WRITE = view_writer(sources_of(View), compiled)


@pytest.mark.parametrize(
    ("observer", "expected"),
    [
        (0, [1, 9, 10, 6, 7, 10, 20, 30, 1, 2, 9, 9, 9, 9]),
        (1, [0, 5, 10, 6, 7, 20, 30, 10, 3, 4, 9, 9, 9, 9]),
        (2, [2, 9, 10, 6, 7, 30, 10, 20, 5, 6, 9, 9, 9, 9]),
    ],
)
def test_every_field_stands_in_its_slice_as_the_observer_may_see_it(observer: int, expected: list[int]) -> None:
    view = np.zeros(len(expected), np.int16)
    WRITE(GAME.view(np.recarray)[0], RULES.view(np.recarray)[0], observer, view)
    assert view.tolist() == expected
    spec: SliceSpec[Any] = SliceSpec(View, SimpleNamespace(params=RULES, players=PLAYERS))
    assert spec.size == len(expected)
    for part in spec.slices:
        assert place_of(View, part.name)(RULES.view(np.recarray)[0]) == part.start
