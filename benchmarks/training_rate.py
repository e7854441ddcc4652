"""The decisions a second of self-play in one game at the settings of its preset demo, without a teacher.

python benchmarks/training_rate.py skyjo --updates 3

It prints them by the clock, and by the processor time of all threads, which depends less on what else the machine does.
It measures the checkout that PYTHONPATH names: run it in two of them in turns to compare them.
"""

import argparse
import statistics
import time
from collections.abc import Callable

from skyjo_training.learned_game import learned_game
from skyjo_training.self_play import SelfPlay


def rates(game: str, updates: int) -> tuple[float, float]:
    """By the clock and by processor time: the medians over some rollouts with their updates, after one to warm up."""
    alone = {"device": "cpu", "teacher": "", "lessons": 0}
    config = learned_game(game).preset("demo").with_changes(alone)
    model, size = SelfPlay(config), config.tables * config.n_steps
    model.learn(size)
    times = [timed(lambda: model.learn(model.num_timesteps + size)) for _ in range(updates)]
    by_clock, by_processor = (size / statistics.median(each) for each in zip(*times, strict=True))
    return by_clock, by_processor


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """The seconds that some work takes, by the clock and of processor time."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("skyjo", "skipbo"), help="what is learned")
    parser.add_argument("--updates", type=int, default=3, help="how many are timed (default 3)")
    options = parser.parse_args()
    if options.updates < 1:
        parser.error("--updates must be at least 1")
    by_clock, by_processor = rates(options.game, options.updates)
    print(f"{by_clock:,.0f} decisions a second by the clock, {by_processor:,.0f} of processor time")
