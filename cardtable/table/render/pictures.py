"""A table as a picture: an array, a PNG file or a window.

Importing this module imports pygame and resvg, so nothing imports it before a picture is asked for.
"""

import os
import time
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import TableError
from cardtable.table.files import write_whole
from cardtable.table.render.seating import MIN_SIZE, USUAL_SIZE

_prompt = os.environ.get("PYGAME_HIDE_SUPPORT_PROMPT")
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pygame's use of pkg_resources
        import pygame as pygame  # under its own name, so that others have it from here
    from resvg_py import svg_to_bytes
except ImportError as error:
    raise TableError('pictures need pygame and resvg: pip install "skyjo-env[render]"') from error
finally:
    os.environ.pop("PYGAME_HIDE_SUPPORT_PROMPT")
    os.environ.update({} if _prompt is None else {"PYGAME_HIDE_SUPPORT_PROMPT": _prompt})

FONT = Path(pygame.__file__).with_name(pygame.font.get_default_font())  # the same letters on every machine
GROUND = "#e4ebe6"


def draw_table(game: Any, size: tuple[int, int] = USUAL_SIZE) -> NDArray[np.uint8]:
    """Return a picture of the public table, and the hand of the seat to move, as height × width × 3 numbers.

    It needs no display. Size is width and height. Raises TableError for a size below `MIN_SIZE` or beyond `MAX_SIZE`,
    and for a game without pictures.
    """
    pixels = np.frombuffer(pygame.image.tobytes(_painted(game, size), "RGB"), np.uint8)
    return pixels.reshape(size[1], size[0], 3).copy()


def save_picture(game: Any, path: str | os.PathLike[str], size: tuple[int, int] = USUAL_SIZE) -> None:
    """Write the picture as a PNG file: whole, or not at all if the file cannot be written (OSError)."""
    write_whole(Path(path), _png(game, size))


def _png(game: Any, size: tuple[int, int]) -> bytes:
    family = "FreeSans"
    return svg_to_bytes(
        game.svg(size),
        background=GROUND,
        skip_system_fonts=True,
        font_files=[str(FONT)],
        font_family=family,
        sans_serif_family=family,
    )


def _painted(game: Any, size: tuple[int, int]) -> pygame.Surface:
    return pygame.image.load(BytesIO(_png(game, size)), "table.png")


class Window:
    """A window on a table, opened by the first `show`. pygame has one window per process, so make only one of these.

    Once the user has closed the window, `show` does nothing.
    """

    def __init__(self, size: tuple[int, int] = USUAL_SIZE, rate: float = 4.0) -> None:
        self._size = size
        self._rate = rate  # pictures a second
        self._is_open = self._is_closed = False

    def show(self, game: Any) -> None:
        """Show the table for 1 / rate seconds, redrawn if the user resizes the window meanwhile.

        Raises TableError if there is no display.
        """
        if not self._is_open and not self._is_closed:
            self._open(game.card_game.title)
        until, drawn = time.monotonic() + 1 / self._rate, (0, 0)
        while self._follow_user():
            screen = pygame.display.get_surface()
            if screen.get_size() != drawn:
                drawn = screen.get_size()
                self._draw_on(screen, game)
            if time.monotonic() >= until:
                return
            time.sleep(0.01)

    def close(self) -> None:
        """Close the window, if it is open, for good."""
        if self._is_open:
            pygame.display.quit()
        self._is_open, self._is_closed = False, True

    def _open(self, title: str) -> None:
        os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")  # SIGTERM ends the program, not only the window
        try:
            pygame.display.init()
            if pygame.display.get_driver() == "offscreen" and "SDL_VIDEODRIVER" not in os.environ:
                raise pygame.error("no display")  # SDL would open an invisible window
            pygame.display.set_mode(self._size, pygame.RESIZABLE)
        except pygame.error as error:
            pygame.display.quit()
            raise TableError(
                f"a window cannot be opened ({error}): use draw_table (render mode rgb_array), "
                "or set SDL_VIDEODRIVER=dummy for an invisible window"
            ) from None
        pygame.display.set_caption(title)
        self._is_open = True

    def _follow_user(self) -> bool:
        """Handle the events of the window; return whether it is still open."""
        if self._is_open and (not pygame.display.get_init() or pygame.event.get(pygame.QUIT)):
            self.close()
        if self._is_open:
            pygame.event.clear()
        return self._is_open

    def _draw_on(self, screen: pygame.Surface, game: Any) -> None:
        """Draw at the size of the window, or shrink a picture of the smallest size if the window is smaller."""
        width, height = (max(sides) for sides in zip(screen.get_size(), MIN_SIZE, strict=True))
        picture = _painted(game, (width, height))
        screen.blit(pygame.transform.smoothscale(picture, screen.get_size()), (0, 0))
        pygame.display.flip()
