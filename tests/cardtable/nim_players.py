"""Agents that play Nim, as another package declares them."""

from typing import Any

import numpy as np

from nim_env import NimRules

NIM_AND_PLAYERS = """
[cardtable.games]
nim = nim_env:NIM
[nim_env.agents]
greedy = tests.cardtable.nim_players:Greedy
perfect = tests.cardtable.nim_players:Perfect
"""


class Greedy:
    """Takes as many stones as it may."""

    def __init__(self, rules: NimRules) -> None:
        self.rules = rules

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:  # noqa: ARG002
        return masks.sum(axis=1).astype(np.int64) - 1


class Perfect(Greedy):
    """Leaves a multiple of one more than may be taken, for two players."""

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:  # noqa: ARG002
        return np.maximum(observations[:, 0] % (self.rules.most + 1), 1).astype(np.int64) - 1
