"""Skip-Bo for JSON, and as a seat can write it down as a position (docs/notation.md). See
`skyjo.table.game_text.GameJson`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.positions import header_lines
from skipbo_env import Game, Rules
from skipbo_env.card_game import spec_of
from skipbo_env.events import RoundScored
from skipbo_env.kernel import (
    CARDS,
    HAND,
    NONE,
    PHASES,
    PLACES,
    RANKS,
    REFILL_AT_ONCE,
    UNSEEN,
    VIEW_TABLE,
    WILD,
)
from skipbo_env.people.terminal import RoundOver
from skipbo_env.rules import card_name
from skyjo.table.game_text import GameJson

# What a page without a server must know to read records and observations
CONSTANTS = {
    "NONE": NONE,
    "WILD": WILD,
    "UNSEEN": UNSEEN,
    "RANKS": RANKS,
    "HAND": HAND,
    "VIEW_TABLE": VIEW_TABLE,
    "REFILL_AT_ONCE": REFILL_AT_ONCE,
}
STARTS = {"round": 1, "turns": 0, "recycles": 0, "still_turns": 0}  # what is left out, by its line


class ViewDocument(TypedDict):
    """What a seat sees of a table: a wild card is w, one that is not seen ?. All lists of seats begin with seat 0."""

    building: list[int]  # the last rank of every pile, 0 for an empty place
    building_wilds: list[list[int]]  # by pile, the ranks that are wild cards
    stock_tops: list[int | str | None]
    stock_sizes: list[int]
    discards: list[list[list[int | str]]]  # by seat and pile, bottom card first
    hand: list[int | str] | None  # the seat's own, first drawn first
    hand_sizes: list[int]
    draw_pile: int
    completed: int | None  # cards on completed piles, if the seat can know it
    turn: int  # from 1


class TableDocument(TypedDict):
    """What everybody sees of a table; a wild card is w."""

    building: Sequence[int]  # the last rank of every pile, 0 for an empty place
    stock_tops: list[int | str | None]  # by seat
    stock_sizes: list[int]
    discards: list[list[list[int | str]]]  # by seat and pile, bottom card first
    hand_sizes: list[int]
    draw_pile_size: int
    completed_size: int


class OpenDocument(TypedDict):
    """The hands of all seats."""

    hands: list[list[int | str]]  # by seat, first drawn first


class RoundEndDocument(TypedDict):
    """The end of a round: without scores if it was stopped."""

    ending: str  # won, blocked, no_cards or stopped
    winner: int | None
    stock_left: Sequence[int]
    scores: Sequence[int] | None


class Documents(GameJson):
    """Skip-Bo for JSON."""

    constants = CONSTANTS

    def view_document(self, rules: Rules, observation: NDArray[Any], is_own: bool) -> ViewDocument:
        """What a seat sees; unless `is_own`, without its hand, nor its piles if others do not see them (8.2)."""
        view = spec_of(rules).view(observation)
        order = [(seat - int(view.seat)) % rules.players for seat in range(rules.players)]
        sees_own = is_own or rules.view == "table"
        tops, piles = _marks(view.stock_tops.tolist()), _piles(view, rules.players)
        if not sees_own:
            tops[0], piles[0] = "?", [["?"] * len(pile) for pile in piles[0]]
        return {
            "building": view.building.tolist(),
            "building_wilds": [_ranks(wilds) for wilds in view.building_wilds.tolist()],
            "stock_tops": [tops[place] if view.stock_sizes[place] else None for place in order],
            "stock_sizes": [int(view.stock_sizes[place]) for place in order],
            "discards": [piles[place] for place in order],
            "hand": _marks(card for card in view.hand.tolist() if card != NONE) if is_own else None,
            "hand_sizes": [int(view.hand_sizes[place]) for place in order],
            "draw_pile": int(view.draw_pile_size),
            "completed": None if view.completed[0] < 0 else int(view.completed.sum()),
            "turn": int(view.turns) + 1,
        }

    def table_document(self, game: Game) -> TableDocument:
        """The piles for JSON."""
        seats = range(game.rules.players)
        tops = [game.stock_top(seat) for seat in seats]
        return {
            "building": game.building_piles(),
            "stock_tops": [None if top is None else _marks([top])[0] for top in tops],
            "stock_sizes": [game.stock_size(seat) for seat in seats],
            "discards": [[_marks(game.discard_pile(seat, pile)) for pile in range(PLACES)] for seat in seats],
            "hand_sizes": [len(game.hand(seat)) for seat in seats],
            "draw_pile_size": game.draw_pile_size,
            "completed_size": game.completed_size,
        }

    def open_document(self, game: Game) -> OpenDocument:
        """All hands."""
        return {"hands": [_marks(game.hand(seat)) for seat in range(game.rules.players)]}

    def end_document(self, end: RoundOver) -> RoundEndDocument:
        """The end of a round."""
        if isinstance(end, RoundScored):
            return {
                "ending": end.ending,
                "winner": end.winner,
                "stock_left": end.stock_left,
                "scores": end.scores,
            }
        return {"ending": "stopped", "winner": None, "stock_left": end.stock_left, "scores": None}

    def seen_position(self, rules: Rules, observation: NDArray[Any], episode: str, is_own: bool) -> str:
        """The position with ? for every card that the seat cannot see; unless `is_own`, for its hand, too.

        Empty where discard piles are hidden (8.2), which cannot be written. What the seat can count after a recycling
        is left out: a position has no place for what only one seat knows.
        """
        view = spec_of(rules).view(observation)
        table = self.view_document(rules, observation, is_own)
        if any("?" in pile for piles in table["discards"] for pile in piles):
            return ""
        seat, players = int(view.seat), rules.players
        lines = header_lines(rules, episode)
        lines += [f"{word} {getattr(view, word)}" for word, start in STARTS.items() if getattr(view, word) != start]
        lines += [f"starter {(seat + int(view.starter)) % players}", f"still {view.is_still}"]
        lines.append(f"totals {_join(view.totals[(other - seat) % players] for other in range(players))}")
        lines.append(f"building {_join(map(_building, table['building'], table['building_wilds']))}")
        if table["completed"]:
            lines.append(
                f"completed {_join(map(card_name, np.repeat(np.arange(1, CARDS + 1), view.completed).tolist()))}"
            )
        for size, top in zip(table["stock_sizes"], table["stock_tops"], strict=True):
            lines.append(_join(["stock", *["?"] * (size - 1), *([] if top is None else [top])]))
        for other, size in enumerate(table["hand_sizes"]):
            own = table["hand"] if other == seat else None
            lines.append(_join(["hand", *(["?"] * size if own is None else own)]))
        lines += ["piles" + " |".join(_join(["", *pile]) for pile in piles) for piles in table["discards"]]
        lines.append(f"seat {(seat + int(view.decider)) % players} {PHASES[view.phase]}")
        return "\n".join(lines) + "\n"


def _building(height: int, wild: list[int]) -> str:
    return f"{height}:{','.join(map(str, wild))}" if wild else str(height)


def _join(words: Any) -> str:
    return " ".join(map(str, words))


def _marks(cards: Iterable[int]) -> list[int | str]:
    """Cards as they are written."""
    signs = {WILD: "w", UNSEEN: "?"}
    return [signs.get(card, card) for card in cards]


def _piles(view: Any, players: int) -> list[list[list[int | str]]]:
    """The discard piles by place clockwise, as far as they are seen."""
    piles: list[list[list[int | str]]] = []
    start = 0
    for place in range(players):
        piles.append([])
        for pile in range(PLACES):
            size = int(view.discard_sizes[place, pile])
            cards = view.discards[start : start + size].tolist()
            if size > 0:
                cards[-1] = int(view.discard_tops[place, pile])
            piles[-1].append(_marks(cards))
            start += size
    return piles


def _ranks(bits: int) -> list[int]:
    return [rank + 1 for rank in range(bits.bit_length()) if bits >> rank & 1]
