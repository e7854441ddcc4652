"""How large everything is in a picture of Skyjo Action, and in which order; `tests/games` has what holds for all."""

import pytest

from skyjo_action_env.render import arrange

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
