"""Plan of a comparison: the policies, their opponents, `lookahead`, the numbers of deals, and the training of
exploiters.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
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
    """Return the policies of a run's folder, the one in a file, or any agent, with the card of the first; an agent has
    none.

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
    """Return the files of the policies; None for the name of an agent."""
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


LOOKAHEAD = "lookahead"  # the agent that looks ahead, in games that have one


# Shows these words and how much of the work is done; what it gives is called with each further part
Bar = Callable[[str, float], AbstractContextManager[Callable[[float], Any]]]


def no_bar(_words: str, _work: float) -> AbstractContextManager[Callable[[float], Any]]:
    """Show nothing."""
    return nullcontext(lambda _: None)


def rules_text(rules: Any) -> str:
    """Return the changes to the official rules, without the number of players."""
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
            check(self.rounds_of(number), self.workers, self.timeout)

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
        """True if one of the policies is slow; then all tables are slow."""
        return any(policy.agent in self._slow_agents for policy in self.policies)

    def is_slow(self, opponent: str) -> bool:
        """Return whether there is a slow agent at the tables of this opponent."""
        return self.has_slow_policy or opponent in self._slow_agents

    def rounds_of(self, number: int) -> Plan:
        """Return the rounds of a policy: a table for every opponent, which sits in all seats but the policy's."""
        counts = tuple(self.slow_deals if self.is_slow(opponent) else self.deals for opponent in self.opponents)
        return self._tables(number, self.opponents, counts, "round")

    def games_of(self, number: int) -> Plan | None:
        """Return its whole games; None if it plays none."""
        quick = tuple(opponent for opponent in self.opponents if not self.is_slow(opponent))
        return self._tables(number, quick, (self.games,) * len(quick), "game") if self.games > 0 and quick else None

    def _tables(self, number: int, opponents: tuple[str, ...], counts: tuple[int, ...], episode: str) -> Plan:
        policy, others = self.policies[number].agent, self.rules.players - 1
        tables = tuple((policy, *[opponent] * others) for opponent in opponents)
        return Plan(tables, counts, Setup(self.rules, self.seed + number, episode, self.with_luck))

    def against_policy(self, number: int, agent: str, deals: int) -> Plan:
        """Return the rounds of an agent against a policy, which has all other seats."""
        seats = (agent, *[self.policies[number].agent] * (self.rules.players - 1))
        count = self.slow_deals if self.has_slow_policy else deals
        return Plan((seats,), (count,), Setup(self.rules, self.seed + number, with_luck=self.with_luck))

    @cached_property
    def lookaheads(self) -> tuple[str, ...]:
        """The agents that look ahead against each policy; empty if there is none for one of them."""
        agents = [self._lookahead_for(policy.agent) for policy in self.policies] if self.look_deals > 0 else []
        return () if None in agents else tuple(agent for agent in agents if agent is not None)

    def _lookahead_for(self, agent: str) -> str | None:
        """`lookahead` by an agent's own policy if that has a value network, otherwise by the package's, or failing that
        by its own.

        None if it cannot play at this table.
        """
        file = getattr(agents_of(self.game).make(agent, self.rules), "file", None)
        has_value_network = file is not None and read_card(file).network.get("value_network", 0) > 0
        own = agent.replace("policy", LOOKAHEAD, 1) if agent.partition(":")[0] == "policy" else LOOKAHEAD
        for name in (own, LOOKAHEAD) if has_value_network else (LOOKAHEAD, own):
            try:
                agents_of(self.game).make(name, self.rules)
            except AgentError:
                continue
            return name
        return None
