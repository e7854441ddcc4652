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


class ViewDocument(TypedDict):
    """What a seat sees of a table."""

    rows: int
    columns: int
    opening_flips: int  # cards that everybody turns up at the start
    boards: list[list[int | str]]  # by seat, then cell by cell a card, ? or a point
    discard: int | None
    draw_pile: int
    hand: int | None  # the card drawn or taken, if it is seen
    hand_of: int | None  # the seat that holds a card
    ender: int | None
    turns_left: int
    turn: int  # from 1


class TableDocument(TypedDict):
    """What everybody sees of a table."""

    boards: list[list[int | str]]  # cell by cell a card, ? or a point, as in a written position
    discard_top: int | None
    draw_pile_size: int


class OpenDocument(TypedDict):
    """All cards on the boards, open or hidden."""

    boards: list[list[int | str]]  # cell by cell a card, or a point
    hand: int | None


class RoundEndDocument(TypedDict):
    """The end of a round: without ender, scores and points if it was stopped."""

    ender: int | None
    scores: Sequence[int] | None
    points: list[int] | None  # on the boards, before the ender's penalty (7.6)
    boards: list[list[int | str]]


class Documents(GameJson):
    """Skyjo for JSON."""

    constants = CONSTANTS

    def view_document(self, rules: Rules, observation: NDArray[Any], is_own: bool) -> ViewDocument:
        """What a seat sees; unless `is_own`, without the card that it has drawn, which nobody else sees (4.1)."""
        view = spec_of(rules).view(observation)
        seat, players, phase = int(view.seat), rules.players, PHASES[view.phase]
        is_seen = view.hand not in (EMPTY, HIDDEN) and (is_own or phase != "drawn")
        return {
            "rows": rules.rows,
            "columns": rules.columns,
            "opening_flips": rules.opening_flips,
            "boards": [_marks(view.cells[(other - seat) % players].tolist()) for other in range(players)],
            "discard": None if view.discard_top == EMPTY else int(view.discard_top),
            "draw_pile": int(view.draw_pile_size),
            "hand": int(view.hand) if is_seen else None,
            "hand_of": (seat + int(view.decider)) % players if view.hand != EMPTY else None,
            "ender": None if view.ender < 0 else (seat + int(view.ender)) % players,
            "turns_left": int(view.turns_left),
            "turn": int(view.turns) + 1,
        }

    def table_document(self, game: Game) -> TableDocument:
        """The boards and piles for JSON."""
        boards = [_marks(game.board(seat).T.ravel().tolist()) for seat in range(game.rules.players)]
        return {"boards": boards, "discard_top": game.discard_top, "draw_pile_size": game.draw_pile_size}

    def open_document(self, game: Game) -> OpenDocument:
        """All cards of the boards, and the card in hand."""
        cells, below = game.rules.cells, game.state["cards"][0]
        seen = [game.board(seat).T.ravel().tolist() for seat in range(game.rules.players)]
        boards = [
            [card if mark == HIDDEN else mark for mark, card in zip(board, below[seat, :cells].tolist(), strict=True)]
            for seat, board in enumerate(seen)
        ]
        return {"boards": [_marks(board) for board in boards], "hand": game.hand}

    def end_document(self, end: RoundOver) -> RoundEndDocument:
        """The end of a round; one that was stopped has neither ender nor scores nor points."""
        boards = [_marks(board) for board in end.boards]
        if not isinstance(end, RoundScored):
            return {"ender": None, "scores": None, "points": None, "boards": boards}
        points = [sum(card for card in board if card != EMPTY) for board in end.boards]
        return {"ender": end.ender, "scores": end.scores, "points": points, "boards": boards}

    def seen_position(self, rules: Rules, observation: NDArray[Any], episode: str, is_own: bool) -> str:
        """The position with ? for every card that the seat cannot see; unless `is_own`, for what it has drawn, too.

        Discards come by value, the top one last, as an observation only counts them.
        """
        view = spec_of(rules).view(observation)
        table = self.view_document(rules, observation, is_own)
        seat, players = int(view.seat), rules.players
        lines = header_lines(rules, episode)
        lines += [f"{word} {getattr(view, word)}" for word, start in STARTS.items() if getattr(view, word) != start]
        for word in ("starter", "ender"):
            if getattr(view, word) >= 0:
                lines.append(f"{word} {(seat + int(getattr(view, word))) % players}")
        lines.append(f"totals {_join(view.totals[(other - seat) % players] for other in range(players))}")
        for board in table["boards"]:
            columns = (board[start : start + rules.rows] for start in range(0, rules.cells, rules.rows))
            lines.append(f"board {' | '.join(map(_join, columns))}")
        lines.append(f"discard {_join(_discards(rules, view))}".rstrip())
        hand = table["hand"] if table["hand"] is not None else "?"
        held = f" {hand}" if table["hand_of"] is not None else ""
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
