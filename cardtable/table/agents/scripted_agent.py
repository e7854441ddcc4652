"""Agents that decide by compiled scripts, which play whole rounds in compiled code; each game brings its own."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeGuard

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import agents_of, compiled_player_of, generator_states
from cardtable.table.compiling.compiler import Decorator, source_of
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import CardGame, Setup, find_game
from cardtable.table.game.deal_results import DealResults
from cardtable.table.game.tables import results_of
from cardtable.table.kernel.game_kernel import EPISODES, Compiled, GameKernel
from cardtable.table.kernel.rounds import deals_loop
from cardtable.table.kernel.seats import line_loop

ROOM = 256  # decisions of a deal that there is room for at first, and twice as many whenever that is not enough
DECISIONS_A_ROUND = 8  # at least, for the room for the scores of rounds


class CompiledScripts:
    """How scripted agents play deals: all in one call, or in as few as there is room for what is noted.

    `play_line` is the loop over tables of a learner, with the first of the decisions inside for its opponents.
    """

    def __init__(self, kernel: GameKernel, decisions: Mapping[int, Compiled], compiled: Decorator) -> None:
        """`decisions` are functions (view, rules, player): each knows all scripts from its number up to the next, and
        those before it.
        """
        self._loops = {number: deals_loop(kernel, decision, compiled) for number, decision in decisions.items()}
        self.play_line = line_loop(kernel, compiled, decisions[0])
        self.sources: tuple[Path, ...] = (Path(source_of(decisions[0])).parent,)

    def play(self, setup: Setup, agents: Sequence["ScriptedAgent"], deals: range) -> DealResults:
        """See `cardtable.table.agents.agents.CompiledPlayer`."""
        rules, kind = setup.rules, setup.game
        players = np.concatenate([agent.player for agent in agents])
        loop = self._loops[max(number for number in self._loops if number <= players["script"].max())]
        two, view = np.zeros(2, kind.dtype), np.zeros(kind.spec_of(rules).size, np.int16)
        seed, episode, rooms = np.uint64(setup.seed), EPISODES.index(setup.episode), np.zeros(1, kind.luck.room)
        results, kept = np.zeros(len(deals), kind.result_type), []
        first, room = 0, ROOM
        while first < len(deals):
            most = room * (len(deals) - first)
            actions = np.empty(most, kind.action_type)
            points = np.empty(most // DECISIONS_A_ROUND * rules.players, np.int16)
            start, step = np.uint64(deals[first]), np.uint64(deals.step)
            table = two, rules.params, players, seed, start, step, episode, view, rooms
            done = loop(*table, results[first:], actions, points, setup.with_luck)
            now, first = results[first : first + done], first + done
            kept.append((actions[: now["decisions"].sum()], points[: now["rounds"].sum() * rules.players]))
            results[first:], room = np.zeros((), kind.result_type), 2 * room
        all_actions, all_points = (np.concatenate(parts) for parts in zip(*kept, strict=True))
        return results_of(setup, results, all_actions, all_points)


class ScriptedAgent:
    """Decides by one of the scripts of its game; its parameters are the numbers in the player's record.

    A game's own class says what its records look like, and which compiled function decides.
    """

    kind: ClassVar[CardGame]

    script: ClassVar[int]
    compiled_player: ClassVar[CompiledScripts]
    is_base: ClassVar[bool] = True  # may searches and environments let it play in compiled code?
    player_type: ClassVar[np.dtype[Any]]  # with `script`, `numbers` and `chance`
    decide: ClassVar[Callable[..., Any]]  # (observations, rules, players, chances, actions)

    def __init__(self, rules: Any, *numbers: float) -> None:
        self.rules = self.kind.rules_type.check(rules)
        self.player = np.zeros(1, self.player_type)  # compiled rounds take it as it is
        self.player["script"] = self.script
        self.player["numbers"][0, : len(numbers)] = numbers

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """One legal action for every table."""
        self._check(observations, masks, chances)
        actions, seen = np.empty(len(masks), np.int64), np.ascontiguousarray(observations, np.int16)
        self.decide(seen, self.rules.params, self.player.copy(), generator_states(chances), actions)
        return actions

    def _check(self, observations: Any, masks: Any, chances: Any) -> None:
        """AgentError unless these are tables of this agent's rules: compiled code would read out of bounds."""
        shapes, tables = (np.shape(observations), np.shape(masks), np.shape(chances)), len(chances)
        size, actions = self.kind.spec_of(self.rules).size, self.rules.actions
        if shapes != ((tables, size), (tables, actions), (tables,)):
            raise AgentError(
                f"an agent for these rules must be given observations [N, {size}], masks [N, {actions}] "
                f"and chances [N], not {', '.join(map(str, shapes))}"
            )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.kind.title} with {self.rules.players} players>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew; there is no state."""
        return _again, (type(self), self.rules, self.player["numbers"][0].tolist())


def _again(kind: type[ScriptedAgent], rules: Any, numbers: list[float]) -> ScriptedAgent:
    agent = kind.__new__(kind)
    ScriptedAgent.__init__(agent, rules, *numbers)
    return agent


def is_base(agent: Any) -> TypeGuard[ScriptedAgent]:
    """Is it a scripted agent that searches and environments let play in compiled code?"""
    if not isinstance(agent, ScriptedAgent) or not agent.is_base:
        return False
    return compiled_player_of(agent) is type(agent).compiled_player


def base_of_search(base: str, rules: Any) -> ScriptedAgent:
    """The scripted agent of this name, for a search that lets it play on in compiled code."""
    agent = agents_of(find_game(rules.game)).make(base, rules)
    if not is_base(agent):
        raise AgentError(f"base={base}: only a scripted agent can be the base of a search")
    return agent
