"""Agents that decide by compiled scripts, which play whole rounds in compiled code; each game brings its own."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import compiled_player_of, generator_states
from cardtable.card_game import Crew, find_game
from cardtable.errors import AgentError
from cardtable.slices import SliceSpec


class ScriptedAgent:
    """Decides by one of the scripts of its game's crew; its parameters are the numbers in the player's record.

    A game's own class says what its records look like, and which compiled function decides.
    """

    is_parallel = True
    script: ClassVar[int]
    crew: ClassVar[Crew]
    is_base: ClassVar[bool] = True  # may searches let it play on in compiled code?
    player_type: ClassVar[np.dtype[Any]]  # with `script`, `numbers` and `chance`
    spec_of: ClassVar[Callable[..., SliceSpec]]  # of an observation, by the rules
    decide: ClassVar[Callable[..., Any]]  # (observations, rules, players, chances, actions)

    def __init__(self, rules: Any, *numbers: float) -> None:
        self.rules = rules
        self.player = np.zeros(1, self.player_type)  # compiled rounds take it as it is
        self.player["script"] = self.script
        self.player["numbers"][0, : len(numbers)] = numbers

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """One legal action for every table."""
        self._check(observations, masks, chances)
        actions, seen = np.empty(len(masks), np.int64), np.ascontiguousarray(observations, np.int16)
        self.decide(seen, self.rules.params, self.player.copy(), generator_states(chances), actions)
        return actions

    def _check(self, observations: Any, masks: Any, chances: Any) -> None:
        """AgentError unless these are tables of this agent's rules: compiled code would read out of bounds."""
        shapes, tables = (np.shape(observations), np.shape(masks), np.shape(chances)), len(chances)
        size, actions = self.spec_of(self.rules).size, self.rules.actions
        if shapes != ((tables, size), (tables, actions), (tables,)):
            raise AgentError(
                f"an agent for these rules must be given observations [N, {size}], masks [N, {actions}] "
                f"and chances [N], not {', '.join(map(str, shapes))}"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew; there is no state."""
        return _again, (type(self), self.rules, self.player["numbers"][0].tolist())


def _again(kind: type[ScriptedAgent], rules: Any, numbers: list[float]) -> ScriptedAgent:
    agent = kind.__new__(kind)
    ScriptedAgent.__init__(agent, rules, *numbers)
    return agent


def base_of_search(base: str, rules: Any) -> ScriptedAgent:
    """The scripted agent of this name, for a search that lets it play on in compiled code."""
    agent = find_game(rules.game).agents.make(base, rules)
    if not isinstance(agent, ScriptedAgent) or not agent.is_base or compiled_player_of(agent) is not type(agent).crew:
        raise AgentError(f"base={base}: only a scripted agent can be the base of a search")
    return agent
