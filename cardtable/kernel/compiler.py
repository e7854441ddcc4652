"""How hot loops are compiled: once per version of their sources, announced, and kept on disk.

Numba's own cache looks at one file at a time: after a change in one file, the code that was compiled from it into the
functions of another file would stay in use. Here a cache folder is named after all sources that may be compiled into
each other.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import event

from cardtable.kernel.code_cache import CodeCache

FLOOR = Path(__file__).parent  # compiled into everything else

config: Any = numba.config  # its attributes are made at run time


PREFIX = f"cardtable-{sys.implementation.cache_tag}-numba{numba.__version__}-"


def fingerprint(*folders: Path) -> str:
    """A digest of the sources in these folders and in this one, which may be compiled into each other."""
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted({source for folder in (FLOOR, *folders) for source in folder.glob("*.py")}):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _forget_older(folder: Path) -> None:
    """Remove what was compiled from earlier versions of these very sources."""
    for older in folder.parent.glob(f"{PREFIX}*"):
        if older != folder:
            shutil.rmtree(older, ignore_errors=True)


def _user_cache() -> Path | None:
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "skyjo-env")
    except RuntimeError:  # a user without a home
        return None


def cache_folder(folder: Path, *used: Path) -> str | None:
    """Where code compiled from these sources is kept, or None where nothing can be written.

    Numba is only given a folder that it can use: refused one, it would fall back on a cache that mixes versions.
    """
    name = PREFIX + fingerprint(folder, *used)
    beside = folder / "__pycache__"
    for parent in (config.CACHE_DIR, beside, _user_cache()):
        if parent and _writable(Path(parent, name)):
            if parent == beside:
                _forget_older(Path(parent, name))
            return str(Path(parent, name))
    return None


class _Announcer(event.Listener):
    """Says on standard error, once a process, that something is being compiled."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, what: event.Event) -> None:
        function = what.data["dispatcher"].py_func
        if function in OURS and not self.said:
            self.said = True
            package = function.__module__.partition(".")[0]
            print(f"{package}: compiling, which can take a minute; {KEPT} ...", file=sys.stderr)

    def on_end(self, what: event.Event) -> None:
        """Nothing to say."""


OURS: set[Callable[..., Any]] = set()  # every function that is compiled by us

KEPT = "kept for the next start" if cache_folder(FLOOR) else "no folder can be written to keep it, set NUMBA_CACHE_DIR"
listen: Any = event.register  # numba is not typed
listen("numba:compile", _Announcer())


def compiler_of(source: str, *used: str, inline: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for the functions in the folder of `source`: compiled for the CPU at the first call, without Python
    objects and without the GIL.

    The code is kept apart for every version of the sources in that folder, of those beside the files that are `used`,
    and of those in this folder. With `inline` the machine code becomes part of every compiled function that calls it.
    """
    cache = cache_folder(*(Path(file).parent for file in (source, *used)))

    def compiled(function: Callable[..., Any]) -> Any:
        OURS.add(function)
        before, config.CACHE_DIR = config.CACHE_DIR, cache or config.CACHE_DIR
        try:
            dispatcher: Any = numba.njit(nogil=True, error_model="numpy", forceinline=inline)(function)
            if cache is not None and not config.DISABLE_JIT:
                dispatcher._cache = CodeCache(function)
            return dispatcher
        finally:
            config.CACHE_DIR = before

    return compiled


def part(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator for functions that take compiled functions as arguments. They become part of whatever calls them.

    The code of the caller can be kept, since after inlining it holds no address of the functions that it passes. Its
    `compiler_of` must name their folder.
    """
    return numba.njit(nogil=True, error_model="numpy", forceinline=True)(function)


kernel = compiler_of(__file__)
inlined_kernel = compiler_of(__file__, inline=True)  # short functions that take arrays: a call costs more than they do
