"""Agents that play Nim."""

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


AGENTS = {name.lower(): f"tests.cardtable.nim.players:{name}" for name in ("Greedy", "Perfect", "Slow")}
