"""Some other parts again, with every index in compiled code checked: an access beyond the end of an array is an error.

numba checks only in code that was compiled with NUMBA_BOUNDSCHECK=1, so that code has a cache of its own.
"""

import os

from campaign.batch import GAMES, Batch, Result
from campaign.parts import decisions, leaks, loaders, lockstep

READERS = ("states", "batches", "positions", "records", "rules")


def run(batch: Batch) -> Result:
    """In turn: decisions, lockstep, leaks, and each of the readers that fill a game's record."""
    if os.environ.get("NUMBA_BOUNDSCHECK") != "1":
        raise RuntimeError("set NUMBA_BOUNDSCHECK=1 and NUMBA_CACHE_DIR to a folder of its own")
    place, turn = batch.number // len(GAMES), Batch(f"bounds {batch.part}", batch.seed, batch.number)
    kinds = 3 + len(READERS)
    if place % kinds == 0:
        return decisions.run(turn, 200_000)
    if place % kinds == 1:
        return lockstep.run(turn, 2000)
    if place % kinds == 2:
        return leaks.run(turn, 500)
    return loaders.run(turn, READERS[place % kinds - 3], 500)
