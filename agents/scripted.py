"""What all scripted agents share: a compiled function that decides at many tables, and its numbers."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skyjo_env.rules import Rules, check_rules


class ScriptedAgent:
    """Decides by `decide(observations, masks, rules, numbers, chances, actions)`, which fills in the actions."""

    decide: ClassVar[Callable[..., None]]

    def __init__(self, rules: Rules, *numbers: float) -> None:
        self.rules = check_rules(rules)
        self._numbers = np.array(numbers, np.float64)

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """One legal action for every table."""
        actions = np.empty(len(observations), np.int64)
        type(self).decide(observations, masks, self.rules.params, self._numbers, chances, actions)
        return actions

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew; there is no state."""
        return _again, (type(self), self.rules, self._numbers.tolist())


def _again(kind: type[ScriptedAgent], rules: Rules, numbers: list[float]) -> ScriptedAgent:
    agent = kind.__new__(kind)
    ScriptedAgent.__init__(agent, rules, *numbers)
    return agent
