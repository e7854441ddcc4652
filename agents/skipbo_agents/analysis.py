"""Who can judge decisions of Skip-Bo: searches by rollouts."""

from math import inf

from cardtable.agents import Agent
from cardtable.analysis import Analyst, Marks, RolloutAnalyst
from cardtable.errors import AgentError
from skipbo_agents.rollout import RolloutAgent
from skipbo_env.kernel.scoring import CARD_POINTS

MARKS = Marks(inaccuracy=CARD_POINTS / 2, mistake=CARD_POINTS, blunder=2 * CARD_POINTS, chance=inf)


class SkipboAnalyst(RolloutAnalyst):
    """Judges decisions by rollouts. How far margins move after these is not measured, so only points count."""

    marks = MARKS


def analyst_of(agent: Agent) -> Analyst:
    """The analyst that judges as this agent does; AgentError if it cannot judge."""
    if isinstance(agent, RolloutAgent):
        return SkipboAnalyst(agent)
    raise AgentError("it cannot judge; rollout can")
