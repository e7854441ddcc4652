"""The action numbers and their names: the one declaration of section 10 of docs/rules/skyjo_action.md."""

from functools import lru_cache

from skyjo_action_env.kernel.state import CELLS, HAND, KINDS, LINES, PLACES
from skyjo_action_env.rules import Rules


@lru_cache(maxsize=64)
def action_names(rules: Rules) -> tuple[str, ...]:
    """The name of every action number, in order.

    >>> from skyjo_action_env import ACTION
    >>> names = action_names(ACTION)
    >>> names[:3], names[26], names[32], names[50], names[-4:]
    (('draw', 'take', 'place 0'), 'open 0', 'play double', 'cell 0 of 0', ('clear', 'keep', 'defend', 'allow'))
    """
    seats = range(rules.players)
    return (
        "draw",
        "take",
        *(f"place {cell}" for cell in range(CELLS)),
        *(f"flip {cell}" for cell in range(CELLS)),
        *(f"open {place}" for place in range(PLACES)),
        "pile",
        "pass",
        *(f"play {kind}" for kind in KINDS),
        *(f"discard {kind}" for kind in KINDS),
        *(f"cell {cell} of {seat}" for seat in seats for cell in range(CELLS)),
        *(f"line {line} of {seat}" for seat in seats for line in range(LINES)),
        *(f"card {k}" for k in range(HAND)),
        "none",
        "clear",
        "keep",
        "defend",
        "allow",
    )


def actions_in_words(rules: Rules) -> str:
    """All actions, for error messages."""
    last = rules.players - 1
    return (
        f"draw, take, place 0 to 11, flip 0 to 11, open 0 to 3, pile, pass, play KIND, discard KIND, "
        f"cell 0 to 11 of 0 to {last}, line 0 to 6 of 0 to {last}, card 0 to 2, none, clear, keep, defend and allow, "
        f"where KIND is {', '.join(KINDS)}"
    )
