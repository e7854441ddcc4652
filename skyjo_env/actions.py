"""The action numbers and their names (RULES.md, section 9)."""

from skyjo_env.errors import SkyjoError
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
        raise SkyjoError(f"no action is called {name!r}: there are {others}, place 0 to {last} and flip 0 to {last}")
    return names.index(name)
