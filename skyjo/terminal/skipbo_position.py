"""A position of Skip-Bo as far as a seat can see it, from its observation alone (docs/notation.md)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skipbo_env.actions import card_name
from skipbo_env.kernel.state import CARDS, PHASES
from skipbo_env.observation import spec_of
from skipbo_env.position import HEADER
from skipbo_env.rules import Rules
from skyjo.terminal.skipbo_document import view_document

STARTS = {"round": 1, "turns": 0, "recycles": 0, "still_turns": 0}  # what is left out, by its line


def seen_position(rules: Rules, observation: NDArray[Any], episode: str, is_own: bool) -> str:
    """The position with ? for every card that the seat cannot see; unless `is_own`, for its hand, too.

    Empty where discard piles are hidden (8.2): that cannot be written. What can be counted after a recycling is left
    out, as it is the seat's own.
    """
    view = spec_of(rules).view(observation)
    table = view_document(rules, observation, is_own)
    if any("?" in pile for piles in table["discards"] for pile in piles):
        return ""
    seat, players = int(view.seat), rules.players
    lines = [HEADER, *([f"rules {rules.to_text()}"] if rules.to_text() else []), f"episode {episode}"]
    lines += [f"{word} {getattr(view, word)}" for word, start in STARTS.items() if getattr(view, word) != start]
    lines += [f"starter {(seat + int(view.starter)) % players}", f"still {view.is_still}"]
    lines.append(f"totals {_join(view.totals[(other - seat) % players] for other in range(players))}")
    lines.append(f"building {_join(map(_building, table['building'], table['building_wilds']))}")
    if table["completed"]:
        lines.append(f"completed {_join(map(card_name, np.repeat(np.arange(1, CARDS + 1), view.completed).tolist()))}")
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
