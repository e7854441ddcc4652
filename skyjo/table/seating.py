"""Players that may sit at a table: people, and agents that a browser or a language model asks for."""

import re
from collections import Counter
from collections.abc import Sequence

from cardtable.table.agents.agents import AgentRegistry, decides_alone, names_class
from cardtable.table.checks import brief
from cardtable.table.errors import AgentError, TableError

YOU, OPEN = "you", "open"  # the seats of people: at this browser, and free
PEOPLE = (YOU, OPEN)
MAX_NUMBER = 1000  # the greatest number in an agent's text, such as rollouts for a decision


def allowed_agents(registry: AgentRegistry) -> tuple[str, ...]:
    """Return the names of the agents that may sit down: those that see only what their seat sees, and ask no person."""
    return tuple(name for name in registry.names() if _is_allowed(registry, name))


def _is_allowed(registry: AgentRegistry, name: str) -> bool:
    try:
        factory = registry.factory(name)
        return decides_alone(factory)
    except AgentError:  # it cannot be loaded
        return False


def check_guest(registry: AgentRegistry, text: str) -> None:
    """Raise AgentError if an agent of this text could run or open files, ask a person, see hidden cards or think for
    long.
    """
    forbidden = {*registry.names()} - {*allowed_agents(registry)}
    if names_class(text) or forbidden & {*re.findall(r"\w+", text), *re.findall(r"[\w-]+", text)}:
        raise AgentError(f"agent {brief(text)} may not play here")
    if re.search(r"[/\\~]|path|seconds|threads", text):
        raise AgentError(f"agent {brief(text)} names a file, a time or threads, which only the command line allows")
    if any(float(number) > MAX_NUMBER for number in re.findall(r"\d+(?:\.\d+)?", text)) or re.search(
        r"[\d.][_eE]", text
    ):
        raise AgentError(f"agent {brief(text)}: numbers are at most {MAX_NUMBER} here")


def check_seats(seats: Sequence[str], players: tuple[int, int]) -> None:
    """Raise TableError unless this many can play."""
    least, most = players
    if not least <= len(seats) <= most:
        raise TableError(f"this game needs {least} to {most} seats, not {len(seats)}")


def seat_titles(
    seats: Sequence[str], owners: Sequence[str | None], viewer: str, names: Sequence[str] = ()
) -> list[str]:
    """Return the titles of seats for this viewer: "you", a name or an agent's text, or else the number of the seat,
    from 1.
    """
    titles = [_title(seat, seats, owners, viewer, names) for seat in range(len(seats))]
    alike = Counter(map(str.casefold, titles))
    return [title if alike[title.casefold()] == 1 else f"{title} (seat {seat})" for seat, title in enumerate(titles, 1)]


def _title(seat: int, seats: Sequence[str], owners: Sequence[str | None], viewer: str, names: Sequence[str]) -> str:
    """Return the same of one seat, which others may share."""
    is_agent, name = seats[seat] not in PEOPLE, names[seat] if seat < len(names) else ""
    if not is_agent and owners[seat] is None:
        return f"open seat {seat + 1}"
    if not is_agent and owners[seat] == viewer:
        return "you"
    text = seats[seat] if len(seats[seat]) <= 24 else f"{seats[seat][:23]}…"
    return name or (text if is_agent else f"seat {seat + 1}")
