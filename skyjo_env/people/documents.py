"""Skyjo for JSON, and as a seat can write it down as a position (docs/notation.md). See
`skyjo.table.game_text.GameJson`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.positions import header_lines
from skyjo.table.game_text import GameJson
from skyjo_env import EMPTY, HIDDEN, PHASES, Game, Rules
from skyjo_env.card_game import spec_of
from skyjo_env.events import RoundScored
from skyjo_env.kernel.state import DRAWN, MAX_CELLS
from skyjo_env.people.terminal import WITH_AN, RoundOver

# What a page without a server must know to read records and observations
CONSTANTS = {"HIDDEN": HIDDEN, "EMPTY": EMPTY, "DRAWN": DRAWN, "MAX_CELLS": MAX_CELLS, "WITH_AN": WITH_AN}
STARTS = {"round": 1, "turns": 0, "reshuffles": 0, "turns_left": 0}  # what is left out, by its line


class TableDocument(TypedDict):
    """What everybody sees of a table."""

    boards: list[list[int | str]]  # cell by cell a card, ? or a point, as in a written position
    discard_top: int | None
    draw_pile_size: int


class RoundEndDocument(TypedDict):
    """The end of a round: without ender, scores and points if it was stopped."""

    ender: int | None
    scores: Sequence[int] | None
    points: list[int] | None  # on the boards, before the ender's penalty (7.6)
    boards: list[list[int | str]]


class Documents(GameJson):
    """Skyjo for JSON."""

    constants = CONSTANTS

    def table_document(self, game: Game) -> TableDocument:
        """The boards and piles for JSON."""
        boards = [_marks(game.board(seat).T.ravel().tolist()) for seat in range(game.rules.players)]
        return {"boards": boards, "discard_top": game.discard_top, "draw_pile_size": game.draw_pile_size}

    def end_document(self, end: RoundOver) -> RoundEndDocument:
        """The end of a round; one that was stopped has neither ender nor scores nor points."""
        boards = [_marks(board) for board in end.boards]
        if not isinstance(end, RoundScored):
            return {"ender": None, "scores": None, "points": None, "boards": boards}
        points = [sum(card for card in board if card != EMPTY) for board in end.boards]
        return {"ender": end.ender, "scores": end.scores, "points": points, "boards": boards}

    def seen_position(self, rules: Rules, observation: NDArray[Any], episode: str) -> str:
        """Return the position with ? for every card that the seat cannot see.

        Discards come by value, the top one last, as an observation only counts them.
        """
        view = spec_of(rules).view(observation)
        seat, players = int(view.seat), rules.players
        lines = header_lines(rules, episode)
        lines += [f"{word} {getattr(view, word)}" for word, start in STARTS.items() if getattr(view, word) != start]
        for word in ("starter", "ender"):
            if getattr(view, word) >= 0:
                lines.append(f"{word} {(seat + int(getattr(view, word))) % players}")
        lines.append(f"totals {_join(view.totals[(other - seat) % players] for other in range(players))}")
        for other in range(players):
            board = _marks(view.cells[(other - seat) % players].tolist())
            columns = (board[start : start + rules.rows] for start in range(0, rules.cells, rules.rows))
            lines.append(f"board {' | '.join(map(_join, columns))}")
        lines.append(f"discard {_join(_discards(rules, view))}".rstrip())
        held = "" if view.hand == EMPTY else f" {_marks([int(view.hand)])[0]}"
        lines.append(f"seat {(seat + int(view.decider)) % players} {PHASES[view.phase]}{held}")
        return "\n".join(lines) + "\n"


def _marks(cells: Iterable[int]) -> list[int | str]:
    """Cells as a written position has them."""
    signs = {HIDDEN: "?", EMPTY: "."}
    return [signs.get(card, card) for card in cells]


def _discards(rules: Rules, view: Any) -> list[int]:
    """The discard pile, the top card last."""
    cards: list[int] = np.repeat(rules.values, view.discards).tolist()
    if view.discard_top != EMPTY:
        cards.remove(int(view.discard_top))
        cards.append(int(view.discard_top))
    return cards


def _join(words: Any) -> str:
    return " ".join(map(str, words))
