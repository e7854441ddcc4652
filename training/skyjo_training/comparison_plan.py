"""What a comparison plays: which policies against which opponents and against `lookahead`, on how many deals, and how
long exploiters learn.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cardtable.arena.play.plan import MAX_DEALS, MIN_DEALS, Plan, pace
from cardtable.arena.workers.plan_run import check
from cardtable.table.agents.agents import AgentRegistry, agents_of
from cardtable.table.agents.policies.model_card import SUFFIX, ModelCard, read_card
from cardtable.table.checks import check_int
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import CardGame, Setup, find_game
from cardtable.table.game.table_rules import TableRules
from skyjo_training.training_run import policies_of


@dataclass(frozen=True)
class Contender:
    """A policy: its name in the comparison, and the agent that plays it."""

    name: str
    agent: str


def contenders(what: str, game: str) -> tuple[tuple[Contender, ...], ModelCard | None]:
    """The policies of a run's folder, the one in a file, or any agent, with the card of the first; an agent has none.

    TableError if there is no such policy of this game, or if policies of one run are not for the same tables.
    """
    files = _files(what, agents_of(find_game(game)))
    if files is None:
        return (Contender(what, what),), None
    model_cards = [read_card(file) for file in files]
    if any((other.rules, other.players) != (model_cards[0].rules, model_cards[0].players) for other in model_cards):
        raise TableError(f"{what}: its policies were trained for different rules or numbers of players")
    if model_cards[0].rules.game != game:
        raise TableError(f"{what} plays {model_cards[0].rules.game}, not {game}")
    names = [file.parent.name.replace("-", " ") for file in files] if len(files) > 1 else ["policy"]
    return tuple(Contender(name, _agent(file)) for name, file in zip(names, files, strict=True)), model_cards[0]


def _files(what: str, agents: AgentRegistry) -> list[Path] | None:
    """The files of the policies; None for the name of an agent."""
    path, is_agent = Path(what).expanduser(), agents.is_agent(what)
    if path.suffix == SUFFIX and not path.is_dir() and (path.exists() or not is_agent):
        return [path]
    if path.is_dir():
        try:
            return policies_of(path)
        except TableError:
            if not is_agent:
                raise
    if is_agent:
        return None
    raise TableError(f"{what}: neither the folder of a run, nor a {SUFFIX} file, nor an agent")


def _agent(file: Path) -> str:
    text = str(file)
    if "," in text and re.search("[()]", text):
        raise TableError(f"{text}: a path cannot have both a comma and brackets; rename it")
    return f"policy:path=({text})" if "," in text else f"policy:path={text}"


# What takes as long as how many quick deals: a game, a deal with a slow agent, a decision of an exploiter,
# and a deal with somebody who looks ahead
GAME, THOUGHT, LESSON, AHEAD = 6, 1500, 0.1, 15
LOOK = "lookahead"  # the agent that looks ahead, in games that have one

Report = Callable[[float, str], None]  # told the work that was done, and what comes next


def rules_text(rules: Any) -> str:
    """Changes to the official rules, without the number of players."""
    text: str = rules.replace(players=2).to_text()
    return text


@dataclass(frozen=True)
class ComparisonPlan:
    """Everything that the numbers depend on, and how to play; TableError for impossible values."""

    policies: tuple[Contender, ...]
    rules: TableRules
    opponents: tuple[str, ...]
    deals: int = 3000  # of rounds, for each policy against each opponent
    games: int = 250  # deals of whole games, none with a slow agent; or 0
    slow_deals: int = 60  # deals with a slow agent
    look_deals: int = 1000  # deals of `lookahead` against each policy, where it can play; or 0
    exploiter_decisions: int = 500_000  # decisions from which an exploiter learns, or 0
    warm: bool = False  # an exploiter begins as a copy of the policy
    seed: int = 0
    with_luck: bool = False  # subtract from the margins what luck explains
    workers: int = 2
    timeout: float = 300.0
    on_cluster: bool = False

    def __post_init__(self) -> None:
        for name in ("deals", "slow_deals"):
            check_int(name, getattr(self, name), MIN_DEALS, MAX_DEALS)
        for name in ("games", "look_deals"):
            if getattr(self, name) != 0:
                check_int(name, getattr(self, name), MIN_DEALS, MAX_DEALS)
        check_int("exploiter_decisions", self.exploiter_decisions, 0, 10**12)
        if len(self.opponents) == 0:
            raise TableError("opponents: name at least one")
        for name in self.opponents:
            if self.opponents.count(name) > 1:
                raise TableError(f"{name} is named twice among the opponents")
        for number, policy in enumerate(self.policies):
            if self.warm and not hasattr(agents_of(self.game).make(policy.agent, self.rules), "file"):
                raise TableError(f"{policy.agent} has no network that an exploiter could start from")
            check(self.results_of(number), self.workers, self.timeout)

    @property
    def game(self) -> CardGame:
        """The game with these rules."""
        return find_game(self.rules.game)

    @cached_property
    def _slow_agents(self) -> set[str]:
        names = *(policy.agent for policy in self.policies), *self.opponents
        return {name for name in names if pace(agents_of(self.game), [name]) == "slow"}

    @property
    def has_slow_policy(self) -> bool:
        """Whether one of the policies is slow; then all tables are slow."""
        return any(policy.agent in self._slow_agents for policy in self.policies)

    def is_slow(self, opponent: str) -> bool:
        """Whether there is a slow agent at the tables of this opponent."""
        return self.has_slow_policy or opponent in self._slow_agents

    def results_of(self, number: int) -> Plan:
        """The rounds of a policy: a table for every opponent, which sits in all seats but the policy's."""
        counts = tuple(self.slow_deals if self.is_slow(opponent) else self.deals for opponent in self.opponents)
        return self._tables(number, self.opponents, counts, "round")

    def games_of(self, number: int) -> Plan | None:
        """Its whole games; None if it plays none."""
        quick = tuple(opponent for opponent in self.opponents if not self.is_slow(opponent))
        return self._tables(number, quick, (self.games,) * len(quick), "game") if self.games > 0 and quick else None

    @cached_property
    def lookers(self) -> tuple[str, ...]:
        """Who looks ahead against each policy; empty if nobody does."""
        names = [self._looker(policy.agent) for policy in self.policies] if self.look_deals > 0 else []
        named = tuple(name for name in names if name is not None)
        return named if len(named) == len(names) else ()

    def _looker(self, agent: str) -> str | None:
        """`lookahead` by an agent's own policy if that has a value network, otherwise by the package's, or failing that
        by its own.

        None if it cannot play at this table.
        """
        own = agent.replace("policy", LOOK, 1) if agent.partition(":")[0] == "policy" else LOOK
        for name in (own, LOOK) if self._has_value_network(agent) else (LOOK, own):
            try:
                agents_of(self.game).make(name, self.rules)
            except AgentError:
                continue
            return name
        return None

    def _has_value_network(self, agent: str) -> bool:
        file = getattr(agents_of(self.game).make(agent, self.rules), "file", None)
        return file is not None and read_card(file).network.get("value_network", 0) > 0

    def look_of(self, number: int) -> Plan:
        """The rounds of `lookahead` against a policy, which has all other seats."""
        seats = (self.lookers[number], *[self.policies[number].agent] * (self.rules.players - 1))
        count = self.slow_deals if self.has_slow_policy else self.look_deals
        return Plan((seats,), (count,), Setup(self.rules, self.seed + number, with_luck=self.with_luck))

    def _tables(self, number: int, opponents: tuple[str, ...], counts: tuple[int, ...], episode: str) -> Plan:
        policy, others = self.policies[number].agent, self.rules.players - 1
        tables = tuple((policy, *[opponent] * others) for opponent in opponents)
        return Plan(tables, counts, Setup(self.rules, self.seed + number, episode, self.with_luck))

    @property
    def work(self) -> float:
        """How much there is to do, counted in quick deals."""
        counts = self.results_of(0).deals
        rounds = sum(
            count * (THOUGHT if self.is_slow(name) else 1) for name, count in zip(self.opponents, counts, strict=True)
        )
        games = self.games_of(0)
        played = rounds + (GAME * sum(games.deals) if games is not None else 0)
        looked = sum(self.look_of(0).deals) * (THOUGHT if self.has_slow_policy else AHEAD) if self.lookers else 0
        learned = self.exploiter_decisions * LESSON + self.exploit_deals if self.exploiter_decisions > 0 else 0
        return len(self.policies) * (played + looked + learned)

    @property
    def exploit_deals(self) -> int:
        """On how many deals an exploiter is measured."""
        return self.slow_deals if self.has_slow_policy else self.deals
