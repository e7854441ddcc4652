"""A table as plain text, readable in any terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skyjo_env.kernel.state import EMPTY, HIDDEN

if TYPE_CHECKING:
    from skyjo_env.game import Game

BOARDS_A_ROW = 4
GAP = "    "


def format_table(game: Game) -> str:
    """What everybody sees, and the card in hand: boards, piles, whose turn, totals. Hidden cards are shown as ?."""
    players = game.rules.players
    blocks = [_seat_block(game, seat) for seat in range(players)]
    rows = [blocks[first : first + BOARDS_A_ROW] for first in range(0, players, BOARDS_A_ROW)]
    tables = ["\n".join(GAP.join(line).rstrip() for line in zip(*row, strict=True)) for row in rows]
    return "\n\n".join([_headline(game), *tables]) + "\n"


def _headline(game: Game) -> str:
    discard = "empty" if game.discard_top is None else str(game.discard_top)
    turn = game.turns if game.is_over else game.turns + 1
    return f"round {game.round}, turn {turn} | {_state(game)} | discard {discard}, draw pile {game.draw_pile_size}"


def _state(game: Game) -> str:
    if game.is_over:
        winners = " and ".join(f"seat {seat}" for seat in game.winners)
        return f"over, won by {winners}" if winners else "stopped after too many turns"
    hand = "" if game.hand is None else f" {game.hand}"
    lap = "" if game.ender is None else f", final lap (ended by seat {game.ender}, {game.turns_left} left)"
    return f"seat {game.seat}: {game.phase}{hand}{lap}"


def _seat_block(game: Game, seat: int) -> list[str]:
    """One seat's lines, all of one width."""
    marker = ">" if seat == game.seat and not game.is_over else " "
    board = [" ".join(_cell(int(card)) for card in row) for row in game.board(seat)]
    lines = [f"{marker}seat {seat}", *board, f"total {game.totals[seat]}"]
    width = max(map(len, [*lines, " " * 12]))
    return [line.ljust(width) for line in lines]


def _cell(card: int) -> str:
    return {HIDDEN: "  ?", EMPTY: "  ."}.get(card, f"{card:3d}")
