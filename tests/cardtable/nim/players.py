"""Agents that play Nim, and the entry points by which they and the game are found."""

from pathlib import Path
from typing import Any

import numpy as np

from tests.cardtable.nim import NimRules


class Greedy:
    """Takes as many stones as it may."""

    def __init__(self, rules: NimRules) -> None:
        self.rules = rules

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        del observations, chances
        return masks.sum(axis=1).astype(np.int64) - 1


class Perfect(Greedy):
    """Leaves a multiple of one more than may be taken, for two players."""

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        del masks, chances
        rest = observations[:, 0] % (self.rules.most + 1)
        return np.where(rest > 0, rest - 1, 0).astype(np.int64)


class Slow(Perfect):
    """The same, but it thinks long; whoever only plans with it need not build it."""

    is_slow = True

    def __init__(self, rules: NimRules, may_be_built: bool = True) -> None:
        if not may_be_built:
            raise RuntimeError("it was built")
        super().__init__(rules)


def install(folder: Path) -> None:
    """Make the game and its agents known by entry points, as a package of its own would: `folder` is for sys.path."""
    about = folder / "nim-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nim\nVersion: 1.0\n")
    agents = {"random": "cardtable.table.agents.agents:RandomAgent"}
    agents |= {name.lower(): f"tests.cardtable.nim.players:{name}" for name in ("Greedy", "Perfect", "Slow")}
    lines = [f"{name} = {place}" for name, place in agents.items()]
    text = "\n".join(["[cardtable.games]", "nim = tests.cardtable.nim:NIM", "[nim.agents]", *lines, ""])
    (about / "entry_points.txt").write_text(text)
