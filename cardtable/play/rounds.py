"""Rounds or games between any agents, one for each deal, the same however many are played at once."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from skyjo_agents.compiled_rounds import OUTCOME_DTYPE, play_deals
from skyjo_agents.luck import TERMS, luck_at_tables
from skyjo_agents.peek import PeekAgent
from skyjo_agents.player import PLAYER_DTYPE
from skyjo_agents.scripted import ScriptedAgent

from cardtable.checks import code_of, seed_number, whole_number
from cardtable.errors import AgentError, TableError
from cardtable.kernel.chance import player_chance
from skyjo_env.actions import illegal_action
from skyjo_env.agents import Agent, choose
from skyjo_env.kernel.batch import deal_tables, first_illegal, show_tables, step_tables
from skyjo_env.kernel.state import EPISODES, GAME_DTYPE, NOBODY, OVER, PHASES, ROUND_EPISODE, TRUNCATED
from skyjo_env.observation import spec_of
from skyjo_env.rules import OFFICIAL, Rules, check_rules

YARDSTICK = "threshold:t=2,columns=true"  # the paper's best player, against which others are measured
COMPILED, BATCHED = 50_000, 512  # so many deals are played in one piece at most
MOST_THREADS = 64
ROOM = 128  # decisions of a deal that there is room for at first; a round between scripted agents takes 60 to 100

FAILURES = Exception, SystemExit, GeneratorExit  # of an agent; KeyboardInterrupt is the user's
MOST_WORDS = 500  # letters of an agent's error that are told

Watch = Callable[[int, int], None]  # told the seat and the deal before an agent is called, and NOBODY after it


@dataclass(frozen=True)
class Rounds:
    """What came of each deal: of its first round, or of the game that it begins."""

    scores: NDArray[np.int64]  # [deals, players], of the round, or totals
    rounds: NDArray[np.int64]  # [deals], played
    turns: NDArray[np.int64]  # [deals], of all rounds
    is_stopped: NDArray[np.bool_]  # [deals], too long (7.8)
    cleared: NDArray[np.int64]  # [deals, players], cells that were empty at the ends of the rounds
    luck: NDArray[np.float64]  # [deals, players, 3], the terms of skyjo_agents.luck; [deals, players, 0] without
    decisions: NDArray[np.int64]  # [deals]
    actions: NDArray[np.uint8]  # of one deal after the other, [decisions of all deals], or nothing if they are not kept
    round_scores: NDArray[np.int16]  # of one round after the other, [rounds of all deals, players], or nothing
    seated: NDArray[np.int64]  # [deals, players], the number of the agent in every seat

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
    keep: bool = False,
    watch: Watch | None = None,
) -> Rounds:
    """The first round of every deal, or its game, with these agents in the seats, the first in seat 0.

    Scripted agents play in compiled code, others decide at many tables at once; the rounds are the same either way.
    Threads share the deals out among themselves. The hidden cards are shown to nobody but, with `may_peek`, to `peek`.
    With `keep` every action and every round's scores are kept. An agent that fails is a PlayError.
    """
    check_agents(agents, check_rules(rules), may_peek)
    threads = whole_number("threads", threads, 1, MOST_THREADS)
    if deals.step < 1 or len(deals) == 0 or deals.start < 0:
        raise TableError(f"deals={deals} must be a range of deal numbers that grow, from 0 on")
    code = code_of("episode", episode, EPISODES)
    sitting = _Sitting(agents, rules, np.uint64(seed_number("seed", seed)), code, with_luck, keep, watch)
    are_scripted = all_scripted(agents)
    size = min(COMPILED if are_scripted else BATCHED, -(-len(deals) // threads))
    pieces = [deals[k : k + size] for k in range(0, len(deals), size)]
    play = _compiled if are_scripted else _batched
    if len(pieces) == 1:
        return play(sitting, pieces[0])
    with ThreadPoolExecutor(threads) as pool:
        return joined(list(pool.map(lambda piece: play(sitting, piece), pieces)))


def all_scripted(agents: Sequence[Agent]) -> bool:
    """Whether all of these play in compiled code."""
    return all(type(agent).act is ScriptedAgent.act for agent in agents)


def joined(parts: Sequence[Rounds]) -> Rounds:
    """Several pieces as one."""
    if len(parts) == 1:
        return parts[0]
    return Rounds(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Rounds)))


class PlayError(AgentError):
    """An agent raised an error, gave no legal action, or took too long: at this deal, in this seat."""

    def __init__(self, seat: int, deal: int, agent: str, words: str) -> None:
        super().__init__(f"deal {deal}, seat {seat}, agent {agent}: {words}")
        self.seat, self.deal, self.agent, self.words = seat, deal, agent, words

    def __reduce__(self) -> Any:
        """Processes send it to each other."""
        return PlayError, (self.seat, self.deal, self.agent, self.words)


def taken(played: Rounds, order: NDArray[np.int64]) -> Rounds:
    """The same deals in another order."""
    by_deal = {field.name: getattr(played, field.name) for field in fields(Rounds)}
    ragged = {name: by_deal.pop(name) for name in ("actions", "round_scores")}
    parts = {name: numbers[order] for name, numbers in by_deal.items()}
    for name, lengths in (("actions", played.decisions), ("round_scores", played.rounds)):
        starts, ends = (np.cumsum(each) - each for each in (lengths, lengths[order]))
        places = np.repeat(starts[order] - ends, lengths[order]) + np.arange(lengths.sum())
        parts[name] = ragged[name][places] if len(ragged[name]) > 0 else ragged[name]
    return Rounds(**parts)


def check_agents(agents: Sequence[Agent], rules: Rules, may_peek: bool) -> None:
    """TableError unless these can sit at one table."""
    if len(agents) != rules.players:
        raise TableError(f"{len(agents)} agents for players={rules.players}: there must be one for every seat")
    for seat, agent in enumerate(agents):
        made_for = getattr(agent, "rules", rules)
        if made_for != rules:
            theirs, ours = (f"{each.to_text() or 'official'}" for each in (made_for, rules))
            raise TableError(f"the agent in seat {seat} was made for other rules: {theirs}, not {ours}")
        if isinstance(agent, PeekAgent) and not may_peek:
            raise TableError("peek sees the hidden cards: it plays only where it may (may_peek=True, --peek)")


class _Sitting(NamedTuple):
    """Who plays by which rules, and what is noted."""

    agents: Sequence[Any]
    rules: Rules
    seed: np.uint64
    episode: int
    with_luck: bool
    keep: bool
    watch: Watch | None


def _compiled(sitting: _Sitting, deals: range) -> Rounds:
    """All in as few calls as there is room for what is noted; the agents are scripted."""
    _, rules, seed, episode, with_luck, _, _ = sitting
    players = np.concatenate([agent.player for agent in sitting.agents])
    games, view = np.zeros(2, GAME_DTYPE), np.zeros(spec_of(rules).size, np.int16)
    outcomes, kept = np.zeros(len(deals), OUTCOME_DTYPE), []
    first, room = 0, ROOM
    while first < len(deals):
        left = len(deals) - first
        actions, points = np.empty(room * left, np.uint8), np.empty((room // 8) * left * rules.players, np.int16)
        start, step, judges = np.uint64(deals[first]), np.uint64(deals.step), np.zeros(1, PLAYER_DTYPE)
        table = games, rules.params, players, judges, seed, start, step, episode, view
        done = play_deals(*table, outcomes[first:], actions, points, with_luck)
        now, first = outcomes[first : first + done], first + done
        kept.append((actions[: now["decisions"].sum()], points[: now["rounds"].sum() * rules.players]))
        outcomes[first:], room = np.zeros((), OUTCOME_DTYPE), 2 * room
    all_actions, all_points = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    return _noted(sitting, outcomes, all_actions, all_points)


def _noted(sitting: _Sitting, outcomes: Any, actions: NDArray[np.uint8], points: NDArray[np.int16]) -> Rounds:
    """What is wanted of the outcomes."""
    players, terms, kept = sitting.rules.players, TERMS * sitting.with_luck, None if sitting.keep else 0
    scores, cleared, luck = (outcomes[name][:, :players].copy() for name in ("scores", "cleared", "luck"))
    rounds, turns, decisions = (outcomes[name].copy() for name in ("rounds", "turns", "decisions"))
    is_stopped, by_round = outcomes["is_stopped"] != 0, points.reshape(-1, players)
    return Rounds(
        scores,
        rounds,
        turns,
        is_stopped,
        cleared,
        luck[:, :, :terms],
        decisions,
        actions[:kept],
        by_round[:kept],
        np.tile(np.arange(players), (len(outcomes), 1)),
    )


def _batched(sitting: _Sitting, deals: range) -> Rounds:
    """All tables together, a decision at each in turn: every agent is called once for all tables where it decides."""
    rules = sitting.rules
    games, outcomes = np.zeros(len(deals), GAME_DTYPE), np.zeros(len(deals), OUTCOME_DTYPE)
    numbers = np.array(deals, np.uint64)
    deal_tables(games, rules.params, sitting.seed, numbers, sitting.episode)
    chances = np.array([[player_chance(key, seat) for seat in range(rules.players)] for key in games["key"]], np.uint64)
    luck = np.zeros((len(deals), rules.players, TERMS * sitting.with_luck))
    moves, ends = [], []
    playing = np.arange(len(games))
    while len(playing) > 0:
        tables, own, terms = games[playing], chances[playing], luck[playing]
        rounds, turns = tables["round_number"].copy(), tables["turns"].copy()
        moves.append((playing, _decide(sitting, tables, numbers[playing], own, terms).astype(np.uint8)))
        games[playing], chances[playing], luck[playing] = tables, own, terms
        ended = (tables["round_number"] != rounds) | (tables["phase"] >= OVER)
        ends.append((playing[ended], tables["round_scores"][ended, : rules.players]))
        _note_rounds(outcomes, playing[ended], turns[ended] + 1, tables["cleared"][ended])
        playing = playing[tables["phase"] < OVER]
    outcomes["luck"][:, : rules.players, : luck.shape[2]] = luck
    outcomes["decisions"] = np.bincount(np.concatenate([at for at, _ in moves]))
    outcomes["is_stopped"] = games["phase"] == TRUNCATED
    outcomes["scores"] = games["round_scores" if sitting.episode == ROUND_EPISODE else "totals"]
    return _noted(sitting, outcomes, _by_deal(moves), _by_deal(ends).ravel())


def _note_rounds(outcomes: Any, at: Any, turns: Any, cleared: Any) -> None:
    """At some tables a round is over."""
    outcomes["rounds"][at] += 1
    outcomes["turns"][at] += turns
    outcomes["cleared"][at] += cleared


def _by_deal(noted: list[tuple[Any, Any]]) -> Any:
    """What was noted at some tables at a time, as one array: deal by deal, in the order of play."""
    tables, what = (np.concatenate(parts) for parts in zip(*noted, strict=True))
    return what[np.argsort(tables, kind="stable")]


def _decide(
    sitting: _Sitting, games: Any, deals: NDArray[np.uint64], chances: Any, luck: NDArray[np.float64]
) -> NDArray[np.int64]:
    """One decision at every table."""
    rules, n, params = sitting.rules, len(games), sitting.rules.params
    observations, masks = np.zeros((n, spec_of(rules).size), np.int16), np.zeros((n, rules.actions), np.int8)
    seats, phases = np.zeros(n, np.int8), np.zeros(n, np.int8)
    show_tables(games, params, observations, masks, seats, phases)
    actions = np.empty(n, np.int64)
    for agent in {id(agent): agent for agent in sitting.agents}.values():
        at = np.flatnonzero(np.isin(seats, [seat for seat, seated in enumerate(sitting.agents) if seated is agent]))
        if len(at) == 0:
            continue
        own = chances[at, seats[at]]
        seen = (games[at] if isinstance(agent, PeekAgent) else observations[at]), masks[at], own
        actions[at] = _asked(agent, seats[at], deals[at], sitting.watch, *seen)
        chances[at, seats[at]] = own
    wrong = first_illegal(games, params, actions)
    if wrong >= 0:
        seat = int(seats[wrong])
        error = illegal_action(rules, seat, PHASES[phases[wrong]], masks[wrong], int(actions[wrong]))
        raise PlayError(seat, int(deals[wrong]), type(sitting.agents[seat]).__name__, str(error))
    before = games.copy() if sitting.with_luck else None
    rewards, over = np.zeros((n, rules.players), np.float32), np.zeros(n, np.bool_)
    step_tables(games, params, actions, sitting.seed, deals.copy(), 0, False, rewards, over, over.copy())
    if before is not None:
        luck_at_tables(before, games, params, np.zeros(1, PLAYER_DTYPE), observations, actions, luck)
    return actions


def _asked(agent: Any, seats: Any, deals: Any, watch: Watch | None, *seen: Any) -> NDArray[np.int64]:
    """What an agent does at these tables; PlayError names the table at which it fails."""
    try:
        return _answer(agent, int(seats[0]), int(deals[0]), watch, *seen)
    except FAILURES as error:
        for row in range(len(deals)):
            alone = [each[row : row + 1].copy() for each in seen]
            try:
                _answer(agent, int(seats[row]), int(deals[row]), watch, *alone)
            except FAILURES as again:
                raise _failure(agent, int(seats[row]), int(deals[row]), again) from error
        raise _failure(agent, int(seats[0]), int(deals[0]), error) from error


def _answer(agent: Any, seat: int, deal: int, watch: Watch | None, *seen: Any) -> NDArray[np.int64]:
    if watch is not None:
        watch(seat, deal)
    actions = agent.act_knowing(*seen) if isinstance(agent, PeekAgent) else choose(agent, type(agent).__name__, *seen)
    if watch is not None:
        watch(NOBODY, 0)
    return actions


def _failure(agent: Any, seat: int, deal: int, error: BaseException) -> PlayError:
    try:
        words = " ".join(str(error).split())[:MOST_WORDS]
    except Exception:  # it cannot even say what is wrong
        words = ""
    if not isinstance(error, AgentError):
        words = f"{type(error).__name__}: {words}"
    return PlayError(seat, deal, type(agent).__name__, words)
