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


class OpenDocument(TypedDict):
    """All cards of the layouts, open or hidden, and those in hand."""

    boards: list[list[Mark]]
    hand: list[Mark]


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

    def view_document(self, rules: Rules, observation: NDArray[Any], is_own: bool) -> dict[str, Any]:
        """What a seat sees; unless `is_own`, without drawn cards and hidden ones that it alone knows (12.1, 12.2)."""
        view = spec_of(rules).view(observation)
        chosen = int(view.chosen)
        order = [(seat - int(view.seat)) % rules.players for seat in range(rules.players)]
        hand = [card if is_own or view.phase == TAKEN else HIDDEN for card in view.hand.tolist() if card != EMPTY]

        def seat(place: int) -> int | None:
            return None if place < 0 else (int(view.seat) + place) % rules.players

        return {
            "boards": [_marks(view.cells[place].tolist()) for place in order],
            "known": [_known(view, place, order, is_own) for place in order],
            "discard": None if view.discard_top == EMPTY else _mark(int(view.discard_top)),
            "draw_pile": int(view.draw_pile_size),
            "hand": _marks(hand),  # drawn or taken cards; ? for those that are not seen
            "picked": int(view.picked) if is_own and view.picked >= 0 else None,  # which of three drawn cards is laid
            "open_actions": [_kind(kind) for kind in view.open_actions.tolist()],
            "action_pile": int(view.action_pile_size),
            "action_discard": _kind(int(view.action_top)),
            "held": [_held(view.held[place].tolist()) for place in order],
            "mover": seat(int(view.mover)),  # whose turn it is
            "played": _kind(int(view.played)),  # the action card that is being carried out
            "attacked": seat(int(view.attacked)),
            "line": int(view.line) if view.line >= 0 else None,  # about which its owner is asked
            "chosen": None if chosen < 0 else [seat(chosen // CELLS), chosen % CELLS],  # by seat
            "extra_turns": int(view.extra_turns),
            "ender": seat(int(view.ender)),
            "turns_left": int(view.turns_left),
        }

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

    def open_document(self, game: Game) -> OpenDocument:
        """All cards of the layouts, and those in hand."""
        cards = game.state["cards"][0, : game.rules.players].tolist()
        return {"boards": [_marks(layout) for layout in cards], "hand": _marks(game.hand)}

    def end_document(self, end: RoundOver) -> RoundEndDocument:
        """The end of a round."""
        boards = [_marks(board) for board in end.boards]
        if not isinstance(end, RoundScored):
            return {"ender": None, "scores": None, "points": None, "kept": None, "boards": boards}
        points = scored_points(end)
        return {"ender": end.ender, "scores": end.scores, "points": points, "kept": end.kept, "boards": boards}

    def seen_position(self, rules: Rules, observation: NDArray[Any], episode: str, is_own: bool) -> str:
        """The position with ? for every card that the seat cannot see; unless `is_own`, for what it alone knows, too.

        Discards come by value, the top one last, as an observation only counts them. Empty after a reshuffle while a
        card of a layout, a hand or the discard pile is unknown: a position cannot say which of the unknown cards are
        known to be in the draw pile (12.3).
        """
        view = spec_of(rules).view(observation)
        (game,) = GameBatch.sample(rules, observation[None], episode=episode).state()["games"]  # its guesses become ?
        is_known = is_own & (game["knowers"] >> view.seat & 1 > 0)
        unknown = {
            "cards": (game["shown"] == HIDDEN) & ~is_known,
            "piles": (np.arange(DECK) < game["discard_size"]) & (game["piles"] > EMPTY),
            "hand": (view.hand == HIDDEN) | (not is_own and view.phase != TAKEN) & (view.hand != EMPTY),
        }
        if game["reshuffles"] > 0 and any(marks.any() for marks in unknown.values()):
            return ""
        for field, marks in unknown.items():
            game[field][marks] = HIDDEN + BURIED * (field == "piles")
        lines = format_position(rules, game).replace("??", "?").splitlines()  # a hidden card is ?, an unknown one, too
        return "".join(f"{line}\n" for line in lines if line.split(" ")[0] not in NOT_SEEN)


def _known(view: Any, place: int, order: Sequence[int], is_own: bool) -> dict[int, list[Mark]]:
    """The hidden cards of a layout that somebody knows, by cell: the card, and the seats that know it.

    The card is ? unless the seat that sees this is one of them. Few words, as a layout can have many such cards.
    """
    return {
        cell: [
            _mark(card) if is_own and bits & 1 else "?",
            *(seat for seat, other in enumerate(order) if bits >> other & 1),
        ]
        for cell, (bits, card) in enumerate(zip(view.knowers[place].tolist(), view.known[place].tolist(), strict=True))
        if bits
    }


def _marks(cards: Iterable[int]) -> list[Mark]:
    return [_mark(card) for card in cards]


def _mark(card: int) -> Mark:
    """A card as a number, or as it is written."""
    return card_name(card) if card in (STAR, HIDDEN, EMPTY) else int(card)


def _kind(kind: int) -> str | None:
    return None if kind == NO_KIND else KINDS[kind]


def _held(counts: Sequence[int]) -> dict[str, int]:
    return {kind: count for kind, count in zip(KINDS, counts, strict=True) if count}
