"""Agents that decide by compiled scripts, which play whole rounds in compiled code; each game brings its own."""

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any, ClassVar, TypeGuard

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import agents_of, compiled_player_of, generator_states
from cardtable.table.checks import brief
from cardtable.table.compiling.compiler import compiler_of, source_of
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import CardGame, Setup, find_game
from cardtable.table.game.measured_deals import DealResults, results_of
from cardtable.table.kernel.game_kernel import EPISODES, Compiled
from cardtable.table.kernel.rounds import deals_loop, decisions_loop
from cardtable.table.kernel.seats import line_loop

NUMBERS = 16  # that a script may have
PLAYER_DTYPE: np.dtype[Any] = np.dtype(
    (np.record, [("chance", "u8"), ("script", "i8"), ("numbers", "f8", NUMBERS)]), align=True
)  # of scripts that need no working space; `chance` is the state of the player's generator
ROOM = 256  # decisions of a deal that there is room for at first, and twice as many whenever that is not enough
KIND = Parameter.POSITIONAL_OR_KEYWORD
DECISIONS_A_ROUND = 8  # at least, for the room for the scores of rounds


class CompiledScripts:
    """Decisions and deals of scripted agents, played in one call, or in as few calls as the space for records allows.

    `play_line` is the loop over a learner's tables, with the first of the decisions compiled in for its opponents.
    """

    def __init__(
        self,
        card_game: CardGame,
        decisions: Compiled | Mapping[int, Compiled],
        player_type: np.dtype[Any] = PLAYER_DTYPE,
    ) -> None:
        """Make scripts from `decisions`: a function (view, rules, player), or several by the number of the first script
        that each knows. Each of them knows all scripts up to the next number, and those before it. `player_type` has
        the fields of PLAYER_DTYPE, and working space.
        """
        self.card_game, self.player_type = card_game, player_type
        scripts = decisions if isinstance(decisions, Mapping) else {0: decisions}
        first = source_of(scripts[0])
        compiled = compiler_of(first, source_of(card_game.kernel.act), whole=True)
        self._deals = {number: deals_loop(card_game.kernel, decision, compiled) for number, decision in scripts.items()}
        self.decide = decisions_loop(scripts[0], compiled)  # (observations, rules, player, chances, actions)
        self.play_line = line_loop(card_game.kernel, compiled, scripts[0])
        self.sources: tuple[Path, ...] = (Path(first).parent,)

    def play(self, setup: Setup, agents: Sequence["ScriptedAgent"], deals: range) -> DealResults:
        """See `cardtable.table.agents.agents.CompiledPlayer`."""
        rules, card_game = setup.rules, setup.game
        players = np.concatenate([agent.player for agent in agents])
        loop = self._deals[max(number for number in self._deals if number <= players["script"].max())]
        two, view = np.zeros(2, card_game.dtype), np.zeros(card_game.spec_of(rules).size, np.int16)
        seed, episode, scratches = (
            np.uint64(setup.seed),
            EPISODES.index(setup.episode),
            np.zeros(1, card_game.luck.scratch),
        )
        results, batches = np.zeros(len(deals), card_game.result_type), []
        first, scratch = 0, ROOM
        while first < len(deals):
            most = scratch * (len(deals) - first)
            actions = np.empty(most, card_game.action_type)
            points = np.empty(most // DECISIONS_A_ROUND * rules.players, np.int16)
            start, step = np.uint64(deals[first]), np.uint64(deals.step)
            table = two, rules.params, players, seed, start, step, episode, view, scratches
            done = loop(*table, results[first:], actions, points, setup.with_luck)
            now, first = results[first : first + done], first + done
            batches.append((actions[: now["decisions"].sum()], points[: now["rounds"].sum() * rules.players]))
            results[first:], scratch = np.zeros((), card_game.result_type), 2 * scratch
        all_actions, all_points = (np.concatenate(parts) for parts in zip(*batches, strict=True))
        return results_of(setup, results, all_actions, all_points)


class ScriptedAgent:
    """Decides by a compiled script of its game.

    A class names the `compiled_player` of the game, its script if there are several, and its numbers, in the order in
    which the script finds them. A tuple lists words; the script gets the index of the chosen one:

        class Greedy(ScriptedAgent, numbers={"least": 2.0, "pile": ("leftmost", "random")}):
            compiled_player = CompiledScripts(GOLF, greedy)
    """

    compiled_player: ClassVar[CompiledScripts]
    script: ClassVar[int] = 0
    is_base: ClassVar[bool] = True  # may searches and environments let it play in compiled code?
    decides: ClassVar[Callable[..., Any] | None] = None  # where it is asked, if not as `compiled_player.decide`
    numbers: ClassVar[Mapping[str, Any]] = {}
    __signature__: ClassVar[Signature]

    def __init_subclass__(cls, numbers: Mapping[str, Any] | None = None) -> None:
        if numbers is not None:
            usual = {name: value[0] if isinstance(value, tuple) else value for name, value in numbers.items()}
            taken = [Parameter(name, KIND, default=default) for name, default in {"rules": "", **usual}.items()]
            cls.numbers, cls.__signature__ = numbers, Signature(taken)  # which `signature` looks for

    def __init__(self, rules: Any = "", *numbers: Any, **named: Any) -> None:
        """Take the official rules unless others are given, and numbers in their order or by name."""
        if self.numbers:
            taken = signature(type(self)).bind(rules, *numbers, **named)
            taken.apply_defaults()
            numbers = tuple(_number(name, taken.arguments[name], declared) for name, declared in self.numbers.items())
        self.rules = self.compiled_player.card_game.rules_type.check(rules)
        self.player = np.zeros(1, self.compiled_player.player_type)  # which compiled rounds take
        self.player["script"] = self.script
        self.player["numbers"][0, : len(numbers)] = numbers

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], rng_states: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Return one legal action for every table."""
        self._check(observations, masks, rng_states)
        actions, seen = np.empty(len(masks), np.int64), np.ascontiguousarray(observations, np.int16)
        decide = self.decides or self.compiled_player.decide
        decide(seen, self.rules.params, self.player.copy(), generator_states(rng_states), actions)
        return actions

    def _check(self, observations: Any, masks: Any, rng_states: Any) -> None:
        """AgentError unless these are tables of this agent's rules: compiled code would read out of bounds."""
        shapes, tables = (np.shape(observations), np.shape(masks), np.shape(rng_states)), len(rng_states)
        size, actions = self.compiled_player.card_game.spec_of(self.rules).size, self.rules.actions
        if shapes != ((tables, size), (tables, actions), (tables,)):
            raise AgentError(
                f"an agent for these rules must be given observations [N, {size}], masks [N, {actions}] "
                f"and chances [N], not {', '.join(map(str, shapes))}"
            )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.compiled_player.card_game.title} with {self.rules.players} players>"


def _number(name: str, value: Any, usual: Any) -> float:
    """Return a number for a script; of a parameter that is a word, its place among those known."""
    if not isinstance(usual, tuple):
        return float(value)
    if not isinstance(value, str) or value not in usual:
        raise AgentError(f"{name}={brief(value)} is not one of {', '.join(usual)}")
    return usual.index(value)


def is_base(agent: Any) -> TypeGuard[ScriptedAgent]:
    """Return whether the agent is a scripted agent that searches and environments can play in compiled code."""
    if not isinstance(agent, ScriptedAgent) or not agent.is_base:
        return False
    return compiled_player_of(agent) is type(agent).compiled_player


def base_of_search(base: str, rules: Any) -> ScriptedAgent:
    """Return the scripted agent of this name, for a search that lets it play on in compiled code."""
    agent = agents_of(find_game(rules.game)).make(base, rules)
    if not is_base(agent):
        raise AgentError(
            f"base={base}: a search needs a compiled script of the package as its base, not a class of your own"
        )
    return agent
