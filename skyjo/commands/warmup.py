"""The command `warmup`: compiles everything in advance, on all cores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import tyro

from skyjo.programs import program

LOOK = 0.2  # seconds between two looks at how far it is


class _Progress(NamedTuple):
    running: list[str]  # names of parts
    finished: int  # how many parts
    compiled: int  # how many functions


@dataclass(frozen=True)
class WarmUp:
    """Compile everything now, on all cores, instead of on first use.

    Code that is already compiled, or came with the package, is not compiled again.
    """

    carry: Annotated[str | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="(default: none)")] = None
    """For building wheels: copy to FOLDER the compiled code that an earlier run kept and this one has used."""

    def run(self) -> None:
        """Compile, and print how many functions that were."""
        from skyjo.commands.warmup_parts import PARTS
        from skyjo.terminal.progress import progress

        so_far = _Progress([], 0, 0)
        with progress("compiling", len(PARTS)) as advance:
            for now in _carried_out(program().game, [*PARTS], self.carry):
                words = f"{', '.join(now.running)}: {now.compiled} functions compiled" if now.running else "compiling"
                advance(now.finished - so_far.finished, words)
                so_far = now
        print(_summary(so_far.compiled))


def _summary(compiled: int) -> str:
    from cardtable.table.compiling.code_folders import FLOOR, CodeFolders

    if compiled == 0:
        return "everything is compiled already"
    own = CodeFolders(FLOOR).own
    place = "not kept: no folder is writable" if own is None else f"kept in {own.parent}"
    return f"{compiled} functions compiled for {program().title}; {place}"


def _carried_out(game: str, parts: list[str], carry: str | None) -> Iterator[_Progress]:
    """Carry out the parts, and yield the progress now and then. The first part, which compiles what all others need,
    runs alone; then each part has a process of its own.
    """
    import multiprocessing
    import os
    from concurrent.futures import ProcessPoolExecutor, wait

    context = multiprocessing.get_context("spawn")
    count: Any = context.Value("q", 0)
    with ProcessPoolExecutor(os.cpu_count(), context, _listen, (count, carry)) as pool:
        finished = 0
        for together in (parts[:1], parts[1:]):
            running = {pool.submit(_carry_out, game, part): part for part in together}
            while running:
                done, _ = wait(running, LOOK)
                for future in done:
                    future.result()
                    del running[future]
                finished += len(done)
                yield _Progress([*running.values()], finished, count.value)


def _listen(count: Any, carry: str | None) -> None:
    """In a process that compiles: count the functions, and copy what is read."""
    from shutil import copyfile

    from cardtable.table.compiling import code_cache, compile_progress

    def one_more() -> None:
        with count.get_lock():
            count.value += 1

    def copy(file: Path) -> None:
        place = Path(str(carry), file.parent.name)
        place.mkdir(parents=True, exist_ok=True)
        copyfile(file, place / file.name)

    compile_progress.on_compiled(one_more)
    if carry is not None:
        code_cache.readers.append(copy)


def _carry_out(game: str, part: str) -> None:
    from skyjo.commands.warmup_parts import PARTS

    PARTS[part](game)
