"""Tables at which agents are asked one decision at a time."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardtable.table.agents.agents import choose
from cardtable.table.game.card_game import Setup
from cardtable.table.game.measured_deals import DealResults, MeasuredDeals
from cardtable.table.kernel.chance import random_actions
from skipbo_env import make_agent
from skipbo_env.rules import Rules


def ask(agents: Sequence[Any], tables: MeasuredDeals) -> Any:
    """What the agents of the seats decide at all tables that still play; every action must be legal."""
    shown = tables.show()
    actions = np.empty(len(shown.seats), np.int64)
    for seat, agent in enumerate(agents):
        at = np.flatnonzero(shown.seats == seat)
        actions[at] = choose(agent, type(agent).__name__, tables.spec, shown.observations[at], shown.masks[at])
    assert tables.refusal(actions) is None
    return actions


def asked(agents: Sequence[Any], setup: Setup, deals: range) -> DealResults:
    """Deals played by asking for every decision."""
    tables = MeasuredDeals(setup, deals)
    while len(tables.playing) > 0:
        tables.step(ask(agents, tables))
    return tables.rounds()


def positions(text: str, rules: Rules, seed: int, tables: int = 24, steps: int = 120, exploring: float = 0.3) -> Any:
    """What an agent decides in its own play, exploring now and then: observations, masks and its actions."""
    agent, chance = make_agent(text, rules), np.random.default_rng(seed)
    played = MeasuredDeals(Setup(rules, seed, "game"), range(tables))
    for _ in range(steps):
        if len(played.playing) == 0:
            return
        shown = played.show()
        actions = ask([agent] * rules.players, played)
        yield shown.observations, shown.masks, actions
        strays, numbers = chance.random(len(actions)) < exploring, np.empty(len(actions), np.int64)
        random_actions(shown.masks, chance.integers(0, 2**63, len(actions)).astype(np.uint64), numbers)
        played.step(np.where(strays, numbers, actions))
