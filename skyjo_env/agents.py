"""Skyjo's agents by name.

`cardtable.agents` explains what an agent is. A package of your own declares its agents under the group of entry points
`skyjo_env.agents`: a name, and a factory that is called with the rules and the parameters.
"""

from typing import Any

from cardtable.agents import Agent, AgentRegistry
from skyjo_env.rules import OFFICIAL, Rules

REGISTRY = AgentRegistry("skyjo_env.agents")


def agent_names() -> tuple[str, ...]:
    """The names of all agents that are installed."""
    return REGISTRY.names


def make_agent(text: str, rules: Rules | str = OFFICIAL) -> Agent:
    """The agent that a text describes, `name` or `name:parameter=value,...`; AgentError lists the known ones.

    >>> make_agent("random").__class__.__name__
    'RandomAgent'
    """
    return REGISTRY.make(text, Rules.check(rules))


def describe_agent(name: str) -> tuple[str, dict[str, Any]]:
    """The first paragraph of an agent's documentation, and its parameters with their defaults.

    >>> describe_agent("random")
    ('Plays any legal action, each equally likely.', {})
    """
    return REGISTRY.describe(name)
