"""A table with few unseen cards after a recycling, and all that its seat 0 may think of it, counted one by one."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from skipbo_env import Game
from skipbo_env.kernel import CERTAIN, WILD
from skipbo_env.rules import card_name


@dataclass(frozen=True)
class Arrangement:
    """Where the unseen cards lie: the next stock cards, the hands of the others, and the next draws."""

    stock: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    draws: tuple[int, ...]


def orders(cards: list[int], size: int) -> dict[tuple[int, ...], Fraction]:
    """Every order in which so many of these cards may come, with its probability."""
    chances: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    all_orders = list(permutations(cards, size))
    for order in all_orders:
        chances[order] += Fraction(1, len(all_orders))
    return chances


def arrangements(
    older: list[int], newer: list[int], doubtful: list[int], stock: int, hands: list[tuple[int, list[int]]]
) -> dict[Arrangement, Fraction]:
    """How likely every arrangement is: `stock` cards lie face down; each hand has a size and chances c(1), c(2), ..."""
    found: dict[Arrangement, Fraction] = defaultdict(Fraction)
    ways: list[Any] = [range(size + 1) for size, _ in hands]
    for held in product(*ways):
        odds = Fraction(1)
        for (_, some), k in zip(hands, held, strict=True):
            odds *= Fraction(some[k - 1] if k > 0 else CERTAIN - sum(some), CERTAIN)
        were_older = len(older) - stock - sum(held)
        if odds == 0 or not 0 <= were_older <= len(doubtful):
            continue
        for first, first_chance in orders(older, len(older)).items():
            for second, second_chance in orders(newer, len(newer)).items():
                seen = [*first[:were_older], *second[: len(doubtful) - were_older]]
                if sorted(seen) == sorted(doubtful):
                    laid = lay(first[were_older:], second[len(doubtful) - were_older :], stock, hands, held)
                    found[laid] += odds * first_chance * second_chance
    total = sum(found.values(), Fraction(0))
    return {laid: chance / total for laid, chance in found.items()}


def lay(
    older: tuple[int, ...], newer: tuple[int, ...], stock: int, hands: list[tuple[int, list[int]]], held: Any
) -> Arrangement:
    """Lay these cards down in order: face-down stock cards, hands with their older cards first, and draws."""
    at_older, at_newer, laid = stock, 0, []
    for (size, _), k in zip(hands, held, strict=True):
        hand = (*older[at_older : at_older + k], *newer[at_newer : at_newer + size - k])
        laid.append(tuple(sorted(hand)))
        at_older, at_newer = at_older + k, at_newer + size - k
    return Arrangement(older[:stock], tuple(laid), newer[at_newer:])


OLDER, NEWER, DOUBTFUL = [3, 3, 7, 9], [3, 7, 8, 8], [3, 7]  # 7 is in the own hand
ODDS = [12000, 6000]


def others(*used: int) -> str:
    """All cards of the deck but these, as words."""
    deck = Counter(dict.fromkeys(range(1, 13), 12) | {WILD: 18})
    deck.subtract(used)
    return " ".join(map(card_name, deck.elements()))


def counts(cards: list[int]) -> str:
    return " ".join(str(cards.count(card)) for card in range(1, 14))


BUILDING = [*range(1, 5), *range(1, 7)]
SMALL = f"""
skipbo-position 1
rules stock=2
recycles 1
building 4 6 0 0
completed {others(*BUILDING, 3, 5, 9, 5, 7, 3, 8, 7, 8)}
stock 3 5
stock 9 5
hand 7
hand 3 8
draw 7 8
newer {counts(NEWER)}
doubtful {counts([3])}
odds 16000 0 0 0 0
odds {ODDS[0]} {ODDS[1]} 0 0 0
seat 0 turn
"""
EXPECTED = arrangements(OLDER, NEWER, DOUBTFUL, stock=2, hands=[(2, ODDS)])


def small() -> Game:
    return Game.from_position(SMALL)
