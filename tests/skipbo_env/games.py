"""Games of Skip-Bo for tests: written and played by hand."""

from skipbo_env import Game, parse_action


def table(text: str) -> Game:
    """The game of a written position, given without its first line."""
    return Game.from_position(f"skipbo-position 1; {text}")


def play(game: Game, *names: str) -> Game:
    """Apply actions given by their names; the game itself is returned."""
    for name in names:
        game.apply(parse_action(game.rules, name))
    return game
