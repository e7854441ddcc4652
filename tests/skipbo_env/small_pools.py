"""A table with few unseen cards after a recycling, and all that its seat 0 may think of it."""

from collections import Counter

from skipbo_env import Game
from skipbo_env.kernel import WILD
from skipbo_env.rules import card_name
from tests.skipbo_env.pool_reference import arrangements

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
