"""The scripted agents of each game: legal under all rules, and the same at one table, at many, and uncompiled."""

import copy
import pickle
import random

import numpy as np
import pytest

from cardtable.table.errors import AgentError
from tests.games.listed import cases_of
from tests.games.under_test import GameUnderTest
from tests.processes import printed


@pytest.mark.parametrize(("game", "text"), cases_of("scripts"))
def test_every_action_is_legal_under_all_rules(game: GameUnderTest, text: str) -> None:
    """Tens of thousands of decisions of each; one of five is another one, so that other tables are met, too."""
    chance = np.random.default_rng(1)
    for seed in range(30):
        rules = game.random_rules(random.Random(seed))
        agent, chances = game.api.make_agent(text, rules), np.arange(40, dtype=np.uint64)
        batch = game.api.GameBatch(rules, 40, seed=seed)
        for _ in range(40):
            actions = agent.act(batch.observations, batch.masks, chances)
            assert (batch.masks[np.arange(40), actions] == 1).all()
            others = (chance.random(batch.masks.shape) * batch.masks).argmax(axis=1)
            batch.step(np.where(chance.random(40) < 0.2, others, actions))


@pytest.mark.parametrize(("game", "text"), cases_of("scripts"))
def test_a_batch_is_as_many_single_tables_and_copies_play_alike(game: GameUnderTest, text: str) -> None:
    agent, n = game.api.make_agent(text), 30
    batch, chances = game.api.GameBatch(n=n, seed=3), np.arange(n, dtype=np.uint64)
    for _ in range(30):
        shown = batch.observations, batch.masks
        tables = [slice(k, k + 1) for k in range(n)]
        single = [int(agent.act(*(part[k] for part in shown), chances[k].copy())[0]) for k in tables]
        for twin in (agent, copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            assert twin.act(*shown, chances.copy()).tolist() == single
        batch.step(np.array(single))


@pytest.mark.parametrize(("game", "wrong"), cases_of("bad_agents"))
def test_wrong_parameters_are_named(game: GameUnderTest, wrong: tuple[str, str]) -> None:
    text, reason = wrong
    with pytest.raises(AgentError, match=reason):
        game.api.make_agent(text)


@pytest.mark.slow
def test_the_scripts_play_the_same_rounds_without_compilation(game: GameUnderTest) -> None:
    rules, agents = game.scripted_table
    code = f"""
from cardtable.table.game.card_game import Setup
from cardtable.arena.play.rounds import play_rounds
from {game.api.__name__} import Rules, make_agent
rules = Rules.from_text("{rules}")
agents = [make_agent(name, rules) for name in {agents}]
played = play_rounds(agents, Setup(rules, 3, keep=True), range(2))
print(played.scores.tolist(), played.actions.tolist())
"""
    compiled, plain = (printed("-W", "ignore", "-c", code, NUMBA_DISABLE_JIT=off) for off in ("0", "1"))
    assert compiled == plain
