"""Moments of any game for tests: rules that are drawn, and tables that were played at random or by an agent."""

import copy
import os
import pickle
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardtable.table.agents.agents import agents_of, rng_states_of
from cardtable.table.errors import RulesError
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.table_game import game_class

EPISODES = st.sampled_from(("round", "game"))
SEEDS = st.integers(0, 2**63)
TURNS, ROUNDS = 12, 2  # of short games: a player's turns, and the rounds
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": lambda one: one.copy(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}


IS_COMPILED = os.environ.get("NUMBA_DISABLE_JIT") != "1"  # else a round takes seconds


def examples(number: int) -> settings:
    """Return hypothesis' settings: so many examples, the same in every run, of which the first that fails is told.

    Without compilation there are a third as many.
    """
    return settings(
        max_examples=number if IS_COMPILED else number // 3,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )


@st.composite
def drawn_rules(draw: Any, game: CardGame) -> Any:
    """Draw rules of a game: the official ones, in which players and up to three other fields are changed."""
    kind, rules = game.rules_type, game.official
    values: dict[str, Any] = {name: st.integers(*bounds) for name, bounds in kind.ranges.items()}
    values |= {name: st.sampled_from(words) for name, words in kind.options.items()}
    values |= {name: st.booleans() for name, usual in vars(rules).items() if isinstance(usual, bool)}
    names = draw(st.lists(st.sampled_from(sorted(values)), unique=True, max_size=3))
    for name in ("players", *names):
        with suppress(RulesError):  # not every combination can be played
            rules = rules.replace(**{name: draw(values[name])})
    return rules


def shortened(rules: Any) -> Any:
    """Return the same rules with few rounds, and few turns in them but enough for every seat to decide."""
    least, most = rules.players, {"max_turns": TURNS * rules.players, "max_rounds": ROUNDS}
    limits = {name: getattr(rules, name, None) for name in most}
    changes = {name: min(most[name], limit) for name, limit in limits.items() if limit is not None}
    if "max_turns" in changes:
        changes["max_turns"] = max(changes["max_turns"], least)
    return rules.replace(**changes)


class Player:
    """Chooses at random, or as the game's reference agent does, so that rounds also end."""

    def __init__(self, game: CardGame, rules: Any, seed: int) -> None:
        self.chance = random.Random(seed)
        self._agent = agents_of(game).make(game.reference_agent, rules)
        self._skill = self.chance.choice((0.0, 0.5, 1.0))

    def choices(self, observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.int64]:
        """Return a legal action for every table; 0 where none is legal."""
        actions = np.array([self.chance.choice(np.flatnonzero(mask).tolist() or [0]) for mask in masks])
        rows = np.flatnonzero(masks.any(axis=1) & (self.chance.random() < self._skill))
        if len(rows) > 0:
            actions[rows] = self._agent.act(observations[rows], masks[rows], rng_states_of(observations[rows]))
        return actions

    def choice(self, table: Any) -> int:
        """Return a legal action at a single table."""
        return int(self.choices(table.observation()[None], table.mask()[None])[0])

    def play(self, table: Any, decisions: int = 100_000) -> list[int]:
        """Make up to this many decisions; return them."""
        actions: list[int] = []
        while len(actions) < decisions and not table.is_over:
            actions.append(self.choice(table))
            table.apply(actions[-1])
        return actions


def shown(table: Any) -> dict[str, Any]:
    """Return the shown and the full state of a table."""
    seats = range(table.rules.players)
    return {
        "state": table.state.tobytes(),
        "where": (table.seat, table.phase, table.round, table.turns, table.is_over, table.winners),
        "points": (table.round_scores, table.totals),
        "mask": table.mask().tolist(),
        "observations": [table.observation(seat).tolist() for seat in seats],
    }


class OfGame:
    """The base of all tests: those of one game."""

    game: ClassVar[CardGame]
    agents: ClassVar[tuple[str, ...]] = ()

    def rules(self, data: Any) -> Any:
        """Draw rules."""
        return data.draw(drawn_rules(self.game), "rules")

    def dealt(self, data: Any, is_short: bool = False) -> tuple[Any, Player]:
        """Draw a game at its beginning, and a player for it."""
        rules, seed = self.rules(data), data.draw(SEEDS, "seed")
        rules = shortened(rules) if is_short else rules
        table = game_class(self.game)(
            rules, seed, data.draw(st.integers(0, 99), "deal"), data.draw(EPISODES, "episode")
        )
        return table, Player(self.game, rules, seed)

    def moment(self, data: Any, decisions: int = 120) -> tuple[Any, Player]:
        """Draw a game after some decisions, and a player who goes on."""
        table, player = self.dealt(data)
        player.play(table, data.draw(st.integers(0, decisions), "decisions"))
        return table, player

    def needs(self, is_offered: bool, what: str) -> None:
        """Skip the test of something that the game does not offer."""
        if not is_offered:
            pytest.skip(f"{self.game.title} offers no {what}")
