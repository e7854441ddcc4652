"""Many tables of Skip-Bo: they play the games of their deals; what is shared with Skyjo's is tested there."""

import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipbo_env import PHASES, Game, GameBatch, IllegalActionError, Rules
from tests.helpers import SEEDED
from tests.skipbo_env.lockstep import choose
from tests.skipbo_env.tables import many_rules, seeds


def step_alone(game: Game, action: int) -> tuple[list[float], bool, bool]:
    """What a table's step should report."""
    nothing = [0.0] * game.rules.players
    if game.is_over:
        return nothing, True, game.is_truncated
    before = game.round
    game.apply(action)
    was_scored = game.round != before or game.phase == "over"
    return margins(game) if was_scored else nothing, game.is_over, game.is_truncated


def margins(game: Game) -> list[float]:
    """How far each round score is ahead of the mean of the others."""
    scores = game.round_scores
    return [own - (sum(scores) - own) / (len(scores) - 1) for own in scores]


def shown(batch: GameBatch) -> dict[str, Any]:
    """What a batch shows of its tables."""
    arrays = {name: getattr(batch, name).tolist() for name in ("observations", "masks", "seats", "phases", "deals")}
    return arrays | {"positions": [batch.position(table) for table in range(len(batch))]}


def expected(games: list[Game]) -> dict[str, Any]:
    """The same of single games."""
    return {
        "observations": [game.observation().tolist() for game in games],
        "masks": [game.mask().tolist() for game in games],
        "seats": [game.seat for game in games],
        "phases": [PHASES.index(game.phase) for game in games],
        "deals": [game.deal for game in games],
        "positions": [game.position() for game in games],
    }


@settings(SEEDED, max_examples=7)
@given(many_rules, st.integers(1, 5), seeds, st.sampled_from(["game", "round"]), st.booleans())
def test_tables_play_the_games_of_their_deals(rules: Rules, n: int, seed: int, episode: str, restart: bool) -> None:
    batch = GameBatch(rules, n, seed, episode, restart)
    games = [Game(rules, seed, deal, episode) for deal in range(n)]
    chance = random.Random(seed)
    for number in range(120):
        if number % 10 == 0:
            assert shown(batch) == expected(games)
        actions = [0 if game.is_over else choose(game.legal_actions(), chance, eagerness=0.95) for game in games]
        alone = [step_alone(game, action) for game, action in zip(games, actions, strict=True)]
        rewards, dones, truncateds = batch.step(actions)
        assert rewards == pytest.approx(np.array([reward for reward, _, _ in alone]), rel=1e-6)
        assert [dones.tolist(), truncateds.tolist()] == [[row[part] for row in alone] for part in (1, 2)]
        if restart:
            games = [Game(rules, seed, game.deal + n, episode) if game.is_over else game for game in games]


def test_a_winner_is_rewarded_by_the_margin_and_the_others_share_it() -> None:
    """Clause 5.4: 25 points and 5 for every card left."""
    batch, chance = GameBatch(Rules(players=3, stock=2), 20, seed=3, episode="round"), random.Random(3)
    won = 0
    for _ in range(200):
        rewards, dones, _ = batch.step([choose(np.flatnonzero(mask).tolist(), chance, 0.95) for mask in batch.masks])
        for reward in rewards[dones]:
            won += 1
            assert sorted(reward.tolist())[:2] == pytest.approx([-reward.max() / 2] * 2)
            assert reward.max() in {30.0, 35.0, 40.0, 45.0}
        assert not rewards[~dones].any()
    assert won > 50


def test_an_illegal_action_names_the_first_such_table_and_changes_none() -> None:
    batch = GameBatch(Rules(), 4, seed=1)
    before = shown(batch)
    actions = [int(np.flatnonzero(mask)[0]) for mask in batch.masks]
    actions[2] = 124
    with pytest.raises(IllegalActionError, match=re.escape("table 2: action 124 (pass) of seat 0 is illegal; legal: ")):
        batch.step(actions)
    assert shown(batch) == before
