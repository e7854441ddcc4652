"""An exact value on a tiny deck, by looking at every order of the unseen cards."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from skyjo_env import Game


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


# The exact value for seat 0 of the position below, by the turns until the round is stopped and the unseen cards.
GOLDEN_VALUES = [
    (1, (-1, -1, 3, 5), Fraction(0)),
    (2, (-1, -1, 0, 3, 5), Fraction(5, 12)),
]


def position(turns: int, unseen: tuple[int, ...]) -> str:
    """Each seat has one hidden card left and a pair in a column of two would clear."""
    first, second, *pile = unseen
    return f"""skyjo-position 1
    rules rows=2 columns=2 opening_flips=3 deck=-1:2,0:{1 + turns},3:4,5:3 max_turns={turns}
    episode round
    board 3 0 | 3 ?{first}
    board 5 0 | ?{second} 5
    discard 3
    draw {" ".join(map(str, pile))}
    seat 0 turn"""


def margin(table: Any) -> int:
    """Seat 0's margin; a stopped round counts for nothing."""
    stopped = table.phase == "truncated"
    return 0 if stopped else int(table.round_scores[1] - table.round_scores[0])


@pytest.mark.parametrize(("turns", "unseen", "golden"), GOLDEN_VALUES)
def test_the_exact_value_of_a_tiny_position(turns: int, unseen: tuple[int, ...], golden: Fraction) -> None:
    games = [Game.from_position(position(turns, order)) for order in arrangements(unseen)]
    kernel = Expectimax(Game.copy, Game.legal_actions, lambda game: game.observation().tobytes(), margin)
    assert kernel.value(games) == golden
