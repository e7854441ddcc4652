"""Skyjo Action for JSON, and as a seat can write it down as a position (docs/notation.md). See
`skyjo.table.game_text.GameJson`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from skyjo.table.game_text import GameJson
from skyjo_action_env import EMPTY, HIDDEN, KINDS, STAR, Game, GameBatch, Rules
from skyjo_action_env.card_game import spec_of
from skyjo_action_env.events import RoundScored
from skyjo_action_env.kernel import (
    BURIED,
    CELLS,
    DECK,
    LINES,
    LOWEST,
    NO_KIND,
    NOBODY,
    TAKEN,
)
from skyjo_action_env.people.terminal import POINTS, RoundOver, scored_points
from skyjo_action_env.position import format_position
from skyjo_action_env.render import line_name
from skyjo_action_env.rules import card_name

# What a page without a server must know to read records and observations
CONSTANTS = {
    "HIDDEN": HIDDEN,
    "EMPTY": EMPTY,
    "STAR": STAR,
    "POINTS": POINTS,
    "CELLS": CELLS,
    "KINDS": KINDS,
    "NOBODY": NOBODY,
    "TAKEN": TAKEN,
    "LINES": [line_name(line) for line in range(LINES)],
}
NOT_SEEN = {"chance", "scores", "draw", "action_pile"}  # lines that are left out
Mark = int | str  # a card, * for a star, ? for a hidden card, or a point for none


class TableDocument(TypedDict):
    """What everybody sees of a table."""

    boards: list[list[Mark]]
    discard_top: Mark | None
    draw_pile_size: int
    open_actions: Sequence[str | None]
    action_pile_size: int
    action_discards: Sequence[str]  # bottom first
    held: list[dict[str, int]]


class RoundEndDocument(TypedDict):
    """The end of a round: without ender, scores, points and kept if it was stopped."""

    ender: int | None
    scores: Sequence[int] | None
    points: list[int] | None  # before the ender's score was doubled (9.6)
    kept: Sequence[int] | None  # action cards
    boards: list[list[Mark]]


class Documents(GameJson):
    """Skyjo Action for JSON."""

    constants = CONSTANTS

    def public(self, rules: Rules, observation: NDArray[Any]) -> NDArray[Any]:
        """Return an observation without the hidden cards that its seat alone knows (12.2)."""
        seen = observation.copy()
        view = spec_of(rules).view(seen)
        np.add.at(view.unseen, view.known[view.known != EMPTY] - LOWEST, 1)
        view.known[:] = EMPTY
        return seen

    def table_document(self, game: Game) -> TableDocument:
        """The layouts, piles and action cards for JSON."""
        seats = range(game.rules.players)
        return {
            "boards": [_marks(game.board(seat).T.ravel().tolist()) for seat in seats],
            "discard_top": None if game.discard_top is None else _mark(game.discard_top),
            "draw_pile_size": game.draw_pile_size,
            "open_actions": game.open_actions,
            "action_pile_size": game.action_pile_size,
            "action_discards": game.action_discards,
            "held": [game.held_actions(seat) for seat in seats],
        }

    def end_document(self, end: RoundOver) -> RoundEndDocument:
        """The end of a round."""
        boards = [_marks(board) for board in end.boards]
        if not isinstance(end, RoundScored):
            return {"ender": None, "scores": None, "points": None, "kept": None, "boards": boards}
        points = scored_points(end)
        return {"ender": end.ender, "scores": end.scores, "points": points, "kept": end.kept, "boards": boards}

    def seen_position(self, rules: Rules, observation: NDArray[Any], episode: str) -> str:
        """Return the position with ? for every card that the seat cannot see.

        Discards come by value, the top one last, as an observation only counts them. Empty after a reshuffle while a
        card of a layout, a hand or the discard pile is unknown: a position cannot say which of the unknown cards are
        known to be in the draw pile (12.3).
        """
        view = spec_of(rules).view(observation)
        (game,) = GameBatch.sample(rules, observation[None], episode=episode).state()["games"]  # its guesses become ?
        is_known = (game["knowers"] >> view.seat & 1 > 0) & (view.known != EMPTY).any()
        unknown = {
            "cards": (game["shown"] == HIDDEN) & ~is_known,
            "piles": (np.arange(DECK) < game["discard_size"]) & (game["piles"] > EMPTY),
            "hand": view.hand == HIDDEN,
        }
        if game["reshuffles"] > 0 and any(marks.any() for marks in unknown.values()):
            return ""
        for field, marks in unknown.items():
            game[field][marks] = HIDDEN + BURIED * (field == "piles")
        lines = format_position(rules, game).replace("??", "?").splitlines()  # a hidden card is ?, an unknown one, too
        return "".join(f"{line}\n" for line in lines if line.split(" ")[0] not in NOT_SEEN)


def _marks(cards: Iterable[int]) -> list[Mark]:
    return [_mark(card) for card in cards]


def _mark(card: int) -> Mark:
    """A card as a number, or as it is written."""
    return card_name(card) if card in (STAR, HIDDEN, EMPTY) else int(card)


def _kind(kind: int) -> str | None:
    return None if kind == NO_KIND else KINDS[kind]


def _held(counts: Sequence[int]) -> dict[str, int]:
    return {kind: count for kind, count in zip(KINDS, counts, strict=True) if count}
