"""Every agent against every other: the tables of a tournament."""

from collections.abc import Sequence
from itertools import combinations

from cardtable.card_game import Setup
from cardtable.checks import whole_number
from cardtable.errors import TableError
from cardtable.play.plan import FEWEST, MOST, Plan, known_agents, pace
from cardtable.referee.guest_process import Referee

MOST_TABLES = 10_000


def tournament(
    agents: Sequence[str], setup: Setup, deals: int = 1000, slow: int | None = None, referee: Referee | None = None
) -> Plan:
    """A table for every combination of agents, one for each seat; `slow` is how many deals are played at tables with a
    slow agent.

    TableError for too few agents, the same twice, or too many tables.
    """
    players = setup.rules.players
    slow = deals if slow is None else whole_number("slow", slow, FEWEST, MOST)
    if len(set(agents)) < len(agents):
        twice = next(agent for agent in agents if list(agents).count(agent) > 1)
        raise TableError(f"{twice} is named twice: an agent has one seat at a table")
    if len(agents) < players:
        short = f"{len(agents)} agents are too few for players={players}"
        raise TableError(f"{short}: every agent at a table must be different")
    tables = tuple(combinations(agents, players))
    if len(tables) > MOST_TABLES:
        raise TableError(
            f"{len(agents)} agents make {len(tables)} tables of {players}; at most {MOST_TABLES} are allowed"
        )
    known = known_agents(setup, referee)
    counts = [slow if pace(known, table) == "slow" else deals for table in tables]
    return Plan(tables, tuple(counts), setup, referee=referee)
