"""What the environments of Skip-Bo pay, and which deals they skip, beyond what every game promises."""

import numpy as np
import pytest

from skipbo_env import Rules, SkipboEnv, SkipboVectorEnv
from tests.games.players import at_first_decision
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
