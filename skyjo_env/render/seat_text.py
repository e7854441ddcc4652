"""The table as one seat sees it, as text that is made from its observation alone."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.render.blocks import numbered, side_by_side, tally
from skyjo_env.kernel.state import EMPTY, PHASES
from skyjo_env.observation import spec_of
from skyjo_env.render.text import format_card, format_cell
from skyjo_env.rules import Rules

WIDTH = 100  # of boards side by side, at most


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
