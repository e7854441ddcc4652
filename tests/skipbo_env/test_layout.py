"""How large everything is in a picture of Skip-Bo, and in which order; `tests/games` has what holds for every game."""

import pytest

from skipbo_env.pictures import arrange, strip_height
from tests.pictures import EXTREMES

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
    for players in range(2, 7):
        cards = [pile.card for pile in arrange(players, *window).building]
        assert cards == sorted(cards, key=lambda card: (card.top, card.left))
