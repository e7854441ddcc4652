"""A table of Skyjo as one seat sees it, from its observation alone; and boards side by side."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo.terminal.console import room
from skyjo.terminal.skyjo_story import RoundOver
from skyjo_env import EMPTY, PHASES, Rules
from skyjo_env.events import RoundStopped
from skyjo_env.observation import spec_of
from skyjo_env.render.text import format_card, format_cell

WIDTH = 100  # of boards side by side, at most
GAP = "    "


def format_view(rules: Rules, observation: NDArray[Any], names: Sequence[str], colour: bool = False) -> str:
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
    own = [f"{called[0]}, {totals[0]}", *_numbered(boards[0], colour)]
    return "\n".join([*head, "", side_by_side(others), "", *own])


def round_end(rules: Rules, end: RoundOver, names: Sequence[str], colour: bool = False) -> str:
    """The boards at the end of a round with scores and totals, and whose score was multiplied."""
    if isinstance(end, RoundStopped):
        head = f"round {end.round} was stopped after {end.turns} turns and is not scored"
        below = [f"total {total}" for total in end.totals]
    else:
        head = f"round {end.round} is over, ended by {names[end.ender]}"
        points = sum(card for card in end.boards[end.ender] if card != EMPTY)
        if points != end.scores[end.ender]:
            head += f", whose {points} points count {rules.penalty_factor} times"
        below = [f"round {score}, total {total}" for score, total in zip(end.scores, end.totals, strict=True)]
    boards = [np.reshape(board, (rules.columns, rules.rows)).T for board in end.boards]
    blocks = [board_block(names[seat], board, below[seat], colour) for seat, board in enumerate(boards)]
    return f"{head}\n\n{side_by_side(blocks)}"


def board_block(title: str, board: NDArray[Any], below: str, colour: bool) -> list[str]:
    """A board as lines that are equally wide on the screen: a title, the rows, and a line below them."""
    rows = [" ".join(format_cell(card, colour) for card in row) for row in board.tolist()]
    board_width = 4 * board.shape[1] - 1
    width = max(len(title), board_width, len(below))
    return [title.ljust(width), *(row + " " * (width - board_width) for row in rows), below.ljust(width)]


def side_by_side(blocks: Sequence[list[str]]) -> str:
    """Blocks of equally many lines in rows that are not too wide, an empty line between two rows."""
    rows: list[list[list[str]]] = []
    widest, left = room(WIDTH) + len(GAP), 0
    for block in blocks:
        width = len(block[0]) + len(GAP)  # the title has no colours
        if not rows or left < width:
            rows.append([])
            left = widest
        rows[-1].append(block)
        left -= width
    return "\n\n".join("\n".join(GAP.join(line).rstrip() for line in zip(*row, strict=True)) for row in rows)


def _numbered(board: NDArray[Any], colour: bool) -> list[str]:
    """The rows of a board with the number of every cell before its card."""
    rows = board.shape[0]
    return [
        "".join(f"{column * rows + row:>4} [{format_cell(card, colour)}]" for column, card in enumerate(cards))
        for row, cards in enumerate(board.tolist())
    ]
