"""Checks of what comes in from outside, each with an error that says what was wrong and what is allowed."""

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo_env.actions import action_names
from skyjo_env.errors import IllegalActionError, SkyjoError
from skyjo_env.position import EPISODES
from skyjo_env.rules import Rules

NO_ACTION = -1  # illegal under all rules


def check_rules(rules: Any) -> Rules:
    """The rules, if they are `Rules`."""
    if not isinstance(rules, Rules):
        raise SkyjoError(f"rules must be skyjo_env.Rules, not {type(rules).__name__}")
    return rules


def check_seed(name: str, value: Any) -> int:
    """A seed or deal number."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < 2**64:
        raise SkyjoError(f"{name}={value!r} must be a whole number from 0 to 2**64 - 1")
    return int(value)


def check_seat(rules: Rules, seat: Any) -> int:
    """A seat of the table."""
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < rules.players:
        raise SkyjoError(f"seat {seat!r} does not exist: the seats are 0 to {rules.players - 1}")
    return int(seat)


def episode_code(episode: Any) -> int:
    """The kernel's number of an episode's name."""
    if episode not in EPISODES:
        raise SkyjoError(f"episode={episode!r} is not one of {', '.join(map(repr, EPISODES))}")
    return EPISODES.index(episode)


def action_number(action: Any) -> int:
    """A whole number that the kernel can test, or NO_ACTION for anything that cannot be an action."""
    if action.__class__ is bool:
        return NO_ACTION
    try:
        number = index(action)
    except TypeError:
        return NO_ACTION
    return number if 0 <= number < 256 else NO_ACTION


def as_array(numbers: Any) -> NDArray[Any]:
    """An array of what looks like one; anything ragged gives an array of type object, which no check lets through."""
    try:
        return np.asarray(numbers)
    except (ValueError, OverflowError):
        return np.asarray(None)


def illegal_action(rules: Rules, seat: int, phase: str, mask: Any, action: Any, where: str = "") -> IllegalActionError:
    """The error for an action that is not legal: it names action, seat, phase and what is legal."""
    names = action_names(rules)
    number = action_number(action)
    name = f" ({names[number]})" if 0 <= number < len(names) else ""
    if phase in ("over", "truncated"):
        return IllegalActionError(f"{where}action {action!r}{name}: the game is {phase}, nobody decides any more")
    legal = ", ".join(f"{number} ({names[number]})" for number in np.flatnonzero(mask).tolist())
    return IllegalActionError(
        f"{where}action {action!r}{name} of seat {seat} is illegal in phase {phase}; legal: {legal}"
    )
