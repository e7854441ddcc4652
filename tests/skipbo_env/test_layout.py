"""Where everything lies in a picture of Skip-Bo: inside the window, apart, clockwise, and large enough."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardtable.errors import TableError
from cardtable.render.rects import LARGEST, SMALLEST, Pile, Rect
from skipbo_env.kernel.state import MAX_PLAYERS
from skipbo_env.render.layout import Layout, Panel, arrange, strip_height
from tests.helpers import SEEDED
from tests.pictures import EXTREMES, are_apart, centre, is_inside, marked

PLAYERS = range(2, MAX_PLAYERS + 1)


def middle_of(layout: Layout) -> list[Pile]:
    return [layout.draw_pile, layout.completed, *layout.building]


def texts_of(layout: Layout) -> list[Rect]:
    """Where there is always text; beside it there are the cards that a discard pile has no room for."""
    lines = [line for panel in layout.seats for line in (panel.name, panel.stock_caption, panel.stock_size)]
    return [layout.headline, layout.details, layout.last_move, *(pile.caption for pile in middle_of(layout)), *lines]


def check_panel(panel: Panel) -> None:
    parts = [*panel[1:5], *panel.discard_piles, *panel.hand]
    assert are_apart(parts)
    assert all(is_inside(part, panel.frame) for part in parts)
    assert all(is_inside(marked(place), panel.frame) for place in (*panel.discard_piles, *panel.hand))
    assert not any(place.height < panel.stock.height + 3 * strip_height(place.width) for place in panel.discard_piles)


def check_layout(layout: Layout, players: int, window: tuple[int, int]) -> None:
    middle = [place for pile in middle_of(layout) for place in (marked(pile.card), pile.caption)]
    apart = [*(panel.frame for panel in layout.seats), *middle, layout.headline, layout.details, layout.last_move]
    assert are_apart(apart)
    assert all(is_inside(place, Rect(0, 0, *window)) for place in apart)
    assert (len(layout.seats), len(layout.building)) == (players, 4)
    for panel in layout.seats:
        check_panel(panel)
        assert (len(panel.discard_piles), len(panel.hand)) == (4, 5)
        assert panel.stock.width <= layout.draw_pile.card.width
    assert all(place.width > 0 and place.height > 0 for place in texts_of(layout))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("window", [*EXTREMES, (360, 640), (3840, 2160), (8192, 120)])
def test_nothing_overlaps_and_nothing_leaves_the_window(players: int, window: tuple[int, int]) -> None:
    check_layout(arrange(players, *window), players, window)


@settings(SEEDED, max_examples=50)
@given(st.sampled_from(PLAYERS), st.integers(SMALLEST[0], 4000), st.integers(SMALLEST[1], 4000))
def test_this_holds_in_windows_of_any_size(players: int, width: int, height: int) -> None:
    check_layout(arrange(players, width, height), players, (width, height))


LARGE = [  # players, window, and the least widths of cards in panels and in the middle
    (2, (960, 640), 78, 80),
    (2, (360, 640), 46, 46),
    (3, (700, 700), 58, 66),
    (4, (960, 640), 55, 82),
    (6, (960, 640), 45, 45),
    (6, (360, 640), 29, 32),
    (6, (1920, 1080), 80, 80),
]


@pytest.mark.parametrize(("players", "window", "card", "pile"), LARGE)
def test_cards_are_large_in_usual_windows(players: int, window: tuple[int, int], card: int, pile: int) -> None:
    layout = arrange(players, *window)
    assert layout.seats[0].hand[0].width >= card
    assert layout.building[0].card.width >= pile


def test_discard_piles_use_the_height_that_is_free() -> None:
    low, high = (arrange(2, 480, height).seats[0].discard_piles[0] for height in (640, 700))
    assert high.width == low.width
    assert high.height == low.height + 2 * strip_height(low.width)


def test_the_hand_lies_beside_the_piles_where_the_window_is_low() -> None:
    for window, is_beside in (((960, 640), False), ((3000, 160), True)):
        panel = arrange(2, *window).seats[0]
        assert (panel.hand[0].top == panel.stock.top) == is_beside
        assert (panel.hand[0].left > panel.discard_piles[-1].left) == is_beside


@pytest.mark.parametrize("window", EXTREMES)
def test_building_piles_lie_in_reading_order(window: tuple[int, int]) -> None:
    for players in PLAYERS:
        cards = [pile.card for pile in arrange(players, *window).building]
        assert cards == sorted(cards, key=lambda card: (card.top, card.left))


def test_seats_sit_clockwise() -> None:
    """Clause 1.2."""
    first, second, third, fourth = (centre(panel.frame) for panel in arrange(4, 960, 640).seats)
    assert first.real < second.real
    assert second.imag < third.imag
    assert fourth.real < third.real
    assert first.imag < fourth.imag


@pytest.mark.parametrize(("size", "name"), [((159, 640), "width=159"), ((960, 8193), "height=8193")])
def test_a_size_that_cannot_be_drawn_is_named(size: Any, name: str) -> None:
    with pytest.raises(TableError, match=f"{re.escape(name)} must be a whole number from"):
        arrange(2, *size)
    assert arrange(6, *LARGEST)
