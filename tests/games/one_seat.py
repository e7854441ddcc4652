"""What an environment for one seat must show if everybody plays as `game.nth`, worked out slowly from single tables."""

from typing import Any

from tests.games.under_test import GameUnderTest


def at_first_decision(game: GameUnderTest, rules: Any, seed: int, episode: str, seat: int, deal: int = 0) -> Any:
    """The first deal from this one on in which the seat is asked at all, when it is."""
    while True:
        table = game.api.Game(rules, seed=seed, deal=deal, episode=episode)
        while not table.is_over and table.seat != seat:
            table.apply(game.nth.choice(table.observation(), table.mask()))
        if not table.is_over:
            return table
        deal += 1
