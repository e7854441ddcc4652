"""Rounds or games between any agents, one for each deal, the same however many are played at once."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

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
from cardtable.table.checks import brief, code_of, seed_number, whole_number
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import Setup
from cardtable.table.game.tables import DealResults, SeatViews, Tables, joined

COMPILED, ASKED = 50_000, 512  # the most deals in one piece
MOST_THREADS = 64

NOBODY = -1  # no seat

Watch = Callable[[int, int], None]  # called with seat and deal before an agent is asked, and with NOBODY after it


def seated(agents: Sequence[AgentLike], setup: Setup, deals: range) -> list[Agent]:
    """The agents that these names, objects and functions stand for; TableError if there is nothing to play."""
    if not isinstance(setup, Setup):
        raise TableError(f"setup={brief(setup)} must be a Setup, such as Setup(OFFICIAL, seed=1)")
    if not isinstance(deals, range):
        raise TableError(f"deals={brief(deals)} must be a range, such as range(1000)")
    return [agent_of(agent, agents_of(setup.game), setup.rules) for agent in agents]


def play_rounds(
    agents: Sequence[AgentLike],
    setup: Setup,
    deals: range = range(1000),
    threads: int = 1,
    watch: Watch | None = None,
) -> DealResults:
    """The first round of every deal, or its game, with these agents in the seats, the first in seat 0.

    An agent is a name, an object with `act`, or a function of observations and masks.
    Agents that can play together in compiled code do so, others decide at many tables at once; the rounds are the same.
    The deals are divided among this many threads. An agent that fails raises PlayError.
    """
    agents = seated(agents, setup, deals)
    check_agents(agents, setup)
    whole_number("threads", threads, 1, MOST_THREADS)
    if deals.step < 1 or len(deals) == 0 or deals.start < 0:
        raise TableError(f"deals={deals} must be an increasing range of deal numbers from 0")
    code_of("episode", setup.episode, setup.game.episodes)
    seed_number("seed", setup.seed)
    size = min(ASKED if common_compiled_player(agents) is None else COMPILED, -(-len(deals) // threads))
    parts = [deals[k : k + size] for k in range(0, len(deals), size)]
    play = partial(_play_part, setup, agents, watch)
    if len(parts) == 1:
        return play(parts[0])
    with ThreadPoolExecutor(threads) as pool:
        return joined(list(pool.map(play, parts)))


def _play_part(setup: Setup, agents: Sequence[Agent], watch: Watch | None, deals: range) -> DealResults:
    """Play these deals in compiled code, or by asking the agents; luck may be read from what was played."""
    player, read = common_compiled_player(agents), luck_of(setup).read if setup.with_luck else None
    noted = setup if read is None else replace(setup, with_luck=False, keep=True)
    if player is not None:
        played = player.play(noted, agents, deals)
    else:  # all tables together, a decision at each in turn: an agent is called once for all tables where it decides
        tables, numbers = Tables(noted, deals), np.array(deals, np.uint64)
        while len(tables.playing) > 0:
            tables.step(_decide(tables, agents, numbers[tables.playing], watch))
        played = tables.rounds()
    if read is None:
        return played
    luck, kept = read(setup, deals, played.decisions, played.actions), None if setup.keep else 0
    return replace(played, luck=luck, actions=played.actions[:kept], round_scores=played.round_scores[:kept])


def check_agents(agents: Sequence[Agent], setup: Setup) -> None:
    """TableError unless these can sit at one table."""
    rules = setup.rules
    check_luck(setup)
    if len(agents) != rules.players:
        raise TableError(f"{len(agents)} agents for players={rules.players}: there must be one for every seat")
    for seat, agent in enumerate(agents):
        made_for = getattr(agent, "rules", rules)
        if made_for != rules:
            theirs, ours = (f"{each.to_text() or 'official'}" for each in (made_for, rules))
            raise TableError(f"the agent in seat {seat} was made for other rules: {theirs}, not {ours}")
        if sees_hidden(agent) and not setup.may_peek:
            raise TableError(
                f"the agent in seat {seat} sees the hidden cards: only may_peek=True or --peek allows that"
            )


def check_luck(setup: Setup) -> None:
    """TableError if luck is asked for in a game that has no luck terms."""
    if setup.with_luck and not luck_of(setup).terms:
        raise TableError(f"{setup.game.title} has no measure of luck: play without it")


def common_compiled_player(agents: Sequence[Any]) -> CompiledPlayer | None:
    """How all these agents, or what these classes make, play together in compiled code; None if they must be asked."""
    players = [compiled_player_of(agent) for agent in agents]
    return players[0] if all(player is players[0] for player in players) else None


class PlayError(AgentError):
    """An agent raised an error, gave no legal action, or took too long: at this deal, in this seat."""

    def __init__(self, seat: int, deal: int, agent: str, words: str) -> None:
        super().__init__(f"deal {deal}, seat {seat}, agent {agent}: {words}")
        self.seat, self.deal, self.agent, self.words = seat, deal, agent, words

    def __reduce__(self) -> Any:
        """Processes send it to each other."""
        return PlayError, (self.seat, self.deal, self.agent, self.words)


def _decide(
    tables: Tables, agents: Sequence[Agent], deals: NDArray[np.uint64], watch: Watch | None
) -> NDArray[np.int64]:
    """A legal decision at every table where somebody decides; `deals` are those of these tables."""
    shown, actions = tables.show(), np.empty(len(deals), np.int64)
    for agent in {id(agent): agent for agent in agents}.values():
        own_seats = [seat for seat, seated in enumerate(agents) if seated is agent]
        at = np.flatnonzero(np.isin(shown.seats, own_seats))
        if len(at) > 0:
            actions[at] = _ask(agent, tables, shown, at, deals, watch)
    refusal = tables.refusal(actions)
    if refusal is not None:
        place, words = refusal
        seat = int(shown.seats[place])
        raise PlayError(seat, int(deals[place]), name_of(agents[seat]), words)
    return actions


def _ask(agent: Any, tables: Tables, shown: SeatViews, at: Any, deals: Any, watch: Watch | None) -> NDArray[np.int64]:
    """What an agent does at these tables; PlayError names the table at which it fails."""
    seats = shown.seats[at]
    states = [tables.states()[at]] if sees_hidden(agent) else []
    seen = shown.observations[at], shown.masks[at], *states
    try:
        return _answer(agent, tables, int(seats[0]), int(deals[at[0]]), watch, *seen)
    except FAILURES as error:
        failed, cause = 0, error
        for row in range(len(at)):  # ask again, table by table, to find the one at which it fails
            try:
                _answer(
                    agent, tables, int(seats[row]), int(deals[at[row]]), watch, *(each[row : row + 1] for each in seen)
                )
            except FAILURES as again:
                failed, cause = row, again
                break
        words = failure_words(cause)
        raise PlayError(int(seats[failed]), int(deals[at[failed]]), name_of(agent), words) from error


def _answer(agent: Any, tables: Tables, seat: int, deal: int, watch: Watch | None, *seen: Any) -> NDArray[np.int64]:
    if watch is not None:
        watch(seat, deal)
    actions = choose(agent, name_of(agent), tables.spec, *seen)
    if watch is not None:
        watch(NOBODY, 0)
    return actions
