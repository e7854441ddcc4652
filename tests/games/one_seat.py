"""What an environment for one seat must show if everybody plays as `game.nth`, worked out slowly from single tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from tests.games.under_test import GameUnderTest


@dataclass
class Seen:
    """What a step of the learner's seat must show."""

    table: Any
    observation: NDArray[Any]
    mask: NDArray[Any]
    reward: float


def at_first_decision(game: GameUnderTest, rules: Any, seed: int, episode: str, seat: int, deal: int = 0) -> Any:
    """The first deal from this one on in which the seat is asked at all, when it is."""
    while True:
        table = game.api.Game(rules, seed=seed, deal=deal, episode=episode)
        while not table.is_over and table.seat != seat:
            table.apply(game.nth.choice(table.observation(), table.mask()))
        if not table.is_over:
            return table
        deal += 1


def one_seat(game: GameUnderTest, table: Any, seat: int, reward: str, is_shaped: bool) -> Iterator[Seen]:
    """Play on from the seat's first decision until the game is over; yields at its decisions, and at the end."""
    earned = 0.0
    while True:
        yield Seen(table, table.observation(seat), table.mask(), earned)
        if table.is_over:
            return
        earned, potential, is_first = 0.0, game.potential(table, seat), True
        while not table.is_over and (table.seat != seat or is_first):
            before, is_first = table.copy(), False
            table.apply(game.nth.choice(table.observation(), table.mask()))
            earned += game.brought(before, table, reward)[seat]
        if is_shaped:
            earned += game.potential(table, seat) - potential
