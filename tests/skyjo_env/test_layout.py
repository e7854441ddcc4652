"""Where everything lies in a picture: inside the window, apart, as large as can be, clockwise."""

import re
from cmath import phase
from itertools import product
from math import pi
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardtable.render.rects import LARGEST, SMALLEST, Rect
from skyjo_env import SkyjoError
from skyjo_env.render.layout import Layout, arrange
from tests.helpers import SEEDED
from tests.pictures import EXTREMES, are_apart, centre, is_inside, marked, overlap

TABLES = list(product(range(2, 9), range(2, 5), range(2, 7)))  # players, rows, columns


def texts_of(layout: Layout) -> list[Rect]:
    captions = [pile.caption for pile in (layout.draw_pile, layout.discard, layout.hand)]
    lines = [line for panel in layout.seats for line in (panel.name, panel.total)]
    return [layout.headline, layout.details, layout.last_move, *captions, *lines]


def everything(layout: Layout) -> list[Rect]:
    """All that must not overlap; a seat's name, cells and total lie in its frame instead of the frame itself."""
    cards = [pile.card for pile in (layout.draw_pile, layout.discard, layout.hand)]
    return [*texts_of(layout), *cards, *(cell for panel in layout.seats for cell in panel.cells)]


def check_layout(layout: Layout, window: tuple[int, int]) -> None:
    frames = [panel.frame for panel in layout.seats]
    outside = [rect for rect in everything(layout) if not any(is_inside(rect, frame) for frame in frames)]
    assert len(outside) == 9
    assert all(rect.width > 0 and rect.height > 0 for rect in everything(layout))
    assert all(is_inside(rect, Rect(0, 0, *window)) for rect in (*frames, *outside))
    assert are_apart([*frames, *outside])
    for panel in layout.seats:
        parts = [panel.name, *panel.cells, panel.total]
        assert all(is_inside(part, panel.frame) for part in parts)
        assert are_apart(parts)
        assert all(is_inside(marked(cell), panel.frame) for cell in panel.cells)
    for pile in (layout.draw_pile, layout.discard, layout.hand):
        assert not any(overlap(marked(pile.card), other) for other in (*frames, *outside) if other != pile.card)


@pytest.mark.parametrize("window", [*EXTREMES, (3840, 2160), (8192, 120)])
def test_nothing_overlaps_and_nothing_leaves_the_window(window: tuple[int, int]) -> None:
    for players, rows, columns in TABLES:
        check_layout(arrange(players, rows, columns, *window), window)


@settings(SEEDED, max_examples=100)
@given(st.sampled_from(TABLES), st.integers(SMALLEST[0], 4000), st.integers(SMALLEST[1], 4000))
def test_this_holds_in_windows_of_any_size(played: tuple[int, int, int], width: int, height: int) -> None:
    layout = arrange(*played, width, height)
    check_layout(layout, (width, height))
    cards = {cell[2:] for panel in layout.seats for cell in panel.cells}
    piles = {pile.card[2:] for pile in (layout.draw_pile, layout.discard, layout.hand)}
    assert (len(layout.seats), len(cards), len(piles)) == (played[0], 1, 1)
    assert max(cards) <= max(piles)


@settings(SEEDED, max_examples=200)
@given(st.sampled_from(TABLES), st.integers(240, 2000), st.integers(160, 2000))
def test_cards_fill_the_window_in_one_direction(played: tuple[int, int, int], width: int, height: int) -> None:
    layout = arrange(*played, width, height)
    card, text = layout.seats[0].cells[0].width, layout.headline.height
    parts = [panel.frame for panel in layout.seats]
    parts += [part for pile in (layout.draw_pile, layout.discard, layout.hand) for part in pile]
    spare_width = width - max(p.left + p.width for p in parts) + min(p.left for p in parts)
    spare_height = height - max(p.top + p.height for p in parts) + min(p.top for p in parts)
    assert spare_width < 2 * text + card or spare_height < 5 * text + card


LARGE = [  # players, window, and the least widths of cards on boards and piles
    (2, (960, 640), 85, 88),
    (2, (900, 900), 94, 108),
    (3, (960, 640), 67, 72),
    (4, (960, 640), 49, 68),
    (4, (240, 160), 11, 16),
    (8, (960, 640), 45, 48),
    (8, (700, 800), 39, 46),
    (8, (1920, 1080), 78, 117),
]


@pytest.mark.parametrize(("players", "window", "card", "pile"), LARGE)
def test_cards_are_large_in_usual_windows(players: int, window: tuple[int, int], card: int, pile: int) -> None:
    layout = arrange(players, 3, 4, *window)
    assert layout.seats[0].cells[0].width >= card
    assert layout.hand.card.width >= pile


@pytest.mark.parametrize("window", EXTREMES)
def test_seats_sit_clockwise(window: tuple[int, int]) -> None:
    """Clause 1.2: seen from their middle each seat is further around, unless they sit in one line."""
    for played in TABLES:
        seats = [centre(panel.frame) for panel in arrange(*played, *window).seats]
        middle = sum(seats) / len(seats)
        angles = [(phase((seat - middle) / (seats[0] - middle)) + 1e-9) % (2 * pi) for seat in seats]
        in_one_line = len({seat.real for seat in seats}) == 1 or len({seat.imag for seat in seats}) == 1
        assert in_one_line or angles == sorted(set(angles))


@pytest.mark.parametrize(("players", "window"), [(2, (960, 640)), (8, (960, 640)), (8, (700, 800))])
def test_piles_lie_in_the_middle(players: int, window: tuple[int, int]) -> None:
    layout = arrange(players, 3, 4, *window)
    seats = [centre(panel.frame) for panel in layout.seats]
    assert abs(centre(layout.discard.card) - sum(seats) / players) < layout.discard.card.height


def test_cells_lie_by_their_numbers_in_columns_from_the_top() -> None:
    """Clause 1.3."""
    cells = arrange(2, 3, 4, 960, 640).seats[1].cells
    assert sorted(range(12), key=lambda cell: (cells[cell].left, cells[cell].top)) == list(range(12))
    assert len({cell.left for cell in cells}) == 4


@pytest.mark.parametrize(
    ("size", "name"),
    [((159, 640), "width=159"), ((960, 119), "height=119"), ((8193, 640), "width=8193"), ((960.0, 640), "width=960.0")],
)
def test_a_size_that_cannot_be_drawn_is_named(size: Any, name: str) -> None:
    assert arrange(2, 3, 4, 960, 640)
    with pytest.raises(SkyjoError, match=f"{re.escape(name)} must be a whole number from"):
        arrange(2, 3, 4, *size)
    assert arrange(8, 4, 6, *LARGEST)
