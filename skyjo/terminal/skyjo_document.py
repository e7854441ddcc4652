"""A table of Skyjo as one seat sees it, from its observation alone, ready for JSON."""

from collections.abc import Iterable
from typing import Any, TypedDict

from numpy.typing import NDArray

from skyjo_env import EMPTY, HIDDEN, PHASES, Rules
from skyjo_env.observation import spec_of


class ViewDocument(TypedDict):
    """What a seat sees of a table."""

    rows: int
    columns: int
    boards: list[list[int | str]]  # by seat, then cell by cell a card, ? or a point
    discard: int | None
    draw_pile: int
    hand: int | None  # the card drawn or taken, if it is seen
    hand_of: int | None  # the seat that holds a card
    ender: int | None
    turns_left: int
    turn: int  # from 1


def view_document(rules: Rules, observation: NDArray[Any], is_own: bool) -> ViewDocument:
    """What a seat sees; unless `is_own`, without the card that it has drawn, which nobody else sees (4.1)."""
    view = spec_of(rules).view(observation)
    seat, players, phase = int(view.seat), rules.players, PHASES[view.phase]
    is_seen = view.hand not in (EMPTY, HIDDEN) and (is_own or phase != "drawn")
    return {
        "rows": rules.rows,
        "columns": rules.columns,
        "boards": [marks(view.cells[(other - seat) % players].tolist()) for other in range(players)],
        "discard": None if view.discard_top == EMPTY else int(view.discard_top),
        "draw_pile": int(view.draw_pile_size),
        "hand": int(view.hand) if is_seen else None,
        "hand_of": (seat + int(view.decider)) % players if view.hand != EMPTY else None,
        "ender": None if view.ender < 0 else (seat + int(view.ender)) % players,
        "turns_left": int(view.turns_left),
        "turn": int(view.turns) + 1,
    }


def marks(cells: Iterable[int]) -> list[int | str]:
    """Cells as a written position has them."""
    known = {HIDDEN: "?", EMPTY: "."}
    return [known.get(card, card) for card in cells]
