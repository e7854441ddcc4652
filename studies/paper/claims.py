"""A claim of the paper, the cases that were tried, and the verdict that follows from them."""

from collections.abc import Iterable
from dataclasses import dataclass

HOLDS, HOLDS_UNDER, FAILS = "holds", "holds under", "fails"


@dataclass(frozen=True)
class Group:
    """The cases tried under one condition, and how many of them contradict the claim."""

    condition: str
    cases: int
    exceptions: int
    example: str = ""  # the first exception, in words

    @property
    def is_free(self) -> bool:
        """Was at least one case tried, and none against the claim?"""
        return self.cases > 0 and self.exceptions == 0


@dataclass(frozen=True)
class Table:
    """A small table of numbers that belongs to a claim."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Claim:
    """What the paper says, what was tried, and with which result."""

    labels: tuple[str, ...]  # "Proposition 2" and where it is stated again
    title: str
    says: str
    checked: str  # how
    groups: tuple[Group, ...]
    remark: str
    tables: tuple[Table, ...] = ()
    beyond: tuple[Group, ...] = ()  # what lies near it but is not claimed; the verdict does not depend on it
    is_whole: bool = False  # a claim that cannot hold in part

    @property
    def verdict(self) -> str:
        """It holds if no case is against it, holds under the conditions that are free of exceptions, else fails."""
        free = [group.is_free for group in self.groups]
        if len(free) > 0 and all(free):
            return HOLDS
        return HOLDS_UNDER if any(free) and not self.is_whole else FAILS

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions under which it holds, if it holds in part."""
        return tuple(group.condition for group in self.groups if group.is_free) if self.verdict == HOLDS_UNDER else ()


def tried(condition: str, cases: Iterable[tuple[bool, str]]) -> Group:
    """Count cases: (does the claim hold here, what to say if it does not)."""
    count, exceptions, example = 0, 0, ""
    for holds, words in cases:
        count += 1
        if not holds:
            exceptions += 1
            example = example or words
    return Group(condition, count, exceptions, example)


def written(column: Iterable[int | None]) -> str:
    """A column in words: 4 4 ?."""
    return " ".join("?" if card is None else str(card) for card in column)
