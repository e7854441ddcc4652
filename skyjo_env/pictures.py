"""The picture of a table: where everything lies, what everybody sees, and the card in hand. Nothing is drawn here."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from cardtable.table.render.faces import POINT_BACK, Image, number_text, point_face
from cardtable.table.render.scene import (
    UNTOLD,
    Card,
    Scene,
    ShownPile,
    Telling,
    Thing,
    pile_things,
    seat_things,
    word_lines,
)
from cardtable.table.render.seating import (
    Bands,
    Pile,
    Rect,
    Sizes,
    bands,
    best_arrangement,
    column_by_column,
    place_piles,
    place_seats,
)
from cardtable.table.render.words import counted, end_words, happened_words
from skyjo_env.card_game import Game
from skyjo_env.kernel.state import DRAW, EMPTY, FIRST_PLACE, HIDDEN, TAKE
from skyjo_env.rules import Rules, action_names

PILE_GRIDS = ((1, 3), (3, 1))


class Panel(NamedTuple):
    """The panel of one seat; everything lies inside the frame."""

    frame: Rect
    name: Rect
    cells: tuple[Rect, ...]  # by cell number (docs/rules/skyjo.md 1.3)
    total: Rect


@dataclass(frozen=True)
class Layout:
    """Everything in a picture. Nothing overlaps and nothing leaves the window; all cards are of one size."""

    bands: Bands  # with the lines of text
    draw_pile: Pile
    discard: Pile
    hand: Pile
    seats: tuple[Panel, ...]


@lru_cache(maxsize=64, typed=True)
def arrange(players: int, rows: int, columns: int, width: int, height: int) -> Layout:
    """The layout of a table that makes the cards as large as the window allows.

    The seats go clockwise around the piles. Raises TableError for a window smaller than `SMALLEST` or beyond `LARGEST`.
    """
    given = bands(width, height)

    def sizes_of(card: int) -> Sizes:
        return _sizes(card, rows, columns, given.text)

    card, arrangement = best_arrangement(players, PILE_GRIDS, sizes_of, given)
    sizes = sizes_of(card)
    frames, room = place_seats(arrangement, sizes, given)
    draw_pile, discard, hand = place_piles(room, card, PILE_GRIDS, sizes_of)
    panels = tuple(_panel(frame, sizes, rows, columns) for frame in frames)
    return Layout(given, draw_pile, discard, hand, panels)


def _sizes(card: int, rows: int, columns: int, text: int) -> Sizes:
    card_height = card * 7 // 5
    gap, pad = max(1, card // 10), max(3, card // 7)
    line = max(7, min(card * 9 // 20, text))
    width = columns * card + (columns - 1) * gap + 2 * pad
    height = 2 * (line + pad + gap) + rows * card_height + (rows - 1) * gap
    slot = (card * 8 // 5, card_height + 2 * gap + line)  # a mark around the card fits into it
    return Sizes((card, card_height), gap, pad, line, (width, height), slot)


def _panel(frame: Rect, sizes: Sizes, rows: int, columns: int) -> Panel:
    left, top, inner = frame.left + sizes.pad, frame.top + sizes.pad, frame.width - 2 * sizes.pad
    first = Rect(left, top + sizes.line + sizes.gap, *sizes.card)
    cells = column_by_column(first, sizes.gap, columns, rows)
    total = Rect(left, frame.top + frame.height - sizes.pad - sizes.line, inner, sizes.line)
    return Panel(frame, Rect(left, top, inner, sizes.line), cells, total)


PHASE_WORDS = {
    "opening": "turns a card up",
    "turn": "draws or takes",
    "drawn": "has drawn {}",
    "taken": "has taken {}",
    "confirm": "clears or keeps",
}


def table_scene(game: Game, size: tuple[int, int], telling: Telling = UNTOLD) -> Scene:
    """The picture of a table at this width and height."""
    layout = arrange(game.rules.players, game.rules.rows, game.rules.columns, *size)
    words = _headline(game, telling), _details(game, telling), happened_words(game, telling)
    lines = word_lines(layout.bands, words, telling)
    return Scene(size, (*lines, *_piles(layout, game), *_seats(layout, game, telling)))


def _headline(game: Game, telling: Telling) -> str:
    """The seat to move, or who has won."""
    if game.is_over:
        return end_words(game, telling)
    hand = "" if game.hand is None else number_text(game.hand)
    return f"{telling.name(game.seat)} {PHASE_WORDS[game.phase].format(hand)}"


def _details(game: Game, telling: Telling) -> str:
    """Round and turn, and who has ended the round."""
    words = f"round {game.round}, turn {game.turns + (not game.is_over)}"
    if game.ender is None:
        return words
    if game.is_over:
        return f"{words}, ended by {telling.seat(game.ender)}"
    return f"{words}, final lap: {telling.seat(game.ender)} ended, {counted(game.turns_left, 'turn')} left"


def _piles(layout: Layout, game: Game) -> Iterator[Thing]:
    """Draw pile, discard pile and the card in hand, whoever holds it."""
    touched = _touched(game)
    piles = (
        (layout.draw_pile, HIDDEN if game.draw_pile_size > 0 else None, f"draw {game.draw_pile_size}", "draw"),
        (layout.discard, game.discard_top, f"discard {game.discard_pile_size}", "discard"),
        (layout.hand, game.hand, "in hand", "hand"),
    )
    shown = [ShownPile(pile, _image(card, game.rules), caption, touched == name) for pile, card, caption, name in piles]
    return pile_things(shown, "discard 100")


def _seats(layout: Layout, game: Game, telling: Telling) -> Iterator[Thing]:
    """Every seat's panel."""
    seats = range(game.rules.players)
    names = [(telling.name(seat), _note(game, seat)) for seat in seats]
    totals = [(_points(game, seat), f"total {number_text(game.totals[seat])}") for seat in seats]
    bright = game.winners if game.is_over else (game.seat,)
    panels = [(panel.frame, panel.name, panel.total) for panel in layout.seats]
    yield from seat_things(panels, list(zip(names, totals, strict=True)), bright)
    touched = _touched(game)
    for seat, panel in enumerate(layout.seats):
        for cell, (place, card) in enumerate(zip(panel.cells, game.board(seat).T.ravel().tolist(), strict=True)):
            yield Card(place, _image(card, game.rules), touched == (seat, cell))


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


def _image(card: int | None, rules: Rules) -> Image:
    """A card or its back; None for an empty place."""
    if card is None or card == EMPTY:
        return None
    return POINT_BACK if card == HIDDEN else point_face(card, rules.values[0], rules.values[-1])


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
