"""Damaged inputs for everything that reads: each must be read or refused in one line, quickly and in little memory."""

import random
import time
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

from campaign.batch import Batch, Result
from campaign.loaders import GAMES, Attempt, Loader, files, tables, texts
from cardtable.errors import MOST_LETTERS, TableError

LOADERS: tuple[Loader, ...] = (*texts.LOADERS, *files.LOADERS, *tables.LOADERS)
LONGEST = 5.0  # seconds of processor time for an input
LARGEST = 2**20  # KiB that an input may add to the memory ever used
MOST_SHOWN = 20  # failures of a batch


def run(batch: Batch, name: str = "", inputs: int = 0) -> Result:
    """Many inputs for one of the loaders, the next in turn unless it is named."""
    named = [loader for loader in LOADERS if loader.name == name]
    loader, chance, result = (
        (named or LOADERS)[0 if named else batch.number // len(GAMES) % len(LOADERS)],
        batch.chance,
        Result(),
    )
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warm_up(batch.game)
        attempt = loader.prepare(batch.game, chance, Path(folder))
        for _ in range(inputs or loader.inputs):
            read_once(loader, attempt, chance, result)
            if len(result.failures) >= MOST_SHOWN:
                break
    result.count(f"{loader.name} inputs", result.done)
    return result


def warm_up(game: str) -> None:
    """Load compiled code first, so that the first input does not seem slow."""
    table = texts.played(game, random.Random(1))
    type(table).from_position(table.position()).observation(0)
    batch = GAMES[game].GameBatch(table.rules, n=2)
    batch.restore(batch.state())
    batch.step(batch.masks.argmax(axis=1))


def read_once(loader: Loader, attempt: Attempt, chance: random.Random, result: Result) -> None:
    """Read one input; it is a failure unless it is read or refused, in time and in little memory."""
    data, read = attempt(chance)
    import resource  # which Windows lacks

    begun, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result.done += 1
    try:
        read()
    except TableError as error:
        result.count(f"{loader.name} refused")
        words = str(error)
        if not words.isprintable() or len(words) > MOST_LETTERS or not words:
            result.fail(f"{loader.name}: the message is not one printable line: {words!r}", input=data)
    except Exception as error:
        result.fail(
            f"{loader.name}: {type(error).__name__}: {error}", input=data, as_text=data.decode(errors="replace")
        )
    seconds, grown = time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if seconds > LONGEST:
        result.fail(f"{loader.name}: it took {seconds:.1f} seconds", input=data)
    if grown > LARGEST:
        result.fail(f"{loader.name}: it took {grown / 2**20:.1f} GiB", input=data)
