"""Takes from an agent's process everything but one folder and limited resources. No package is imported here."""

import os
import sys
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from cardtable.referee import linux

MB = 2**20
LIBRARIES = 8192 * MB  # of address space beyond the memory: libraries reserve far more than they use
FILES, FILE_SIZE, PROCESSES = 256, 64 * MB, 64

# What libraries look up about the machine.
SYSTEM_FILES = (
    *("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime"),
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/dev/urandom", "/dev/random", "/dev/zero"),
)


@dataclass(frozen=True)
class Bounds:
    """How much an agent's process may use, and where."""

    memory: int  # MB
    cpu: int  # seconds in all
    folder: str  # its own, the only one where it may write
    readable: tuple[str, ...]  # files and folders: Python, the packages, compiled code, files that parameters name
    user: int | None  # a user of its own, if there is a right to make it one

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> Self:
        """The inverse of `dataclasses.asdict`, from JSON."""
        return cls(**{**written, "readable": tuple(written["readable"])})


@dataclass(frozen=True)
class Granted:
    """Which means of confinement the system grants."""

    user: bool
    namespaces: bool
    landlock: bool

    def gaps(self) -> list[str]:
        """What is not promised here, in words."""
        found = []
        if not self.landlock and not self.user:
            found.append("agents can read the files of this user, the secret seed among them")
        if not self.landlock:
            found.append("agents can leave files in shared folders such as /tmp")
        if not self.namespaces:
            found.append("agents can use the network, and processes that they start may outlive them")
        return found


def prepare(bounds: Bounds) -> tuple[bool, bool]:
    """Before the agent's process is forked: switch to a user number of its own, and create namespaces for the child.

    Returns which of the two was granted.
    """
    if bounds.user is not None:
        os.setgroups([])
        os.setresgid(bounds.user, bounds.user, bounds.user)
        os.setresuid(bounds.user, bounds.user, bounds.user)
        linux.reveal()
    has_namespaces = linux.own_namespaces()
    linux.conceal()
    return bounds.user is not None, has_namespaces


def confine(bounds: Bounds) -> bool:
    """In the agent's process, before any of its code runs: give up all else. Returns whether Landlock was granted."""
    linux.end_with_parent()
    _limit(bounds)
    linux.own_keyring()
    linux.drop_capabilities()
    linux.forbid_new_rights()
    readable = [Path(path) for path in (*SYSTEM_FILES, *bounds.readable)]
    has_landlock = linux.restrict_files(readable, [Path(bounds.folder), Path(os.devnull)])
    linux.conceal()
    return has_landlock


def _limit(bounds: Bounds) -> None:
    import resource  # which Windows lacks

    memory = bounds.memory * MB
    limits = {
        "RLIMIT_DATA": memory,
        "RLIMIT_AS": memory + LIBRARIES,
        "RLIMIT_CPU": bounds.cpu,
        "RLIMIT_FSIZE": FILE_SIZE,
        "RLIMIT_NOFILE": FILES,
        "RLIMIT_NPROC": PROCESSES if bounds.user is not None else None,  # others of this user would count
        "RLIMIT_CORE": 0,
    }
    for name, limit in limits.items():
        if limit is not None and hasattr(resource, name):
            which = getattr(resource, name)
            _, hard = resource.getrlimit(which)
            least = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            # macOS refuses limits of memory; docs/referee.md says what is not promised there.
            with nullcontext() if linux.IS_LINUX else suppress(OSError, ValueError):
                resource.setrlimit(which, (least, least))


def needed() -> list[str]:
    """The folders that hold Python and everything that can be imported here."""
    found = [*sys.path, sys.prefix, sys.base_prefix]
    return list(dict.fromkeys(str(Path(each or ".").resolve()) for each in found if Path(each or ".").exists()))
