"""What a table of Skip-Bo pays its seats, beyond what every game's environments promise."""

import random

import numpy as np
import pytest

from skipbo_env import GameBatch, Rules, skipbo_v0
from tests.games.players import random_legal
from tests.games.skipbo import SKIPBO


@pytest.mark.parametrize("reward", SKIPBO.rewards)
def test_rewards_of_a_table(reward: str) -> None:
    """Win and margin sum to 0, points to 1 for a round that somebody has won; nobody gets anything for one blocked."""
    sums = {"won": {"win": 0.0, "point": 1.0, "margin": 0.0}, "blocked": {"win": 0.0, "point": 0.0, "margin": 0.0}}
    endings = set()
    for rules in ("players=3 stock=2", "players=3 stock=30"):
        env = skipbo_v0.raw_env(rules, reward=reward)
        for seed in range(4):
            env.reset(seed=seed)
            chance = random.Random(seed)
            while not env.game.is_over:
                env.step(chance.choice(env.game.legal_actions()))
            ending = str(env.game.ending)
            endings.add(ending)
            assert sum(env.rewards.values()) == pytest.approx(sums[ending][reward])
            if ending == "blocked" and reward != "margin":
                assert set(env.rewards.values()) == {0.0}
    assert endings == {"won", "blocked"}


def test_the_winner_alone_scores() -> None:
    """Clause 5.4: 25 points and 5 for every card left."""
    batch, chance = GameBatch(Rules(players=3, stock=2), 20, seed=3, episode="round"), random.Random(3)
    won = 0
    for _ in range(200):
        legal = [np.flatnonzero(mask).tolist() for mask in batch.masks]
        _, terminated, _ = batch.step([random_legal(actions, chance, SKIPBO.plays, 0.95) for actions in legal])
        for scores in batch.round_scores[terminated]:
            won += 1
            assert sorted(scores.tolist())[:2] == [0, 0]
            assert scores.max() in (30, 35, 40, 45)
    assert won > 50
