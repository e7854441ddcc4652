"""The picture of a table: where everything lies, what cards look like, and what is shown. Nothing is drawn here."""

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from cardtable.table.render.faces import WHITE, Back, Face, Image, Sign, plain_look
from cardtable.table.render.point_cards import number_text
from cardtable.table.render.point_faces import POINT_BACK, point_face
from cardtable.table.render.rects import Pile, Rect, column_by_column
from cardtable.table.render.scene import (
    UNTOLD,
    Card,
    Corner,
    Scene,
    ShownPile,
    Telling,
    Thing,
    pile_things,
    seat_things,
    word_lines,
)
from cardtable.table.render.seating import Sizes, bands, best_arrangement, place_piles, place_seats
from cardtable.table.render.words import end_words, happened_words
from skyjo_action_env.card_game import Game
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.cards import cell_of, line_length
from skyjo_action_env.kernel.state import CELLS, COLUMNS, HIDDEN, HIGHEST, KINDS, LOWEST, NOBODY, PLACES, ROWS, STAR
from skyjo_action_env.rules import action_names
from skyjo_action_env.text import decision_words, played_action, progress_words, seat_notes, seat_points

PILE_GRIDS = ((2, 6), (6, 2), (3, 4), (4, 3), (1, 12), (12, 1))
CARDS, OPEN_PLACES = [f"card {k}" for k in range(state.HAND)], [f"open {place}" for place in range(PLACES)]
IN_TWO_LINES = ("draw", "discard", *CARDS, "played", "action", "used", *OPEN_PLACES)  # or in a single one
IN_THREE_LINES = ("draw", "discard", "action", "used", *OPEN_PLACES, *CARDS, "played")
BESIDE, BELOW = (1, len(KINDS)), (3, 3)  # columns and rows of the action cards beside or below a layout


class Panel(NamedTuple):
    """The panel of one seat; everything lies inside the frame."""

    frame: Rect
    name: Rect
    total: Rect
    cells: tuple[Rect, ...]  # by cell number (1.5)
    actions: tuple[Rect, ...]  # one for each kind that the seat may hold, line by line


class Layout(NamedTuple):
    """Everything in a picture. Nothing overlaps and nothing leaves the window; all cards are of one size."""

    headline: Rect  # who decides
    details: Rect  # round, turn, final lap
    last_move: Rect
    piles: dict[str, Pile]  # by name, such as `discard` or `open 0`; `played` is what is being carried out
    seats: tuple[Panel, ...]


@lru_cache(maxsize=64, typed=True)
def arrange(players: int, width: int, height: int) -> Layout:
    """The layout of a table that makes the cards as large as the window allows.

    The seats go clockwise around the piles. Raises TableError for a window smaller than `SMALLEST` or beyond `LARGEST`.
    """
    given = bands(width, height)
    grids = {grid: partial(_sizes, grid, given.text) for grid in (BESIDE, BELOW)}
    choices = [(*best_arrangement(players, PILE_GRIDS, sizes_of, given), grid) for grid, sizes_of in grids.items()]
    card, arrangement, grid = max(choices, key=lambda choice: choice[0])
    frames, room = place_seats(arrangement, grids[grid](card), given)
    piles = _named(place_piles(room, card, PILE_GRIDS, grids[grid]))
    panels = tuple(_panel(frame, grid, grids[grid](card)) for frame in frames)
    return Layout(given.headline, given.details, given.last_move, piles, panels)


def _named(piles: list[Pile]) -> dict[str, Pile]:
    """The piles by name; a grid that is higher than wide is read downwards."""
    rows = len({pile.card.top for pile in piles})
    if rows * rows > len(piles):
        piles = sorted(piles, key=lambda pile: (pile.card.left, pile.card.top))
    return dict(zip(IN_THREE_LINES if rows in (3, 4) else IN_TWO_LINES, piles, strict=True))


def _sizes(grid: tuple[int, int], text: int, card: int) -> Sizes:
    size, gap, pad = (card, card * 7 // 5), max(1, card // 10), max(3, card // 7)
    line = max(7, min(card * 9 // 20, text))
    (right, bottom), (across, down) = _beyond_cells(size, gap), _tile(grid, size, gap)
    actions = grid[1] * (down + max(1, gap // 2))
    width = right + across if grid == BESIDE else right - 2 * gap
    height = max(bottom - 2 * gap, actions) if grid == BESIDE else bottom + actions
    slot = (card * 27 // 20, size[1] + 2 * gap + line)  # a mark around the card fits into it
    return Sizes(size, gap, pad, line, (width + 2 * pad, height + 2 * (line + pad + gap)), slot)


def _beyond_cells(card: tuple[int, int], gap: int) -> tuple[int, int]:
    """How far right and down from the first cell action cards begin."""
    return COLUMNS * (card[0] + gap) + gap, ROWS * (card[1] + gap) + gap


def _tile(grid: tuple[int, int], card: tuple[int, int], gap: int) -> tuple[int, int]:
    """The size of an action card in a panel: all kinds take as much room as the cells beside or above them."""
    between = max(1, gap // 2)
    right, bottom = (length - 2 * gap + between for length in _beyond_cells(card, gap))
    if grid == BESIDE:
        return card[0] * 17 // 10, max(1, bottom // grid[1] - between)
    return right // grid[0] - between, max(1, card[0] * 9 // 20)


def _panel(frame: Rect, grid: tuple[int, int], sizes: Sizes) -> Panel:
    (_, _, pad, line, _, _), gap = sizes, sizes.gap
    name = Rect(frame.left + pad, frame.top + pad, frame.width - 2 * pad, line)
    first = Rect(name.left, name.top + line + gap, *sizes.card)
    right, down = _beyond_cells(sizes.card, gap)
    corner = (first.left + right, first.top) if grid == BESIDE else (first.left, first.top + down)
    tiles = column_by_column(Rect(*corner, *_tile(grid, sizes.card, gap)), max(1, gap // 2), *grid)
    total = name._replace(top=frame.top + frame.height - pad - line)
    actions = tuple(sorted(tiles, key=lambda tile: (tile.top, tile.left)))
    return Panel(frame, name, total, column_by_column(first, gap, COLUMNS, ROWS), actions)


# Looks


PURPLE, LILAC, PLUM = (112, 60, 150), (222, 210, 238), (66, 28, 102)
ROSE, WINE = (250, 214, 206), (138, 26, 34)
STAR_LOOK = plain_look(PURPLE, WHITE)
ATTACKS = ("exchange", "remove", "steal")  # 1.2
ACTION_LOOKS = {kind: plain_look(*((ROSE, WINE) if kind in ATTACKS else (LILAC, PLUM))) for kind in KINDS}
ACTION_BACK = Back((PURPLE, LILAC, PURPLE, LILAC))
COUNTED = tuple(f"{kind} 3" for kind in KINDS)

# Signs as polygons, in tenths of their width and height.
STAR_SIGN: Sign = (
    ((5, 0), (6.2, 3.5), (9.8, 3.5), (6.9, 5.7), (8, 9.2), (5, 7.1), (2, 9.2), (3.1, 5.7), (0.2, 3.5), (3.8, 3.5)),
)
_RIGHT = ((0, 2.5), (6, 2.5), (6, 0.5), (10, 3.3), (6, 6), (6, 4), (0, 4))
_EYE = ((0, 5), (3, 2), (7, 2), (10, 5), (7, 8), (3, 8), (0, 5), (3.5, 5), (5, 6.7), (6.5, 5), (5, 3.3), (3.5, 5))
_CROSS = (*((0, 2), (2, 0), (5, 3), (8, 0), (10, 2), (7, 5)), *((10, 8), (8, 10), (5, 7), (2, 10), (0, 8), (3, 5)))
SIGNS: dict[str, Sign] = {
    "double": (((0, 1), (5, 5), (0, 9)), ((5, 1), (10, 5), (5, 9))),
    "swap": (_RIGHT, tuple((10 - x, 10 - y) for x, y in _RIGHT)),
    "three": tuple(((x, 1), (x + 2.6, 1), (x + 2.6, 9), (x, 9)) for x in (0, 3.7, 7.4)),
    "defence": (((1, 0), (9, 0), (9, 5), (5, 10), (1, 5)),),
    "look": (_EYE,),
    "exchange": (tuple((y, x) for x, y in _RIGHT), tuple((10 - y, 10 - x) for x, y in _RIGHT)),
    "remove": (_CROSS,),
    "replay": (((10, 1), (5, 5), (10, 9)), ((5, 1), (0, 5), (5, 9))),
    "steal": (((3, 0), (7, 0), (7, 5), (10, 5), (5, 10), (0, 5), (3, 5)),),
}


def card_image(card: int | None) -> Image:
    """A playing card, its back, or None for an empty place."""
    if card is None or card == state.EMPTY:
        return None
    if card == HIDDEN:
        return POINT_BACK
    return Face(STAR_LOOK, "", (), STAR_SIGN) if card == STAR else point_face(card, LOWEST, HIGHEST)


def action_image(kind: str | None) -> Image:
    """An action card with its sign and its word."""
    return None if kind is None else Face(ACTION_LOOKS[kind], kind, KINDS, SIGNS[kind])


def action_tile(kind: str, count: int) -> Face:
    """Action cards of one kind beside a layout: their word, and how many there are of more than one."""
    text, texts = (kind, KINDS) if count == 1 else (f"{kind} {count}", COUNTED)
    return Face(ACTION_LOOKS[kind], text, texts)


def known_mark(place: Rect) -> Corner:
    """The mark on a hidden card that some seat knows: an eye in a corner."""
    side, border = max(5, place.width * 2 // 5), place.width // 12
    corner = Rect(place.left + place.width - side - border, place.top + border // 2, side, side)
    return Corner(corner, SIGNS["look"])


# The scene


Spot = str | tuple[int, int]  # what bears a mark: a pile, or a seat and a cell


def table_scene(game: Game, size: tuple[int, int], telling: Telling = UNTOLD) -> Scene:
    """The picture of a table at this width and height."""
    layout = arrange(game.rules.players, *size)
    headline = end_words(game, telling) if game.is_over else _decision(game, telling)
    words = headline, progress_words(game, telling), happened_words(game, telling)
    marked, lines = _marked(game), [_lines(game, seat, telling) for seat in range(game.rules.players)]
    bright = game.winners if game.is_over else (game.seat,)
    return Scene(
        size,
        (
            *word_lines((layout.headline, layout.details, layout.last_move), words, telling),
            *_piles(layout, game, marked),
            *seat_things([panel[:3] for panel in layout.seats], lines, bright),
            *(thing for seat, panel in enumerate(layout.seats) for thing in _layout(panel, game, seat, marked)),
        ),
    )


def _decision(game: Game, telling: Telling) -> str:
    words = decision_words(game, telling)
    return words[0].upper() + words[1:] if telling.names is None else words


def _lines(game: Game, seat: int, telling: Telling) -> tuple[tuple[str, str], tuple[str, str]]:
    """What is written above and below a seat's cards."""
    word, points = seat_points(game, seat)
    name = telling.name(seat), seat_notes(game, seat)
    return name, (f"{word} {number_text(points)}", f"total {number_text(game.totals[seat])}")


def _piles(layout: Layout, game: Game, marked: set[Spot]) -> Iterator[Thing]:
    """Both pairs of piles, the cards in hand, the open action cards and what is being carried out."""
    used = game.action_discards
    images = {
        "draw": card_image(HIDDEN if game.draw_pile_size else None),
        "discard": card_image(game.discard_top),
        "action": ACTION_BACK if game.action_pile_size else None,
        "used": action_image(used[-1] if used else None),
        "played": action_image(played_action(game)),
    }
    images |= {name: card_image(card) for name, card in zip(CARDS, game.state["hand"][0].tolist(), strict=True)}
    images |= {name: action_image(kind) for name, kind in zip(OPEN_PLACES, game.open_actions, strict=True)}
    counts = {"draw": game.draw_pile_size, "discard": game.discard_pile_size}
    counts |= {"action": game.action_pile_size, "used": len(used)}
    captions = {name: f"{name} {counts[name]}" if name in counts else name for name in images}
    shown = [ShownPile(layout.piles[name], images[name], captions[name], name in marked) for name in images]
    return pile_things(shown, "discard 100")


def _layout(panel: Panel, game: Game, seat: int, marked: set[Spot]) -> Iterator[Thing]:
    """A seat's cards: the layout and the action cards beside it."""
    knowers = game.state["knowers"][0, seat]
    for cell, (place, card) in enumerate(zip(panel.cells, game.board(seat).T.ravel().tolist(), strict=True)):
        yield Card(place, card_image(card), (seat, cell) in marked)
        if knowers[cell]:
            yield known_mark(place)
    for place, (kind, count) in zip(panel.actions, game.held_actions(seat).items(), strict=False):
        yield Card(place, action_tile(kind, count))


def _marked(game: Game) -> set[Spot]:
    """What the last move touched, unless it was in another round, and the cells that are asked about or chosen."""
    line, *chosen = (int(game.state[name][0]) for name in ("line", "chosen", "chosen_with"))
    marked: set[Spot] = {divmod(place, CELLS) for place in chosen if place != NOBODY}
    if line != NOBODY:
        marked |= _line(game.seat, line)
    is_dealt = game.phase == "opening" and (game.state["hidden_left"][0, : game.rules.players] == CELLS).all()
    if game.last_move is not None and not is_dealt:
        marked |= _touched(game, *game.last_move)
    return marked


def _touched(game: Game, seat: int, action: int) -> set[Spot]:
    """What this move touched."""
    name = action_names(game.rules)[action]
    word, *numbers = name.replace("of ", "").split()
    if word in ("draw", "take"):
        return {CARDS[0]}
    if word in ("play", "discard"):
        return {"played" if word == "play" and played_action(game) else "used"}
    if word in ("place", "flip"):
        return {(seat, int(numbers[0]))}
    if word in ("cell", "line"):
        owner = (seat + int(numbers[1])) % game.rules.players
        return {(owner, int(numbers[0]))} if word == "cell" else _line(owner, int(numbers[0]))
    return {name}


def _line(seat: int, line: int) -> set[Spot]:
    """The cells of a column or a row."""
    return {(seat, int(cell_of(line, k))) for k in range(line_length(line))}
