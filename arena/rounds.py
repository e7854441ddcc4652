"""Rounds or games between any agents, one for each deal, the same however many are played at once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import crew
from agents.peek import PeekAgent
from agents.player import PLAYER_DTYPE
from agents.scripted import ScriptedAgent
from arena.luck import TERMS, luck_at_tables, play_deals_with_luck
from skyjo_env.actions import illegal_action
from skyjo_env.agents import Agent, choose
from skyjo_env.checks import code_of, seed_number, whole_number
from skyjo_env.errors import AgentError, SkyjoError
from skyjo_env.kernel.batch import deal_tables, first_illegal, show_tables, step_tables
from skyjo_env.kernel.chance import player_chance
from skyjo_env.kernel.state import EPISODES, GAME_DTYPE, OVER, PHASES, ROUND_EPISODE, TRUNCATED
from skyjo_env.observation import spec_of
from skyjo_env.rules import OFFICIAL, Rules, check_rules

YARDSTICK = "threshold:t=2,columns=true"  # the paper's best player, against which others are measured
COMPILED, BATCHED = 50_000, 512  # so many deals are played in one piece at most
MOST_THREADS = 64


@dataclass(frozen=True)
class Rounds:
    """What came of each deal: of its first round, or of the game that it begins."""

    scores: NDArray[np.int64]  # [deals, players], of the round, or totals
    rounds: NDArray[np.int64]  # [deals], played
    turns: NDArray[np.int64]  # [deals], of the last round
    is_stopped: NDArray[np.bool_]  # [deals], too long (7.8)
    luck: NDArray[np.float64]  # [deals, players, 3], the terms of arena.luck; [deals, players, 0] if not asked for

    @property
    def margins(self) -> NDArray[np.float64]:
        """The mean of the others' scores minus the seat's own, [deals, players]."""
        others = self.scores.sum(axis=1, keepdims=True) - self.scores
        margins: NDArray[np.float64] = others / (self.scores.shape[1] - 1) - self.scores
        return margins

    @property
    def wins(self) -> NDArray[np.float64]:
        """1 for the lowest score, shared among equals, [deals, players]; nobody wins what was stopped."""
        best = self.scores == self.scores.min(axis=1, keepdims=True)
        wins: NDArray[np.float64] = best / best.sum(axis=1, keepdims=True)
        return np.where(self.is_stopped[:, None], 0.0, wins)


def play_rounds(
    agents: Sequence[Agent],
    rules: Rules = OFFICIAL,
    seed: int = 0,
    deals: range = range(1000),
    threads: int = 1,
    may_peek: bool = False,
    episode: str = "round",
    with_luck: bool = False,
) -> Rounds:
    """The first round of every deal, or its game, with these agents in the seats, the first in seat 0.

    Scripted agents play in compiled code, others decide at many tables at once; the rounds are the same either way.
    Threads share the deals out among themselves. The hidden cards are shown to nobody but, with `may_peek`, to `peek`.
    """
    _check_agents(agents, check_rules(rules), may_peek)
    threads = whole_number("threads", threads, 1, MOST_THREADS)
    if deals.step != 1 or len(deals) == 0 or deals.start < 0:
        raise SkyjoError(f"deals={deals} must be a range of deal numbers without gaps, from 0 on")
    is_compiled = all(type(agent).act is ScriptedAgent.act for agent in agents)
    size = min(COMPILED if is_compiled else BATCHED, -(-len(deals) // threads))
    pieces = [deals[k : k + size] for k in range(0, len(deals), size)]
    terms = TERMS if with_luck else 0
    arguments = agents, rules, np.uint64(seed_number("seed", seed)), code_of("episode", episode, EPISODES), terms
    play = _compiled if is_compiled else _batched
    with ThreadPoolExecutor(threads) as pool:
        played = list(pool.map(lambda piece: play(*arguments, piece), pieces))
    return Rounds(*map(np.concatenate, zip(*played, strict=True)))


def _check_agents(agents: Sequence[Agent], rules: Rules, may_peek: bool) -> None:
    if len(agents) != rules.players:
        raise SkyjoError(f"{len(agents)} agents for players={rules.players}: there must be one for every seat")
    for seat, agent in enumerate(agents):
        made_for = getattr(agent, "rules", rules)
        if made_for != rules:
            theirs, ours = (f"{each.to_text() or 'official'}" for each in (made_for, rules))
            raise SkyjoError(f"the agent in seat {seat} was made for other rules: {theirs}, not {ours}")
        if isinstance(agent, PeekAgent) and not may_peek:
            raise SkyjoError("peek sees the hidden cards: it plays only where it may (may_peek=True, --peek)")


Played = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.float64]]


def _compiled(agents: Sequence[Any], rules: Rules, seed: np.uint64, episode: int, terms: int, deals: range) -> Played:
    """All in one call; the agents are scripted."""
    players = np.concatenate([agent.player for agent in agents])
    scores = np.empty((len(deals), rules.players), np.int64)
    (rounds, turns), stopped = np.empty((2, len(deals)), np.int64), np.empty(len(deals), np.bool_)
    luck, judges = np.zeros((len(deals), rules.players, terms)), np.zeros(1, PLAYER_DTYPE)
    games, view = np.zeros(2, GAME_DTYPE), np.zeros(spec_of(rules).size, np.int16)
    table = seed, np.uint64(deals.start), episode, view, scores
    if terms == 0:
        crew.play_deals(games, rules.params, players, *table, rounds, turns, stopped)
    else:
        play_deals_with_luck(games, rules.params, players, judges, *table, luck, rounds, turns, stopped)
    return scores, rounds, turns, stopped, luck


def _batched(agents: Sequence[Agent], rules: Rules, seed: np.uint64, episode: int, terms: int, deals: range) -> Played:
    """All tables together, a decision at each in turn: every agent is called once for all tables where it decides."""
    games = np.zeros(len(deals), GAME_DTYPE)
    numbers = np.array(deals, np.uint64)
    deal_tables(games, rules.params, seed, numbers, episode)
    chances = np.array([[player_chance(key, seat) for seat in range(rules.players)] for key in games["key"]], np.uint64)
    luck = np.zeros((len(deals), rules.players, terms))
    playing = np.arange(len(games))
    while len(playing) > 0:
        tables, own, terms_so_far = games[playing], chances[playing], luck[playing]
        _decide(agents, rules, seed, tables, numbers[playing], own, terms_so_far)
        games[playing], chances[playing], luck[playing] = tables, own, terms_so_far
        playing = playing[tables["phase"] < OVER]
    scores = games["round_scores" if episode == ROUND_EPISODE else "totals"][:, : rules.players].astype(np.int64)
    return scores, games["round_number"], games["turns"], games["phase"] == TRUNCATED, luck


def _decide(
    agents: Sequence[Agent],
    rules: Rules,
    seed: np.uint64,
    games: Any,
    deals: NDArray[np.uint64],
    chances: Any,
    luck: NDArray[np.float64],
) -> None:
    """One decision at every table."""
    n, params = len(games), rules.params
    observations, masks = np.zeros((n, spec_of(rules).size), np.int16), np.zeros((n, rules.actions), np.int8)
    seats, phases = np.zeros(n, np.int8), np.zeros(n, np.int8)
    show_tables(games, params, observations, masks, seats, phases)
    actions = np.empty(n, np.int64)
    for agent in {id(agent): agent for agent in agents}.values():
        at = np.flatnonzero(np.isin(seats, [seat for seat, seated in enumerate(agents) if seated is agent]))
        if len(at) == 0:
            continue
        own = chances[at, seats[at]]
        if isinstance(agent, PeekAgent):
            actions[at] = agent.act_knowing(games[at], masks[at], own)
        else:
            actions[at] = choose(agent, type(agent).__name__, observations[at], masks[at], own)
        chances[at, seats[at]] = own
    wrong = first_illegal(games, params, actions)
    if wrong >= 0:
        error = illegal_action(rules, int(seats[wrong]), PHASES[phases[wrong]], masks[wrong], actions[wrong])
        name = type(agents[int(seats[wrong])]).__name__
        raise AgentError(f"deal {deals[wrong]}, agent {name}: {error}")
    before = games.copy() if luck.shape[-1] > 0 else None
    rewards, over = np.zeros((n, rules.players), np.float32), np.zeros(n, np.bool_)
    step_tables(games, params, actions, seed, deals.copy(), 0, False, rewards, over, over.copy())
    if before is not None:
        luck_at_tables(before, games, params, np.zeros(1, PLAYER_DTYPE), observations, actions, luck)
