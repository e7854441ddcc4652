"""The agents of Skyjo: compiled scripts that see only observations, search on top of them, and learned policies.

`skyjo_env.make_agent("threshold:t=2", rules)` makes one by name.
"""

from skyjo_agents.policy import LookaheadAgent, PolicyAgent
from skyjo_agents.rollout import OracleAgent, RolloutAgent
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

AGENTS = {  # by name
    "cautious": "skyjo_agents.scripted:CautiousAgent",
    "collector": "skyjo_agents.scripted:CollectorAgent",
    "copycat": "skyjo_agents.scripted:CopycatAgent",
    "expected": "skyjo_agents.scripted:ExpectedAgent",
    "hurried": "skyjo_agents.scripted:HurriedAgent",
    "lookahead": "skyjo_agents.policy:LookaheadAgent",
    "naive": "skyjo_agents.scripted:NaiveAgent",
    "oracle": "skyjo_agents.rollout:OracleAgent",
    "policy": "skyjo_agents.policy:PolicyAgent",
    "rollout": "skyjo_agents.rollout:RolloutAgent",
    "tempo": "skyjo_agents.scripted:TempoAgent",
    "threshold": "skyjo_agents.scripted:ThresholdAgent",
}

__all__ = [
    "AGENTS",
    "CautiousAgent",
    "CollectorAgent",
    "CopycatAgent",
    "ExpectedAgent",
    "HurriedAgent",
    "LookaheadAgent",
    "NaiveAgent",
    "OracleAgent",
    "PolicyAgent",
    "RolloutAgent",
    "TempoAgent",
    "ThresholdAgent",
]
