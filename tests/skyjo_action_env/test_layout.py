"""How large everything is in a picture of Skyjo Action, and in which order; `tests/games` has what holds for all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_action_env.render.layout import arrange
from tests.helpers import SEEDED
from tests.pictures import EXTREMES, centre
from tests.skyjo_action_env.layouts import check_layout

LARGE = [  # players, window, and the least widths of cards in panels and piles
    (2, (960, 640), 63, 63),
    (2, (360, 640), 38, 44),
    (3, (960, 640), 52, 53),
    (4, (960, 640), 48, 53),
    (4, (240, 160), 11, 14),
    (8, (960, 640), 36, 42),
    (8, (700, 800), 35, 38),
    (8, (1920, 1080), 64, 64),
]


@pytest.mark.parametrize(("players", "window", "card", "pile"), LARGE)
def test_cards_are_large_in_usual_windows(players: int, window: tuple[int, int], card: int, pile: int) -> None:
    layout = arrange(players, *window)
    assert layout.seats[0].cells[0].width >= card
    assert layout.piles["discard"].card.width >= pile


@settings(SEEDED, max_examples=200)
@given(st.integers(2, 8), st.integers(160, 3000), st.integers(120, 3000))
def test_everything_is_in_its_place_in_windows_of_any_size(players: int, width: int, height: int) -> None:
    check_layout(arrange(players, width, height), (width, height))


@pytest.mark.parametrize("window", [*EXTREMES, (800, 900), (1200, 500)])
@pytest.mark.parametrize("players", range(2, 9))
def test_piles_lie_in_lines(players: int, window: tuple[int, int]) -> None:
    """In one or two lines, or in three; open action cards and drawn ones lie by their numbers."""
    cards = {name: pile.card for name, pile in arrange(players, *window).piles.items()}
    for names in ([f"open {place}" for place in range(4)], ["card 0", "card 1", "card 2", "played"]):
        places = [centre(cards[name]) for name in names]
        assert places == sorted(places, key=lambda place: (place.real, place.imag))
        assert len({place.real for place in places}) == 1 or len({place.imag for place in places}) == 1
    for one, other in (("draw", "discard"), ("action", "used")):
        assert cards[one].left == cards[other].left or cards[one].top == cards[other].top


def test_action_cards_lie_beside_the_cells_where_the_window_is_low() -> None:
    for window, is_beside in (((960, 640), False), ((1200, 400), True)):
        panel = arrange(2, *window).seats[0]
        assert (panel.actions[0].top == panel.cells[0].top) == is_beside
        assert (panel.actions[0].left > panel.cells[-1].left) == is_beside
        assert list(panel.actions) == sorted(panel.actions, key=lambda tile: (tile.top, tile.left))


def test_cells_lie_by_their_numbers_in_columns_from_the_top() -> None:
    """Clause 1.5."""
    cells = arrange(2, 960, 640).seats[1].cells
    assert sorted(range(12), key=lambda cell: (cells[cell].left, cells[cell].top)) == list(range(12))
    assert len({cell.left for cell in cells}) == 4
