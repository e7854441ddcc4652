"""Options that all environments share: their names, the rules, the penalty, and those of a reset."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

from cardtable.checks import seed_number
from cardtable.errors import OptionError, TableError
from skyjo_env.envs.compiled.rewards import POINTS
from skyjo_env.rules import Rules, check_rules


def names_options(init: Callable[..., None]) -> Callable[..., None]:
    """Make a constructor answer an unknown option with an OptionError that lists its options; its signature is kept."""
    known = list(signature(init).parameters)[1:]

    @wraps(init)
    def checked(self: Any, *args: Any, **options: Any) -> None:
        unknown = [name for name in options if name not in known]
        if unknown:
            raise OptionError(f"got an unexpected keyword argument {unknown[0]!r}; there are {', '.join(known)}")
        init(self, *args, **options)

    return checked


def rules_for(rules: Rules | str, players: int | None) -> Rules:
    """The rules, given as such or as their text, for this many players if a number is given."""
    if isinstance(rules, str):
        rules = Rules.from_text(rules)
    return check_rules(rules) if players is None else check_rules(rules).replace(players=players)


def illegal_penalty(rules: Rules, reward: str) -> float:
    """The reward for an illegal action: a lower bound of what any round can bring."""
    if reward == "win":
        return -1.0
    lowest, highest = rules.values[0], rules.values[-1]
    factor = 1 if rules.ender_penalty_mode == "off" else rules.penalty_factor
    worst = rules.cells * max(highest, 0) * factor
    best = rules.cells * min(lowest, 0) * (factor if rules.penalty_on_negative else 1)
    return -worst / POINTS if reward == "score" else (best - worst) / POINTS


def chosen_deal(options: dict[str, Any] | None) -> int | None:
    """The deal chosen by the options of a reset, or None; TableError for any other option."""
    unknown = sorted(set(options or {}) - {"deal"})
    if unknown:
        raise TableError(f"unknown reset option {', '.join(unknown)}; there is deal")
    return seed_number("deal", options["deal"]) if options else None
