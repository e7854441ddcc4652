"""A table as text: the whole of it, and what one seat sees, made from its observation alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.render.faces import BOLD, CARD_CODES, EMPTY_CODE, HIDDEN_CODE, card_class
from cardtable.table.render.text import numbered, paint, side_by_side, tally
from cardtable.table.render.words import last_move_words
from skyjo_env.card_game import spec_of
from skyjo_env.kernel.state import EMPTY, HIDDEN, PHASES
from skyjo_env.rules import Rules

if TYPE_CHECKING:
    from skyjo_env.card_game import Game


BOARDS_A_ROW = 4
GAP = "    "
WIDTH = 100  # of boards side by side, at most


def format_table(game: Game, colour: bool = False, all_cards: bool = False, drawn_card: bool = True) -> str:
    """The public table and the card in hand: boards, piles, whose turn, last move, totals; at the end scores.

    Hidden cards are shown as ?, with `all_cards` as ?7. Without `drawn_card`, a card that only its holder knows is left
    out. With `colour` the text holds terminal codes, and without them it is the same text.
    """
    players = game.rules.players
    blocks = [_seat_block(game, seat, colour, all_cards) for seat in range(players)]
    rows = [blocks[first : first + BOARDS_A_ROW] for first in range(0, players, BOARDS_A_ROW)]
    tables = ["\n".join(GAP.join(line).rstrip() for line in zip(*row, strict=True)) for row in rows]
    head = _headline(game, colour, drawn_card)
    if game.last_move is not None:
        head += f"\nlast move: {last_move_words(game)}"
    return "\n\n".join([head, *tables]) + "\n"


def _headline(game: Game, colour: bool, drawn_card: bool) -> str:
    discard = "empty" if game.discard_top is None else format_card(game.discard_top, colour)
    turn = game.turns if game.is_over else game.turns + 1
    state = _state(game, colour, drawn_card)
    return f"round {game.round}, turn {turn} | {state} | discard {discard}, draw pile {game.draw_pile_size}"


def _state(game: Game, colour: bool, drawn_card: bool) -> str:
    if game.is_over:
        winners = " and ".join(f"seat {seat}" for seat in game.winners)
        return f"over, won by {winners}" if winners else "stopped after too many turns"
    is_secret = game.phase == "drawn" and not drawn_card
    hand = "" if game.hand is None or is_secret else f" {format_card(game.hand, colour)}"
    lap = "" if game.ender is None else f", final lap (ended by seat {game.ender}, {game.turns_left} left)"
    return f"seat {game.seat}: {game.phase}{hand}{lap}"


def _seat_block(game: Game, seat: int, colour: bool, all_cards: bool) -> list[str]:
    """One seat's lines, all of one width."""
    rules = game.rules
    is_deciding = seat == game.seat and not game.is_over
    name = f"{'>' if is_deciding else ' '}seat {seat}"
    board = [[int(card) for card in row] for row in game.board(seat)]
    lies = game.state["cards"][0, seat, : rules.cells].reshape(rules.columns, rules.rows).T
    total = f"total {game.totals[seat]}"
    if game.winners:  # a stopped round has no scores to show
        total = f"round {game.round_scores[seat]}, {total}"
    board_width = 4 * len(board[0]) - 1
    width = max(len(name), board_width, len(total), 12)
    cells = [
        [format_cell(card, colour, int(below) if all_cards else None) for card, below in zip(*rows, strict=True)]
        for rows in zip(board, lies, strict=True)
    ]
    lines = [" ".join(row) + " " * (width - board_width) for row in cells]
    painted = paint(name, BOLD) if colour and is_deciding else name
    return [painted + " " * (width - len(name)), *lines, total.ljust(width)]


def format_cell(card: int, colour: bool, below: int | None = None) -> str:
    """A cell of a board in three characters; `below` is the card under a hidden one if it is to be shown."""
    if card == HIDDEN:
        text = f"{'?' if below is None else f'?{below}':>3}"
        return paint(text, HIDDEN_CODE) if colour else text
    if card == EMPTY:
        return paint("  .", EMPTY_CODE) if colour else "  ."
    return format_card(card, colour, 3)


def format_card(card: int, colour: bool, width: int = 0) -> str:
    """An open card in its colour."""
    text = f"{card:{width}d}"
    return paint(text, CARD_CODES[card_class(card)]) if colour else text


def seat_text(rules: Rules, observation: NDArray[Any], names: Sequence[str]) -> str:
    """All that a seat knows: what `format_view` shows, the cards that are not seen yet, the phase, the card in hand."""
    view = spec_of(rules).view(observation)
    lines = [format_view(rules, observation, names), "", f"not seen yet: {tally(rules.values, view.hidden_pool)}"]
    if view.reshuffles > 0:  # from then on a drawn card tells nothing about the hidden ones
        lines.append(f"the next draw is one of: {tally(rules.values, view.draw_pool)}")
    hand = "" if view.hand == EMPTY else f", {view.hand} in hand"
    return "\n".join([*lines, f"phase: {PHASES[view.phase]}{hand}"])


def format_view(
    rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False, columns: int = WIDTH
) -> str:
    """What a seat sees: the others clockwise, and below them its own board with the numbers of its cells.

    `names` says by seat what to call everybody.
    """
    view = spec_of(rules).view(observation)
    called = [names[(int(view.seat) + place) % rules.players] for place in range(rules.players)]
    boards = [cells.reshape(rules.columns, rules.rows).T for cells in view.cells]
    totals = [f"total {total}" for total in view.totals]
    others = [board_block(called[place], boards[place], totals[place], colour) for place in range(1, rules.players)]
    top = "empty" if view.discard_top == EMPTY else format_card(int(view.discard_top), colour)
    turn = "opening" if PHASES[view.phase] == "opening" else f"turn {view.turns + 1}"
    head = [f"round {view.round}, {turn} | discard {top} | draw pile {view.draw_pile_size}"]
    if view.ender >= 0:
        head.append(f"final lap: ended by {called[view.ender]}, turns left: {view.turns_left}")
    own = [f"{called[0]}, {totals[0]}", *numbered(_cells(boards[0], colour))]
    return "\n".join([*head, "", side_by_side(others, columns), "", *own])


def board_block(title: str, board: NDArray[np.int16], below: str, colour: bool) -> list[str]:
    """A board as lines: a title, the rows, and a line below them."""
    return [title, *map(" ".join, _cells(board, colour)), below]


def _cells(board: NDArray[np.int16], colour: bool) -> list[list[str]]:
    """The cells of a board, row by row."""
    return [[format_cell(card, colour) for card in row] for row in board.tolist()]
