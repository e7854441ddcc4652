"""Who can judge decisions of Skip-Bo: searches by rollouts."""

from cardtable.agents import Agent
from cardtable.analysis import Analyst, Marks, RolloutAnalyst
from cardtable.errors import AgentError
from skipbo_agents.rollout import RolloutAgent
from skipbo_env.kernel.scoring import CARD_POINTS

MARKS = Marks(inaccuracy=CARD_POINTS / 2, mistake=CARD_POINTS, blunder=2 * CARD_POINTS)


def analyst_of(agent: Agent) -> Analyst:
    """The analyst that judges as this agent does; AgentError if it cannot judge."""
    if isinstance(agent, RolloutAgent):
        return RolloutAnalyst(agent, MARKS)
    raise AgentError("it cannot judge; rollout can")
