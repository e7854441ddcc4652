"""Damaged inputs for everything that reads: each must be read, or refused by the package's own error, and in time."""

import random
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from cardtable.table.errors import TableError
from tests.fuzz import files, texts
from tests.fuzz.damage import Attempts
from tests.games.under_test import GameUnderTest

Reader = Callable[[GameUnderTest, random.Random, Path], Attempts]  # the folder is empty at first

LONGEST = 5.0  # seconds of processor time for an input
SHOWN = 500  # bytes of an input
READERS: dict[str, Reader] = {reader.__name__: reader for reader in (*texts.READERS, *files.READERS)}


def check_damaged(game: GameUnderTest, chance: random.Random, amount: int, name: str = "") -> int:
    """Let a reader, chosen by chance unless it is named, read this many damaged inputs."""
    reader = READERS[name or chance.choice([*READERS])]
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, (data, read) in enumerate(islice(reader(game, chance, Path(folder)), amount)):
            try:
                check_reading(read)
            except Exception as error:
                error.add_note(f"{reader.__name__}, input {place}, which begins with {data[:SHOWN]!r}")
                raise
    return amount


def check_reading(read: Callable[[], object]) -> None:
    """Fail unless an input is read or refused, and in time. The first time may compile."""
    for _ in range(2):
        begun = time.process_time()
        with suppress(TableError):
            read()
        if (seconds := time.process_time() - begun) < LONGEST:
            return
    raise AssertionError(f"it takes {seconds:.1f} seconds")
