"""How the kernel is compiled: once per version of its sources, announced, and kept on disk.

Numba's own cache looks at one file at a time, so a change in `play.py` would leave the code that was compiled into
`batch.py` in use. Here the cache folder is named after all the kernel's sources together.
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

KERNEL = Path(__file__).parent

config: Any = numba.config  # its attributes are made at run time


PREFIX = f"skyjo-kernel-{sys.implementation.cache_tag}-numba{numba.__version__}-"


def fingerprint(*folders: Path) -> str:
    """Of the sources in some folders and of the kernel, which may be compiled into each other."""
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted({source for folder in (KERNEL, *folders) for source in folder.glob("*.py")}):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _forget_older(folder: Path) -> None:
    """Remove what was compiled from earlier sources of this very kernel."""
    for older in folder.parent.glob(f"{PREFIX}*"):
        if older != folder:
            shutil.rmtree(older, ignore_errors=True)


def _user_cache() -> Path | None:
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "skyjo-env")
    except RuntimeError:  # a user without a home
        return None


def _cache_folder(folder: Path, *used: Path) -> str | None:
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
    """Says on standard error, once a process, that the kernel is being compiled."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, what: event.Event) -> None:
        if what.data["dispatcher"].py_func in OURS and not self.said:
            self.said = True
            print(f"skyjo_env: compiling the kernel, up to 20 seconds; {KEPT} ...", file=sys.stderr)

    def on_end(self, what: event.Event) -> None:
        """Nothing to say."""


OURS: set[Callable[..., Any]] = set()  # every function that is compiled by us

FOLDER = _cache_folder(KERNEL)
KEPT = "kept for the next start" if FOLDER else "no folder can be written to keep it, set NUMBA_CACHE_DIR"
event.register("numba:compile", _Announcer())


def compiler(cache: str | None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: compile for the CPU at the first call, kept in this folder, no Python objects, no GIL."""

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        OURS.add(function)
        before, config.CACHE_DIR = config.CACHE_DIR, cache or config.CACHE_DIR
        try:
            return numba.njit(cache=cache is not None, nogil=True, error_model="numpy")(function)
        finally:
            config.CACHE_DIR = before

    return compiled


def compiler_of(source: str, *used: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The compiler for the files beside `source`.

    What it makes is kept apart for every version of them, of those beside the files that are `used`, and of the kernel.
    """
    return compiler(_cache_folder(*(Path(file).parent for file in (source, *used))))


kernel = compiler(FOLDER)
