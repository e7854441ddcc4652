"""A process that works on batches of one part: reads their numbers, one a line, and writes results as lines of JSON.

If a batch crashes, hangs or fills the memory, only this process is affected, and the campaign notes a failure.
"""

import importlib
import json
import os
import sys
import traceback

from campaign.batch import Batch, Result

MOST_MEMORY = 6 * 2**30  # bytes


def run_batch(batch: Batch) -> Result:
    """Carry out a batch; if it raises, that is a failure."""
    try:
        result: Result = importlib.import_module(f"campaign.parts.{batch.part}").run(batch)
    except Exception as error:
        result = Result()
        result.fail(f"the batch raised {type(error).__name__}: {error}", traceback=traceback.format_exc())
    return result


def main(part: str, seed: str) -> None:
    """Answer until no more numbers come."""
    import resource  # which Windows lacks

    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever is printed goes to the log
    for line in sys.stdin:
        result = run_batch(Batch(part, int(seed), int(line)))
        answers.write(json.dumps(result.to_document()) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
