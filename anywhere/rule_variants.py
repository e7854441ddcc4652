"""Rules as JavaScript puts them together from text: variants of what changes more than itself, the rest by fields.

Most rules are one field of the record of rules. The others, and the number of players, decide how many actions there
are or what an observation holds, so all combinations of them are written down as Python makes them. What is neither,
such as other cards in the deck, cannot be played without Python.
"""

from contextlib import suppress
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import CardGame
from cardtable.errors import AgentError, RulesError
from cardtable.policies.policy_card import chosen

SEATS = range(2, 9)
MOST = 10_000  # no rule is a larger number, where its bounds depend on others


def rules_document(kind: CardGame, rules: Any) -> dict[str, Any]:
    """Rules as the engine takes them: text, the fields of their record, and what stands where in an observation."""
    spec = kind.spec_of(rules)
    return {
        "text": rules.to_text(),
        "record": {name: short(rules.params[name][0]) for name in rules.params.dtype.names},
        "observation": {"size": spec.size, "slices": [[part.name, part.start, *part.shape] for part in spec.slices]},
    }


def short(value: NDArray[Any]) -> Any:
    """A field as a number or a list, which ends before its last zeros."""
    return np.trim_zeros(value, "b").tolist() if np.ndim(value) == 1 else value.tolist()


def policy_of(rules: Any) -> str | None:
    """The policy of the package that plays by these rules."""
    try:
        return chosen(rules, "", "").stem
    except AgentError:
        return None


def variants(kind: CardGame) -> list[dict[str, Any]]:
    """Every combination of the words that change more than their own field, for every number of players: what it is,
    and the fields that may be changed in it, each with its words or with its least and greatest number.
    """
    names = [name for name in kind.rules_type.options if values_alone(kind, kind.official, name) is None]
    found = []
    for players, *words in product(SEATS, *(kind.rules_type.options[name] for name in names)):
        given = {"players": players, **dict(zip(names, words, strict=True))}
        try:
            rules = kind.rules_type(**given)
        except RulesError:
            continue
        free = {name: values_alone(kind, rules, name) for name in vars(kind.official) if name not in given}
        fields = {name: values for name, values in free.items() if values is not None}
        about = {"given": given, "policy": policy_of(rules), "fields": fields}
        found.append({**about, **rules_document(kind, rules)})
    return found


def values_alone(kind: CardGame, rules: Any, name: str) -> Any:
    """The words of a rule, or its least and greatest number, if all that it changes is its own field of the record."""
    usual, words = _without(rules_document(kind, rules), name), kind.rules_type.options.get(name)

    def is_alone(value: Any) -> bool:
        """May the rule be this, and does nothing else change then?"""
        with suppress(RulesError):
            return _without(rules_document(kind, rules.replace(**{name: value})), name) == usual
        return False

    if words is not None or isinstance(getattr(rules, name), bool):
        values = list(words) if words is not None else [False, True]
        return values if all(map(is_alone, values)) else None
    least, greatest = kind.rules_type.ranges.get(name, (1, MOST))
    if name not in rules.params.dtype.names or not is_alone(least):
        return None
    possible, beyond = least, greatest + 1
    while possible + 1 < beyond:
        middle = (possible + beyond) // 2
        possible, beyond = (middle, beyond) if is_alone(middle) else (possible, middle)
    return [least, possible]


def _without(document: dict[str, Any], name: str) -> dict[str, Any]:
    """A document of rules without one of its fields, and without its text."""
    record = {field: number for field, number in document["record"].items() if field != name}
    return {**document, "record": record, "text": ""}
