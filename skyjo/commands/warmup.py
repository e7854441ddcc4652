"""The command `warmup`: everything compiled beforehand, on all cores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from skyjo.programs import program


@dataclass(frozen=True)
class WarmUp:
    """Compile everything now that would be compiled at its first use, on all cores, and keep it for every later start.

    What is compiled already, or came with the package, is not compiled again.
    """

    def run(self) -> None:
        """Compile, and say how much that was."""
        from cardtable.compiling.code_folders import FLOOR, CodeFolders
        from skyjo.terminal.progress import progress

        compiled, game = 0, program().game
        with progress("compiling", len(_parts())) as advance:
            done = 0
            for names, finished, compiled in _carried_out(game):
                words = f"compiling: {', '.join(names)}; {compiled} functions so far" if names else "compiling"
                advance(finished - done, words)
                done = finished
        own = CodeFolders(FLOOR).own
        place = "but no folder can be written to keep them" if own is None else f"kept in {own.parent}"
        print(
            f"{compiled} functions compiled for {program().title}, {place}"
            if compiled
            else "nothing is left to compile"
        )


def _parts() -> dict[str, Any]:
    from skyjo.commands.warmup_parts import PARTS

    return PARTS


LOOK = 0.2  # seconds between two looks at how far it is


def _carried_out(game: str) -> Iterator[tuple[list[str], int, int]]:
    """Which parts are under way, how many are finished, and how many functions have been compiled: now and then.

    What all others need comes first, alone; then each part has a process of its own.
    """
    import multiprocessing
    import os
    from concurrent.futures import ProcessPoolExecutor, wait

    context = multiprocessing.get_context("spawn")
    count: Any = context.Value("q", 0)
    first, *others = _parts()
    with ProcessPoolExecutor(os.cpu_count(), context, _count_compilations, (count,)) as pool:
        finished = 0
        for names in ([first], others):
            running = {pool.submit(_carry_out, game, name): name for name in names}
            while running:
                done, _ = wait(running, LOOK)
                for future in done:
                    future.result()
                    del running[future]
                finished += len(done)
                yield list(running.values()), finished, count.value


def _count_compilations(count: Any) -> None:
    """In a process that compiles: count the functions."""
    from cardtable.compiling.compile_progress import on_compiled

    def one_more() -> None:
        with count.get_lock():
            count.value += 1

    on_compiled(one_more)


def _carry_out(game: str, name: str) -> None:
    _parts()[name](game)
