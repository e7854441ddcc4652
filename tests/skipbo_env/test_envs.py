"""What the environments of Skip-Bo pay, and which deals they skip, beyond what every game promises."""

import random

import numpy as np
import pytest

from skipbo_env import GameBatch, Rules, SkipboEnv, SkipboVectorEnv, skipbo_v0
from tests.games.one_seat import at_first_decision
from tests.games.players import random_legal
from tests.games.skipbo import SKIPBO

NTH = SKIPBO.nth


def test_a_reset_goes_on_to_a_deal_in_which_the_learner_is_asked() -> None:
    rules = Rules(stock=1)
    env = SkipboEnv(rules, opponents=[NTH], seat=1, shaping="stock")
    skipped, deal = 0, -1
    for number in range(60):
        observation, info = env.reset(seed=0) if number == 0 else env.reset()
        game = at_first_decision(SKIPBO, rules, 0, "round", 1, deal + 1)
        assert observation.tolist() == game.observation().tolist()
        assert info["action_mask"].any()
        skipped, deal = skipped + game.deal - deal - 1, game.deal
        _, reward, *_ = env.step(NTH.choice(observation, info["action_mask"]))
        assert -2.0 <= reward <= 2.0
    assert skipped > 3


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_what_is_told_of_an_episode_is_not_of_a_deal_that_was_skipped(mode: str) -> None:
    """Where an episode ends, somebody has won it and the learner is paid for just that."""
    env = SkipboVectorEnv(200, "stock=1", opponents=[NTH], seat=1, autoreset_mode=mode)
    observations, infos = env.reset(seed=0)
    ends = 0
    for _ in range(30):
        actions = NTH.choices(observations, infos["action_mask"])
        observations, rewards, terminated, _, infos = env.step(actions)
        told = infos.get("final_info", infos)
        for table in np.flatnonzero(terminated):
            ends += 1
            scores = told["round_scores"][table]
            assert rewards[table] == np.sign(scores[1] - scores[0])
        assert not rewards[~terminated].any()
    assert ends > 500


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
