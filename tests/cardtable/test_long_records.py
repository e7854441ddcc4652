"""Long input is read in one pass."""

import time
from collections.abc import Callable

import pytest

from cardtable.errors import RecordError
from skyjo_env import Game, format_record, replay


def process_seconds(run: Callable[[], object]) -> float:
    """The shortest processor time of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def test_the_lines_of_a_start_are_read_in_one_pass() -> None:
    """Thirty-two times as many lines may take a hundred times as long, far less than the square."""
    first, *_, end = format_record(Game(seed=1).record()).splitlines()

    def read(lines: int) -> None:
        with pytest.raises(RecordError, match="unknown word 'x'"):
            replay("\n".join([first, *["start x y"] * lines, end]))

    read(10)
    assert process_seconds(lambda: read(64_000)) < 100 * process_seconds(lambda: read(2_000))
