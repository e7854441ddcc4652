"""A table as a picture: an array, a PNG file or a window. Importing this module imports pygame."""

import os

import numpy as np
from numpy.typing import NDArray

from cardtable.render import brush
from cardtable.render.brush import (
    DIM,
    GOLD,
    INK,
    draw_card,
    draw_panel,
    draw_words,
    fit_text,
    new_canvas,
    pixels_of,
    pygame,
    save_surface,
)
from cardtable.render.point_cards import number_text
from cardtable.render.rects import USUAL_SIZE, Pile
from cardtable.render.table_window import TableWindow
from cardtable.render.words import end_words, last_move_words
from skyjo_action_env.game import Game
from skyjo_action_env.kernel.state import (
    CELLS,
    CHOOSE,
    COLUMNS,
    DISCARD,
    DRAW,
    EMPTY,
    FLIP,
    HAND,
    HIDDEN,
    LINES,
    NO_CARD,
    NOBODY,
    OPEN,
    PASS,
    PLACE,
    PLACES,
    ROWS,
    TAKE,
)
from skyjo_action_env.render.layout import Layout, Panel, arrange
from skyjo_action_env.render.looks import action_back, action_image, action_tile, card_image, draw_known_mark
from skyjo_action_env.render.text import decision_words, played_action, progress_words, seat_notes, seat_points

USUAL_LINE = "Seat 0   turn, 1 claim"  # fits in any case: text keeps its size from picture to picture
USUAL_CAPTION = "discard 100"

Spot = tuple[int | str, int]  # what bears a mark: a seat and a cell, or a pile's name and its number


def draw_table(game: Game, size: tuple[int, int] = USUAL_SIZE) -> NDArray[np.uint8]:
    """A picture of what everybody sees, and the cards in hand, as height × width × 3 numbers. It needs no display.

    Size is width and height. Raises TableError for a size that `skyjo_action_env.render.layout.arrange` refuses.
    """
    return pixels_of(_draw(game, size))


def save_picture(game: Game, path: str | os.PathLike[str], size: tuple[int, int] = USUAL_SIZE) -> None:
    """Write the picture as a PNG file: whole, or not at all if the file cannot be written (OSError)."""
    save_surface(_draw(game, size), path)


class Window(TableWindow):
    """A window on a table of Skyjo Action."""

    title = "Skyjo Action"

    def draw(self, game: Game, size: tuple[int, int]) -> pygame.Surface:
        """The picture of a table, of this width and height."""
        return _draw(game, size)


def _draw(game: Game, size: tuple[int, int]) -> pygame.Surface:
    layout = arrange(game.rules.players, *size)
    surface = new_canvas(size)
    headline = end_words(game) if game.is_over else decision_words(game).capitalize()
    words = headline, progress_words(game), last_move_words(game)
    draw_words(surface, (layout.headline, layout.details, layout.last_move), words)
    marked = _marked(game)
    _draw_piles(surface, layout, game, marked)
    _draw_seats(surface, layout, game, marked)
    return surface


# Piles


def _draw_piles(surface: pygame.Surface, layout: Layout, game: Game, marked: set[Spot]) -> None:
    """Both pairs of piles, the cards in hand, the open action cards and what is being carried out."""
    shown: list[tuple[Pile, pygame.Surface | None, str, bool]] = []

    def show(pile: Pile, image: pygame.Surface | None, caption: str, spot: Spot) -> None:
        shown.append((pile, image, caption, spot in marked))

    draw, discard, actions, used = layout.draw_pile, layout.discard, layout.action_pile, layout.action_discard
    top, discarded = game.discard_top, game.action_discards
    back = card_image(draw.card, HIDDEN) if game.draw_pile_size else None
    show(draw, back, f"draw {game.draw_pile_size}", ("draw", 0))
    image = card_image(discard.card, EMPTY if top is None else top)
    show(discard, image, f"discard {game.discard_pile_size}", ("discard", 0))
    back = action_back(actions.card) if game.action_pile_size else None
    show(actions, back, f"action {game.action_pile_size}", ("action", 0))
    image = action_image(used.card, discarded[-1] if discarded else None)
    show(used, image, f"used {len(discarded)}", ("used", 0))
    for place, (pile, kind) in enumerate(zip(layout.open_actions, game.open_actions, strict=True)):
        show(pile, action_image(pile.card, kind), f"open {place}", ("open", place))
    for k, (pile, card) in enumerate(zip(layout.hand, game.state["hand"][0].tolist(), strict=True)):
        show(pile, card_image(pile.card, card), f"card {k}", ("hand", k))
    show(layout.played, action_image(layout.played.card, played_action(game)), "played", ("played", 0))

    place = draw.caption
    size = fit_text((USUAL_CAPTION, *(caption for _, _, caption, _ in shown)), place.width, place.height)
    for pile, face, caption, is_marked in shown:
        draw_card(surface, pile.card, face, is_marked)
        brush.write(surface, caption, pile.caption, size, DIM if face is None else INK, 0.5)


# Seats


def _draw_seats(surface: pygame.Surface, layout: Layout, game: Game, marked: set[Spot]) -> None:
    """Every seat's panel; text is of one size in all of them."""
    seats = range(game.rules.players)
    points = "round" if game.winners else "open"
    names = [(f"Seat {seat}", seat_notes(game, seat)) for seat in seats]
    totals = [
        (f"{points} {number_text(seat_points(game, seat))}", f"total {number_text(game.totals[seat])}")
        for seat in seats
    ]
    place = layout.seats[0].name
    size = fit_text((USUAL_LINE, *("   ".join(ends) for ends in (*names, *totals))), place.width, place.height)
    for seat, panel in enumerate(layout.seats):
        is_bright = seat in game.winners if game.is_over else seat == game.seat
        ink = GOLD if is_bright else INK
        draw_panel(surface, panel.frame, panel.name.left - panel.frame.left, is_bright)
        brush.write_ends(surface, names[seat], panel.name, size, (ink, GOLD))
        brush.write_ends(surface, totals[seat], panel.total, size, (INK, INK))
        _draw_layout(surface, panel, game, seat, marked)


def _draw_layout(surface: pygame.Surface, panel: Panel, game: Game, seat: int, marked: set[Spot]) -> None:
    """A seat's cards: the layout and the action cards beside it."""
    knowers = game.state["knowers"][0, seat]
    for cell, (place, card) in enumerate(zip(panel.cells, game.board(seat).T.ravel().tolist(), strict=True)):
        draw_card(surface, place, card_image(place, card), (seat, cell) in marked)
        if card == HIDDEN and knowers[cell]:
            draw_known_mark(surface, place)
    for place, (kind, count) in zip(panel.actions, game.held_actions(seat).items(), strict=False):
        surface.blit(action_tile(place, kind, count), place)


# Marks


def _marked(game: Game) -> set[Spot]:
    """What the last move touched, unless it was in another round, and the cells that are asked about or chosen."""
    chosen = (int(game.state[name][0]) for name in ("chosen", "chosen_with"))
    marked: set[Spot] = {divmod(place, CELLS) for place in chosen if place != NOBODY}
    line = int(game.state["line"][0])
    if line != NOBODY:
        marked |= _line(game.seat, line)
    if game.last_move is not None and not _is_new_round(game):
        marked |= _touched(game, *game.last_move)
    return marked


def _touched(game: Game, seat: int, action: int) -> set[Spot]:
    """What this move touched."""
    players, first_line, first_card = game.rules.players, game.rules.first_line, game.rules.first_card
    if action in (DRAW, TAKE):
        return {("hand", 0)}
    if PLACE <= action < OPEN:
        return {(seat, (action - PLACE) % CELLS)}
    if OPEN <= action < OPEN + PLACES:
        return {("open", action - OPEN)}
    if PASS < action < DISCARD:
        return {("played", 0)} if played_action(game) else {("used", 0)}
    if DISCARD <= action < CHOOSE:
        return {("used", 0)}
    if CHOOSE <= action < first_line:
        place, cell = divmod(action - CHOOSE, CELLS)
        return {((seat + place) % players, cell)}
    if first_line <= action < first_card:
        place, line = divmod(action - first_line, LINES)
        return _line((seat + place) % players, line)
    return {("hand", action - first_card)} if first_card <= action < first_card + HAND else set()


def _line(seat: int, line: int) -> set[Spot]:
    """The cells of a column or a row."""
    cells = range(line * ROWS, line * ROWS + ROWS) if line < COLUMNS else range(line - COLUMNS, CELLS, ROWS)
    return {(seat, cell) for cell in cells}


def _is_new_round(game: Game) -> bool:
    """Has nobody decided anything yet in this round?"""
    return game.phase == "opening" and bool((game.state["hidden_left"][0, : game.rules.players] == CELLS).all())
