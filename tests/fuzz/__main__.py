"""Run the fuzzer on all cores: `make fuzz MINUTES=480`, or `python -m tests.fuzz` in the top folder of the repository.

It stops at the first failure, and prints what failed with the command that repeats it.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from itertools import count
from multiprocessing import get_context

from tests.fuzz.rounds import PARTS, ignore_interrupts, part_of, run_round

TOLD_EVERY = 10.0  # seconds between two lines of progress


def main() -> int:
    """Return 1 if a round failed, else 0."""
    options = parser().parse_args()
    if not (options.minutes > 0 and options.workers > 0):  # nothing would run, and nothing fail
        parser().error("--minutes and --workers must be above 0")
    if options.repeat is not None:
        print(f"{run_round(options.seed, options.repeat):,} {part_of(options.repeat).unit}: nothing failed")
        return 0
    numbers = (number for number in count() if part_of(number).name in options.only)
    # A fresh process for each worker: one that has died ends the run, and is told like a failure.
    with ProcessPoolExecutor(options.workers, get_context("spawn"), ignore_interrupts) as pool:
        try:
            return fuzz(pool, numbers, options)
        except KeyboardInterrupt:
            print("interrupted: waiting for the rounds that are under way", file=sys.stderr)
            return 0


def parser() -> argparse.ArgumentParser:
    """Return the options of the command line."""
    found = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    found.add_argument("--minutes", type=float, default=5.0, help="how long (default: 5)")
    found.add_argument("--only", nargs="+", choices=PARTS, default=[*PARTS], help="the parts to run (default: all)")
    found.add_argument("--seed", type=int, default=time.time_ns() % 10**9, help="of all rounds (default: the time)")
    found.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (default: one for each core)")
    found.add_argument("--repeat", type=int, metavar="NUMBER", help="run this round alone, in this process")
    return found


def fuzz(pool: Executor, numbers: Iterator[int], options: argparse.Namespace) -> int:
    """Run rounds until the time is over or one fails; return the exit status."""
    begun = told = time.monotonic()
    running: dict[Future[int], int] = {}
    done: Counter[str] = Counter()
    while True:
        if time.monotonic() - told > TOLD_EVERY:
            told = time.monotonic()
            tell(done, told - begun, options.minutes)
        while time.monotonic() - begun < 60 * options.minutes and len(running) < options.workers:
            number = next(numbers)
            running[pool.submit(run_round, options.seed, number)] = number
        if not running:
            tell(done, time.monotonic() - begun, options.minutes)
            return 0
        for future in wait(running, TOLD_EVERY, FIRST_COMPLETED).done:
            number = running.pop(future)
            if (error := future.exception()) is not None:
                print(f"{error.__cause__ or error}\n{told_of(number, running, options.seed)}", file=sys.stderr)
                return 1
            done[part_of(number).unit] += future.result()


def tell(done: Counter[str], seconds: float, minutes: float) -> None:
    """Print how far it is, and what has been done."""
    counts = ", ".join(f"{number:,} {unit}" for unit, number in sorted(done.items()))
    print(f"{seconds / 60:.1f} of {minutes:g} minutes: {counts or 'compiling'}; nothing failed", flush=True)


def told_of(number: int, running: dict[Future[int], int], seed: int) -> str:
    """Return the command that repeats a failed round, and those of all that ran if a process has died."""
    numbers = [number, *(each for future, each in running.items() if future.done() and future.exception())]
    return "\n".join(f"FAILED: python -m tests.fuzz --seed {seed} --repeat {each}" for each in numbers)


if __name__ == "__main__":
    sys.exit(main())
