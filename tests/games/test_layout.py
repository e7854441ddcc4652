"""Where seats and piles lie in a picture: inside the window, apart, and clockwise."""

import re
from cmath import phase
from itertools import combinations
from math import pi
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cardtable.table.errors import TableError
from cardtable.table.render.seating import CARD, MAX_SIZE, MIN_SIZE, Rect, Seating, Size, arrange
from tests.games.under_test import GameUnderTest
from tests.helpers import SEEDED
from tests.pictures import EXTREMES

WIDE, HIGH, SMALL = (500, 200), (230, 284), (60, 90)  # shapes of panels
CLOSE = 1e-6


def centre(rect: Rect) -> complex:
    return complex(rect.left + rect.width / 2, rect.top + rect.height / 2)


def are_apart(one: Rect, other: Rect) -> bool:
    beside = one.left + one.width <= other.left + CLOSE or other.left + other.width <= one.left + CLOSE
    return beside or one.top + one.height <= other.top + CLOSE or other.top + other.height <= one.top + CLOSE


def is_clockwise(seating: Seating) -> bool:
    """Is each seat further around, seen from their middle, unless they sit in one line?"""
    seats = [centre(panel) for panel in seating.panels]
    middle = sum(seats) / len(seats)
    angles = [(phase((seat - middle) / (seats[0] - middle)) + CLOSE) % (2 * pi) for seat in seats]
    in_one_line = len({seat.real for seat in seats}) == 1 or len({seat.imag for seat in seats}) == 1
    return in_one_line or angles == sorted(set(angles))


SHAPES = st.sampled_from([(WIDE,), (HIGH,), (SMALL,), (WIDE, HIGH), (HIGH, WIDE)])
SIDES = [st.integers(least, 4000) for least in MIN_SIZE]


@settings(SEEDED, max_examples=300)
@given(st.integers(2, 8), SHAPES, st.sampled_from([1, 3, 6, 12]), st.tuples(*SIDES))
@example(2, (HIGH,), 3, MAX_SIZE)
@example(8, (WIDE, HIGH), 12, (8192, 120))
@example(8, (SMALL,), 12, (160, 8192))
def test_nothing_overlaps_nothing_leaves_the_window_and_seats_sit_clockwise(
    players: int, shapes: tuple[Size, ...], piles: int, window: tuple[int, int]
) -> None:
    seating = arrange(players, shapes, piles, *window)
    texts = (seating.headline, seating.details, seating.last_move)
    places = [*texts, *seating.panels, *seating.piles]
    assert (len(seating.panels), len(seating.piles)) == (players, piles)
    assert seating.size[0] / seating.size[1] == pytest.approx(window[0] / window[1])
    for left, top, width, height in places:
        assert min(left, top) >= -CLOSE
        assert left + width <= seating.size[0] + CLOSE
        assert top + height <= seating.size[1] + CLOSE
    assert all(are_apart(*two) for two in combinations(places, 2))
    assert {panel[2:] for panel in seating.panels} == {shapes[seating.shape]}
    assert is_clockwise(seating)


def test_of_two_shapes_the_better_one_for_the_window_is_taken() -> None:
    assert arrange(2, (WIDE, HIGH), 3, 960, 640).shape == 1
    assert arrange(2, (WIDE, HIGH), 3, 3000, 160).shape == 0


LARGE = [  # players, window, and the least width of a card in pixels
    (2, (960, 640), 84),
    (4, (960, 640), 45),
    (4, (240, 160), 10),
    (8, (960, 640), 40),
    (8, (700, 800), 33),
    (8, (1920, 1080), 75),
]


@pytest.mark.parametrize(("players", "window", "least"), LARGE)
def test_cards_are_large_in_usual_windows(players: int, window: tuple[int, int], least: int) -> None:
    assert window[0] / arrange(players, (HIGH,), 3, *window).size[0] * CARD[0] >= least


@pytest.mark.parametrize("window", EXTREMES)
def test_every_table_is_drawn_inside_its_panels(game: GameUnderTest, window: tuple[int, int]) -> None:
    for rules in game.drawn_rules:
        scene = game.card_game.scene_of(game.played(rules, rules.players, 60), window)
        assert all(0 <= thing.left <= scene.units[0] and 0 <= thing.top <= scene.units[1] for thing in scene.things)


@pytest.mark.parametrize(
    ("size", "name"),
    [((159, 640), "width=159"), ((960, 119), "height=119"), ((8193, 640), "width=8193"), ((960.0, 640), "width=960.0")],
)
def test_a_size_that_cannot_be_drawn_is_named(size: Any, name: str) -> None:
    with pytest.raises(TableError, match=f"{re.escape(name)} must be a whole number from"):
        arrange(3, (HIGH,), 3, *size)
