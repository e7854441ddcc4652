"""The agents of Skip-Bo: compiled scripts that see only observations, and search on top of them.

`skipbo_env.make_agent("hpvp:gap=farthest", rules)` makes one by name.
"""

from skipbo_agents.scripted import GreedyAgent, HpvpAgent, PlannerAgent, RandomAgent
from skipbo_agents.search import RolloutAgent

AGENTS = {  # by name
    "greedy": "skipbo_agents.scripted:GreedyAgent",
    "hpvp": "skipbo_agents.scripted:HpvpAgent",
    "oracle": "skipbo_agents.search:OracleAgent",
    "planner": "skipbo_agents.scripted:PlannerAgent",
    "random": "skipbo_agents.scripted:RandomAgent",
    "rollout": "skipbo_agents.search:RolloutAgent",
}

__all__ = ["AGENTS", "GreedyAgent", "HpvpAgent", "PlannerAgent", "RandomAgent", "RolloutAgent"]
