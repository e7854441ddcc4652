"""The exact value of a small table, by looking at every order of the unseen cards."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any


@dataclass
class Expectimax:
    """Searches the whole tree; works for anything with apply, legal actions and the adapters below."""

    copied: Callable[[Any], Any]
    legal: Callable[[Any], list[int]]
    look: Callable[[Any], Any]  # what the seat to decide sees
    margin: Callable[[Any], int]  # of seat 0, once the game is over
    known: dict[Any, Fraction] = field(default_factory=dict)

    def value(self, tables: list[Any]) -> Fraction:
        """Seat 0's expected margin from tables that look the same to the seat that decides, best play by both."""
        look = self.look(tables[0])
        if look not in self.known:
            self.known[look] = self._value(tables)
        return self.known[look]

    def _value(self, tables: list[Any]) -> Fraction:
        actions = self.legal(tables[0])
        if not actions:
            return Fraction(sum(map(self.margin, tables)), len(tables))
        best = max if tables[0].seat == 0 else min
        return best(self._after(tables, action) for action in actions)

    def _after(self, tables: list[Any], action: int) -> Fraction:
        """The mean over what the next seat may come to see."""
        groups = defaultdict(list)
        for table in tables:
            after = self.copied(table)
            after.apply(action)
            groups[self.look(after)].append(after)
        return sum((Fraction(len(group), len(tables)) * self.value(group) for group in groups.values()), Fraction(0))


def arrangements(unseen: Iterable[int]) -> list[tuple[int, ...]]:
    """Every different order of the unseen cards, sorted."""
    return sorted(set(permutations(unseen)))
