"""The commands `agents` and `rules`, which look something up."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from skyjo.interfaces import interface

if TYPE_CHECKING:
    from cardtable.table.agents.agents import AgentRegistry

WIDEST = 100  # columns of the rules


class ParameterDocument(TypedDict):
    """A parameter of an agent, with its default if it has one."""

    default: NotRequired[Any]


class AgentDocument(TypedDict):
    """An agent as --json prints it: its parameters and summary, or the error that it cannot be loaded for."""

    name: str
    parameters: NotRequired[Mapping[str, ParameterDocument]]
    summary: NotRequired[str]
    error: NotRequired[str]


@dataclass(frozen=True)
class Agents:
    """List the installed agents, with their parameters and a summary."""

    json: bool = False
    """Print JSON: the name, parameters and summary of each agent, or why it cannot be loaded."""

    def run(self) -> None:
        """Print the list."""
        from cardtable.table.agents.agents import agents_of
        from skyjo.commands.shared import the_game

        registry = agents_of(the_game())
        agents = [describe(registry, name) for name in registry.names()]
        if self.json:
            import json

            print(json.dumps(agents, indent=2, default=str))
        else:
            _print_table(agents)


def describe(registry: AgentRegistry, name: str) -> AgentDocument:
    """Return the description of an agent, or the error if another package's agent fails to load."""
    from inspect import Parameter

    try:
        summary, defaults = registry.describe(name)
    except Exception as error:  # another package's code, which may fail in any way while it is imported
        return {"name": name, "error": " ".join(str(error).split()) or type(error).__name__}
    parameters: dict[str, ParameterDocument] = {
        key: {} if value is Parameter.empty else {"default": value} for key, value in defaults.items()
    }
    return {"name": name, "parameters": parameters, "summary": summary}


def _print_table(agents: list[AgentDocument]) -> None:
    from skyjo.terminal.console import print_table

    rows = [
        (agent["name"], _legend(agent.get("parameters", {})), agent.get("summary", agent.get("error", "")))
        for agent in agents
    ]
    print_table(("agent", "parameters", "what it does"), rows, names=3)


def _legend(parameters: Mapping[str, ParameterDocument]) -> str:
    """`t=2.0`, one a line; a parameter without default by its name alone."""
    return "\n".join(f"{key}={parameter['default']}" if parameter else key for key, parameter in parameters.items())


@dataclass(frozen=True)
class RulesPage:
    """Print the rules of the game, with every clause numbered, and the variants that can be chosen."""

    def run(self) -> None:
        """Print them: laid out on a terminal, as Markdown elsewhere."""
        text = interface().rules_text
        if not sys.stdout.isatty():
            print(text, end="")
            return
        from rich.console import Console
        from rich.markdown import Markdown

        console = Console()
        console.print(Markdown(text), width=min(console.width, WIDEST))
