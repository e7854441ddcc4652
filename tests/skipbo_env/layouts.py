"""What a layout of Skip-Bo has room for, and whether all of it is in its place."""

from cardtable.table.render.seating import Pile, Rect
from skipbo_env.pictures import Layout, SeatPanel, strip_height
from tests.pictures import are_apart, is_inside, marked


def middle_of(layout: Layout) -> list[Pile]:
    return [layout.draw_pile, layout.completed, *layout.building]


def texts_of(layout: Layout) -> list[Rect]:
    """Where there is always text; beside it there are the cards that a discard pile has no room for."""
    lines = [line for panel in layout.seats for line in (panel.name, panel.stock_caption, panel.stock_size)]
    return [layout.headline, layout.details, layout.last_move, *(pile.caption for pile in middle_of(layout)), *lines]


def check_panel(panel: SeatPanel) -> None:
    parts = [*panel[1:5], *panel.discard_piles, *panel.hand]
    assert are_apart(parts)
    assert all(is_inside(part, panel.frame) for part in parts)
    assert all(is_inside(marked(place), panel.frame) for place in (*panel.discard_piles, *panel.hand))
    assert not any(place.height < panel.stock.height + 3 * strip_height(place.width) for place in panel.discard_piles)


def check_layout(layout: Layout, window: tuple[int, int]) -> None:
    middle = [place for pile in middle_of(layout) for place in (marked(pile.card), pile.caption)]
    apart = [*(panel.frame for panel in layout.seats), *middle, layout.headline, layout.details, layout.last_move]
    assert are_apart(apart)
    assert all(is_inside(place, Rect(0, 0, *window)) for place in apart)
    assert len(layout.building) == 4
    for panel in layout.seats:
        check_panel(panel)
        assert (len(panel.discard_piles), len(panel.hand)) == (4, 5)
        assert panel.stock.width <= layout.draw_pile.card.width
    assert all(place.width > 0 and place.height > 0 for place in texts_of(layout))
