"""Phrases for decisions: templates that a game keeps in `people/phrases.toml`, for the terminal and for pages.

In a template {card} is a value, {mean:.1f} a number with so many decimals, {card:a} one after "a" or "an", and
{line:line} one that the table [names.line] gives a name. [drawn:it|a {card}] is its first part if the value is true,
else its second, which may be missing; [card=7:...] compares, [seat={other}:...] compares two values. Such parts may lie
in each other. skyjo/web/worker/phrases.js fills templates in the same way.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skyjo.interfaces import GameInterface

FILE = "phrases.toml"
CHOICE = re.compile(r"\[(\w+)(?:=(\{?)(\w+)\}?)?:([^][|]*)(?:\|([^][]*))?\]")  # one without others in it
PLACE = re.compile(r"\{(\w+)(?::([^}]+))?\}")
WITH_AN = re.compile(r"8|11$|18$")  # numbers before which "a" is "an"
ENDS = ("RoundScored", "RoundStopped")  # the events that end a round
UNSAID = -1  # the way of a reason that no words fit
NAMED, IN_ALL = 0.4, 0.3  # shares of a lead that the reason named must account for, and all reasons together

# A reason why one action is better than another; what else a game's finder notes is for its template.
REASON: np.dtype[Any] = np.dtype(
    (
        np.record,
        [
            ("gain", "f8"),  # points of the margin that speak for the better action; below 0 against it
            ("flaw", "f8"),  # is it what is wrong with the other action?
            ("way", "f8"),  # which wording fits, if there are several
            *((name, "f8") for name in ("card", "other", "seat", "points")),
        ],
    )
)

Names = Mapping[str, Mapping[str, str]]  # of numbers, by what they count


class DecisionWords(NamedTuple):
    """The public effects of a decision, in words."""

    words: str
    end: Any  # the event by which it ended a round, or None


def filled(template: str, values: Mapping[str, Any], names: Names | None = None) -> str:
    """Return a template with its places filled.

    >>> filled("[drawn:it|{card:a}][share=2: twice| {share:+.1f}]", {"drawn": False, "card": 8, "share": 0.25})
    'an 8 +0.2'
    """

    def chosen(choice: re.Match[str]) -> str:
        name, is_value, wanted, text, other = choice.groups()
        compared = values[wanted] if is_value else wanted
        is_so = values[name] if wanted is None else str(values[name]) == str(compared)
        return text if is_so else other or ""

    def written(place: re.Match[str]) -> str:
        value, how = values[place[1]], place[2]
        if how is None or how in (names or {}):
            return str((names or {}).get(how, {}).get(str(value), value))
        return f"{'an' if WITH_AN.match(str(value)) else 'a'} {value}" if how == "a" else format(value, how)

    more = 1
    while more:
        template, more = CHOICE.subn(chosen, template)
    return PLACE.sub(written, template)


class Phrases:
    """The phrases for the decisions of a game; for a game without templates, the names of its actions."""

    def __init__(self, interface: GameInterface) -> None:
        file = interface.path / FILE
        tables = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
        self.events: Mapping[str, str] = tables.get("events", {})  # by what a decision did
        self.reasons: Mapping[str, str] = tables.get("reasons", {})  # in the order in which they are found
        self.names: Names = tables.get("names", {})
        self.untold: str = tables.get("untold", "")  # the event that begins what is told elsewhere
        self.finder: Any = import_module(f"{interface.package}.people.reasons") if self.reasons else None

    def describe(self, name: str, events: Sequence[Any]) -> DecisionWords:
        """Return the effects of a decision of this name, up to the end of a round or events that are told elsewhere."""
        kinds = [type(event).__name__ for event in events]
        end = next((event for event, kind in zip(events, kinds, strict=True) if kind in ENDS), None)
        if not self.events:
            return DecisionWords(name, end)
        decided = takewhile(lambda pair: pair[0] not in (*ENDS, self.untold), zip(kinds, events, strict=True))
        phrases = (filled(self.events.get(kind, ""), event_values(event), self.names) for kind, event in decided)
        return DecisionWords(", ".join(filter(None, phrases)), end)

    def reason(self, rules: Any, observation: NDArray[Any], better: int, other: int, lead: float) -> str:
        """Return why an action is better than another by so many points; empty if no reason accounts for enough."""
        if self.finder is None:
            return ""
        found = np.zeros(len(self.reasons), REASON)
        self.finder.write_reasons(observation, rules.params[0], better, other, found)
        named = np.where(found["way"] == UNSAID, 0.0, found["gain"])
        if named.max() < NAMED * lead or found["gain"].sum() < IN_ALL * lead:
            return ""
        kind = int(named.argmax())
        values = [int(value) if value.is_integer() else value for value in found[kind].tolist()]
        return filled([*self.reasons.values()][kind], dict(zip(REASON.names or (), values, strict=True)), self.names)


def event_values(event: Any) -> dict[str, Any]:
    """Return the values of an event by their names in templates: a list is its items, with their count as a further
    value.
    """
    values = dict(vars(event))
    for name, value in vars(event).items():
        if isinstance(value, tuple):
            values |= {name: ", ".join(map(str, value)), f"{name}_count": len(value)}
    return values
