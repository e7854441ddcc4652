"""The agents of Skyjo Action: compiled scripts that see only observations, and search on top of them.

`skyjo_action_env.make_agent("planner", rules)` makes one by name.
"""

from skyjo_action_agents.scripted import GreedyAgent, PlannerAgent
from skyjo_action_agents.searches import OracleAgent, RolloutAgent

AGENTS = {  # by name
    "greedy": "skyjo_action_agents.scripted:GreedyAgent",
    "oracle": "skyjo_action_agents.searches:OracleAgent",
    "planner": "skyjo_action_agents.scripted:PlannerAgent",
    "rollout": "skyjo_action_agents.searches:RolloutAgent",
}

__all__ = ["AGENTS", "GreedyAgent", "OracleAgent", "PlannerAgent", "RolloutAgent"]
