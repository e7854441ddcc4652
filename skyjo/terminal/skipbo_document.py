"""A table of Skip-Bo as one seat sees it, from its observation alone, ready for JSON."""

from collections.abc import Iterable
from typing import Any, TypedDict

from numpy.typing import NDArray

from skipbo_env.kernel.state import NONE, PLACES, UNSEEN, WILD
from skipbo_env.observation import spec_of
from skipbo_env.rules import Rules


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


def view_document(rules: Rules, observation: NDArray[Any], is_own: bool) -> ViewDocument:
    """What a seat sees; unless `is_own`, without its hand, and where nobody sees all piles without its piles (8.2)."""
    view = spec_of(rules).view(observation)
    order = [(seat - int(view.seat)) % rules.players for seat in range(rules.players)]
    sees_own = is_own or rules.view == "table"
    tops, piles = marks(view.stock_tops.tolist()), _piles(view, rules.players)
    if not sees_own:
        tops[0], piles[0] = "?", [["?"] * len(pile) for pile in piles[0]]
    return {
        "building": view.building.tolist(),
        "building_wilds": [_ranks(wilds) for wilds in view.building_wilds.tolist()],
        "stock_tops": [tops[place] if view.stock_sizes[place] else None for place in order],
        "stock_sizes": [int(view.stock_sizes[place]) for place in order],
        "discards": [piles[place] for place in order],
        "hand": marks(card for card in view.hand.tolist() if card != NONE) if is_own else None,
        "hand_sizes": [int(view.hand_sizes[place]) for place in order],
        "draw_pile": int(view.draw_pile_size),
        "completed": None if view.completed[0] < 0 else int(view.completed.sum()),
        "turn": int(view.turns) + 1,
    }


def marks(cards: Iterable[int]) -> list[int | str]:
    """Cards as they are written."""
    known = {WILD: "w", UNSEEN: "?"}
    return [known.get(card, card) for card in cards]


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
            piles[-1].append(marks(cards))
            start += size
    return piles


def _ranks(bits: int) -> list[int]:
    return [rank + 1 for rank in range(bits.bit_length()) if bits >> rank & 1]
