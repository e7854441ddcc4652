"""Rounds or games between any agents, one for each deal, the same however many are played at once."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations, product
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.play.luck import luck_of
from cardtable.table.agents.agents import (
    FAILURES,
    Agent,
    CompiledPlayer,
    agents_of,
    choose,
    compiled_player_of,
    failure_words,
    sees_hidden,
)
from cardtable.table.agents.seated_agents import AgentLike, agent_of, name_of
from cardtable.table.checks import brief, check_int, choice_index, seed_number
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import Setup
from cardtable.table.game.measured_deals import DealResults, MeasuredDeals, joined, taken

COMPILED, ASKED = 50_000, 512  # the most deals that are played at once
MAX_THREADS = 64
MAX_ORDERS = 120  # all orders of up to 6 players

NOBODY = -1  # no agent

Watch = Callable[[int, int, int], None]  # called with agent, seat and deal before an agent is asked, then with NOBODY


def play_rounds(agents: Sequence[AgentLike], setup: Setup, deals: range = range(1000), threads: int = 1) -> DealResults:
    """Return the first round of every deal, or its game, with these agents in the seats, the first in seat 0.

    An agent is a name, an object with `act`, or a function of observations and masks.
    Agents that can play together in compiled code do so, others decide at many tables at once; the rounds are the same.
    The deals are divided among this many threads. An agent that fails raises PlayError.
    """
    table = SeatedAgents.of(agents, setup)
    own = np.arange(setup.rules.players)
    return joined(
        table.play_parts(setup, deals, threads, lambda part: Seating(np.array(part), np.tile(own, (len(part), 1))))
    )


class Seating(NamedTuple):
    """Rows of play: a deal, and the number of the agent in every seat."""

    deals: NDArray[np.int64]  # [rows]
    seats: NDArray[np.int64]  # [rows, players]


@cache
def orders(players: int) -> tuple[tuple[int, ...], ...]:
    """Return the orders in which agents sit around a table, deal after deal: all of them, or a selection spread evenly
    over all.
    """
    every = list(permutations(range(1, players)))
    chosen = every if len(every) <= MAX_ORDERS else [every[k * len(every) // MAX_ORDERS] for k in range(MAX_ORDERS)]
    return tuple((0, *others) for others in chosen)


def seating(players: int, deals: range) -> Seating:
    """Return every deal from every seat: all deals of the first rotation, then of the next, [rotations · deals].

    With three or more players it also matters who sits before you. So the order around the table changes from deal to
    deal: all orders take turns, or many of them if there are too many.
    """
    numbers, ways = np.array(deals), np.array(orders(players))
    seats = [np.roll(ways[numbers % len(ways)], -rotation, axis=1) for rotation in range(players)]
    return Seating(np.tile(numbers, players), np.concatenate(seats))


@dataclass(frozen=True)
class SeatedAgents:
    """Agents who can sit at one table, by number, with their names for messages."""

    agents: Sequence[Agent]
    names: Sequence[str]

    @classmethod
    def of(cls, agents: Sequence[AgentLike], setup: Setup) -> Self:
        """Return the agents that these names, objects and functions stand for; TableError if they cannot play."""
        if not isinstance(setup, Setup):
            raise TableError(f"setup={brief(setup)} must be a Setup, such as Setup(OFFICIAL, seed=1)")
        resolved = [agent_of(agent, agents_of(setup.game), setup.rules) for agent in agents]
        check_agents(resolved, setup)
        choice_index("episode", setup.episode, setup.game.episodes)
        seed_number("seed", setup.seed)
        return cls(resolved, [name_of(agent) for agent in agents])

    def play(self, setup: Setup, seating: Seating, watch: Watch | None = None) -> DealResults:
        """Play every row in one go, in compiled code if all agents can, or else by asking them at all tables together.

        Luck may be read from what was played.
        """
        read = luck_of(setup).read if setup.with_luck else None
        recording = setup if read is None else replace(setup, with_luck=False, record_actions=True)
        player = common_compiled_player(self.agents)
        if player is not None:
            played = self._compiled(player, recording, seating)
        else:
            tables = MeasuredDeals(recording, seating.deals)
            while len(tables.playing) > 0:
                tables.step(self._decide(tables, seating, watch))
            played = replace(tables.rounds(), seated=seating.seats)
        if read is None:
            return played
        luck = read(setup, seating.deals, played.decisions, played.actions)
        stop = None if setup.record_actions else 0
        return replace(played, luck=luck, actions=played.actions[:stop], round_scores=played.round_scores[:stop])

    def _compiled(self, player: CompiledPlayer, setup: Setup, seating: Seating) -> DealResults:
        """Play in compiled code, all rows with the same seats in one call."""
        codes = seating.seats @ len(self.agents) ** np.arange(len(self.agents))
        first = np.unique(codes, return_index=True)[1]
        rows = [np.flatnonzero(codes == codes[at]) for at in np.sort(first)]
        parts = [
            player.play(setup, [self.agents[number] for number in seating.seats[at[0]]], _as_range(seating.deals[at]))
            for at in rows
        ]
        played, order = joined(parts), np.concatenate(rows)
        if (np.diff(order) < 0).any():
            played = taken(played, np.argsort(order))
        return replace(played, seated=seating.seats)

    def play_parts(
        self, setup: Setup, deals: range, threads: int, seating: Callable[[range], Seating]
    ) -> list[DealResults]:
        """Play deals in as many parts as there are threads, or in more where agents cannot play them all at once."""
        if not isinstance(deals, range):
            raise TableError(f"deals={brief(deals)} must be a range, such as range(1000)")
        if deals.step < 1 or len(deals) == 0 or deals.start < 0:
            raise TableError(f"deals={deals} must be an increasing range of deal numbers from 0")
        check_int("threads", threads, 1, MAX_THREADS)
        most = ASKED if common_compiled_player(self.agents) is None else COMPILED
        size = min(most, -(-len(deals) // threads))
        parts = [deals[start : start + size] for start in range(0, len(deals), size)]
        contexts = [copy_context() for _ in parts]  # with numpy's settings for overflow
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(lambda context, part: context.run(self.play, setup, seating(part)), contexts, parts))

    def _decide(self, tables: MeasuredDeals, seating: Seating, watch: Watch | None) -> NDArray[np.int64]:
        """Return a legal decision at every table that still plays; an agent is asked once in every seat."""
        shown, rows = tables.shown, tables.playing
        numbers, actions = seating.seats[rows, shown.seats], np.empty(len(rows), np.int64)
        for agent, seat in product({id(agent): agent for agent in self.agents}.values(), range(len(self.agents))):
            own = [number for number, other in enumerate(self.agents) if other is agent]
            at = np.flatnonzero(np.isin(numbers, own) & (shown.seats == seat))
            if len(at) > 0:
                actions[at] = self._ask(agent, tables, seating, at, watch)
        refusal = tables.refusal(actions)
        if refusal is not None:
            place, words = refusal
            seat, deal = int(shown.seats[place]), int(seating.deals[rows[place]])
            raise PlayError(seat, deal, self.names[numbers[place]], words)
        return actions

    def _ask(
        self, agent: Any, tables: MeasuredDeals, seating: Seating, at: NDArray[np.int64], watch: Watch | None
    ) -> NDArray[np.int64]:
        """Return the actions of an agent at these tables; PlayError names the table at which it fails."""
        shown, rows = tables.shown, tables.playing[at]
        seats, deals = shown.seats[at], seating.deals[rows]
        numbers = seating.seats[rows, seats]

        def answers(first: int, end: int) -> NDArray[np.int64]:
            places = at[first:end]
            states = [tables.states[places]] if sees_hidden(agent) else []
            if watch is not None:
                watch(int(numbers[first]), int(seats[first]), int(deals[first]))
            seen = shown.observations[places], shown.masks[places], *states
            actions = choose(agent, self.names[numbers[first]], tables.spec, *seen)
            if watch is not None:
                watch(NOBODY, 0, 0)
            return actions

        try:
            return answers(0, len(at))
        except FAILURES as error:
            failed, cause = 0, error
            for row in range(len(at)):  # ask again, table by table, to find the one at which it fails
                try:
                    answers(row, row + 1)
                except FAILURES as again:
                    failed, cause = row, again
                    break
            name, words = self.names[numbers[failed]], failure_words(cause, type(agent).__module__)
            raise PlayError(int(seats[failed]), int(deals[failed]), name, words) from error


def check_agents(agents: Sequence[Agent], setup: Setup) -> None:
    """Raise TableError unless these agents can sit at one table."""
    rules = setup.rules
    check_luck(setup)
    if len(agents) != rules.players:
        raise TableError(f"{len(agents)} agents for players={rules.players}: there must be one for every seat")
    for seat, agent in enumerate(agents):
        made_for = getattr(agent, "rules", rules)
        if made_for != rules:
            theirs, ours = (f"{text_rules.to_text() or 'official'}" for text_rules in (made_for, rules))
            raise TableError(f"the agent in seat {seat} was made for other rules: {theirs}, not {ours}")
        if sees_hidden(agent) and not setup.reveal_hidden:
            raise TableError(
                f"the agent in seat {seat} sees the hidden cards: it needs reveal_hidden=True or --reveal-hidden"
            )


def check_luck(setup: Setup) -> None:
    """Raise TableError if luck is asked for in a game that has no luck terms."""
    if setup.with_luck and not luck_of(setup).terms:
        raise TableError(f"{setup.game.title} has no measure of luck: play without it")


def common_compiled_player(agents: Sequence[Any]) -> CompiledPlayer | None:
    """Return the compiled player that these agents, or agents of these classes, share; None if they must be asked."""
    players = [compiled_player_of(agent) for agent in agents]
    return players[0] if all(player is players[0] for player in players) else None


def _as_range(deals: NDArray[np.int64]) -> range:
    return range(int(deals[0]), int(deals[-1]) + 1, int(deals[1] - deals[0]) if len(deals) > 1 else 1)


class PlayError(AgentError):
    """An agent raised an error, gave no legal action, or took too long: at this deal, in this seat."""

    def __init__(self, seat: int, deal: int, agent: str, words: str) -> None:
        super().__init__(f"deal {deal}, seat {seat}, agent {agent}: {words}")
        self.seat, self.deal, self.agent, self.words = seat, deal, agent, words

    def __reduce__(self) -> Any:
        """Return the parts of a pickle: processes send this error to each other."""
        return PlayError, (self.seat, self.deal, self.agent, self.words)
