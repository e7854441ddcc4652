"""Play one round with random legal actions and watch the table."""

import argparse
import random

from skyjo_env import Game, Rules, action_names


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the cards and of the players' choices (default 1)")
    parser.add_argument("--every", type=int, default=25, help="show the table after so many turns (default 25)")
    options = parser.parse_args()

    game = Game(Rules(players=options.players), seed=options.seed, episode="round")
    names = action_names(game.rules)
    chance = random.Random(options.seed)
    shown = -1
    while not game.is_over:
        if game.turns % options.every == 0 and game.turns != shown:
            shown = game.turns
            print(f"\n{game}")
        action = chance.choice(game.legal_actions())
        if shown == game.turns:
            print(f"seat {game.seat}: {names[action]}")
        game.apply(action)
    print(f"\n{game}\nround scores: {game.round_scores}; ended by seat {game.ender}; won by {game.winners}")


if __name__ == "__main__":
    main()
