"""Agents and matches: legal decisions, the same compiled or asked, stored and replayed, with any number of workers."""

import copy
import pickle
from contextlib import suppress
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable.arena.play.plan import Plan
from cardtable.arena.play.rounds import play_rounds
from cardtable.arena.workers.plan_run import play
from cardtable.table.agents.agents import agents_of, compiled_player_of, is_human, is_slow, rng_states_of, sees_hidden
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import Setup
from cardtable.table.game.measured_deals import DealResults, replayed
from cardtable.table.game.table_batch import batch_class
from cardtable.testing.environment_tests import environments_of
from cardtable.testing.moments import IS_COMPILED, SEEDS, OfGame, Player, examples, shortened

DEALS = range(6 if IS_COMPILED else 2)


class Asked:
    """An agent that does not play in compiled code."""

    def __init__(self, agent: Any) -> None:
        self.rules, self.agent = agent.rules, agent

    def act(self, *seen: Any) -> Any:
        """Return the agent's decisions."""
        return self.agent.act(*seen)


class AgentTests(OfGame):
    """The agents of a game, and matches between them."""

    def quick_agents(self, rules: Any) -> dict[str, Any]:
        """Return the agents that decide fast and by themselves under these rules, by name."""
        registry, agents = agents_of(self.game), {}
        for name in (*registry.names(), *self.agents):
            if not any(asks(registry.factory(name)) for asks in (is_human, is_slow, sees_hidden)):
                with suppress(AgentError):  # such as a policy, of which there is none for these rules
                    agents[name] = registry.make(name, rules)
        return agents

    def scripted(self) -> list[str]:
        """Return the agents that play in compiled code; the test is skipped if there are none."""
        agents = self.quick_agents(self.game.official)
        names = [name for name, agent in agents.items() if compiled_player_of(agent) is not None]
        self.needs(len(names) > 0, "scripted agents")
        return names

    @examples(12)
    @given(st.data())
    def test_every_agent_decides_legally_and_alike_at_one_table_and_at_many(self, data: Any) -> None:
        rules, seed = shortened(self.rules(data)), data.draw(SEEDS, "seed")
        batch, player = batch_class(self.game)(rules, 8, seed), Player(self.game, rules, seed)
        agents = self.quick_agents(rules).values()
        for _ in range(12):
            seen, masks = batch.observations.copy(), batch.masks.copy()
            for agent in agents:
                actions = agent.act(seen, masks, rng_states_of(seen))
                assert (masks[np.arange(8), actions] == 1).all()
                rows = [(seen[k : k + 1], masks[k : k + 1]) for k in range(8)]
                assert actions.tolist() == [int(agent.act(*row, rng_states_of(row[0]))[0]) for row in rows]
            batch.step(player.choices(seen, masks))

    def test_copies_and_pickles_of_an_agent_decide_alike(self) -> None:
        batch = batch_class(self.game)(self.game.official, 20, seed=3)
        views = batch.observations, batch.masks
        for agent in self.quick_agents(self.game.official).values():
            for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
                assert (twin.act(*views, rng_states_of(views[0])) == agent.act(*views, rng_states_of(views[0]))).all()

    @pytest.mark.parametrize("episode", ["round", "game"])
    def test_compiled_scripts_asked_agents_and_replays_note_the_same(self, episode: str) -> None:
        names, rules = self.scripted(), shortened(self.game.official)
        setup = Setup(rules, 3, episode, with_luck=len(self.game.luck.terms) > 0, record_actions=True)
        agents = [agents_of(self.game).make(names[seat % len(names)], rules) for seat in range(rules.players)]
        compiled, uncompiled = play_rounds(agents, setup, DEALS), play_rounds([*map(Asked, agents)], setup, DEALS)
        again = replayed(setup, DEALS, compiled.decisions, compiled.actions)
        for field in fields(DealResults):
            ours, theirs, stored = (getattr(results, field.name) for results in (compiled, uncompiled, again))
            np.testing.assert_array_equal(ours, theirs, field.name)
            if field.name != "luck":
                np.testing.assert_array_equal(ours, stored, field.name)
        wrong = compiled.actions.copy()
        wrong[-1] = rules.actions
        assert replayed(setup, DEALS, compiled.decisions, wrong).decisions[-1] == -1

    def test_compiled_opponents_play_as_if_they_were_asked(self) -> None:
        rules = shortened(self.game.official.replace(players=3))
        names = [self.scripted()[0], "random"]
        envs: list[Any] = [
            environments_of(self.game).vector(9, rules, opponents=who, autoreset_mode="SameStep", episode="game")
            for who in (names, [Asked(agents_of(self.game).make(name, rules)) for name in names])
        ]
        seen, other = (env.reset(seed=3) for env in envs)
        for _ in range(40):
            assert np.array_equal(seen[0], other[0])
            actions = seen[-1]["action_mask"].argmax(axis=1)
            seen, other = (env.step(actions) for env in envs)
            assert all(np.array_equal(mine, yours) for mine, yours in zip(seen[:4], other[:4], strict=True))

    def test_a_match_is_the_same_with_any_number_of_workers(self) -> None:
        rules = shortened(self.game.official.replace(players=2))
        plan = Plan(((self.game.reference_agent, "random"),), (80,), Setup(rules, seed=3))
        one, two = (play(plan, workers=workers).standings() for workers in (1, 2))
        assert one == two
        assert [standing.agent for standing in one] == [self.game.reference_agent, "random"]
