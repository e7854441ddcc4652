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


class TableDocument(TypedDict):
    """What everybody sees of a table; a wild card is w."""

    building: Sequence[int]  # the last rank of every pile, 0 for an empty place
    stock_tops: list[int | str | None]  # by seat
    stock_sizes: list[int]
    discards: list[list[list[int | str]]]  # by seat and pile, bottom card first
    hand_sizes: list[int]
    draw_pile_size: int
    completed_size: int


class RoundEndDocument(TypedDict):
    """The end of a round: without scores if it was stopped."""

    ending: str  # won, blocked, no_cards or stopped
    winner: int | None
    stock_left: Sequence[int]
    scores: Sequence[int] | None


class Documents(GameJson):
    """Skip-Bo for JSON."""

    constants = CONSTANTS

    def public(self, rules: Rules, observation: NDArray[Any]) -> NDArray[Any]:
        """Return an observation without its seat's hand, and without the tops of piles that it alone sees (8.2)."""
        seen = observation.copy()
        view = spec_of(rules).view(seen)
        if rules.view == "table":
            view.doubtful -= view.hand_counts
        view.hand[:] = NONE
        view.hand_counts[:] = 0
        if rules.view == "own":
            for tops in (view.stock_tops[:1], view.discard_tops[0]):
                tops[tops != NONE] = UNSEEN
        return seen

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

    def seen_position(self, rules: Rules, observation: NDArray[Any], episode: str) -> str:
        """Return the position with ? for every card that the seat cannot see.

        Empty where discard piles are hidden (8.2), which cannot be written. What the seat can count after a recycling
        is left out: a position has no place for what only one seat knows.
        """
        view = spec_of(rules).view(observation)
        seat, players = int(view.seat), rules.players
        order = [(other - seat) % players for other in range(players)]
        piles = _piles(view, players)
        if any("?" in pile for own in piles for pile in own):
            return ""
        lines = header_lines(rules, episode)
        lines += [f"{word} {getattr(view, word)}" for word, start in STARTS.items() if getattr(view, word) != start]
        lines += [f"starter {(seat + int(view.starter)) % players}", f"still {view.is_still}"]
        lines.append(f"totals {_join(view.totals[order])}")
        wilds = map(_ranks, view.building_wilds.tolist())
        lines.append(f"building {_join(map(_building, view.building.tolist(), wilds))}")
        if (view.completed > 0).any():
            lines.append(
                f"completed {_join(map(card_name, np.repeat(np.arange(1, CARDS + 1), view.completed).tolist()))}"
            )
        for size, top in zip(view.stock_sizes[order].tolist(), view.stock_tops[order].tolist(), strict=True):
            lines.append(_join(["stock", *["?"] * (size - 1), *_marks([top] if size > 0 else [])]))
        own = _marks(card for card in view.hand.tolist() if card != NONE)
        for place in order:
            size = int(view.hand_sizes[place])
            lines.append(_join(["hand", *(own if own and place == 0 else ["?"] * size)]))
        lines += ["piles" + " |".join(_join(["", *pile]) for pile in piles[place]) for place in order]
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
