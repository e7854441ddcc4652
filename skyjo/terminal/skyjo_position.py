"""A position of Skyjo as far as a seat can see it, from its observation alone (docs/notation.md)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo.terminal.skyjo_document import view_document
from skyjo_env import EMPTY, PHASES, Rules
from skyjo_env.observation import spec_of
from skyjo_env.position import HEADER

STARTS = {"round": 1, "turns": 0, "reshuffles": 0, "turns_left": 0}  # what is left out, by its line


def seen_position(rules: Rules, observation: NDArray[Any], episode: str, is_own: bool) -> str:
    """The position with ? for every card that the seat cannot see; unless `is_own`, for what it has drawn, too.

    Discards come by value, the top one last, as an observation only counts them.
    """
    view = spec_of(rules).view(observation)
    table = view_document(rules, observation, is_own)
    seat, players = int(view.seat), rules.players
    lines = [HEADER, *([f"rules {rules.to_text()}"] if rules.to_text() else []), f"episode {episode}"]
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


def _discards(rules: Rules, view: Any) -> list[int]:
    """The discard pile, the top card last."""
    cards: list[int] = np.repeat(rules.values, view.discards).tolist()
    if view.discard_top != EMPTY:
        cards.remove(int(view.discard_top))
        cards.append(int(view.discard_top))
    return cards


def _join(words: Any) -> str:
    return " ".join(map(str, words))
