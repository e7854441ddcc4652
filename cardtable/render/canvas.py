"""The table under every picture: its cloth and colours, words at the edges, panels and cards; and pictures as files.

Importing this module imports pygame.
"""

import os
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cardtable.files import write_whole
from cardtable.render import brush
from cardtable.render.brush import Colour, card_radius, draw_framed, fit_text, pygame, shade
from cardtable.render.rects import Rect, inset

CLOTH, PANEL, EDGE = (42, 72, 66), (31, 54, 50), (60, 91, 84)
BRIGHT_PANEL = (49, 78, 66)
INK, DIM, GOLD, MARK = (240, 242, 234), (165, 186, 176), (242, 204, 104), (255, 136, 44)


def new_canvas(size: tuple[int, int]) -> pygame.Surface:
    """An empty table."""
    return _cloth(size).copy()


@lru_cache(maxsize=2)
def _cloth(size: tuple[int, int]) -> pygame.Surface:
    """The tablecloth, a little lighter at the top."""
    surface = pygame.Surface(size, 0, 32)
    for y in range(size[1]):
        surface.fill(shade(CLOTH, -0.35 * y / size[1]), (0, y, size[0], 1))
    return surface


def draw_words(surface: pygame.Surface, places: tuple[Rect, Rect, Rect], words: tuple[str, str, str]) -> None:
    """Headline, details and last move in their places; the details lie below the headline or at the right."""
    headline, details, last_move = places
    is_beside = details.left > headline.left
    _draw_line(surface, words[0], headline, GOLD)
    _draw_line(surface, words[1], details, DIM, float(is_beside))
    if words[2]:
        _draw_line(surface, f"Last move: {words[2]}", last_move, DIM)


def _draw_line(surface: pygame.Surface, text: str, place: Rect, colour: Colour, align: float = 0.0) -> None:
    brush.write(surface, text, place, fit_text((text,), place.width, place.height), colour, align)


def draw_panel(surface: pygame.Surface, frame: Rect, radius: int, is_bright: bool) -> None:
    """The panel of a seat: bright if it is the seat to move or has won."""
    width = max(1, radius // 4) + (is_bright and radius > 3)
    draw_framed(surface, frame, radius, (GOLD if is_bright else EDGE, width), BRIGHT_PANEL if is_bright else PANEL)


def draw_card(surface: pygame.Surface, place: Rect, image: pygame.Surface | None, is_marked: bool) -> None:
    """A card, or the outline of an empty place, with a mark around it if the last move touched it."""
    radius = card_radius(place.width)
    red, green, blue, _ = surface.get_at((place.left, place.top))
    ground = red, green, blue
    if is_marked:
        reach = max(1, place.width // 10)
        draw_framed(surface, inset(place, -reach), radius + reach, (MARK, max(1, reach * 3 // 4)), ground)
    if image is None:
        draw_framed(surface, place, radius, (shade(ground, 0.15), max(1, place.width // 40)), ground)
    else:
        surface.blit(image, place)


# Arrays and files


def pixels_of(surface: pygame.Surface) -> NDArray[np.uint8]:
    """A picture as height × width × 3 numbers."""
    pixels = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    width, height = surface.get_size()
    return pixels.reshape(height, width, 3).copy()


def save_surface(surface: pygame.Surface, path: str | os.PathLike[str]) -> None:
    """Write a picture as a PNG file: whole, or not at all if the file cannot be written (OSError)."""
    data = BytesIO()
    pygame.image.save(surface, data, "table.png")
    write_whole(Path(path), data.getvalue())
