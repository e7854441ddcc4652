"""The reason for a decision of Skyjo, in a few words that its seat can check; hints show it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo_env import EMPTY, HIDDEN, Rules, action_names
from skyjo_env.observation import spec_of


def reason(rules: Rules, observation: NDArray[Any], action: int) -> str:
    """What a seat gains by this decision, from its observation alone; empty where there is nothing to say.

    >>> from skyjo_env import OFFICIAL, Game
    >>> reason(OFFICIAL, Game(OFFICIAL, seed=1).observation(), 14)
    'a hidden card is worth 5.1 on average'
    """
    view = spec_of(rules).view(observation)
    word, _, cell = action_names(rules)[action].partition(" ")
    drawn = f"a drawn card is worth {_mean(view.draw_pool, rules):.1f} on average"
    hidden = f"a hidden card is worth {_mean(view.hidden_pool, rules):.1f} on average"
    end = ", and it ends the round" if view.hidden_left[0] == 1 and view.ender < 0 else ""
    match word:
        case "draw":
            return drawn if view.discard_top == EMPTY else f"{drawn}, the discard is {_a(view.discard_top)}"
        case "take":
            return drawn
        case "flip":
            return f"{hidden}{end}"
        case "place":
            return f"{_exchange(rules, view, int(cell))}{end if view.cells[0][int(cell)] == HIDDEN else ''}"
        case _:
            return ""


def _exchange(rules: Rules, view: Any, cell: int) -> str:
    """What the card in hand does in a cell."""
    board, card = view.cells[0], int(view.hand)
    others = [[int(board[other]) for other in line if other != cell] for line in _lines(rules) if cell in line]
    if any(set(line) == {card} for line in others):
        return f"it completes a line of {card}s, which is cleared"
    old, mean = int(board[cell]), _mean(view.hidden_pool, rules)
    for_what = f"a hidden card, worth {mean:.1f} on average" if old == HIDDEN else _a(old)
    beside = f", beside another {card}" if any(card in line for line in others) else ""
    return f"{_a(card)} in place of {for_what}{beside}"


def _mean(pool: NDArray[Any], rules: Rules) -> float:
    """What a card of this pool is worth on average."""
    cards, size = np.array(rules.values), pool.sum()
    return float(pool @ cards / size) if size > 0 else 0.0


def _lines(rules: Rules) -> list[range]:
    """The cells of every line that can be cleared."""
    columns = [range(start, start + rules.rows) for start in range(0, rules.cells, rules.rows)]
    rows = [range(row, rules.cells, rules.rows) for row in range(rules.rows)]
    return columns + (rows if rules.row_clear else [])


def _a(card: int) -> str:
    """A card with its article."""
    return f"{'an' if card in (8, 11, 18) else 'a'} {card}"
