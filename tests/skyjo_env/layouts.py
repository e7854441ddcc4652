"""What a layout of Skyjo has room for, and whether all of it is in its place."""

from cardtable.table.render.seating import Rect
from skyjo_env.pictures import Layout
from tests.pictures import are_apart, is_inside, marked, overlap


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
    cards = {cell[2:] for panel in layout.seats for cell in panel.cells}
    piles = {pile.card[2:] for pile in (layout.draw_pile, layout.discard, layout.hand)}
    assert (len(cards), len(piles)) == (1, 1)
    assert max(cards) <= max(piles)
