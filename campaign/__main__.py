"""Run the fuzzing campaign: `python -m campaign --minutes 5`, in the top folder of the repository."""

import argparse
import os
import sys
from pathlib import Path

from campaign import intervals
from campaign.batch import Batch
from campaign.parts import BUILD, PARTS
from campaign.runner import Campaign
from campaign.table import table
from campaign.totals import Totals, TotalsError
from campaign.worker import run_batch

SHOWN = 3000  # characters of an input


def main() -> int:
    """Exit status 1 if anything failed, in this run or in an earlier one with the same totals."""
    arguments = parser().parse_args()
    if not hasattr(os, "fork"):
        print("campaign: it needs Linux or macOS, where processes can be forked and limited", file=sys.stderr)
        return 2
    if arguments.repeat is not None:
        part, number = arguments.repeat
        return repeat(part, number, 1 if arguments.seed is None else arguments.seed)
    try:
        totals = Totals.open(arguments.json, arguments.seed)
    except TotalsError as error:
        print(f"campaign: {error}", file=sys.stderr)
        return 2
    parts = [PARTS[name] for name in arguments.only or PARTS]
    campaign = Campaign(totals, parts, 60 * arguments.minutes, tell)
    print(f"seed {totals.seed}; {', '.join(part.name for part in parts)}; totals in {totals.path}", flush=True)
    campaign.run(arguments.workers)
    print(table(totals))
    wrong = intervals.wrong(totals.of("intervals").counts)
    for line in wrong:
        print(f"FAILED intervals: {line}")
    failed = sum(totals.of(name).failures for name in PARTS)
    return int(failed > 0 or len(wrong) > 0)


def parser() -> argparse.ArgumentParser:
    """The options of the command line."""
    found = argparse.ArgumentParser("python -m campaign", description=__doc__)
    found.add_argument("--minutes", type=float, default=5.0, help="how long (default: 5)")
    found.add_argument("--only", nargs="+", choices=PARTS, metavar="PART", help=f"which parts: {', '.join(PARTS)}")
    found.add_argument("--seed", type=int, help="seed of all random numbers (default: 1, or that of the totals)")
    found.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one for each core)"
    )
    found.add_argument("--json", type=Path, default=BUILD / "totals.json", help="the file of the totals")
    found.add_argument("--repeat", nargs=2, metavar=("PART", "NUMBER"), help="carry out one batch again, here")
    return found


def repeat(part: str, number: str, seed: int) -> int:
    """Carry out one batch in this process, and print its failures with their inputs."""
    if part not in PARTS or not number.isdecimal():
        print(f"campaign: --repeat takes a part ({', '.join(PARTS)}) and the number of a batch", file=sys.stderr)
        return 2
    result = run_batch(Batch(part, seed, int(number)))
    for failure in result.failures:
        print(failure.words, *(f"{name}:\n{text[:SHOWN]}" for name, text in failure.inputs.items()), sep="\n")
    print(f"{result.done:,} {PARTS[part].unit}, {len(result.failures)} failures")
    return int(len(result.failures) > 0)


def tell(line: str) -> None:
    """Print progress."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
