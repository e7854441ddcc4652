"""Play random legal moves of Skyjo Action and save a picture of the table. Needs pygame."""

import argparse
import random
import re

from skyjo_action_env import Game, Rules, SkyjoActionError


def size_of(text: str) -> tuple[int, int]:
    """Width and height from text such as 960x640."""
    if not re.fullmatch(r"\d{1,6}x\d{1,6}", text):
        raise argparse.ArgumentTypeError(f"{text!r} should look like 960x640")
    width, height = text.split("x")
    return int(width), int(height)


def main() -> None:
    """Read the options, play, and save the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, help="2 to 8 (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cards and of the players' choices (default 1)")
    parser.add_argument("--decisions", type=int, default=120, help="decisions to play, at most to the end of the round")
    parser.add_argument(
        "--size", type=size_of, default=(960, 640), metavar="WxH", help="picture size in pixels (default 960x640)"
    )
    parser.add_argument("--out", default="table.png", metavar="FILE.png", help="file to write (default table.png)")
    options = parser.parse_args()
    if options.decisions < 0:
        parser.error("--decisions must not be negative")
    try:
        from skyjo_action_env.render.picture import save_picture

        game = Game(Rules(players=options.players), seed=options.seed, episode="round")
        play(game, random.Random(options.seed), options.decisions)
        save_picture(game, options.out, options.size)
        print(f"saved {options.out}")
    except SkyjoActionError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"--out {options.out}: {error.strerror}")


def play(game: Game, chance: random.Random, decisions: int) -> None:
    """Make this many random legal decisions, or as many as there are to the end."""
    for _ in range(decisions):
        if game.is_over:
            return
        game.apply(chance.choice(game.legal_actions()))


if __name__ == "__main__":
    main()
