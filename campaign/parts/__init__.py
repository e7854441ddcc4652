"""The parts of the campaign, and how much of each is enough. Each is a module of this name with a function `run`."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

BUILD = Path("build/campaign")


@dataclass(frozen=True)
class Part:
    """What a part counts, how much of it is enough, and its share of the time."""

    name: str
    unit: str
    target: int  # how much is enough, over all runs
    weight: float  # its share of the time
    environment: Mapping[str, str] = field(default_factory=dict)  # variables that are set for its process
    limit: int = 1200  # seconds for a batch, with compiling on a busy machine


CHECKED = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": os.path.abspath(BUILD / "checked_code")}  # noqa: PTH100

PARTS = {
    part.name: part
    for part in (
        Part("decisions", "decisions with invariants", 100_000_000, 1),
        Part("lockstep", "decisions compared with the oracle", 10_000_000, 3),
        Part("leaks", "comparisons of two tables", 1_000_000, 1),
        Part("loaders", "damaged inputs", 1_000_000, 2),
        Part("kills", "kills", 1_000, 2),
        Part("bounds", "decisions and inputs with bounds checked", 1_000_000, 1, CHECKED),
        Part("intervals", "simulated samples", 1_000_000, 1),
    )
}
