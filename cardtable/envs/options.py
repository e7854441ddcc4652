"""Options that all environments share: their names, the rules, and those of a reset."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

from cardtable.card_game import CardGame
from cardtable.checks import brief, seed_number
from cardtable.errors import OptionError, RulesError, TableError, did_you_mean

ELSEWHERE = {
    "num_envs": "only make_vec makes several tables",
    "opponents": "in PettingZoo every seat is an agent, so there are no opponents",
    "seat": "in PettingZoo every seat is an agent",
    "threads": "only Gymnasium's vector environments have threads",
}  # options that other environments have


def names_options(init: Callable[..., None]) -> Callable[..., None]:
    """Make a constructor answer an unknown option with an OptionError that lists its options; its signature is kept."""
    known = list(signature(init).parameters)[1:]

    @wraps(init)
    def checked(self: Any, *args: Any, **options: Any) -> None:
        unknown = [name for name in options if name not in known]
        if unknown:
            name = unknown[0]
            why = f" ({ELSEWHERE[name]})" if name in ELSEWHERE else ""
            meant = "" if why else did_you_mean(name, known)
            raise OptionError(
                f"got an unexpected keyword argument {name!r}{why}; the options are {', '.join(known)}{meant}"
            )
        init(self, *args, **options)

    return checked


def rules_for(kind: CardGame, rules: Any, players: int | None) -> Any:
    """The rules, given as such or as their text, for this many players if a number is given.

    RulesError if the rules themselves were changed to another number.
    """
    checked = kind.rules_type.check(rules)
    if players is None:
        return checked
    is_said = "players=" in rules if isinstance(rules, str) else "players" in checked.changes()
    if is_said and players != checked.players:
        raise RulesError(
            f"players={brief(players)}, but the rules are for players={checked.players}: change one of them"
        )
    return checked.replace(players=players)


def chosen_deal(options: dict[str, Any] | None) -> int | None:
    """The deal chosen by the options of a reset, or None; TableError for any other option."""
    unknown = sorted(set(options or {}) - {"deal"})
    if unknown:
        raise TableError(f"unknown reset option {', '.join(unknown)}; the only option is deal")
    return seed_number("deal", options["deal"]) if options else None
