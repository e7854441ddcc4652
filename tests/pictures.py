"""What tests of layouts and pictures of all games share."""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any

import pytest
from numpy.typing import NDArray

from cardtable.table.render import brush
from cardtable.table.render.seating import SMALLEST, Rect

EXTREMES = [SMALLEST, (240, 160), (240, 2000), (3000, 160), (480, 800), (960, 640)]  # windows

Pixels = NDArray[Any]


# Layouts


def is_inside(inner: Rect, outer: Rect) -> bool:
    """Does the one lie in the other?"""
    return (
        outer.left <= inner.left
        and outer.top <= inner.top
        and inner.left + inner.width <= outer.left + outer.width
        and inner.top + inner.height <= outer.top + outer.height
    )


def overlap(one: Rect, other: Rect) -> bool:
    """Do they share a pixel?"""
    beside = one.left + one.width <= other.left or other.left + other.width <= one.left
    return not beside and one.top < other.top + other.height and other.top < one.top + one.height


def are_apart(places: Iterable[Rect]) -> bool:
    """Do no two of them share a pixel?"""
    return not any(overlap(one, other) for one, other in combinations(places, 2))


def marked(card: Rect) -> Rect:
    """A card with the mark of the last move around it."""
    by = max(1, card.width // 10)
    return Rect(card.left - by, card.top - by, card.width + 2 * by, card.height + 2 * by)


def centre(rect: Rect) -> complex:
    """The middle of a rectangle."""
    return complex(rect.left + rect.width / 2, rect.top + rect.height / 2)


# Pictures


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Windows that nobody sees."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_NO_SIGNAL_HANDLERS", "1")
    yield
    brush.pygame.display.quit()


def on_screen() -> Pixels:
    """What the window shows."""
    pixels: Pixels = brush.pygame.surfarray.array3d(brush.pygame.display.get_surface()).swapaxes(0, 1)
    return pixels


def colour_at(pixels: Pixels, place: Rect, x: float, y: float) -> tuple[int, ...]:
    """The pixel at a place inside a rectangle, in shares of its width and height."""
    return tuple(pixels[int(place.top + y * place.height), int(place.left + x * place.width)].tolist())


def ground_of(pixels: Pixels, place: Rect) -> tuple[int, ...]:
    """The colour of a card beside its number, near a corner."""
    return colour_at(pixels, place, 0.12, 0.12)


def has_colour(pixels: Pixels, place: Rect, colour: tuple[int, ...]) -> bool:
    """Is there a pixel of exactly this colour in the rectangle or close around it?"""
    around = max(1, place.width // 10)
    left, top = max(0, place.left - around), max(0, place.top - around)
    part = pixels[top : place.top + place.height + around, left : place.left + place.width + around]
    return bool((part == colour).all(axis=2).any())


def is_near(colour: tuple[int, ...], other: tuple[int, ...], by: int = 4) -> bool:
    """Is it nearly this colour?"""
    return all(abs(one - two) <= by for one, two in zip(colour, other, strict=True))


def mark_colour(pixels: Pixels, card: Rect) -> tuple[int, ...]:
    """The colour just above a card, where a mark would be."""
    by = card.width // 10 - 1
    return colour_at(pixels, Rect(card.left, card.top - by, card.width, card.height), 0.5, 0)


def written_words(draw: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text of a picture."""
    written: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(brush, "write", lambda _surface, text, *_rest: written.append(text))
        draw()
    return written


def check_text_stays_in(draw: Callable[[], Pixels], places: Iterable[Rect], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the pictures with and without text differ there is room for text; and in every such place they differ."""
    with_text = draw()
    with monkeypatch.context() as patch:
        patch.setattr(brush, "write", lambda *_: None)
        differs = (with_text != draw()).any(axis=2)
    for place in places:
        part = differs[place.top : place.top + place.height, place.left : place.left + place.width]
        assert part.any()
        part[...] = False
    assert not differs.any()
