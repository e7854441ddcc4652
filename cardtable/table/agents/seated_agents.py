"""Agents that may sit at a table: the name of an agent, an object with a method `act`, or a plain function."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from numpy.typing import NDArray

from cardtable.table.agents.agents import Agent, AgentRegistry, check_act, sees_hidden
from cardtable.table.checks import brief, other_arguments
from cardtable.table.errors import AgentError

PlayFunction = Callable[[NDArray[Any], NDArray[Any]], Any]  # (observations, masks) -> actions
AgentLike = str | Agent | PlayFunction


@dataclass(frozen=True)
class FunctionAgent:
    """An agent whose decisions are those of a function, which sees observations in this encoding."""

    function: PlayFunction
    encoding: str

    @property
    def __name__(self) -> str:
        """The function's, for messages."""
        return name_of(self.function)

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> Any:  # noqa: ARG002
        """Return the function's actions."""
        return self.function(observations, masks)


def agent_of(
    agent: AgentLike, registry: AgentRegistry, rules: Any, role: str = "agent", encoding: str = "compact"
) -> Agent:
    """Return the agent; AgentError if it is none. A function is shown observations in this encoding."""
    if isinstance(agent, type):
        raise AgentError(f"{role} {agent.__name__} is a class; give an object made from it: {agent.__name__}(...)")
    if isinstance(agent, str):
        return registry.make(agent, rules)
    if isinstance(agent, Agent) or sees_hidden(agent):
        check_act(agent, name_of(agent))
        return cast(Agent, agent)
    if not callable(agent):
        raise AgentError(
            f"{role} {brief(agent)} is neither the name of an agent, nor an object with a method act, nor a function"
        )
    forward = getattr(agent, "forward", None)  # of a network in torch, whose own signature says nothing
    name, parameters = name_of(agent), other_arguments(forward or agent, "observations", "masks")
    if parameters is not None:
        remedy = "" if forward is None else "; wrap the network in a function of both that returns actions"
        wanted = f"a function {name}(observations, masks)"
        raise AgentError(f"{role} {name} must be {wanted}, not {name}({parameters}){remedy}")
    return FunctionAgent(agent, encoding)


def name_of(agent: Any) -> str:
    """Return the name of an agent or a function for messages."""
    return agent if isinstance(agent, str) else str(getattr(agent, "__name__", type(agent).__name__))
