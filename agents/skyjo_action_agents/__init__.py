"""The agents of Skyjo Action: compiled scripts that see only observations, and search on top of them.

`skyjo_action_env.make_agent("planner", rules)` makes one by name.
"""

from skyjo_action_agents.peek import PeekAgent
from skyjo_action_agents.rollout import RolloutAgent
from skyjo_action_agents.scripted import GreedyAgent, PlannerAgent

__all__ = ["GreedyAgent", "PeekAgent", "PlannerAgent", "RolloutAgent"]
