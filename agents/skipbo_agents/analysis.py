"""Who can judge decisions of Skip-Bo: searches by rollouts."""

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.analysis import Analyst, Marks, RolloutAnalyst, Spread
from cardtable.table.agents.agents import Agent
from cardtable.table.errors import AgentError
from skipbo_agents.rollout import RolloutAgent
from skipbo_env.kernel.scoring import CARD_POINTS
from skipbo_env.observation import spec_of

MARKS = Marks(inaccuracy=CARD_POINTS / 2, mistake=CARD_POINTS, blunder=2 * CARD_POINTS, chance=0.018)


class SkipboAnalyst(RolloutAnalyst):
    """Judges decisions by rollouts."""

    marks, spread = MARKS, Spread(4.2, 5.4)

    def left(self, observation: NDArray[np.int16]) -> float:
        """The cards of a stock pile."""
        return float(spec_of(self.rules).view(observation).stock_sizes.mean())


def analyst_of(agent: Agent) -> Analyst:
    """The analyst that judges as this agent does; AgentError if it cannot judge."""
    if isinstance(agent, RolloutAgent):
        return SkipboAnalyst(agent)
    raise AgentError("it cannot judge; rollout can")
