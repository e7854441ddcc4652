"""The environments of PettingZoo and Gymnasium: their own tests pass, and all play the same games and rewards."""

from functools import cache
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pettingzoo.test import api_test, parallel_api_test
from pettingzoo.utils.env_logger import EnvLogger

from cardtable.table.envs.environments import Environments, environments
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.table_batch import batch_class
from cardtable.table.game.table_game import game_class
from cardtable.testing.moments import EPISODES, OfGame, Player, examples, shortened

# What PettingZoo says about every environment with a dictionary for an observation that is not on its list of names.
quiet = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
    "ignore:Overriding environment",
)


@cache
def environments_of(game: CardGame) -> Environments:
    """Return the environments of a game."""
    return environments(game, __name__)


class FirstLegal(gymnasium.spaces.Discrete):
    """An action space whose sample is legal: Gymnasium's check does not know masks."""

    def __init__(self, env: Any) -> None:
        super().__init__(env.rules.actions)
        self.env = env

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return the first legal action."""
        del mask, probability
        return np.int64(self.env.action_masks().argmax())


def nth(observation: NDArray[Any], mask: NDArray[Any]) -> int:
    """Return a legal action that looks random and follows from the observation; 0 where none is legal."""
    legal, mixed = np.flatnonzero(mask), int(observation.astype(np.int64) @ np.arange(1, len(observation) + 1))
    return int(legal[mixed % len(legal)]) if len(legal) > 0 else 0


def all_nth(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.int64]:
    """Return the same at many tables."""
    return np.array([nth(*seen) for seen in zip(observations, masks, strict=True)], np.int64)


class EnvironmentTests(OfGame):
    """PettingZoo, Gymnasium, and many tables of both."""

    def options(self, data: Any) -> dict[str, Any]:
        """Draw rules and options that all environments take."""
        rules = shortened(self.rules(data))
        return {
            "rules": rules,
            "episode": data.draw(EPISODES, "episode"),
            "reward": data.draw(st.sampled_from(self.game.rewards), "reward"),
            "shaping": data.draw(st.sampled_from(self.game.shapings), "shaping"),
        }

    @quiet
    @pytest.mark.parametrize("options", [{}, {"players": 3, "episode": "game", "encoding": "onehot"}])
    def test_pettingzoos_tests_pass(self, options: dict[str, Any]) -> None:
        EnvLogger.suppress_output()
        try:
            api_test(environments_of(self.game).env(**options), num_cycles=100)
            parallel_api_test(environments_of(self.game).parallel_env(**options), num_cycles=30)
        finally:
            EnvLogger.unsuppress_output()

    @pytest.mark.parametrize("options", [{}, {"players": 3, "episode": "game", "encoding": "onehot"}])
    def test_gymnasiums_tests_pass(self, options: dict[str, Any]) -> None:
        env = environments_of(self.game).single(illegal="lose", **options)
        env.action_space = FirstLegal(env)
        check_env(env, skip_render_check=True)

    @examples(8)
    @given(st.data())
    def test_the_table_of_all_seats_and_the_learners_in_all_seats_see_and_earn_the_same(self, data: Any) -> None:
        options = self.options(data)
        turns, many = environments_of(self.game).raw_env(**options), batch_class(self.game)(n=3, seed=5, **options)
        together = environments_of(self.game).parallel_env(**options)
        turns.reset(seed=5)
        together.reset(seed=5)
        table = game_class(self.game)(options["rules"], 5, 0, options["episode"])
        owed = np.zeros(options["rules"].players)
        player = Player(self.game, options["rules"], 5)
        while not table.is_over:
            seat, seen = table.seat, turns.observe(turns.agent_selection)
            assert turns.agent_selection == f"player_{seat}"
            assert seen["observation"].tolist() == table.observation().tolist() == many.observations[0].tolist()
            assert seen["action_mask"].tolist() == table.mask().tolist() == many.masks[0].tolist()
            actions = player.choices(many.observations, many.masks)
            table.apply(int(actions[0]))
            turns.step(int(actions[0]))
            parallel = together.step({f"player_{seat}": int(actions[0])})
            many.step(actions)
            owed[seat] = 0
            owed += [turns.rewards[agent] for agent in turns.possible_agents]
            assert many.rewards[0] == pytest.approx(owed, abs=1e-5)
            assert (parallel[1], parallel[2], parallel[3]) == (turns.rewards, turns.terminations, turns.truncations)
            for agent, seen in parallel[0].items():
                there, mask = turns.observe(agent), seen["action_mask"]
                assert seen["observation"].tolist() == there["observation"].tolist()
                assert mask[:-1].tolist() == there["action_mask"].tolist()
                assert mask[-1] != mask[:-1].any()  # the last action is to wait
            assert (many.terminated[0] or many.truncated[0]) == table.is_over
            assert any(turns.truncations.values()) == many.truncated[0] == table.is_truncated

    @examples(8)
    @given(st.data())
    def test_one_seat_sees_and_earns_what_it_does_at_the_table_of_all(self, data: Any) -> None:
        options = self.options(data)
        seat = data.draw(st.integers(0, options["rules"].players - 1), "seat")
        env = environments_of(self.game).single(opponents=all_nth, seat=seat, **options)
        turns = environments_of(self.game).raw_env(**options)
        observation, info = env.reset(seed=5)
        turns.reset(seed=5, options={"deal": int(env._table.tables["deal"][0])})
        earned, has_ended, mine = None, False, turns.possible_agents[seat]
        for agent in turns.agent_iter():
            seen, owed, terminated, truncated, _ = turns.last()
            if agent != mine:
                turns.step(None if terminated or truncated else nth(seen["observation"], seen["action_mask"]))
                continue
            assert observation.tolist() == seen["observation"].tolist()
            assert info["action_mask"].tolist() == seen["action_mask"].tolist()
            assert earned is None or earned == pytest.approx(
                owed, abs=1e-6
            )  # what came before it decided is not its own
            assert has_ended == (terminated or truncated)
            if has_ended:
                break
            action = nth(observation, info["action_mask"])
            turns.step(action)
            observation, earned, ended, stopped, info = env.step(action)
            has_ended = ended or stopped
        assert has_ended

    @examples(5)
    @given(st.data(), st.sampled_from(tuple(AutoresetMode)))
    def test_many_tables_are_as_many_environments(self, data: Any, mode: AutoresetMode) -> None:
        options = {**self.options(data), "opponents": all_nth}
        make = environments_of(self.game).single
        ours = environments_of(self.game).vector(3, autoreset_mode=mode, **options)
        theirs = SyncVectorEnv([lambda: make(**options) for _ in range(3)], autoreset_mode=mode)
        seen: Any = ours.reset(seed=7)
        other: Any = theirs.reset(seed=7)
        for _ in range(50):
            assert np.array_equal(seen[0], other[0])
            assert np.array_equal(seen[-1]["action_mask"], other[-1]["action_mask"])
            actions = all_nth(seen[0], ours.action_masks())  # after a reset of some tables infos tell of these alone
            seen, other = ours.step(actions), theirs.step(actions)
            assert all(np.array_equal(mine, yours) for mine, yours in zip(seen[:4], other[:4], strict=True))
            ended = seen[2] | seen[3]
            if mode is AutoresetMode.DISABLED and ended.any():
                seen, other = (env.reset(options={"reset_mask": ended.copy()}) for env in (ours, theirs))

    def test_the_penalty_is_never_better_than_an_episode(self) -> None:
        for seed in range(20):
            rules = shortened(self.game.official.replace(players=2 + seed % 2))
            for reward in self.game.rewards:
                env = environments_of(self.game).single(rules, opponents=all_nth, reward=reward)
                observation, info = env.reset(seed=seed)
                earned = 0.0
                while info["action_mask"].any():
                    observation, reward_now, _, _, info = env.step(nth(observation, info["action_mask"]))
                    earned += reward_now
                assert self.game.penalty(rules, reward) <= earned + 1e-9
