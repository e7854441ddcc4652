"""The agents of Skip-Bo: compiled scripts that see only observations, and search on top of them.

`skipbo_env.make_agent("hpvp:gap=farthest", rules)` makes one by name.
"""

from skipbo_agents.rollout import RolloutAgent
from skipbo_agents.scripted import GreedyAgent, HpvpAgent, PlannerAgent, RandomAgent

__all__ = ["GreedyAgent", "HpvpAgent", "PlannerAgent", "RandomAgent", "RolloutAgent"]
