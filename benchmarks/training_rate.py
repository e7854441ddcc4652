"""The decisions a second of self-play in one game at the settings of its preset demo, without a teacher.

python benchmarks/training_rate.py skyjo --updates 3

It measures the checkout that PYTHONPATH names; benchmarks/training_speed.py --against compares two of them in this way.
"""

import argparse
import statistics

from figures import timed

from skyjo_training.learned_game import learned_game
from skyjo_training.self_play import SelfPlay


def rate(game: str, updates: int) -> float:
    """The median over some rollouts with their updates, after one to warm up."""
    alone = {"device": "cpu", "teacher": "", "lessons": 0}
    config = learned_game(game).preset("demo").with_changes(alone)
    model, size = SelfPlay(config), config.tables * config.steps
    model.learn(size)
    times = [timed(lambda: model.learn(model.num_timesteps + size)) for _ in range(updates)]
    return size / statistics.median(times)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("skyjo", "skipbo"), help="what is learned")
    parser.add_argument("--updates", type=int, default=3, help="how many are timed (default 3)")
    options = parser.parse_args()
    print(rate(options.game, options.updates))
