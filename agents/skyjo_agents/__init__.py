"""Who plays: scripted agents, each in a small file, compiled, seeing nothing but observations; search on top; and
learned policies.

`skyjo_env.make_agent("threshold:t=2", rules)` makes them by name, wherever an agent is asked for.
"""

from skyjo_agents.peek import PeekAgent
from skyjo_agents.policy_agent import PolicyAgent
from skyjo_agents.rollout import RolloutAgent
from skyjo_agents.scripted import ExpectedAgent, NaiveAgent, TempoAgent, ThresholdAgent

__all__ = ["ExpectedAgent", "NaiveAgent", "PeekAgent", "PolicyAgent", "RolloutAgent", "TempoAgent", "ThresholdAgent"]
