"""A table as text, in public or as one seat sees it; and the layout and look of its picture."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from numpy.typing import NDArray

from cardtable.table.render.faces import (
    BOLD,
    EMPTY_CODE,
    POINT_BACK,
    WHITE,
    Back,
    Face,
    Image,
    Sign,
    number_text,
    plain_look,
    point_face,
)
from cardtable.table.render.scene import Shown, ShownPile, cell_corner, grid_size
from cardtable.table.render.seating import GAP, Size
from cardtable.table.render.svg import Thing, card, corner
from cardtable.table.render.text import (
    UNTOLD,
    PointCards,
    Telling,
    counted,
    last_move_words,
    numbered,
    padded,
    paint,
    side_by_side,
    tally,
)
from skyjo_action_env import kernel as state
from skyjo_action_env.card_game import Game, spec_of
from skyjo_action_env.kernel import CELLS, COLUMNS, EMPTY, HIDDEN, KINDS, NO_KIND, NOBODY, PHASES, ROWS, STAR
from skyjo_action_env.kernel.cards import cell_of, line_length
from skyjo_action_env.rules import Rules, action_names, card_name

CARDS = PointCards(HIDDEN, {STAR: ("*", "48;5;54;38;5;231"), EMPTY: (".", EMPTY_CODE)})
WIDTH, BLOCK = 80, 18  # columns, of all and of a layout beside others
ROW_WIDTH = 4 * COLUMNS - 1  # of a layout
ACTIONS_WIDTH = 22  # of the action cards beside it: two kinds fit into a line

# By phase, in their order.
DECIDES = (
    *("turns a card up", "draws, takes or plays", "lays or discards the drawn card", "lays the taken card"),
    *("may take an action card", "clears or keeps {line}", "chooses a card to swap", "chooses the other card"),
    *("chooses one of three cards", "lays one of three cards", "chooses the top discard", "turns a card up"),
    *("chooses a line to look at", "chooses a card to exchange", "chooses the other card"),
    *("removes a card of {attacked}", "chooses a card to replay", "chooses whom to steal from"),
    *("steals from {attacked}", "may stop the {played}"),
)


def format_table(game: Game, colour: bool = False, all_cards: bool = False, drawn_card: bool = True) -> str:
    """Return the public table and the cards in hand: piles, layouts, action cards, turn, last move, totals, scores.

    Hidden cards are shown as ?, as (?) if a seat knows them, and with `all_cards` as ?7. Of three cards in hand the one
    that is laid is in brackets. Without `drawn_card`, cards that only their holder knows are shown as ?. With `colour`
    the text holds terminal codes, and without them it is the same text.
    """
    last_move = [f"last move: {last_move_words(game)}"] if game.last_move else []
    piles = [_card_piles(game, colour, drawn_card), _action_piles(game)]
    blocks = [_seat_block(game, seat, colour, all_cards) for seat in range(game.rules.players)]
    head = [progress_words(game), _state(game), *last_move, "", *piles, ""]
    return "\n".join([*head, side_by_side(blocks, WIDTH, "  ")]) + "\n"


def progress_words(game: Game, telling: Telling = UNTOLD) -> str:
    """Round and turn, extra turns, and who has ended the round."""
    words = f"round {game.round}, turn {game.turns + (not game.is_over)}"
    if game.mover is not None and not game.is_over:
        words += f" of {telling.seat(game.mover)}"
    if game.extra_turns and not game.is_over:
        words += f", {counted(game.extra_turns, 'extra turn')}"
    if game.ender is None:
        return words
    left = "" if game.is_over else f", {counted(game.turns_left, 'turn')} left"
    return f"{words}, ended by {telling.seat(game.ender)}{left}"


def decision_words(game: Game, telling: Telling = UNTOLD) -> str:
    """Return a seat's decision in words."""
    line = line_name(int(game.state["line"][0]))
    attacked = None if game.attacked is None else telling.seat(game.attacked)
    return DECIDES[PHASES.index(game.phase)].format(line=line, attacked=attacked, played=played_action(game))


def played_action(game: Game) -> str | None:
    """Return the action card that is being carried out, or None."""
    kind = int(game.state["played"][0])
    return None if kind == NO_KIND else KINDS[kind]


def seat_notes(game: Game, seat: int) -> str:
    """Return the notes on a seat that follow its name."""
    claims = int(game.state["claims"][0, seat])
    notes = {
        "wins": seat in game.winners,
        "turn": seat == game.mover and not game.is_over,
        "attacked": seat == game.attacked,
        counted(claims, "claim"): claims > 0,
        "ended": seat == game.ender,
    }
    return ", ".join(note for note, is_so in notes.items() if is_so)


def seat_points(game: Game, seat: int) -> tuple[str, int]:
    """Return the score of the round, or the sum of the open cards without one; a stopped round has no score."""
    return ("round", game.round_scores[seat]) if game.winners else ("open", int(game.state["open_sum"][0, seat]))


def _state(game: Game) -> str:
    """Return the state in words: the decider and the action being carried out, or the end of the game."""
    if game.is_over:
        winners = ", ".join(f"seat {seat}" for seat in game.winners)
        return f"over, won by {winners}" if winners else "stopped after too many turns"
    return f"seat {game.seat} {decision_words(game)}" + (
        f" | carried out: {played_action(game)}" if played_action(game) else ""
    )


def _card_piles(game: Game, colour: bool, drawn_card: bool) -> str:
    top = "" if game.discard_top is None else f": {CARDS.written(game.discard_top, colour)}"
    is_secret, picked = game.phase != "taken" and not drawn_card, int(game.state["picked"][0])
    held = enumerate(game.state["hand"][0].tolist())
    hand = [
        ("[{}]" if k == picked else "{}").format(CARDS.written(HIDDEN if is_secret else card, colour))
        for k, card in held
        if card != EMPTY
    ]
    in_hand = f" | in hand {' '.join(hand)}" if hand else ""
    return f"draw pile {game.draw_pile_size} | discard pile {game.discard_pile_size}{top}{in_hand}"


def _action_piles(game: Game) -> str:
    used = game.action_discards
    top = f": {used[-1]}" if used else ""
    places = ", ".join(kind or "none" for kind in game.open_actions)
    return f"action pile {game.action_pile_size} | used {len(used)}{top} | open {places}"


def _seat_block(game: Game, seat: int, colour: bool, all_cards: bool) -> list[str]:
    """Return a seat's lines: its name, its layout with the action cards beside it, and its points."""
    is_deciding = seat == game.seat and not game.is_over
    name, notes = f"{'>' if is_deciding else ' '}seat {seat}", seat_notes(game, seat)
    name = paint(name, BOLD) if colour and is_deciding else name
    table, name = game.state[0], f"{name}: {notes}" if notes else name
    hidden = ["(?)" if knowers else "?" for knowers in table["knowers"][seat]]
    if all_cards:
        hidden = [f"?{card_name(card)}" for card in table["cards"][seat].tolist()]
    layout = map(" ".join, CARDS.rows(table["shown"][seat].tolist(), ROWS, colour, hidden))
    held = ", ".join(kind if n == 1 else f"{kind}_{n}" for kind, n in game.held_actions(seat).items())
    rows = zip_longest(layout, wrap(held, ACTIONS_WIDTH))
    lines = [f"{row or ' ' * ROW_WIDTH}  {(actions or '').replace('_', ' ')}" for row, actions in rows]
    word, points = seat_points(game, seat)
    total = f"{word} {points}, total {game.totals[seat]}"
    return [padded(name, ROW_WIDTH + 2 + ACTIONS_WIDTH), *lines, total]


# As a seat sees it


def seat_text(rules: Rules, observation: NDArray[Any], names: Sequence[str]) -> str:
    """Return everything that a seat knows: the text of `format_view`, the unseen cards, and the decision to take."""
    view = spec_of(rules).view(observation)
    cards = [card_name(card) for card in range(state.LOWEST, STAR + 1)]
    lines = [format_view(rules, observation, names), "", f"not seen yet: {tally(cards, view.unseen)}"]
    if view.known_draws.any():  # after a reshuffle
        lines.append(f"known to be in the draw pile: {tally(cards, view.known_draws)}")
    return "\n".join([*lines, " | ".join(_situation(view, names))])


def _situation(view: Any, names: Sequence[str]) -> Iterator[str]:
    """Yield the phase, and what is being carried out: places are counted clockwise as in the names of actions."""
    yield f"phase: {PHASES[view.phase]}"
    hand = [f"card {k}: {card_name(card)}" for k, card in enumerate(view.hand.tolist()) if card != EMPTY]
    if hand:
        yield f"in hand {', '.join(hand)}"
    if view.picked in range(len(view.hand)):
        yield f"card {view.picked} is laid"
    if view.line >= 0:
        yield f"about {line_name(int(view.line))}"
    chosen = [divmod(int(number), CELLS) for number in (view.chosen, view.chosen_with) if number >= 0]
    if chosen:
        yield f"chosen: {' and '.join(f'cell {cell} of {place}' for place, cell in chosen)}"
    if view.played != NO_KIND:
        mover, attacked = (names[(int(view.seat) + int(place)) % len(names)] for place in (view.mover, view.attacked))
        yield f"{KINDS[view.played]} is played by {mover}{f' against {attacked}' if view.attacked >= 0 else ''}"


def format_view(
    rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False, columns: int = WIDTH
) -> str:
    """Return the observation of a seat as text: the others clockwise, then its own layout with the numbers of its
    cells.

    A hidden card that only some seats know is written ?5 for them. `names` holds the names of all players by seat.
    """
    view = spec_of(rules).view(observation)
    called = [names[(int(view.seat) + place) % rules.players] for place in range(rules.players)]
    layouts = [_rows(view.cells[place], view.known[place], colour) for place in range(rules.players)]
    others = [
        [called[place], *map(" ".join, layouts[place]), f"total {view.totals[place]}", *wrap(_held(view, place), BLOCK)]
        for place in range(1, rules.players)
    ]
    held = wrap(f"action cards: {_held(view, 0) or 'none'}", WIDTH)
    own = [f"{called[0]}, total {view.totals[0]}", *numbered(layouts[0]), *held]
    return "\n".join([*_head(view, called, colour), "", side_by_side(others, columns), "", *own])


def line_name(line: int) -> str:
    """Return a line as it is typed."""
    return f"column {line}" if line < COLUMNS else f"row {line - COLUMNS}"


def _head(view: Any, called: Sequence[str], colour: bool) -> list[str]:
    """Return the piles, the open action cards, and how the round stands."""
    turn = "opening" if view.mover < 0 else f"turn {view.turns + 1}"
    top = "none" if view.action_top == NO_KIND else KINDS[view.action_top]
    piles = f"discard {CARDS.written(int(view.discard_top), colour)}, draw pile {view.draw_pile_size}"
    places = ", ".join(f"{place} {KINDS[kind]}" for place, kind in enumerate(view.open_actions) if kind != NO_KIND)
    return [
        f"round {view.round}, {turn} | {piles} | actions {view.action_pile_size}, discard {top}",
        f"open action cards: {places or 'none'}",
        *([f"extra turns that follow: {view.extra_turns}"] if view.extra_turns > 0 else []),
        *([f"ended by {called[view.ender]}, turns left: {view.turns_left}"] if view.ender >= 0 else []),
    ]


def _rows(cells: NDArray[Any], seen: NDArray[Any], colour: bool) -> list[list[str]]:
    """Return the rows of a layout; ?5 is a card that the seat knows."""
    return CARDS.rows(
        cells.tolist(), ROWS, colour, ["?" if below == EMPTY else f"?{card_name(below)}" for below in seen]
    )


def _held(view: Any, place: int) -> str:
    """Return the action cards beside a layout, such as `swap, 2 look`."""
    counts = zip(KINDS, view.held[place].tolist(), strict=True)
    return ", ".join(kind if count == 1 else f"{count} {kind}" for kind, count in counts if count)


# The picture of a table


IN_HAND, OPEN_PLACES = [f"card {k}" for k in range(state.HAND)], [f"open {place}" for place in range(state.PLACES)]
TILE_GAP = 3  # between action cards in a panel
CELLS_SIZE = grid_size(ROWS, COLUMNS)
# Below a layout all kinds of action cards take three columns, beside it one.
BELOW: Size = ((CELLS_SIZE[0] + TILE_GAP) / 3 - TILE_GAP, 23)
BESIDE: Size = (85, (CELLS_SIZE[1] + TILE_GAP) / len(KINDS) - TILE_GAP)
SHAPES = (
    (CELLS_SIZE[0], CELLS_SIZE[1] + GAP + 3 * (BELOW[1] + TILE_GAP)),
    (CELLS_SIZE[0] + 2 * GAP + BESIDE[0], CELLS_SIZE[1]),
)

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
    """Return a playing card, its back, or None for an empty place."""
    if card is None or card == state.EMPTY:
        return None
    if card == HIDDEN:
        return POINT_BACK
    return Face(STAR_LOOK, "", (), STAR_SIGN) if card == STAR else point_face(card, state.LOWEST, state.HIGHEST)


def action_image(kind: str | None) -> Image:
    """Return an action card with its sign and its word."""
    return None if kind is None else Face(ACTION_LOOKS[kind], kind, KINDS, SIGNS[kind])


Spot = str | tuple[int, int]  # what bears a mark: a pile, or a seat and a cell


def shown(game: Game, telling: Telling) -> Shown:
    """Return the contents of a table's picture."""
    marked = _marked(game)
    points = (seat_points(game, seat) for seat in range(game.rules.players))
    return Shown(
        "" if game.is_over else f"{telling.name(game.seat)} {decision_words(game, telling)}",
        progress_words(game, telling),
        _piles(game, marked),
        [(seat_notes(game, seat), f"{word} {number_text(sum_)}") for seat, (word, sum_) in enumerate(points)],
        SHAPES,
        partial(_inside, game, marked),
    )


def _piles(game: Game, marked: set[Spot]) -> list[ShownPile]:
    """Return both pairs of piles, the cards in hand, the open action cards and what is being carried out."""
    used = game.action_discards
    piles = {
        "draw": (card_image(HIDDEN if game.draw_pile_size else None), game.draw_pile_size),
        "discard": (card_image(game.discard_top), game.discard_pile_size),
        "action": (ACTION_BACK if game.action_pile_size else None, game.action_pile_size),
        "used": (action_image(used[-1] if used else None), len(used)),
    }
    hand = zip(IN_HAND, map(card_image, game.state["hand"][0].tolist()), strict=True)
    places = zip(OPEN_PLACES, map(action_image, game.open_actions), strict=True)
    return [
        *(ShownPile(image, f"{name} {count}", name in marked) for name, (image, count) in piles.items()),
        *(ShownPile(image, name, name in marked) for name, image in (*places, *hand)),
        ShownPile(action_image(played_action(game)), "played", "played" in marked),
    ]


def _inside(game: Game, marked: set[Spot], seat: int, shape: int, left: float, top: float) -> Iterator[Thing]:
    """Yield a seat's layout, with an eye on a hidden card that some seat knows, and its action cards, counted."""
    knowers = game.state["knowers"][0, seat]
    for cell, value in enumerate(game.board(seat).T.ravel().tolist()):
        x, y = cell_corner(cell, ROWS, left, top)
        yield from card(x, y, card_image(value), (seat, cell) in marked)
        if knowers[cell]:
            yield corner(x + 27, y + 2, SIGNS["look"], 20)
    for number, (kind, count) in enumerate(game.held_actions(seat).items()):
        text, texts = (kind, KINDS) if count == 1 else (f"{kind} {count}", COUNTED)
        row, column = divmod(number, 3) if shape == 0 else (number, 0)
        size = BELOW if shape == 0 else BESIDE
        x = left + (column * (size[0] + TILE_GAP) if shape == 0 else CELLS_SIZE[0] + 2 * GAP)
        y = top + row * (size[1] + TILE_GAP) + (CELLS_SIZE[1] + GAP if shape == 0 else 0)
        yield from card(x, y, Face(ACTION_LOOKS[kind], text, texts), size=size)


def _marked(game: Game) -> set[Spot]:
    """Return the spots of the last move, unless it was in another round, and cells that are asked about or chosen."""
    line, *chosen = (int(game.state[name][0]) for name in ("line", "chosen", "chosen_with"))
    marked: set[Spot] = {divmod(place, CELLS) for place in chosen if place != NOBODY}
    if line != NOBODY:
        marked |= _line(game.seat, line)
    is_dealt = game.phase == "opening" and (game.state["hidden_left"][0, : game.rules.players] == CELLS).all()
    if game.last_move is not None and not is_dealt:
        marked |= _touched(game, *game.last_move)
    return marked


def _touched(game: Game, seat: int, action: int) -> set[Spot]:
    """Return the spots that this move touched."""
    name = action_names(game.rules)[action]
    word, *numbers = name.replace("of ", "").split()
    if word in ("draw", "take"):
        return {IN_HAND[0]}
    if word in ("play", "discard"):
        return {"played" if word == "play" and played_action(game) else "used"}
    if word in ("place", "flip"):
        return {(seat, int(numbers[0]))}
    if word in ("cell", "line"):
        owner = (seat + int(numbers[1])) % game.rules.players
        return {(owner, int(numbers[0]))} if word == "cell" else _line(owner, int(numbers[0]))
    return {name}


def _line(seat: int, line: int) -> set[Spot]:
    """Return the cells of a column or a row."""
    return {(seat, int(cell_of(line, k))) for k in range(line_length(line))}
