"""Who plays: scripted agents, each in a small file, compiled, seeing nothing but observations.

`skyjo_env.make_agent("threshold:t=2", rules)` makes them by name, wherever an agent is asked for.
"""

from agents.scripted import ExpectedAgent, NaiveAgent, ThresholdAgent

__all__ = ["ExpectedAgent", "NaiveAgent", "ThresholdAgent"]
