"""The search: exact where nothing is unknown, the same with any threads, never worse than its base for nothing."""

import random
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardtable.arena.statistics import estimate
from cardtable.table.agents import scripted_agent
from cardtable.table.agents.rollout_search import is_better
from skyjo_agents import NaiveAgent, PolicyAgent
from skyjo_agents.rollout import RolloutAgent
from skyjo_env import OFFICIAL, AgentError, Game, GameBatch, Rules, make_agent
from skyjo_env.rules import action_names
from tests.helpers import decide, play, table
from tests.skyjo_env.lockstep import random_rules
from tests.skyjo_play import play_paired

LAST = "ender 1; turns_left 1; board {}; board 1 2 3 | 4 5 . | . . . | . . .; discard 3; seat 0 drawn {}"
LATE = "board 5 5 ? | 1 ? 3 | 0 2 ? | 4 4 7; board 1 2 ? | 4 5 ? | 3 3 9 | ? 2 1; discard 3; seat 0 drawn 6"


def lent(game: Game) -> tuple[Any, Any, Any]:
    return game.observation()[None], game.mask()[None], np.ones(1, np.uint64)


def test_with_nothing_unknown_every_value_is_exact() -> None:
    """The last turn of the round, all cards open: 15 points for the ender, doubled if seat 0 has at most as many."""
    game = table(LAST.format("12 2 5 | 1 . . | . . . | . . .", 0))
    agent = RolloutAgent(OFFICIAL, "threshold", n=20)
    values = agent.values(game.observation(), game.mask(), 5)
    assert {action_names(OFFICIAL)[action]: value for action, value in values.items()} == {
        "place 0": 30 - 8,  # 0 2 5 1
        "place 1": 15 - 18,
        "place 2": 30 - 15,  # as many as the ender, who is doubled all the same
        "place 3": 15 - 19,
    }
    assert decide(agent, game, 1) == "place 0"


@pytest.mark.parametrize("base", ["threshold:t=2,columns=true", "tempo"])
def test_threads_and_tables_change_nothing(base: str) -> None:
    game = table(LATE)
    agents = [RolloutAgent(OFFICIAL, base, n=30, threads=threads) for threads in (1, 2)]
    observations, masks, _ = lent(game)
    rng_states = np.array([4, 5, 6], np.uint64)
    chosen = [agent.act(np.repeat(observations, 3, 0), np.repeat(masks, 3, 0), rng_states.copy()) for agent in agents]
    assert chosen[0].tolist() == chosen[1].tolist()
    single = [int(agents[0].act(observations, masks, rng_states[k : k + 1].copy())[0]) for k in range(3)]
    assert chosen[0].tolist() == single


def test_alike_cells_are_tried_once() -> None:
    game = table("board ? ? 3 | ? 3 ? | 1 2 3 | 2 1 3; board ? ? ? | ? ? ? | ? ? ? | ? ? 1; discard 3; seat 0 drawn 6")
    names = action_names(game.rules)

    def distinct(rules: Rules, first: str) -> list[str]:
        found = RolloutAgent(rules, "naive").distinct_actions(game.observation(), game.mask(), names.index(first))
        return [names[action] for action in found]

    placed = ["place 0", "place 2", "place 6", "place 7", "place 8"]  # one of the hidden cells, and of each open card
    assert distinct(OFFICIAL, "place 0") == [*placed, "flip 0"]
    assert distinct(OFFICIAL, "flip 5") == ["flip 5", *placed]
    assert len(distinct(Rules(row_clear=True), "flip 5")) == 12 + 4


def test_another_action_must_be_better_by_more_than_chance() -> None:
    assert not is_better(0, 0, 10, 1)
    assert not is_better(5, 25, 1, 1)
    assert not is_better(-50, 400, 10, 1)
    assert not is_better(10, 1000, 10, 1)  # mean 1, standard error 3.1
    assert is_better(100, 2000, 10, 1)  # mean 10, standard error 3.2


def test_a_policy_plays_on_by_what_it_has_learned() -> None:
    """Not as a script: where nothing is better by so many standard errors, the search does what the policy does."""
    policy, agent = PolicyAgent(OFFICIAL), RolloutAgent(OFFICIAL, "policy", n=4, caution=1e5)
    game = Game(seed=3, episode="round")
    while not game.is_over:
        action = decide(policy, game)
        assert decide(agent, game) == action
        play(game, action)
    late = table(LATE)
    by_policy, by_naive = (
        RolloutAgent(OFFICIAL, base, n=200).values(late.observation(), late.mask(), 1) for base in ("policy", "naive")
    )
    assert by_policy.keys() == by_naive.keys()
    assert by_policy != by_naive


def test_with_a_width_it_tries_what_its_policy_rates_highest_and_in_the_final_lap_everything() -> None:
    agent, wide = RolloutAgent(base="policy", width=2), RolloutAgent(base="policy")
    late, last = table(LATE), table(LAST.format("12 2 5 | 1 ? . | . . . | . . .", 6))
    own = int(PolicyAgent().act(*lent(late))[0])
    few, all_of_them = (each.candidates(late.observation(), late.mask(), own).tolist() for each in (agent, wide))
    assert few[0] == own
    assert 2 <= len(few) <= 3 < len(all_of_them)
    assert set(few) <= set(all_of_them)
    own = int(PolicyAgent().act(*lent(last))[0])
    few, all_of_them = (each.candidates(last.observation(), last.mask(), own).tolist() for each in (agent, wide))
    assert few == all_of_them
    narrow = RolloutAgent(base="policy", n=4, caution=0, width=1)
    assert narrow.act(*lent(late)).tolist() == PolicyAgent().act(*lent(late)).tolist()
    for base in ("tempo", "threshold:t=2"):
        with pytest.raises(AgentError, match="width=2 needs base=policy, which rates the actions"):
            RolloutAgent(base=base, width=2)


def test_a_budget_of_time_is_kept_roughly() -> None:
    agent = RolloutAgent(OFFICIAL, "threshold", n=1, seconds=0.2)
    agent.act(*lent(table(LATE)))
    start = time.perf_counter()
    decide(agent, table(LATE))
    assert 0.2 < time.perf_counter() - start < 20


def test_an_agent_that_decides_otherwise_than_its_compiled_player_is_no_base(monkeypatch: pytest.MonkeyPatch) -> None:
    class Own(NaiveAgent):
        def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:
            return super().act(observations, masks, rng_states)

    with pytest.raises(AgentError, match="needs a compiled script"):
        RolloutAgent(OFFICIAL, "lookahead")
    monkeypatch.setattr(scripted_agent, "agents_of", lambda _: SimpleNamespace(make=lambda _, rules: Own(rules)))
    with pytest.raises(AgentError, match="needs a compiled script"):
        RolloutAgent(OFFICIAL, "own")


@pytest.mark.slow
def test_it_beats_its_base() -> None:
    found = estimate(play_paired(["rollout:base=threshold,n=24", "threshold"], deals=range(60)).margins[:, 0])
    assert found.mean > found.half


@pytest.mark.slow
def test_it_is_legal_under_all_rules() -> None:
    for seed in range(15):
        rules = random_rules(random.Random(seed))
        agent, batch = make_agent("rollout:base=threshold,n=1", rules), GameBatch(rules, 4, seed=seed)
        rng_states = np.arange(4, dtype=np.uint64)
        for _ in range(40):
            batch.step(agent.act(batch.observations, batch.masks, rng_states))
