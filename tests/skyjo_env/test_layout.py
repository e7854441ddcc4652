"""How large everything is in a picture of Skyjo, and in which order; `tests/games` has what holds for every game."""

import pytest

from skyjo_env.pictures import arrange
from tests.pictures import centre

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
