"""How hot loops are compiled: once per version of their sources, announced, and kept on disk.

Numba's own cache looks at one file at a time: after a change in one file, the code that was compiled from it into the
functions of another file would stay in use. It also takes code for this very processor only. Ours (`code_cache`) is
keyed by the content of all sources, and finds code that a wheel carries for all newer processors (`code_folders`).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from cardtable.compiling.code_cache import CodeCache
from cardtable.compiling.code_folders import CodeFolders
from cardtable.compiling.compile_progress import announce

config: Any = numba.config  # its attributes are made at run time


def compiler_of(source: str, *used: str, inline: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for the functions in the folder of `source`: compiled for the CPU at the first call, without Python
    objects and without the GIL.

    The code is kept apart for every version of the sources in that folder, of those beside the files that are `used`,
    and of those in this folder. With `inline` the machine code becomes part of every compiled function that calls it.
    """
    folders = CodeFolders(*(Path(file).parent for file in (source, *used)))

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher: Any = numba.njit(nogil=True, error_model="numpy", forceinline=inline)(function)
        if not config.DISABLE_JIT:
            dispatcher._cache = CodeCache(function, folders)
            announce(dispatcher, folders)
        return dispatcher

    return compiled


def part(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator for functions that take compiled functions as arguments. They become part of whatever calls them.

    The code of the caller can be kept, since after inlining it holds no address of the functions that it passes. Its
    `compiler_of` must name their folder.
    """
    return numba.njit(nogil=True, error_model="numpy", forceinline=True)(function)


kernel = compiler_of(__file__)
inlined_kernel = compiler_of(__file__, inline=True)  # short functions that take arrays: a call costs more than they do
