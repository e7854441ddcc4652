"""What a layout of Skyjo Action has room for, and whether all of it is in its place."""

from cardtable.table.render.seating import Rect
from skyjo_action_env.render import Layout
from tests.pictures import are_apart, is_inside, marked

PILES = {
    "draw",
    "discard",
    "action",
    "used",
    "played",
    *(f"card {k}" for k in range(3)),
    *(f"open {k}" for k in range(4)),
}


def texts_of(layout: Layout) -> list[Rect]:
    captions = [pile.caption for pile in layout.piles.values()]
    lines = [line for panel in layout.seats for line in (panel.name, panel.total)]
    return [layout.headline, layout.details, layout.last_move, *captions, *lines]


def check_layout(layout: Layout, window: tuple[int, int]) -> None:
    piles = [place for pile in layout.piles.values() for place in (marked(pile.card), pile.caption)]
    apart = [*(panel.frame for panel in layout.seats), *piles, layout.headline, layout.details, layout.last_move]
    assert are_apart(apart)
    assert all(is_inside(place, Rect(0, 0, *window)) for place in apart)
    assert set(layout.piles) == PILES
    for panel in layout.seats:
        parts = [panel.name, *panel.cells, *panel.actions, panel.total]
        assert (len(panel.cells), len(panel.actions)) == (12, 9)
        assert are_apart(parts)
        assert all(is_inside(part, panel.frame) for part in parts)
        assert all(is_inside(marked(cell), panel.frame) for cell in panel.cells)
        assert all(part.width > 0 and part.height > 0 for part in parts)
    cards = {cell[2:] for panel in layout.seats for cell in panel.cells}
    sizes = {pile.card[2:] for pile in layout.piles.values()}
    assert (len(cards), len(sizes)) == (1, 1)
    assert max(cards) <= max(sizes)
    assert all(place.width > 0 and place.height > 0 for place in texts_of(layout))
