"""The options that all environments share, checked in one place."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

from skyjo_env.checks import brief, whole_number
from skyjo_env.errors import SkyjoError
from skyjo_env.kernel.rewards import MARGIN, POINTS, REWARDS, SCORE, SHAPINGS
from skyjo_env.kernel.state import PENALTY_OFF
from skyjo_env.rules import Rules, check_rules


def names_options(init: Callable[..., None]) -> Callable[..., None]:
    """Make a constructor answer unknown options with those that it knows; its signature stays as it is."""
    known = list(signature(init).parameters)[1:]

    @wraps(init)
    def checked(self: Any, *args: Any, **options: Any) -> None:
        unknown = [name for name in options if name not in known]
        if unknown:
            raise SkyjoError(f"unknown option {', '.join(unknown)}; there are {', '.join(known)}")
        init(self, *args, **options)

    return checked


def code_of(name: str, value: Any, known: tuple[Any, ...]) -> int:
    """Where a choice stands among those known; SkyjoError lists them."""
    for code, one in enumerate(known):
        if one is value or (isinstance(value, str) and one == value):
            return code
    raise SkyjoError(f"{name}={brief(value)} is not one of {', '.join(map(repr, known))}")


def reward_code(reward: Any) -> int:
    """The kernel's number of a reward."""
    return code_of("reward", reward, REWARDS)


def shaping_code(shaping: Any) -> int:
    """The kernel's number of a shaping."""
    return code_of("shaping", shaping, SHAPINGS)


def rules_for(rules: Rules | str, players: int | None) -> Rules:
    """The rules, given as such or as their text, for this many players if a number is given."""
    if isinstance(rules, str):
        rules = Rules.from_text(rules)
    if players is None:
        return check_rules(rules)
    return check_rules(rules).replace(players=whole_number("players", players, 2, 8))


def illegal_penalty(rules: Rules, kind: int) -> float:
    """The reward for an illegal action, by the kernel's number of the reward: the worst that a round can bring."""
    if kind not in (MARGIN, SCORE):
        return -1.0
    lowest, highest = rules.values[0], rules.values[-1]
    factor = 1 if rules.params["ender_penalty_mode"][0] == PENALTY_OFF else rules.penalty_factor
    worst = rules.cells * max(highest, highest * factor)
    best = rules.cells * min(lowest, 0)
    return -worst / POINTS if kind == SCORE else (best - worst) / POINTS
