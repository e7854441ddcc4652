"""The action numbers and their names: the one declaration of section 9 of RULES.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardtable.checks import action_number, brief
from cardtable.errors import IllegalActionError, TableError

if TYPE_CHECKING:
    from skyjo_env.rules import Rules


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


def parse_action(rules: Rules, name: str) -> int:
    """The number of a named action: `parse_action(rules, "place 3")` is 5 on any board."""
    names = action_names(rules)
    if name not in names:
        last = rules.cells - 1
        others = ", ".join(other for other in names if " " not in other)
        raise TableError(
            f"unknown action {brief(name)}: the actions are {others}, place 0 to {last} and flip 0 to {last}"
        )
    return names.index(name)


def illegal_action(rules: Rules, seat: int, phase: str, mask: Any, action: Any, where: str = "") -> IllegalActionError:
    """The error for an action that is not legal: it names action, seat, phase and what is legal."""
    names = action_names(rules)
    number = action_number(action)
    name = f" ({names[number]})" if 0 <= number < len(names) else ""
    if phase in ("over", "truncated"):
        return IllegalActionError(f"{where}action {brief(action)}{name}: the game is {phase}; nothing to decide")
    legal = ", ".join(f"{number} ({names[number]})" for number in np.flatnonzero(mask).tolist())
    return IllegalActionError(
        f"{where}action {brief(action)}{name} of seat {seat} is illegal in phase {phase}; legal: {legal}"
    )
