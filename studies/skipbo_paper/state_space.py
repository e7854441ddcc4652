"""How many states the game has: the number of section 2.4, and bounds that hold."""

import math
from dataclasses import dataclass

from skipbo_env.kernel.state import COPIES, DECK, PLACES, RANKS, WILDS

PRINTED = (30, 30, 5, 5, 4, 4, 84)  # the groups of the paper's multinomial
PLAYERS = 2
ZONES = PLAYERS * (2 + PLACES) + PLACES + 2  # stocks, hands, discard piles; building piles, draw pile, completed cards


@dataclass(frozen=True)
class StateSpace:
    """The decimal logarithms of the counts, and what the paper's number has to do with the game."""

    printed: float
    groups: tuple[int, ...]
    cards: int  # in the groups together
    deals: float  # orders of the deck that can be told apart
    most: float  # states at most, but for the counters of turns


def multinomial(groups: tuple[int, ...]) -> int:
    """The ways to distribute distinct cards over groups of these sizes."""
    return math.factorial(sum(groups)) // math.prod(math.factorial(size) for size in groups)


def deals() -> int:
    """The orders of the deck, where cards of a rank are alike. Every one is a state: the draw pile and the stock piles
    are ordered (section 2.3).
    """
    return multinomial((COPIES,) * RANKS + (WILDS,))


def most_states() -> int:
    """An upper bound: every state lays all cards in a row, cuts the row into the zones, and says who is to move."""
    return deals() * math.comb(DECK + ZONES - 1, ZONES - 1) * PLAYERS


def state_space() -> StateSpace:
    """All of it computed."""
    return StateSpace(
        printed=math.log10(multinomial(PRINTED)),
        groups=PRINTED,
        cards=sum(PRINTED),
        deals=math.log10(deals()),
        most=math.log10(most_states()),
    )
