"""A short run of the part `bounds` for CI: the same few batches every time."""

import os
import sys

from campaign.batch import Batch
from campaign.parts import PARTS

BATCHES = 9  # decisions, lockstep and leaks of all games


def main() -> int:
    """Exit status 1 if an index was out of bounds, or anything else failed."""
    os.environ.update(PARTS["bounds"].environment, NUMBA_OPT="1")  # before numba is imported; 1 compiles faster
    from campaign.worker import run_batch

    failed = 0
    for number in range(BATCHES):
        result = run_batch(Batch("bounds", 1, number))
        failed += len(result.failures)
        for failure in result.failures:
            print(failure.words, *failure.inputs.values(), sep="\n")
        print(f"batch {number}: {result.done:,} with bounds checked, {len(result.failures)} failures", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
