"""Folders of compiled code: code that a wheel carries and code compiled on this machine, by processor.

A wheel carries code for a baseline that all but old processors support. Numba compiles for it in the environment that
`for_baseline` gives, and otherwise for exactly this processor.

A folder is named after everything that its code depends on: Python, numba, llvmlite and numpy, the processor, and the
content of all sources that may be compiled into each other. If any of that differs, the code is not found, and is
compiled. The names are digests, because Windows by default allows a path only 259 characters.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import codegen

FLOOR = Path(__file__).parents[1] / "kernel"  # compiled into everything else
INVOLVED = ("compiler.py", "linking.py")  # of this folder: they decide what is made of the sources
CARRIED = Path(__file__).parent / "precompiled"  # in wheels that carry compiled code
MADE_FOR = "versions.txt"  # in there: VERSIONS of the builder of the wheel

config: Any = numba.config  # its attributes are made at run time
host_features: Any = codegen.get_host_cpu_features  # numba is not typed

NUMPY = ".".join(np.__version__.split(".")[:2])
PYTHON = sys.implementation.cache_tag
VERSIONS = f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, numpy {NUMPY}, Python {PYTHON}"


class Baseline(NamedTuple):
    """A processor by LLVM's name, and the features that code for it relies on."""

    name: str
    features: frozenset[str]

    @property
    def target(self) -> str:
        """The name of this target in the names of folders."""
        return f"{sys.platform}-{_architecture()}-{self.name}"


V3 = "avx avx2 bmi bmi2 cmov cx16 cx8 f16c fma fxsr lzcnt mmx movbe popcnt sahf sse sse2 sse3 sse4.1 sse4.2 ssse3 xsave"
BASELINES = {
    "x86_64": Baseline("x86-64-v3", frozenset(V3.split())),
    "aarch64": Baseline("generic", frozenset()),
    "arm64": Baseline("generic", frozenset()),
}


def _architecture() -> str:
    return str(llvm.get_process_triple()).partition("-")[0]


def baseline() -> Baseline | None:
    """Return the baseline of processors like this one, if there is one."""
    return BASELINES.get(_architecture())


def for_baseline(name: str) -> dict[str, str]:
    """Return the environment variables with which numba compiles for a baseline."""
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}


def target() -> str:
    """Return the processor that numba compiles for in this process, as a name for folders."""
    shipped = baseline()
    if shipped is not None and (shipped.name, "") == (config.CPU_NAME, config.CPU_FEATURES):
        return shipped.target
    name = config.CPU_NAME or llvm.get_host_cpu_name()
    features = config.CPU_FEATURES if config.CPU_FEATURES is not None else host_features()
    described = f"{llvm.get_process_triple()} {name} {features}{' with bounds' if config.BOUNDSCHECK else ''}"
    return f"{name}-{hashlib.blake2b(described.encode(), digest_size=4).hexdigest()}"


def is_told() -> bool:
    """Return whether numba has been told what to compile for."""
    return config.CPU_NAME is not None or config.CPU_FEATURES is not None or bool(config.BOUNDSCHECK)


def runs_baseline() -> bool:
    """Return whether code for the baseline runs here; False if numba has been told what to compile for."""
    shipped = baseline()
    if shipped is None or is_told():
        return False
    return shipped.features <= {word[1:] for word in host_features().split(",") if word.startswith("+")}


def fingerprint(*folders: Path) -> str:
    """Return a digest of the sources in these folders and in the shared kernel, which may be compiled into each other,
    and of how they are compiled.

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
        shipped = baseline()
        if shipped is None or not CARRIED.is_dir() or not runs_baseline():
            return None
        return CARRIED / self._name(shipped.target)

    @property
    def readable(self) -> list[Path]:
        """The folders that may hold code, also the one next to the sources if it cannot be written to."""
        beside = None if config.CACHE_DIR else self._beside / self._name(target())
        return [folder for folder in dict.fromkeys((self.carried, beside, self.own)) if folder is not None]

    @property
    def own(self) -> Path | None:
        """The folder for code that is compiled here; None where nothing can be written."""
        name = self._name(target())
        return next((parent / name for parent in self._parents() if _writable(parent)), None)

    def forget_older(self) -> None:
        """Remove the code that was compiled from earlier versions of these sources, if it lies next to them."""
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
        with suppress(RuntimeError):  # of a user without a home
            yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "skyjo-env")


def why_compiled() -> str | None:
    """Return the reason why this installation's own code cannot be used; None if it can, in a clone, and if the user
    has told numba what to compile for.
    """
    if is_told() or FLOOR.parents[2].joinpath("pyproject.toml").exists():
        return None
    if not CARRIED.is_dir():
        return "was installed without compiled code"
    versions = CARRIED.joinpath(MADE_FOR).read_text("utf-8")
    if versions == VERSIONS:
        return None if runs_baseline() else "came with compiled code for newer processors than this one"
    pairs = zip(versions.split(", "), VERSIONS.split(", "), strict=True)
    theirs, ours = next(pair for pair in pairs if pair[0] != pair[1])
    return f"came with code compiled for {theirs}, but finds {ours}"


def _prefix(processor: str) -> str:
    return f"cardtable-{hashlib.blake2b(f'{VERSIONS}-{processor}'.encode(), digest_size=6).hexdigest()}-"


def _writable(folder: Path) -> bool:
    """Return whether files can be written there, perhaps after making the folder."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK | os.X_OK)
