"""For which processors code is compiled: for exactly this one, or for a baseline that all but old processors support.

A wheel carries code for the baseline. Numba compiles for it in the environment that `for_baseline` gives.
"""

import hashlib
import sys
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from numba.core import codegen

config: Any = numba.config  # its attributes are made at run time
host_features: Any = codegen.get_host_cpu_features  # numba is not typed
DIGEST = 4  # bytes


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
    """The baseline of processors like this one, if there is one."""
    return BASELINES.get(_architecture())


def for_baseline(name: str) -> dict[str, str]:
    """The environment variables with which numba compiles for a baseline."""
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}


def target() -> str:
    """Return the processor that numba compiles for in this process, as a name for folders."""
    known = baseline()
    if known is not None and (known.name, "") == (config.CPU_NAME, config.CPU_FEATURES):
        return known.target
    name = config.CPU_NAME or llvm.get_host_cpu_name()
    features = config.CPU_FEATURES if config.CPU_FEATURES is not None else host_features()
    described = f"{llvm.get_process_triple()} {name} {features}{' with bounds' if config.BOUNDSCHECK else ''}"
    return f"{name}-{hashlib.blake2b(described.encode(), digest_size=DIGEST).hexdigest()}"


def is_told() -> bool:
    """Whether numba has been told what to compile for."""
    return config.CPU_NAME is not None or config.CPU_FEATURES is not None or bool(config.BOUNDSCHECK)


def runs_baseline() -> bool:
    """Whether code for the baseline runs here; False if numba has been told what to compile for."""
    known = baseline()
    if known is None or is_told():
        return False
    return known.features <= {word[1:] for word in host_features().split(",") if word.startswith("+")}
