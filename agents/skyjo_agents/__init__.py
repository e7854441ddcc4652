"""The agents of Skyjo: compiled scripts that see only observations, search on top of them, and learned policies.

`skyjo_env.make_agent("threshold:t=2", rules)` makes one by name.
"""

from skyjo_agents.peek import PeekAgent
from skyjo_agents.policy import LookAgent, PolicyAgent
from skyjo_agents.rollout import RolloutAgent
from skyjo_agents.scripted import (
    CautiousAgent,
    CollectorAgent,
    CopycatAgent,
    ExpectedAgent,
    HurriedAgent,
    NaiveAgent,
    TempoAgent,
    ThresholdAgent,
)

__all__ = [
    "CautiousAgent",
    "CollectorAgent",
    "CopycatAgent",
    "ExpectedAgent",
    "HurriedAgent",
    "LookAgent",
    "NaiveAgent",
    "PeekAgent",
    "PolicyAgent",
    "RolloutAgent",
    "TempoAgent",
    "ThresholdAgent",
]
