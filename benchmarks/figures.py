"""What the benchmarks share: figures with targets, timing, and a command that prints a table or JSON."""

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
    """One measured figure and what it should be."""

    name: str
    players: int
    measured: float
    unit: str
    target: float | None = None
    at_most: bool = False  # the target is an upper limit

    @property
    def is_met(self) -> bool:
        """Is the measured figure on the right side of its target, if it has one?"""
        if self.target is None:
            return True
        return bool(self.measured <= self.target if self.at_most else self.measured >= self.target)


def seconds(run: Callable[[], Any], runs: int) -> float:
    """The median time of several runs, after one to warm up."""
    run()
    return statistics.median(timed(run) for _ in range(runs))


def timed(run: Callable[[], Any]) -> float:
    """The time of one run."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def times_faster(one: Callable[[], Any], other: Callable[[], Any], runs: int) -> float:
    """How many times faster the second is: the median of pairs, one right after the other."""
    one(), other()
    return statistics.median(timed(one) / timed(other) for _ in range(runs))


HEAD = f"{'figure':44}{'players':>8}{'measured':>11} {'unit':17}{'target':>9}"


def row(figure: Figure) -> str:
    """One line of the table."""
    sign = "<" if figure.at_most else ">="
    target = "-" if figure.target is None else f"{sign} {figure.target:g}"
    missed = "" if figure.is_met else "  missed"
    return f"{figure.name:44}{figure.players:8d}{figure.measured:11.3g} {figure.unit:17}{target:>9}{missed}"


def parser_for(text: str | None, runs: int) -> argparse.ArgumentParser:
    """A parser with the options that all benchmarks have."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--quick", action="store_true", help="short runs, and only the speed of play")
    parser.add_argument("--runs", type=int, default=runs, help=f"runs whose median is reported (default {runs})")
    return parser


def report(figures: Iterator[Figure], as_json: bool) -> None:
    """Print every figure as soon as it is measured; with JSON the table goes to standard error."""
    progress = sys.stderr if as_json else sys.stdout
    print(HEAD, file=progress)
    done = []
    for figure in figures:
        print(row(figure), file=progress, flush=True)
        done.append(asdict(figure) | {"is_met": figure.is_met})
    if as_json:
        print(json.dumps(done, indent=2))
