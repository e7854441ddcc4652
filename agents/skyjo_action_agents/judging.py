"""Who can judge decisions of Skyjo Action."""

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.analysis import Analyst, Marks, RolloutAnalyst, Spread
from cardtable.table.agents.agents import Agent
from cardtable.table.errors import AgentError
from skyjo_action_agents.searches import RolloutAgent
from skyjo_action_env.card_game import SKYJO_ACTION


class SkyjoActionAnalyst(RolloutAnalyst):
    """Judges decisions by rollouts."""

    marks, spread = Marks(inaccuracy=3.0, mistake=6.0, blunder=12.0, chance=0.08), Spread(2.0, 2.5)
    guesses = 100  # a whole round is played on from each

    def left(self, observation: NDArray[np.int16]) -> float:
        """The hidden cards of a layout."""
        return float(SKYJO_ACTION.spec_of(self.rules).view(observation).hidden_left.mean())


def analyst_of(agent: Agent) -> Analyst:
    """The analyst that judges as this agent does; AgentError if it cannot judge."""
    if isinstance(agent, RolloutAgent):
        return SkyjoActionAnalyst(agent)
    raise AgentError("it cannot judge; rollout can")
