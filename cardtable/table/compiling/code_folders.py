"""Where compiled code is kept: what a wheel carries, and what was compiled on this machine.

A folder is named after everything that its code depends on: Python, numba, llvmlite and numpy, the processor, and the
content of all sources that may be compiled into each other. If any of that differs, the code is not found, and is
compiled. The names are digests, because Windows by default allows a path only 259 characters.
"""

import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

from cardtable.table.compiling.targets import baseline, is_told, runs_baseline, target

FLOOR = Path(__file__).parents[1] / "kernel"  # compiled into everything else
INVOLVED = ("compiler.py", "intrinsics.py", "linking.py")  # of this folder: they decide what is made of the sources
PLACE = Path("cardtable", "table", "compiling", "precompiled")  # in wheels that carry compiled code


def installed_code() -> Path:
    """Return where compiled code was installed: a clone hides an installed wheel, but can use its code if the sources
    are the same.
    """
    beside = Path(__file__).parent / PLACE.name
    return next((there for there in (beside, *(Path(path, PLACE) for path in sys.path)) if there.is_dir()), beside)


CARRIED = installed_code()
MADE_FOR = "versions.txt"  # in there: VERSIONS of whoever built the wheel

config: Any = numba.config  # its attributes are made at run time

NUMPY = ".".join(np.__version__.split(".")[:2])
VERSIONS = f"{sys.implementation.cache_tag}-numba{numba.__version__}-llvmlite{llvmlite.__version__}-numpy{NUMPY}"
NAMED = re.compile(r"(?P<Python>.+?)-numba(?P<numba>.+?)-llvmlite(?P<llvmlite>.+?)-numpy(?P<numpy>.+)")


def fingerprint(*folders: Path) -> str:
    """A digest of the sources in these folders and in the shared kernel, which may be compiled into each other, and of
    how they are compiled.

    It does not depend on where the folders are, which differs between a wheel and a clone.
    """
    sources = {source for folder in (FLOOR, *folders) for source in folder.glob("*.py")}
    sources |= {Path(__file__).parent / name for name in INVOLVED}
    described = sorted(source.name.encode() + _content(source) for source in sources)
    return hashlib.blake2b(b"".join(described), digest_size=8).hexdigest()


@cache
def _content(source: Path) -> bytes:
    return hashlib.blake2b(source.read_bytes(), digest_size=8).digest()


class CodeFolders:
    """The folders for compiled functions whose sources are in `folder`, together with the sources `used` by them."""

    def __init__(self, folder: Path, *used: Path) -> None:
        self._beside, self._fingerprint = folder / "__pycache__", fingerprint(folder, *used)

    @property
    def carried(self) -> Path | None:
        """The folder that came with the wheel, if this processor can run its code."""
        known = baseline()
        if known is None or not CARRIED.is_dir() or not runs_baseline():
            return None
        return CARRIED / self._name(known.target)

    @property
    def readable(self) -> list[Path]:
        """The folders that may hold code, also the one beside the sources where it cannot be written to."""
        beside = None if config.CACHE_DIR else self._beside / self._name(target())
        return [folder for folder in dict.fromkeys((self.carried, beside, self.own)) if folder is not None]

    @property
    def own(self) -> Path | None:
        """The folder for code that is compiled here; None where nothing can be written."""
        name = self._name(target())
        for parent in self._parents():
            if _writable(parent):
                return parent / name
        return None

    def forget_older(self) -> None:
        """Remove what was compiled from earlier versions of these sources, if it is beside them."""
        own = self.own
        if own is None or own.parent != self._beside:
            return
        for older in own.parent.glob(f"{_prefix(target())}*"):
            if older != own:
                shutil.rmtree(older, ignore_errors=True)

    def _name(self, processor: str) -> str:
        return _prefix(processor) + self._fingerprint

    def _parents(self) -> Iterator[Path]:
        """Yield the folders that may keep code, the best place first."""
        if config.CACHE_DIR:
            yield Path(config.CACHE_DIR)
        yield self._beside
        yield from filter(None, [user_cache(), temporary_cache()])


def why_compiled() -> str | None:
    """Return the reason why this installation's own code cannot be used; None if it can, in a clone, and if the user
    has told numba what to compile for.
    """
    if is_told() or FLOOR.parents[2].joinpath("pyproject.toml").exists():
        return None
    if not CARRIED.is_dir():
        return "was installed without compiled code"
    carried = CARRIED.joinpath(MADE_FOR).read_text("utf-8")
    if carried == VERSIONS:
        return None if runs_baseline() else "came with compiled code for newer processors than this one"
    theirs, ours = (NAMED.fullmatch(versions) for versions in (carried, VERSIONS))
    if theirs is None or ours is None:
        return None
    package = next(name for name in ("numba", "llvmlite", "numpy", "Python") if theirs[name] != ours[name])
    return f"came with code compiled for {package} {theirs[package]}, but finds {package} {ours[package]}"


def _prefix(processor: str) -> str:
    return f"cardtable-{hashlib.blake2b(f'{VERSIONS}-{processor}'.encode(), digest_size=6).hexdigest()}-"


def _writable(folder: Path) -> bool:
    """Whether files can be written there, perhaps after making the folder."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def user_cache() -> Path | None:
    """The folder for code compiled on this machine, if the user has a home."""
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "skyjo-env")
    except RuntimeError:  # a user without a home
        return None


def temporary_cache() -> Path | None:
    """A folder among the temporary files that only this user can open; None if somebody else has taken its name, and
    on Windows, which numbers no users.

    What lies in it is run, so nobody else may be able to write there.
    """
    if not hasattr(os, "getuid"):
        return None
    user = os.getuid()
    folder = Path(tempfile.gettempdir(), f"skyjo-env-{user}")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        made = folder.lstat()
    except OSError:
        return None
    is_private = stat.S_ISDIR(made.st_mode) and made.st_uid == user and not made.st_mode & 0o077
    return folder if is_private else None
