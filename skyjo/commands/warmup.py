"""The command `warmup`: compiles everything in advance, on all cores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from skyjo.interfaces import interface


@dataclass(frozen=True)
class WarmUp:
    """Compile everything now, on all cores, instead of on first use.

    Code that is already compiled, or came with the package, is not compiled again.
    """

    carry: Annotated[str | None, tyro.conf.arg(metavar="FOLDER", help_behavior_hint="(default: none)")] = None
    """For building wheels: copy to FOLDER the compiled code that an earlier run kept and this one has used."""

    def run(self) -> None:
        """Carry out the parts: alone the first, which compiles what all others need, then each in its own process."""
        import multiprocessing
        import os
        from concurrent.futures import ProcessPoolExecutor, as_completed

        from cardtable.table.compiling.code_folders import FLOOR, CodeFolders
        from skyjo.commands.warmup_parts import PARTS
        from skyjo.terminal.progress import progress

        first, *others = PARTS
        context = multiprocessing.get_context("spawn")
        with (
            progress("compiling", len(PARTS)) as advance,
            ProcessPoolExecutor(os.cpu_count(), context, _copy_to, (self.carry,)) as pool,
        ):
            for together in ([first], others):
                running = {pool.submit(_carry_out, interface().game, part): part for part in together}
                for future in as_completed([*running]):
                    future.result()
                    del running[future]
                    advance(1, ", ".join(["compiling", *running.values()]))
        own = CodeFolders(FLOOR).own
        print("everything is compiled" if own is None else f"everything is compiled, and kept in {own.parent}")


def _copy_to(carry: str | None) -> None:
    """In a process that compiles, copy the compiled code that is read."""
    from shutil import copyfile

    from cardtable.table.compiling import code_cache

    def copy(file: Path) -> None:
        place = Path(str(carry), file.parent.name)
        place.mkdir(parents=True, exist_ok=True)
        copyfile(file, place / file.name)

    if carry is not None:
        code_cache.readers.append(copy)


def _carry_out(game: str, part: str) -> None:
    from skyjo.commands.warmup_parts import PARTS

    PARTS[part](game)
