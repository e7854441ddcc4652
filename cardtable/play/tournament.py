"""Everybody against everybody: the tables of a tournament."""

from collections.abc import Sequence
from itertools import combinations

from cardtable.checks import whole_number
from cardtable.errors import TableError
from cardtable.play.plan import FEWEST, MOST, Plan, pace
from skyjo_env.agents import make_agent
from skyjo_env.rules import OFFICIAL, Rules

MOST_TABLES = 10_000


def tournament(
    agents: Sequence[str],
    players: int = 2,
    deals: int = 1000,
    slow: int | None = None,
    rules: Rules = OFFICIAL,
    episode: str = "round",
    seed: int = 0,
    with_luck: bool = False,
    may_peek: bool = False,
) -> Plan:
    """A table for every choice of so many agents; `slow` is how many deals are played where somebody thinks long.

    TableError for too few agents, the same twice, or too many tables.
    """
    rules = rules.replace(players=players)
    slow = deals if slow is None else whole_number("slow", slow, FEWEST, MOST)
    if len(set(agents)) < len(agents):
        twice = next(agent for agent in agents if list(agents).count(agent) > 1)
        raise TableError(f"{twice} is named twice: everybody sits at a table once")
    if len(agents) < players:
        raise TableError(f"{len(agents)} agents are too few for players={players}: a table seats different ones")
    tables = tuple(combinations(agents, players))
    if len(tables) > MOST_TABLES:
        raise TableError(
            f"{len(agents)} agents make {len(tables)} tables of {players}; at most {MOST_TABLES} are played"
        )
    made = {agent: make_agent(agent, rules) for agent in agents}
    counts = [slow if pace([made[name] for name in table]) == "slow" else deals for table in tables]
    return Plan(tables, tuple(counts), rules, episode, seed, with_luck, may_peek)
