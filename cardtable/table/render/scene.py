"""The picture of a table: a headline, piles in the middle, and a panel for every seat around them.

A game says in a `Shown` what these show; where they lie follows from the window.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cardtable.table.render.faces import Image, number_text
from cardtable.table.render.seating import CARD, GAP, LINE, PAD, Rect, Seating, Size, arrange
from cardtable.table.render.svg import Scene, Thing, card, panel, words
from cardtable.table.render.text import Telling, end_words, last_move_words

# These fit in any case, so that text keeps its size from picture to picture.
USUAL_LINE, USUAL_CAPTION = "round 100   total 100", "discard 100"


class ShownPile(NamedTuple):
    """Image, caption and mark of a pile."""

    image: Image
    caption: str
    is_marked: bool = False


class Shown(NamedTuple):
    """Parts of a game's picture beyond those that every picture shows."""

    headline: str  # while the game goes on
    details: str
    piles: Sequence[ShownPile]
    notes: Sequence[tuple[str, str]]  # by seat: beside its name, and its points
    shapes: tuple[Size, ...]  # of what lies in a panel: the best for the window is taken
    inside: Callable[[int, int, float, float], Iterable[Thing]]  # (seat, shape, left, top) -> what lies in its panel


def scene_of(game: Any, shown: Shown, size: tuple[int, int], telling: Telling) -> Scene:
    """Return the picture of a table at this width and height."""
    shapes = tuple((width + 2 * PAD, height + 2 * (PAD + LINE + GAP)) for width, height in shown.shapes)
    seating = arrange(len(shown.notes), shapes, len(shown.piles), *size)
    title = end_words(game, telling) if game.is_over else shown.headline
    things = (
        *words(title, seating.headline, "gold"),
        *words(shown.details, seating.details, "dim", float(seating.details.left > seating.headline.left)),
        *_last_move(game, seating, telling),
        *_piles(shown.piles, seating),
        *_panels(game, shown, seating, telling),
    )
    return Scene(size, seating.size, title, things)


def _last_move(game: Any, seating: Seating, telling: Telling) -> Iterator[Thing]:
    if telling.happened is not None:
        yield from words(telling.happened, seating.last_move)
    elif game.last_move is not None:
        yield from words(f"Last move: {last_move_words(game)}", seating.last_move, "dim")


def _piles(piles: Sequence[ShownPile], seating: Seating) -> Iterator[Thing]:
    """Yield all piles; their captions are of one size."""
    fits = USUAL_CAPTION, *(pile.caption for pile in piles)
    for slot, (image, caption, is_marked) in zip(seating.piles, piles, strict=True):
        yield from card(slot.left + (slot.width - CARD[0]) / 2, slot.top + GAP, image, is_marked)
        below = slot.top + GAP + CARD[1]
        place = Rect(slot.left, below + GAP, slot.width, slot.top + slot.height - below - GAP)
        yield from words(caption, place, "dim" if image is None else "ink", 0.5, fits)


def _panels(game: Any, shown: Shown, seating: Seating, telling: Telling) -> Iterator[Thing]:
    """Yield the panel of every seat with its name and note, cards, points and total; its text is of one size."""
    names = [telling.name(seat) for seat in range(len(shown.notes))]
    totals = [f"total {number_text(total)}" for total in game.totals]
    fits = (
        USUAL_LINE,
        *(
            "   ".join(ends)
            for name, total, (note, points) in zip(names, totals, shown.notes, strict=True)
            for ends in ((name, note), (points, total))
        ),
    )
    for seat, (frame, (note, points)) in enumerate(zip(seating.panels, shown.notes, strict=True)):
        is_bright = seat in game.winners if game.is_over else seat == game.seat
        upper = Rect(frame.left + PAD, frame.top + PAD, frame.width - 2 * PAD, LINE)
        lower = upper._replace(top=frame.top + frame.height - PAD - LINE)
        yield panel(frame, is_bright)
        yield from words(names[seat], upper, "gold" if is_bright else "ink", 0.0, fits)
        yield from words(note, upper, "gold" if is_bright else "ink", 1.0, fits)
        yield from words(points, lower, "ink", 0.0, fits)
        yield from words(totals[seat], lower, "ink", 1.0, fits)
        yield from shown.inside(seat, seating.shape, upper.left, upper.top + LINE + GAP)


def grid_size(rows: int, columns: int) -> Size:
    """Return the size of cards in rows and columns."""
    return columns * (CARD[0] + GAP) - GAP, rows * (CARD[1] + GAP) - GAP


def cell_corner(cell: int, rows: int, left: float, top: float) -> tuple[float, float]:
    """Return where a card of a grid begins; cells are numbered column by column from the top."""
    column, row = divmod(cell, rows)
    return left + column * (CARD[0] + GAP), top + row * (CARD[1] + GAP)
