"""Rendering of an environment: text, a picture, or a window."""

from typing import Any, Literal, get_args

from gymnasium import logger
from numpy.typing import NDArray

from cardtable.table.checks import brief, check_int, choice_index
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.table_game import TableGame
from cardtable.table.render.seating import MAX_SIZE, MIN_SIZE
from cardtable.table.render.text import terminal_has_colour

RenderMode = Literal["human", "ansi", "rgb_array"]
RENDER_MODES: tuple[RenderMode, ...] = get_args(RenderMode)
FRAMES_A_SECOND = 4


class Screen:
    """Renders a table in the mode chosen when the environment was made."""

    def __init__(
        self, card_game: CardGame, mode: str | None, size: tuple[int, int], modes: tuple[str, ...] = RENDER_MODES
    ) -> None:
        """Take the width and height of pictures and of the window as `size`; TableError names the allowed sizes."""
        choice_index("render_mode", mode, (None, *modes))
        if not isinstance(size, tuple | list) or len(size) != 2:
            raise TableError(f"render_size={brief(size)} must be a width and a height")
        self._card_game, self.mode, self._modes = card_game, mode, modes
        width, height = (
            check_int(f"render_size {side}", length, least, greatest)
            for side, length, least, greatest in zip(("width", "height"), size, MIN_SIZE, MAX_SIZE, strict=True)
        )
        self.size = width, height
        self._window: Any = None

    def show(self, game: TableGame[Any]) -> str | NDArray[Any] | None:
        """Return the table as text or as an array [height, width, 3]; None if it was drawn in the window.

        Without a mode it is None, with a warning.
        """
        if self.mode is None:
            self.warn()
        if self.mode == "ansi":
            return self._card_game.text_of(game, colour=terminal_has_colour())
        if self.mode == "rgb_array":
            from cardtable.table.render.pictures import draw_table  # which imports pygame

            return draw_table(game, self.size)
        if self.mode == "human":
            from cardtable.table.render.pictures import Window

            self._window = self._window or Window(self.size, FRAMES_A_SECOND)
            self._window.show(game)
        return None

    def warn(self) -> None:
        """Say that nothing was rendered, as the environments of Gymnasium and PettingZoo do."""
        choices = " or ".join(f'"{mode}"' for mode in self._modes)
        logger.warn(f"render() needs a render mode: make the environment with render_mode={choices}")

    def close(self) -> None:
        """Close the window if there is one; the next picture opens another."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the window, which a copy opens when it shows something."""
        return self.__dict__ | {"_window": None}
