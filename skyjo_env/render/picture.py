"""A table as a picture: an array, a PNG file or a window. Importing this module imports pygame."""

import os

import numpy as np
from numpy.typing import NDArray

from cardtable.render import brush
from cardtable.render.brush import (
    DIM,
    GOLD,
    INK,
    card_back,
    card_face,
    draw_card,
    draw_panel,
    draw_words,
    fit_text,
    new_canvas,
    pixels_of,
    plain_look,
    pygame,
    save_surface,
)
from cardtable.render.point_cards import CARD_COLOURS, CARD_INKS, card_class, number_text
from cardtable.render.rects import USUAL_SIZE, Rect
from cardtable.render.table_window import TableWindow
from cardtable.render.words import end_words, last_move_words
from skyjo_env.actions import action_names
from skyjo_env.game import Game
from skyjo_env.kernel.state import DRAW, EMPTY, FIRST_PLACE, HIDDEN, TAKE
from skyjo_env.render.layout import Layout, arrange
from skyjo_env.rules import Rules

CARD_LOOKS = tuple(plain_look(colour, ink) for colour, ink in zip(CARD_COLOURS, CARD_INKS, strict=True))

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
    return pixels_of(_draw(game, size))


def save_picture(game: Game, path: str | os.PathLike[str], size: tuple[int, int] = USUAL_SIZE) -> None:
    """Write the picture as a PNG file: whole, or not at all if the file cannot be written (OSError)."""
    save_surface(_draw(game, size), path)


class Window(TableWindow):
    """A window on a table of Skyjo."""

    title = "Skyjo"

    def draw(self, game: Game, size: tuple[int, int]) -> pygame.Surface:
        """The picture of a table, of this width and height."""
        return _draw(game, size)


def _draw(game: Game, size: tuple[int, int]) -> pygame.Surface:
    layout = arrange(game.rules.players, game.rules.rows, game.rules.columns, *size)
    surface = new_canvas(size)
    words = _headline(game), _details(game), last_move_words(game)
    draw_words(surface, (layout.headline, layout.details, layout.last_move), words)
    _draw_piles(surface, layout, game)
    _draw_seats(surface, layout, game)
    return surface


def _headline(game: Game) -> str:
    """The seat to move, or who has won."""
    if game.is_over:
        return end_words(game)
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
        brush.write(surface, caption, pile.caption, size, DIM if card is None else INK, 0.5)


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
        ink = GOLD if is_bright else INK
        draw_panel(surface, panel.frame, panel.name.left - panel.frame.left, is_bright)
        for place, words, colour in ((panel.name, names[seat], ink), (panel.total, totals[seat], INK)):
            brush.write_ends(surface, words, place, size, (colour, colour))
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
    """A card, its back or an empty place."""
    size = place.width, place.height
    image = None
    if card == HIDDEN:
        image = card_back(size, CARD_COLOURS[1:])
    elif card != EMPTY:
        numbers = number_text(rules.values[0]), number_text(rules.values[-1])
        image = card_face(number_text(card), CARD_LOOKS[card_class(card)], size, numbers)
    draw_card(surface, place, image, is_touched)


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
