"""Plans of play: tables of agents, the deals at each, and the pieces in which they are played and stored."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple, Self

from cardtable.arena.play.luck import OWN, luck_of
from cardtable.arena.play.rounds import SeatedAgents, check_luck, common_compiled_player
from cardtable.table.agents.agents import AgentRegistry, agents_of, is_slow
from cardtable.table.checks import brief, check_int, choice_index, seed_number
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame, Setup

MIN_DEALS, MAX_DEALS = 2, 10**9  # deals: with one alone there is no interval
MAX_TABLES = 10_000  # of a tournament
MIN_PIECE = 64  # deals of a piece
MAX_PIECE = {"compiled": 2048, "asked": 256, "slow": 8}  # by the slowest pace at the table


class Piece(NamedTuple):
    """Some deals of one table, to be played from every seat; pieces are numbered in the order of play."""

    number: int
    table: int
    deals: range


@dataclass(frozen=True)
class Plan:
    """The agents at every table, the number of deals, and the setup. The same plan always gives the same games.

    Raises TableError (or a subclass) for a plan that cannot be played.
    """

    tables: tuple[tuple[str, ...], ...]  # the agents at each, in the order of the first rotation's seats
    deals: tuple[int, ...]  # at each
    setup: Setup
    stop: str = ""  # what may end it early, if anything may: then pieces are small at first and grow

    def __post_init__(self) -> None:
        if len(self.deals) != len(self.tables):
            raise TableError(f"{len(self.deals)} numbers of deals for {len(self.tables)} tables: one for each")
        for table in self.tables:
            if not all(isinstance(name, str) for name in table):
                raise TableError(f"{brief(table)} must be the names of agents")
            if len(table) != self.players:
                raise TableError(f"{len(table)} agents for players={self.players}: one for every seat")
        for deals in self.deals:
            check_int("deals", deals, MIN_DEALS, MAX_DEALS)
        seed_number("seed", self.setup.seed)
        choice_index("episode", self.setup.episode, self.game.episodes)
        check_luck(self.setup)

    @property
    def game(self) -> CardGame:
        """The game that is played."""
        return self.setup.game

    @property
    def players(self) -> int:
        """Number of seats at every table."""
        return self.setup.rules.players

    @cached_property
    def agents(self) -> dict[str, Any]:
        """All agents that play, by name; AgentError for an unknown name."""
        make, rules = agents_of(self.game).make, self.setup.rules
        return {name: make(name, rules) for table in self.tables for name in table}

    def seated(self, table: int) -> SeatedAgents:
        """Return the agents of a table."""
        names = self.tables[table]
        return SeatedAgents([self.agents[name] for name in names], names)

    @cached_property
    def is_compiled(self) -> bool:
        """True if all agents play in compiled code."""
        return common_compiled_player(list(self.agents.values())) is not None

    def pieces(self) -> Iterator[Piece]:
        """Yield all deals of all tables; all tables advance together."""
        merged = heapq.merge(*(self._pieces_of(table) for table in range(len(self.tables))))
        for number, (_, table, start, stop) in enumerate(merged):
            yield Piece(number, table, range(start, stop))

    def _pieces_of(self, table: int) -> Iterator[tuple[float, int, int, int]]:
        """Yield the progress of the table before each piece, its number, and the deals of the piece."""
        largest = MAX_PIECE[pace(agents_of(self.game), self.tables[table])]
        deals, start = self.deals[table], 0
        while start < deals:
            size = start // 4 if self.stop else deals // 8
            stop = min(deals, start + min(largest, max(MIN_PIECE, size)))
            yield start / deals, table, start, stop
            start = stop

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as a manifest holds it."""
        return {
            "tables": [list(table) for table in self.tables],
            "deals": list(self.deals),
            "rules": self.setup.rules.to_text(),
            "episode": self.setup.episode,
            "seed": self.setup.seed,
            "luck": self.setup.with_luck and (self.setup.luck_by == OWN or luck_of(self.setup).name),
            "reveal_hidden": self.setup.reveal_hidden,
            "stop": self.stop,
            "pieces": [MIN_PIECE, *MAX_PIECE.values()],
        }

    @classmethod
    def from_dict(cls, game: CardGame, written: dict[str, Any]) -> Self:
        """Return the plan for this game that `to_dict` has written."""
        rules, luck = game.rules(written["rules"]), written["luck"]
        luck_by = luck if isinstance(luck, str) else OWN
        played = written["seed"], written["episode"], bool(luck), written["reveal_hidden"]
        setup = Setup(rules, *played, luck_by=luck_by)
        tables = tuple(tuple(table) for table in written["tables"])
        return cls(tables, tuple(written["deals"]), setup, written["stop"])


def pace(registry: AgentRegistry, agents: Sequence[str]) -> str:
    """Return the speed of a table: "compiled" if all agents play in compiled code, "slow" with a slow agent, else
    "asked".

    Agents declare it; the function builds none.
    """
    factories = [registry.factory(agent) for agent in agents]
    if common_compiled_player(factories) is not None:
        return "compiled"
    return "slow" if any(map(is_slow, factories)) else "asked"


def seat_all(agents: Sequence[str], players: int | None) -> list[str]:
    """Return one agent for every seat; the last one takes all seats that are left."""
    if len(agents) < 2:
        is_joined = any(letter in agents[0].partition(":")[0] for letter in ", ") if agents else False
        hint = f", and {brief(agents[0])} is one name; separate names with spaces" if is_joined else ""
        raise TableError(f"a match needs at least two agents{hint}; name one twice to let it play against itself")
    missing = (players or len(agents)) - len(agents)
    if missing < 0:
        raise TableError(f"{len(agents)} agents are too many for players={players}")
    return [*agents, *[agents[-1]] * missing]


def tournament(agents: Sequence[str], setup: Setup, deals: int = 1000, slow_deals: int | None = None) -> Plan:
    """Return the plan of a tournament: a table for every combination of agents, one for each seat.

    `slow_deals` is how many deals are played at tables with a slow agent.
    TableError for too few agents, the same twice, or too many tables.
    """
    players = setup.rules.players
    slow_deals = deals if slow_deals is None else check_int("slow_deals", slow_deals, MIN_DEALS, MAX_DEALS)
    if len(set(agents)) < len(agents):
        twice = next(agent for agent in agents if list(agents).count(agent) > 1)
        raise TableError(f"{twice} is named twice: an agent has one seat at a table")
    if len(agents) < players:
        short = f"{len(agents)} agents are too few for players={players}"
        raise TableError(f"{short}: every agent at a table must be different")
    tables = tuple(combinations(agents, players))
    if len(tables) > MAX_TABLES:
        raise TableError(
            f"{len(agents)} agents make {len(tables)} tables of {players}; at most {MAX_TABLES} are allowed"
        )
    counts = [slow_deals if pace(agents_of(setup.game), table) == "slow" else deals for table in tables]
    return Plan(tables, tuple(counts), setup)
