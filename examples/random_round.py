"""Play one round with random legal actions and watch the table."""

import argparse
import random

from skyjo_env import Game, Rules, SkyjoError, action_names


def play(game: Game, chance: random.Random, every: int) -> None:
    """Play to the end; print the table, and the turn that follows, after every this many turns."""
    names = action_names(game.rules)
    shown = -1
    while not game.is_over:
        if game.turns % every == 0 and game.turns != shown:
            shown = game.turns
            print(f"\n{game}")
        action = chance.choice(game.legal_actions())
        if game.turns == shown:
            print(f"seat {game.seat}: {names[action]}")
        game.apply(action)


def main() -> None:
    """Read the options, play, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cards and of the players' choices (default 1)")
    parser.add_argument("--every", type=int, default=25, help="show the table every N turns (default 25)")
    options = parser.parse_args()
    if options.every < 1:
        parser.error("--every must be at least 1")
    try:
        game = Game(Rules(players=options.players), seed=options.seed, episode="round")
    except SkyjoError as error:
        parser.error(str(error))
    play(game, random.Random(options.seed), options.every)
    print(f"\n{game}\nround scores: {game.round_scores}; ended by seat {game.ender}; won by {game.winners}")


if __name__ == "__main__":
    main()
