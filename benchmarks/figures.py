"""Shared code of the benchmarks: figures, timing, and a command that prints a table or JSON."""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """One measured figure."""

    name: str
    players: int
    measured: float
    unit: str
    half: float | None = None  # of a 95 % interval


def timed(run: Callable[[], Any]) -> float:
    """Return the seconds that one run takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def seconds(run: Callable[[], Any], runs: int) -> float:
    """Return the median time of several runs, after one to warm up."""
    run()
    return statistics.median(timed(run) for _ in range(runs))


HEAD = f"{'figure':46}{'players':>8}{'measured':>11}   unit"


def row(figure: Figure) -> str:
    """Return one line of the table."""
    half = "" if figure.half is None else f" ± {figure.half:.3g}"
    return f"{figure.name:46}{figure.players:8d}{figure.measured:11.3g}{half}   {figure.unit}"


def at_least_one(text: str) -> int:
    """Return the number of an option."""
    if int(text) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return int(text)


def parser_for(text: str | None, runs: int) -> argparse.ArgumentParser:
    """Return a parser with the options of all benchmarks."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON; the table goes to standard error")
    parser.add_argument("--quick", action="store_true", help="measure less, and for a shorter time")
    parser.add_argument("--runs", type=at_least_one, default=runs, help=f"runs whose median counts (default {runs})")
    return parser


def report(figures: Iterator[Figure], as_json: bool) -> None:
    """Print every figure as soon as it is measured."""
    progress = sys.stderr if as_json else sys.stdout
    print(HEAD, file=progress)
    done = []
    for figure in figures:
        print(row(figure), file=progress, flush=True)
        done.append(asdict(figure))
    if as_json:
        print(json.dumps(done, indent=2))
