"""Compilation of hot loops: once per version of their sources, announced, and kept on disk.

Numba's own cache looks at one file at a time: after a change in one file, the code that was compiled from it into the
functions of another file would stay in use. It also takes code for this very processor only. Ours (`code_cache`) is
keyed by the content of all sources, and finds code that a wheel carries for all newer processors (`code_folders`).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from cardtable.table.compiling.code_cache import CodeCache
from cardtable.table.compiling.code_folders import FLOOR, CodeFolders
from cardtable.table.compiling.compile_progress import announce
from cardtable.table.compiling.linking import KernelDispatcher

config: Any = numba.config  # its attributes are made at run time

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def compiler_of(source: str, *used: str, inline: bool = False, whole: bool = False) -> Decorator:
    """Return a decorator for the functions in the folder of `source`: compiled for the CPU at the first call, without
    Python objects and without the GIL.

    The code is kept apart for every version of the sources in that folder, of those beside the files that are `used`,
    and of the shared kernel. With `inline` the machine code becomes part of every compiled function that calls it. With
    `whole` a function that Python calls is compiled together with all functions that it calls, which takes a third of
    the time. Most such functions then run as fast or faster; loops that step many tables do not
    (`cardtable.table.compiling.linking`).
    """
    folders = CodeFolders(*(Path(file).parent for file in (source, *used)))

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher: Any = _dispatcher(function, inline, whole)
        if dispatcher is not function:
            dispatcher._cache = CodeCache(function, folders)
            announce(dispatcher, folders)
        return dispatcher

    return compiled


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a decorator for functions that take compiled functions as arguments. They become part of whatever calls
    them.

    The code of the caller can be kept, since after inlining it holds no address of the functions that it passes. Its
    `compiler_of` must name their folder.
    """
    compiled: Callable[..., Any] = _dispatcher(function, inline=True)
    return compiled


def source_of(compiled: Callable[..., Any]) -> str:
    """Return the file in which a compiled function is written."""
    function: Any = getattr(compiled, "py_func", compiled)
    return str(function.__code__.co_filename)


def _dispatcher(function: Callable[..., Any], inline: bool, whole: bool = False) -> Any:
    """Return a dispatcher that compiles the function when it is called; the function itself if the JIT is disabled."""
    if config.DISABLE_JIT:
        return function
    return KernelDispatcher(function, {"nogil": True, "error_model": "numpy", "forceinline": inline}, whole)


SHARED = str(FLOOR / "__init__.py")
kernel = compiler_of(SHARED)
inlined_kernel = compiler_of(SHARED, inline=True)  # short functions that take arrays: a call costs more than they do
