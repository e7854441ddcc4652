"""Where everything lies in a picture: inside the window, apart, and clockwise."""

import re
from cmath import phase
from math import pi
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pygame")

from cardtable.table.errors import TableError
from cardtable.table.render.seating import LARGEST, SMALLEST
from tests.games.under_test import GameUnderTest
from tests.helpers import SEEDED
from tests.pictures import EXTREMES, centre


@pytest.mark.parametrize("window", [*EXTREMES, (360, 640), (3840, 2160), (8192, 120)])
def test_nothing_overlaps_and_nothing_leaves_the_window(game: GameUnderTest, window: tuple[int, int]) -> None:
    for rules in game.drawn_rules:
        layout = game.layout(rules, *window)
        assert len(layout.seats) == rules.players
        game.layouts.check_layout(layout, window)


@settings(SEEDED, max_examples=100)
@given(st.integers(0, 1000), st.integers(SMALLEST[0], 4000), st.integers(SMALLEST[1], 4000))
def test_this_holds_in_windows_of_any_size(game: GameUnderTest, number: int, width: int, height: int) -> None:
    rules = game.drawn_rules[number % len(game.drawn_rules)]
    game.layouts.check_layout(game.layout(rules, width, height), (width, height))


@pytest.mark.parametrize("window", EXTREMES)
def test_seats_sit_clockwise(game: GameUnderTest, window: tuple[int, int]) -> None:
    """Clause 1.2 of both games: seen from their middle each seat is further around, unless they sit in one line."""
    for rules in game.drawn_rules:
        seats = [centre(panel.frame) for panel in game.layout(rules, *window).seats]
        middle = sum(seats) / len(seats)
        angles = [(phase((seat - middle) / (seats[0] - middle)) + 1e-9) % (2 * pi) for seat in seats]
        in_one_line = len({seat.real for seat in seats}) == 1 or len({seat.imag for seat in seats}) == 1
        assert in_one_line or angles == sorted(set(angles))


@pytest.mark.parametrize(
    ("size", "name"),
    [((159, 640), "width=159"), ((960, 119), "height=119"), ((8193, 640), "width=8193"), ((960.0, 640), "width=960.0")],
)
def test_a_size_that_cannot_be_drawn_is_named(game: GameUnderTest, size: Any, name: str) -> None:
    for rules in (game.drawn_rules[0], game.drawn_rules[-1]):
        assert game.layout(rules, *LARGEST)
        with pytest.raises(TableError, match=f"{re.escape(name)} must be a whole number from"):
            game.layout(rules, *size)
