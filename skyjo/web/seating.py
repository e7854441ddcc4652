"""Who may sit at a table: people at this browser, invited people, and agents that are allowed."""

import re
from collections.abc import Sequence
from typing import Any

from cardtable.agents import AgentRegistry, decides_alone
from cardtable.checks import brief
from cardtable.errors import AgentError, TableError
from skyjo.table.played_game import SeatedAgent

YOU, OPEN = "you", "open"  # the seats of people: at this browser, and free
PEOPLE = (YOU, OPEN)
MOST_NUMBER = 1000  # the greatest number in an agent's text, such as rollouts for a decision


def allowed_agents(registry: AgentRegistry) -> tuple[str, ...]:
    """The names of the agents that may sit down: those that see what their seat sees, and ask nobody."""
    return tuple(name for name in registry.names if _is_allowed(registry, name))


def _is_allowed(registry: AgentRegistry, name: str) -> bool:
    try:
        factory = registry.factory(name)
        return decides_alone(factory)
    except AgentError:  # it cannot be loaded
        return False


def seated_agents(registry: AgentRegistry, rules: Any, seats: Sequence[str]) -> list[SeatedAgent | None]:
    """The agents by seat, None for people; AgentError for an agent that may not sit down."""
    for text in set(seats) - {*PEOPLE}:
        _check_text(registry, text)
    made = {text: SeatedAgent(text, registry.make(text, rules)) for text in dict.fromkeys(seats) if text not in PEOPLE}
    return [made.get(text) for text in seats]


def may_sit_down(registry: AgentRegistry, text: str) -> bool:
    """Can a table be opened with this agent?"""
    try:
        registry.factory(text)
        _check_text(registry, text)
    except AgentError:
        return False
    return True


def stand_in(registry: AgentRegistry, rules: Any, text: str) -> SeatedAgent:
    """An agent that acts once in a person's place; AgentError for one that may not sit down."""
    _check_text(registry, text)
    return SeatedAgent(text, registry.make(text, rules))


def _check_text(registry: AgentRegistry, text: str) -> None:
    """An agent's text comes from a browser: it may not open files, ask anybody, see hidden cards or think for long."""
    forbidden = {*registry.names} - {*allowed_agents(registry)}
    if forbidden & {*re.findall(r"\w+", text), *re.findall(r"[\w-]+", text)}:
        raise AgentError(f"agent {brief(text)} may not play here")
    if re.search(r"[/\\~]|path|seconds|threads", text):
        raise AgentError(f"agent {brief(text)} names a file, a time or threads, which only the command line allows")
    if any(float(number) > MOST_NUMBER for number in re.findall(r"\d+(?:\.\d+)?", text)) or re.search(
        r"[\d.][_eE]", text
    ):
        raise AgentError(f"agent {brief(text)}: numbers are at most {MOST_NUMBER} here")


def check_seats(seats: Sequence[str], players: tuple[int, int]) -> None:
    """TableError unless this many can play."""
    least, most = players
    if not least <= len(seats) <= most:
        raise TableError(f"this game needs {least} to {most} seats, not {len(seats)}")


def seat_titles(seats: Sequence[str], owners: Sequence[str | None], viewer: str) -> list[str]:
    """What this viewer sees seats called: "you", an agent's text, or else the number of the seat, from 1."""
    return [_title(seat, seats, owners, viewer) for seat in range(len(seats))]


def _title(seat: int, seats: Sequence[str], owners: Sequence[str | None], viewer: str) -> str:
    if seats[seat] not in PEOPLE:
        text = seats[seat] if len(seats[seat]) <= 24 else f"{seats[seat][:23]}…"
        return text if seats.count(seats[seat]) == 1 else f"{text} (seat {seat + 1})"
    if owners[seat] is None:
        return f"open seat {seat + 1}"
    if owners[seat] != viewer:
        return f"seat {seat + 1}"
    return "you" if owners.count(viewer) == 1 else f"you (seat {seat + 1})"
