"""A table as text, in full or as one seat sees it; and a picture of the public table with the card in hand."""

from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray

from cardtable.table.render.faces import BOLD, EMPTY_CODE, POINT_BACK, Image, number_text, point_face
from cardtable.table.render.scene import Shown, ShownPile, cell_corner, grid_size
from cardtable.table.render.svg import Thing, card
from cardtable.table.render.text import (
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
from skyjo_env.card_game import Game, spec_of
from skyjo_env.kernel.state import DRAW, EMPTY, FIRST_PLACE, HIDDEN, PHASES, TAKE
from skyjo_env.rules import Rules, action_names

CARDS = PointCards(HIDDEN, {EMPTY: (".", EMPTY_CODE)})
NARROWEST = 12  # columns of a board and what is written around it
WIDTH = 100  # of boards side by side, at most


def format_table(game: Game, colour: bool = False, all_cards: bool = False, drawn_card: bool = True) -> str:
    """Return the public table and the card in hand: boards, piles, whose turn, last move, totals; at the end scores.

    Hidden cards are shown as ?, with `all_cards` as ?7. Without `drawn_card`, a card that only its holder knows is left
    out. With `colour` the text holds terminal codes, and without them it is the same text.
    """
    discard = "empty" if game.discard_top is None else CARDS.written(game.discard_top, colour)
    turn = game.turns if game.is_over else game.turns + 1
    state, piles = _state(game, colour, drawn_card), f"discard {discard}, draw pile {game.draw_pile_size}"
    head = [f"round {game.round}, turn {turn} | {state} | {piles}"]
    if game.last_move is not None:
        head.append(f"last move: {last_move_words(game)}")
    blocks = [_seat_block(game, seat, colour, all_cards) for seat in range(game.rules.players)]
    return "\n".join([*head, "", side_by_side(blocks, WIDTH)]) + "\n"


def _state(game: Game, colour: bool, drawn_card: bool) -> str:
    if game.is_over:
        winners = " and ".join(f"seat {seat}" for seat in game.winners)
        return f"over, won by {winners}" if winners else "stopped after too many turns"
    is_secret = game.phase == "drawn" and not drawn_card
    hand = "" if game.hand is None or is_secret else f" {CARDS.written(game.hand, colour)}"
    lap = "" if game.ender is None else f", final lap (ended by seat {game.ender}, {game.turns_left} left)"
    return f"seat {game.seat}: {game.phase}{hand}{lap}"


def _seat_block(game: Game, seat: int, colour: bool, all_cards: bool) -> list[str]:
    """Return one seat's lines."""
    is_deciding = seat == game.seat and not game.is_over
    name = f"{'>' if is_deciding else ' '}seat {seat}"
    name = paint(name, BOLD) if colour and is_deciding else name
    total = f"total {game.totals[seat]}"
    if game.winners:  # a stopped round has no scores to show
        total = f"round {game.round_scores[seat]}, {total}"
    board = game.board(seat).T.ravel().tolist()
    below = [f"?{card}" for card in game.state["cards"][0, seat, : game.rules.cells].tolist()] if all_cards else None
    rows = CARDS.rows(board, game.rules.rows, colour, below)
    return [padded(name, NARROWEST), *map(" ".join, rows), total]


def seat_text(rules: Rules, observation: NDArray[Any], names: Sequence[str]) -> str:
    """Return all that a seat knows: `format_view`, the cards that are not seen yet, the phase, the card in hand."""
    view = spec_of(rules).view(observation)
    lines = [format_view(rules, observation, names), "", f"not seen yet: {tally(rules.values, view.hidden_pool)}"]
    if view.reshuffles > 0:  # from then on a drawn card tells nothing about the hidden ones
        lines.append(f"the next draw is one of: {tally(rules.values, view.draw_pool)}")
    hand = "" if view.hand == EMPTY else f", {view.hand} in hand"
    return "\n".join([*lines, f"phase: {PHASES[view.phase]}{hand}"])


def format_view(
    rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False, columns: int = WIDTH
) -> str:
    """Return a seat's view as text: the others clockwise, and below them its own board with the numbers of its cells.

    `names` holds the names of all players by seat.
    """
    view = spec_of(rules).view(observation)
    called = [names[(int(view.seat) + place) % rules.players] for place in range(rules.players)]
    totals = [f"total {total}" for total in view.totals]
    blocks = [board_block(rules, *block, colour) for block in zip(called, view.cells.tolist(), totals, strict=True)]
    top = "empty" if view.discard_top == EMPTY else CARDS.written(int(view.discard_top), colour)
    turn = "opening" if PHASES[view.phase] == "opening" else f"turn {view.turns + 1}"
    head = [f"round {view.round}, {turn} | discard {top} | draw pile {view.draw_pile_size}"]
    if view.ender >= 0:
        head.append(f"final lap: ended by {called[view.ender]}, turns left: {view.turns_left}")
    own = [f"{called[0]}, {totals[0]}", *numbered(CARDS.rows(view.cells[0].tolist(), rules.rows, colour))]
    return "\n".join([*head, "", side_by_side(blocks[1:], columns), "", *own])


def board_block(rules: Rules, title: str, cells: Sequence[int], below: str, colour: bool) -> list[str]:
    """Return a board as lines: a title, the rows, and a line below them."""
    return [title, *map(" ".join, CARDS.rows(cells, rules.rows, colour)), below]


# The picture

PHASE_WORDS = {
    "opening": "turns a card up",
    "turn": "draws or takes",
    "drawn": "has drawn {}",
    "taken": "has taken {}",
    "confirm": "clears or keeps",
}


def shown(game: Game, telling: Telling) -> Shown:
    """Return the contents of a table's picture."""
    rules, touched = game.rules, _touched(game)
    hand = "" if game.hand is None else number_text(game.hand)
    piles = (
        ("draw", HIDDEN if game.draw_pile_size > 0 else None, f"draw {game.draw_pile_size}"),
        ("discard", game.discard_top, f"discard {game.discard_pile_size}"),
        ("hand", game.hand, "in hand"),
    )

    def cells(seat: int, _shape: int, left: float, top: float) -> Iterator[Thing]:
        for cell, value in enumerate(game.board(seat).T.ravel().tolist()):
            yield from card(*cell_corner(cell, rules.rows, left, top), _image(value, rules), touched == (seat, cell))

    return Shown(
        f"{telling.name(game.seat)} {PHASE_WORDS.get(game.phase, '').format(hand)}",
        _details(game, telling),
        [ShownPile(_image(value, rules), caption, touched == name) for name, value, caption in piles],
        [(_note(game, seat), _points(game, seat)) for seat in range(rules.players)],
        (grid_size(rules.rows, rules.columns),),
        cells,
    )


def _details(game: Game, telling: Telling) -> str:
    """Return the round and turn, and who has ended the round."""
    words = f"round {game.round}, turn {game.turns + (not game.is_over)}"
    if game.ender is None:
        return words
    if game.is_over:
        return f"{words}, ended by {telling.seat(game.ender)}"
    return f"{words}, final lap: {telling.seat(game.ender)} ended, {counted(game.turns_left, 'turn')} left"


def _note(game: Game, seat: int) -> str:
    if seat in game.winners:
        return "wins"
    return "ended" if seat == game.ender else ""


def _points(game: Game, seat: int) -> str:
    """Return the score of the round, or the sum of the open cards while there is none, as in a stopped round."""
    if game.winners:
        return f"round {number_text(game.round_scores[seat])}"
    board = game.board(seat)
    return f"open {number_text(int(board[board < HIDDEN].sum()))}"


def _image(value: int | None, rules: Rules) -> Image:
    """Return a card or its back; None for an empty place."""
    if value is None or value == EMPTY:
        return None
    return POINT_BACK if value == HIDDEN else point_face(value, rules.values[0], rules.values[-1])


def _touched(game: Game) -> tuple[int, int] | str | None:
    """Return what the last move touched: (seat, cell), "hand" or "discard"; None if that was in another round."""
    if game.last_move is None or _is_new_round(game):
        return None
    seat, action = game.last_move
    if action in (DRAW, TAKE):
        return "hand"
    if action < FIRST_PLACE + 2 * game.rules.cells:
        return seat, (action - FIRST_PLACE) % game.rules.cells
    return "discard" if action_names(game.rules)[action] == "discard" else None


def _is_new_round(game: Game) -> bool:
    """Return whether nothing has been decided yet in this round."""
    if game.phase == "opening":
        return all((game.board(seat) == HIDDEN).all() for seat in range(game.rules.players))
    is_chosen = game.rules.initial_flip == "choose" and game.rules.opening_flips > 0
    return game.phase == "turn" and game.turns == 0 and not is_chosen
