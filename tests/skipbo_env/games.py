"""Games of Skip-Bo for tests: written, played by hand and played at random."""

import random

from skipbo_env import Game, Rules, parse_action
from skipbo_env.kernel.state import DISCARD


def table(text: str) -> Game:
    """The game of a written position, given without its first line."""
    return Game.from_position(f"skipbo-position 1; {text}")


def play(game: Game, *names: str) -> Game:
    """Apply actions given by their names; the game itself is returned."""
    for name in names:
        game.apply(parse_action(game.rules, name))
    return game


def random_game(rules: Rules, seed: int, decisions: int, episode: str = "game") -> Game:
    """A game after so many decisions, or at its end; cards are played more often than not."""
    game, chance = Game(rules, seed, episode=episode), random.Random(seed)
    for _ in range(decisions):
        if game.is_over:
            break
        legal = game.legal_actions()
        plays = [action for action in legal if action < DISCARD]
        game.apply(chance.choice(plays if plays and chance.random() < 0.9 else legal))
    return game
