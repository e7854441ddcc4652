"""The progress of a command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardtable.arena.workers.plan_run import PlanProgress


@contextmanager
def progress(words: str, work: float) -> Iterator[Callable[..., None]]:
    """Show a bar on standard error, if that is a terminal, with the time left. Call it with the work done, and with a
    new label if that changes. The bar also shows the functions that are being compiled.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from cardtable.table.compiling.compile_progress import telling

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda *_: None
        return
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(words, total=work)
        current = words

        def advance(done: float, now: str = words) -> None:
            nonlocal current
            current = now
            bar.update(task, advance=done, description=now)

        def compiling(how_far: str) -> None:
            bar.update(task, description=how_far or current)

        with telling(compiling):
            yield advance


@contextmanager
def playing(
    deals: int, say: Callable[[PlanProgress], str] = lambda _: "playing"
) -> Iterator[Callable[[PlanProgress], None]]:
    """Show a bar for the deals of a plan."""
    reported = 0
    with progress("playing", deals) as advance:

        def report(course: PlanProgress) -> None:
            nonlocal reported
            advance(course.played - reported, say(course))
            reported = course.played

        yield report


@contextmanager
def resumable(store: str | None) -> Iterator[None]:
    """Say that stored games are not lost when the user interrupts."""
    try:
        yield
    except KeyboardInterrupt:
        if store is not None:
            hint = f"{store}: the games played so far are kept; run the same command to continue"
            print(f"\n{hint}", end="", file=sys.stderr)
        raise
