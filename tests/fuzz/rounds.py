"""The parts of the fuzzer. A round is a piece of one part's work at one game; it follows from a seed and its number."""

import faulthandler
import random
import signal
from collections.abc import Callable
from typing import NamedTuple

from tests.fuzz import inputs, tables
from tests.games.listed import GAMES
from tests.games.under_test import GameUnderTest

MAX_SECONDS = (
    3600  # seconds of a round, with compiling on a busy machine; a process that takes longer hangs, and is ended
)


class Part(NamedTuple):
    """A kind of check: `run` does about as much of it as it is told, and returns how much it did."""

    name: str
    run: Callable[[GameUnderTest, random.Random, int], int]
    unit: str
    amount: int  # of a round


PARTS = {
    part.name: part
    for part in (
        Part("tables", tables.check_batches, "decisions at many tables", 100_000),
        Part("lockstep", tables.check_lockstep, "decisions compared with the oracle", 10_000),
        Part("leaks", tables.check_leaks, "comparisons of hidden cards", 500),
        Part("inputs", inputs.check_damaged, "damaged inputs", 200),
    )
}


def part_of(number: int) -> Part:
    """Return the part of a round; the parts take turns."""
    return [*PARTS.values()][number % len(PARTS)]


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that started the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_round(seed: int, number: int) -> int:
    """Run a round, and return how much it did. Whatever it raises is a failure."""
    part, game = part_of(number), GAMES[number // len(PARTS) % len(GAMES)]
    faulthandler.dump_traceback_later(MAX_SECONDS, exit=True)
    try:
        return part.run(game, random.Random(f"{seed} {number}"), part.amount)
    except Exception as error:
        error.add_note(f"in round {number} of seed {seed}: {part.name} of {game.title}")
        raise
    finally:
        faulthandler.cancel_dump_traceback_later()
