"""The action numbers and their names: the one declaration of section 9 of docs/rules/skyjo.md."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from skyjo_env.rules import Rules


@lru_cache(maxsize=64)
def action_names(rules: Rules) -> tuple[str, ...]:
    """The name of every action number, in order.

    >>> from skyjo_env import OFFICIAL
    >>> action_names(OFFICIAL)[:4], action_names(OFFICIAL)[-1]
    (('draw', 'take', 'place 0', 'place 1'), 'flip 11')
    """
    names = ["draw", "take"]
    names += [f"place {cell}" for cell in range(rules.cells)]
    names += [f"flip {cell}" for cell in range(rules.cells)]
    if rules.flip_after_discard == "none":
        names.append("discard")
    if rules.clear == "confirm":
        names += ["clear", "keep"]
    return tuple(names)


def actions_in_words(rules: Rules) -> str:
    """All actions, for error messages."""
    others = ", ".join(name for name in action_names(rules) if " " not in name)
    last = rules.cells - 1
    return f"{others}, place 0 to {last} and flip 0 to {last}"
