"""A table as a picture: an array, a PNG file or a window. Importing this module imports pygame."""

import os
import time
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cardtable.errors import TableError
from cardtable.files import write_whole
from skyjo_env.actions import action_names
from skyjo_env.game import Game
from skyjo_env.kernel.state import DRAW, EMPTY, FIRST_PLACE, HIDDEN, TAKE
from skyjo_env.render.brush import (
    Colour,
    card_back,
    card_face,
    card_radius,
    draw_framed,
    fit_text,
    inset,
    number_text,
    pygame,
    shade,
    write,
)
from skyjo_env.render.layout import SMALLEST, USUAL_SIZE, Layout, Rect, arrange
from skyjo_env.render.text import last_move_words
from skyjo_env.rules import Rules

CLOTH, PANEL, EDGE = (42, 72, 66), (31, 54, 50), (60, 91, 84)
BRIGHT_PANEL = (49, 78, 66)
INK, DIM, GOLD, MARK = (240, 242, 234), (165, 186, 176), (242, 204, 104), (255, 136, 44)

PHASE_WORDS = {
    "opening": "turns a card up",
    "turn": "draws or takes",
    "drawn": "has drawn {}",
    "taken": "has taken {}",
    "confirm": "clears or keeps",
}
USUAL_LINE = "round 100   total 100"  # fits in any case, so that text keeps its size from picture to picture


def draw_table(game: Game, size: tuple[int, int] = USUAL_SIZE) -> NDArray[np.uint8]:
    """A picture of what everybody sees, and the card in hand, as height × width × 3 numbers. It needs no display.

    Size is width and height. Raises TableError for a size that `skyjo_env.render.layout.arrange` refuses.
    """
    surface = _draw(game, size)
    pixels = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return pixels.reshape(size[1], size[0], 3).copy()


def save_picture(game: Game, path: str | os.PathLike[str], size: tuple[int, int] = USUAL_SIZE) -> None:
    """Write the picture as a PNG file: whole, or not at all if the file cannot be written (OSError)."""
    data = BytesIO()
    pygame.image.save(_draw(game, size), data, "table.png")
    write_whole(Path(path), data.getvalue())


class Window:
    """A window on a table, opened by the first `show`. pygame has one window per process, so make only one of these.

    Once the user has closed the window, `show` does nothing.
    """

    def __init__(self, size: tuple[int, int] = USUAL_SIZE, rate: float = 4.0) -> None:
        self._size = size
        self._rate = rate  # pictures a second
        self._is_open = self._is_closed = False

    def show(self, game: Game) -> None:
        """Show the table for 1 / rate seconds, redrawn if the user resizes the window meanwhile.

        Raises TableError if there is no display.
        """
        if not self._is_open and not self._is_closed:
            self._open()
        until, drawn = time.monotonic() + 1 / self._rate, (0, 0)
        while self._follow_user():
            screen = pygame.display.get_surface()
            if screen.get_size() != drawn:
                drawn = screen.get_size()
                _draw_on(screen, game)
            if time.monotonic() >= until:
                return
            time.sleep(0.01)

    def close(self) -> None:
        """Close the window, if it is open, for good."""
        if self._is_open:
            pygame.display.quit()
        self._is_open, self._is_closed = False, True

    def _open(self) -> None:
        os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")  # SIGTERM ends the program, not only the window
        try:
            pygame.display.init()
            if pygame.display.get_driver() == "offscreen" and "SDL_VIDEODRIVER" not in os.environ:
                raise pygame.error("no display")  # SDL would open a window that nobody sees
            pygame.display.set_mode(self._size, pygame.RESIZABLE)
        except pygame.error as error:
            pygame.display.quit()
            raise TableError(
                f"no window can be opened ({error}): use draw_table (render mode rgb_array), "
                "or set SDL_VIDEODRIVER=dummy for a window that is not seen"
            ) from None
        pygame.display.set_caption("Skyjo")
        self._is_open = True

    def _follow_user(self) -> bool:
        """Handle the events of the window; is it still open?"""
        if self._is_open and (not pygame.display.get_init() or pygame.event.get(pygame.QUIT)):
            self.close()
        if self._is_open:
            pygame.event.clear()
        return self._is_open


def _draw_on(screen: pygame.Surface, game: Game) -> None:
    """Draw at the size of the window, or shrink a picture of the smallest size if the window is smaller."""
    width, height = (max(sides) for sides in zip(screen.get_size(), SMALLEST, strict=True))
    picture = _draw(game, (width, height))
    screen.blit(pygame.transform.smoothscale(picture, screen.get_size()), (0, 0))
    pygame.display.flip()


def _draw(game: Game, size: tuple[int, int]) -> pygame.Surface:
    layout = arrange(game.rules.players, game.rules.rows, game.rules.columns, *size)
    surface = _cloth(size).copy()
    _draw_words(surface, layout, game)
    _draw_piles(surface, layout, game)
    _draw_seats(surface, layout, game)
    return surface


@lru_cache(maxsize=2)
def _cloth(size: tuple[int, int]) -> pygame.Surface:
    """The tablecloth, a little lighter at the top."""
    surface = pygame.Surface(size, 0, 32)
    for y in range(size[1]):
        surface.fill(shade(CLOTH, -0.35 * y / size[1]), (0, y, size[0], 1))
    return surface


def _draw_words(surface: pygame.Surface, layout: Layout, game: Game) -> None:
    is_beside = layout.details.left > layout.headline.left
    _draw_line(surface, _headline(game), layout.headline, GOLD)
    _draw_line(surface, _details(game), layout.details, DIM, float(is_beside))
    if game.last_move is not None:
        _draw_line(surface, f"Last move: {last_move_words(game)}", layout.last_move, DIM)


def _draw_line(surface: pygame.Surface, text: str, place: Rect, colour: Colour, align: float = 0.0) -> None:
    write(surface, text, place, fit_text((text,), place.width, place.height), colour, align)


def _headline(game: Game) -> str:
    """The seat to move, or who has won."""
    if game.is_truncated:
        return "Stopped after too many turns"
    if game.is_over:
        winners = " and ".join(f"seat {seat}" for seat in game.winners)
        return f"{winners.capitalize()} {'wins' if len(game.winners) == 1 else 'win'} the {game.episode}"
    hand = "" if game.hand is None else number_text(game.hand)
    return f"Seat {game.seat} {PHASE_WORDS[game.phase].format(hand)}"


def _details(game: Game) -> str:
    """Round and turn, and who has ended the round."""
    words = f"round {game.round}, turn {game.turns + (not game.is_over)}"
    if game.ender is None:
        return words
    if game.is_over:
        return f"{words}, ended by seat {game.ender}"
    turns = "1 turn" if game.turns_left == 1 else f"{game.turns_left} turns"
    return f"{words}, final lap: seat {game.ender} ended, {turns} left"


def _draw_piles(surface: pygame.Surface, layout: Layout, game: Game) -> None:
    """Draw pile, discard pile and the card in hand, whoever holds it."""
    discards = game.discard_pile_size
    touched = _touched(game)
    piles = (
        (layout.draw_pile, HIDDEN if game.draw_pile_size > 0 else None, f"draw {game.draw_pile_size}", False),
        (layout.discard, game.discard_top, f"discard {discards}", touched == "discard"),
        (layout.hand, game.hand, "in hand", touched == "hand"),
    )
    place = layout.hand.caption
    size = fit_text(("discard 100", *(caption for _, _, caption, _ in piles)), place.width, place.height)
    for pile, card, caption, is_touched in piles:
        _draw_card(surface, pile.card, EMPTY if card is None else card, game.rules, is_touched)
        write(surface, caption, pile.caption, size, DIM if card is None else INK, 0.5)


def _draw_seats(surface: pygame.Surface, layout: Layout, game: Game) -> None:
    """Every seat's panel; text is of one size in all of them."""
    names = [(f"Seat {seat}", _note(game, seat)) for seat in range(game.rules.players)]
    totals = [(_points(game, seat), f"total {number_text(game.totals[seat])}") for seat in range(game.rules.players)]
    place = layout.seats[0].name
    lines = ["   ".join(words) for words in (*names, *totals)]
    size = fit_text((USUAL_LINE, *lines), place.width, place.height)
    touched = _touched(game)
    for seat, panel in enumerate(layout.seats):
        is_bright = seat in game.winners if game.is_over else seat == game.seat
        fill, ink = (BRIGHT_PANEL, GOLD) if is_bright else (PANEL, INK)
        radius = panel.name.left - panel.frame.left
        width = max(1, radius // 4) + (is_bright and radius > 3)
        draw_framed(surface, panel.frame, radius, (GOLD if is_bright else EDGE, width), fill)
        for place, words, colour in ((panel.name, names[seat], ink), (panel.total, totals[seat], INK)):
            write(surface, words[0], place, size, colour)
            write(surface, words[1], place, size, colour, 1.0)
        for cell, card in enumerate(game.board(seat).T.ravel().tolist()):
            _draw_card(surface, panel.cells[cell], card, game.rules, touched == (seat, cell))


def _note(game: Game, seat: int) -> str:
    """The note next to a seat's name, if there is one."""
    if seat in game.winners:
        return "wins"
    return "ended" if seat == game.ender else ""


def _points(game: Game, seat: int) -> str:
    """The score of the round, or the sum of the open cards while there is none; a stopped round never has one."""
    if game.winners:
        return f"round {number_text(game.round_scores[seat])}"
    board = game.board(seat)
    return f"open {number_text(int(board[board < HIDDEN].sum()))}"


def _draw_card(surface: pygame.Surface, place: Rect, card: int, rules: Rules, is_touched: bool) -> None:
    """A card, its back or the outline of an empty place, with a mark around it if the last move touched it."""
    size, radius = (place.width, place.height), card_radius(place.width)
    red, green, blue, _ = surface.get_at((place.left, place.top))
    ground = red, green, blue
    if is_touched:
        reach = max(1, place.width // 10)
        draw_framed(surface, inset(place, -reach), radius + reach, (MARK, max(1, reach * 3 // 4)), ground)
    if card == EMPTY:
        draw_framed(surface, place, radius, (shade(ground, 0.15), max(1, place.width // 40)), ground)
    elif card == HIDDEN:
        surface.blit(card_back(size), place)
    else:
        surface.blit(card_face(card, size, rules.values[0], rules.values[-1]), place)


def _touched(game: Game) -> tuple[int, int] | str | None:
    """What the last move touched: (seat, cell), "hand" or "discard"; None if that was in another round."""
    if game.last_move is None or _is_new_round(game):
        return None
    seat, action = game.last_move
    if action in (DRAW, TAKE):
        return "hand"
    if action < FIRST_PLACE + 2 * game.rules.cells:
        return seat, (action - FIRST_PLACE) % game.rules.cells
    return "discard" if action_names(game.rules)[action] == "discard" else None


def _is_new_round(game: Game) -> bool:
    """Has nobody decided anything yet in this round?"""
    if game.phase == "opening":
        return all((game.board(seat) == HIDDEN).all() for seat in range(game.rules.players))
    is_chosen = game.rules.initial_flip == "choose" and game.rules.opening_flips > 0
    return game.phase == "turn" and game.turns == 0 and not is_chosen
