"""Which agents may sit down when somebody asks for them from outside: a browser, or a language model."""

import re

from cardtable.table.agents.agents import AgentRegistry, decides_alone, names_class
from cardtable.table.checks import brief
from cardtable.table.errors import AgentError

MOST_NUMBER = 1000  # the greatest number in an agent's text, such as rollouts for a decision


def allowed_agents(registry: AgentRegistry) -> tuple[str, ...]:
    """The names of the agents that may sit down: those that see what their seat sees, and ask nobody."""
    return tuple(name for name in registry.names() if _is_allowed(registry, name))


def _is_allowed(registry: AgentRegistry, name: str) -> bool:
    try:
        factory = registry.factory(name)
        return decides_alone(factory)
    except AgentError:  # it cannot be loaded
        return False


def check_guest(registry: AgentRegistry, text: str) -> None:
    """AgentError if an agent of this text could run or open files, ask anybody, see hidden cards or think for long."""
    forbidden = {*registry.names()} - {*allowed_agents(registry)}
    if names_class(text) or forbidden & {*re.findall(r"\w+", text), *re.findall(r"[\w-]+", text)}:
        raise AgentError(f"agent {brief(text)} may not play here")
    if re.search(r"[/\\~]|path|seconds|threads", text):
        raise AgentError(f"agent {brief(text)} names a file, a time or threads, which only the command line allows")
    if any(float(number) > MOST_NUMBER for number in re.findall(r"\d+(?:\.\d+)?", text)) or re.search(
        r"[\d.][_eE]", text
    ):
        raise AgentError(f"agent {brief(text)}: numbers are at most {MOST_NUMBER} here")
