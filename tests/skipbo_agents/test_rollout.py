"""The search of Skip-Bo: exact where nothing is unknown, the same with any threads, and legal."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import choose
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import Setup
from cardtable.table.game.measured_deals import MeasuredDeals
from cardtable.table.kernel.chance import random_actions
from skipbo_agents.search import RolloutAgent
from skipbo_env import make_agent
from skipbo_env.card_game import GameBatch, spec_of
from skipbo_env.kernel import DISCARD
from skipbo_env.rules import ACTION_NAMES, OFFICIAL, Rules
from tests.skipbo_env.tables import random_rules


def ask(agents: Sequence[Any], tables: MeasuredDeals) -> Any:
    """What the agents of the seats decide at all tables that still play; every action must be legal."""
    shown = tables.shown
    actions = np.empty(len(shown.seats), np.int64)
    for seat, agent in enumerate(agents):
        at = np.flatnonzero(shown.seats == seat)
        actions[at] = choose(agent, type(agent).__name__, tables.spec, shown.observations[at], shown.masks[at])
    assert tables.refusal(actions) is None
    return actions


def positions(text: str, rules: Rules, seed: int, tables: int = 24, steps: int = 120, exploring: float = 0.3) -> Any:
    """What an agent decides in its own play, exploring now and then: observations, masks and its actions."""
    agent, chance = make_agent(text, rules), np.random.default_rng(seed)
    played = MeasuredDeals(Setup(rules, seed, "game"), range(tables))
    for _ in range(steps):
        if len(played.playing) == 0:
            return
        shown = played.shown
        actions = ask([agent] * rules.players, played)
        yield shown.observations, shown.masks, actions
        strays, numbers = chance.random(len(actions)) < exploring, np.empty(len(actions), np.int64)
        random_actions(shown.masks, chance.integers(0, 2**63, len(actions)).astype(np.uint64), numbers)
        played.step(np.where(strays, numbers, actions))


BASE = "greedy:pile=smallest"


def shown_after(steps: int, rules: Rules = OFFICIAL) -> Any:
    """What is shown at one table after some decisions of the base."""
    *_, (observations, masks, _) = positions(BASE, rules, 3, tables=1, steps=steps, exploring=0)
    return observations, masks


def test_a_stock_card_played_counts_and_the_last_one_wins_the_round() -> None:
    """With stock piles of one card it is over with the play: 25 points, and 5 for the other's card (5.4)."""
    rules = Rules(stock=1, symmetric="lowest")
    agent = RolloutAgent(rules, BASE, n=3)
    for seed in range(40):
        tables = MeasuredDeals(Setup(rules, seed), range(1))
        shown = tables.shown
        values = agent.values(shown.observations[0], shown.masks[0], 1)
        for action, value in values.items():
            if action < 4:
                assert value == 30
                assert agent.act(shown.observations, shown.masks, np.array([1], np.uint64)).tolist() == [action]


def test_cards_left_count_while_the_round_goes_on() -> None:
    """Who looks no further than its own turn sees what a discard brings at once: 5 points for each stock card ahead."""
    for steps in (1, 40, 80):
        observations, masks = shown_after(steps)
        mine, theirs = spec_of(OFFICIAL).view(observations[0]).stock_sizes.tolist()
        values = RolloutAgent(OFFICIAL, BASE, n=2, turns=1).values(observations[0], masks[0], 1)
        discards = {value for action, value in values.items() if action >= DISCARD}
        assert discards == {5.0 * (theirs - mine)}


def test_alike_places_and_empty_piles_are_tried_once() -> None:
    """Those that would be legal if only the lowest of them were (7.4)."""
    official, lowest = RolloutAgent(OFFICIAL, BASE), OFFICIAL.replace(symmetric="lowest")
    for seed in range(10):
        *_, (observations, masks, actions) = positions(BASE, lowest, seed, tables=1, steps=12 + seed, exploring=0)
        every = GameBatch.sample(OFFICIAL, observations, seed=1).masks[0]
        found = official.distinct_actions(observations[0], every, int(actions[0]))
        assert found[0] == actions[0]
        assert set(found) == set(np.flatnonzero(masks[0]))


@pytest.mark.parametrize("view", ["tops", "own"])
def test_who_sees_too_little_to_guess_is_refused(view: str) -> None:
    with pytest.raises(AgentError, match=f"needs view=table, and view={view} shows too little"):
        make_agent("rollout", Rules(view=view))


def test_it_is_legal_under_all_rules() -> None:
    for seed in range(12):
        rules = random_rules(random.Random(seed)).replace(view="table")
        for _ in positions(f"rollout:base=({BASE}),n=1,turns=2", rules, seed, tables=3, steps=25):
            pass  # every action is checked on the way


def test_it_takes_what_is_better_than_what_its_base_does() -> None:
    """A base that discards at random may not play its stock card; the search does."""
    found = 0
    for observations, masks, actions in positions("rollout:base=random,n=40,turns=2", OFFICIAL, 1, 2, 20, exploring=0):
        del observations
        for mask, action in zip(masks, actions, strict=True):
            if mask[:4].any():
                found += 1
                assert ACTION_NAMES[action].startswith("stock")
    assert found > 0
