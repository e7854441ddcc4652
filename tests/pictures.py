"""What tests of pictures of all games share: what a scene shows, and windows that nobody sees."""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

import pytest
from numpy.typing import NDArray

from cardtable.table.render.seating import MIN_SIZE
from cardtable.table.render.svg import CARDS, MARKS, PANELS, WORDS, Scene

pygame = pytest.importorskip("pygame")

EXTREMES = [MIN_SIZE, (240, 160), (240, 2000), (3000, 160), (480, 800), (960, 640)]  # windows


def scene_of(game: Any, size: tuple[int, int] = (960, 640)) -> Scene:
    """The picture of a table."""
    scene: Scene = game.card_game.scene_of(game, size)
    return scene


def written_words(game: Any) -> list[str]:
    """Every text of a picture outside the cards."""
    found = (thing.markup for thing in scene_of(game).things if thing.layer == WORDS)
    return [unescape(re.sub(r"<[^>]*>", "", markup)) for markup in found]


def shown_cards(game: Any) -> list[str]:
    """The cards of a picture: their text, or "back", "sign" or "empty"; first those of the piles, then by seat."""
    return [_card(thing.symbol) for thing in scene_of(game).things if thing.layer == CARDS]


def _card(symbol: str) -> str:
    text = re.search(r">([^<>]+)</text>", symbol)
    if text is not None:
        return text[1].replace("−", "-")
    return "empty" if not symbol else "back" if "stroke" in symbol else "sign"


def marked_cards(game: Any, names: Iterable[Any]) -> list[Any]:
    """Those that bear a mark, of cards with these names in the order in which they are drawn."""
    things = [thing for thing in scene_of(game).things if thing.layer in (MARKS, CARDS)]
    marked = [
        before is not None and before.layer == MARKS
        for before, thing in zip([None, *things], things, strict=False)
        if thing.layer == CARDS
    ]
    return [name for name, is_marked in zip(names, marked, strict=False) if is_marked]


def bright_seats(game: Any) -> list[int]:
    """The seats whose panels are bright."""
    panels = [thing for thing in scene_of(game).things if thing.layer == PANELS]
    return [seat for seat, panel in enumerate(panels) if 'class="q"' in panel.markup]


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Windows that nobody sees."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_NO_SIGNAL_HANDLERS", "1")
    yield
    pygame.display.quit()


def on_screen() -> NDArray[Any]:
    """What the window shows."""
    pixels: NDArray[Any] = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    return pixels
