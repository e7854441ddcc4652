"""The table with PettingZoo's parallel API: every agent acts in every step, and all but the one to move wait.

PettingZoo's `turn_based_aec_to_parallel` works too, but leaves those who wait without any legal action, from which no
masked distribution can be made.
"""

from typing import Any, ClassVar, Unpack

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv
from pettingzoo.utils.env_logger import EnvLogger

from cardtable.table.checks import action_number
from cardtable.table.envs.aec import Observation, TableAECEnv
from cardtable.table.envs.options import TableKeywords, TableOptions, takes
from cardtable.table.errors import CallError

Steps = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class TableParallelEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo is not typed
    """Every seat is an agent, and all act in every step. Each game has a class with its `turns`, where they take turns.

    There is one more action than there, the last: to wait. It is the only legal action for agents that are not to move,
    and illegal for the agent that is. Choices of agents that are not to move are ignored. The rest is as in `turns`.
    """

    turns: ClassVar[type[TableAECEnv]]
    metadata: dict[str, Any]

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "turns"):
            cls.metadata = cls.turns.metadata | {"is_parallelizable": True}

    @takes(TableOptions)
    def __init__(self, rules: Any = "", **options: Unpack[TableKeywords]) -> None:
        """Take the options of `turns`."""
        self._turns = turns = self.turns(rules, **options)
        self.rules, self.render_mode = turns.rules, turns.render_mode
        self.possible_agents = turns.possible_agents[:]
        self.agents: list[str] = []
        self.wait = actions = turns.rules.actions
        self._waits = np.zeros(actions + 1, np.int8)  # the mask of an agent that is not to move
        self._waits[actions] = 1
        self.action_spaces = {agent: spaces.Discrete(actions + 1) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict({**space, "action_mask": spaces.Box(0, 1, (actions + 1,), np.int8)})
            for agent, space in turns.observation_spaces.items()
        }

    @property
    def game(self) -> Any:
        """The table itself."""
        return self._turns.game

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the same for all agents, but a separate object for each."""
        self._turns.observation_space(agent)  # raises for unknown agents
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the same for all agents, but a separate object for each."""
        self._turns.action_space(agent)
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal, see `TableAECEnv.reset`."""
        self._turns.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), self._turns.infos.copy()

    def step(self, actions: dict[str, Any]) -> Steps:
        """Carry out the decision of the agent that is to move; its action must be there, the others' need not."""
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return {}, {}, {}, {}, {}
        turns, agent = self._turns, self._turns.agent_selection
        if agent not in actions:
            raise CallError(f"there is no action for {agent}, which is to move")
        if action_number(actions[agent]) == self.wait:
            turns.forfeit(
                f"action {self.wait} (wait) of seat {self.possible_agents.index(agent)} is illegal: it is to move"
            )
        else:
            turns.step(actions[agent])
        if any(turns.terminations.values()) or any(turns.truncations.values()):
            self.agents = []
        outcome = turns.rewards.copy(), turns.terminations.copy(), turns.truncations.copy(), turns.infos.copy()
        return self._observations(), *outcome

    def _observations(self) -> dict[str, Observation]:
        turns, seen = self._turns, {}
        to_move = turns.agent_selection if self.agents else None
        for agent in self.possible_agents:
            seen[agent] = observation = turns.observe(agent)
            mask = self._waits.copy()
            if agent == to_move:
                mask[: self.wait], mask[self.wait] = observation["action_mask"], 0
            observation["action_mask"] = mask
        return seen

    def render(self) -> Any:
        """Return the table as `render_mode` says, see `TableAECEnv.render`."""
        return self._turns.render()

    def close(self) -> None:
        """Close the window, if one is open."""
        self._turns.close()
