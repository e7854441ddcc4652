"""The Gymnasium environments of one seat with opponents, and what holds at many tables too."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from cardtable.table.errors import AgentError, CallError, IllegalActionError, TableError
from tests.games.listed import cases_of
from tests.games.players import Broken, LastLegal, Nth, at_first_decision, finish
from tests.games.under_test import GameUnderTest, Options


def illegal_now(env: Any) -> int:
    """An action that is not legal now."""
    return int(env.action_masks().argmin())


def legal_now(env: Any) -> int:
    """The first that is."""
    return int(env.action_masks().argmax())


# Others' tests


class FirstLegal(gymnasium.spaces.Discrete):
    """An action space whose sample is legal: check_env knows no masks."""

    def __init__(self, env: Any) -> None:
        super().__init__(env.rules.actions)
        self.env = env

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        assert mask is None
        assert probability is None
        return np.int64(self.env.action_masks().argmax())


def test_gymnasiums_check_env_of_every_way_to_render(game: GameUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = game.single(illegal="lose")
    env.spec = gymnasium.spec(game.gymnasium_id)
    env.action_space = FirstLegal(env)
    check_env(env)


def test_make_finds_the_environment_and_its_vector(game: GameUnderTest) -> None:
    name = f"{game.api.__name__}:{game.gymnasium_id}"
    assert isinstance(gymnasium.make(name).unwrapped, game.single)
    vector = gymnasium.make_vec(name, num_envs=3)
    assert isinstance(vector, game.vector)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    with pytest.raises(gymnasium.error.VersionNotFound):
        gymnasium.make(name.replace("-v0", "-v9"))


# One table is the game


def test_resets_without_a_seed_deal_on_and_options_choose_a_deal(game: GameUnderTest) -> None:
    env = game.single(opponents=[game.nth], seat=0)
    shown = []
    for deal in range(4):
        observation, _ = env.reset(seed=5) if deal == 0 else env.reset()
        shown.append(observation)
        assert observation.tolist() == at_first_decision(game, env.rules, 5, "round", 0, deal).observation(0).tolist()
    observation, _ = env.reset(options={"deal": 2})
    assert np.array_equal(observation, shown[2])
    assert np.array_equal(env.reset()[0], shown[3])
    assert np.array_equal(env.reset(seed=5)[0], shown[0])


@pytest.mark.statistical
def test_a_random_seat_changes_from_deal_to_deal_and_every_seat_comes(game: GameUnderTest) -> None:
    env = game.single(players=4)
    chosen = [env.reset(seed=seed)[1]["seat"] for seed in range(400)]
    assert np.bincount(chosen).min() > 60
    assert chosen == [env.reset(seed=seed)[1]["seat"] for seed in range(400)]


# Illegal actions


def test_an_illegal_action_is_an_error_that_changes_nothing(game: GameUnderTest) -> None:
    env = game.single()
    observation, info = env.reset(seed=1)
    illegal = illegal_now(env)
    with pytest.raises(IllegalActionError, match=f"action {illegal} .* is illegal"):
        env.step(illegal)
    assert np.array_equal(env.action_masks(), info["action_mask"])
    assert np.array_equal(env._table.seen()[0], observation)


@pytest.mark.parametrize("reward", range(3))
def test_with_lose_an_illegal_action_ends_the_episode_with_the_penalty(game: GameUnderTest, reward: int) -> None:
    env = game.single(players=3, illegal="lose", reward=game.rewards[reward])
    env.reset(seed=1)
    illegal = illegal_now(env)
    _, earned, terminated, truncated, info = env.step(illegal)
    penalty = game.penalties[game.rewards[reward]]
    assert (earned, terminated, truncated, info["illegal_action"]) == (penalty, True, False, illegal)
    assert not info["action_mask"].any()
    with pytest.raises(CallError, match="reset"):
        env.step(illegal)
    env.reset()
    assert env.action_masks().any()


@pytest.mark.parametrize("illegal", ["error", "lose"])
def test_what_is_no_action_at_all_is_an_error(game: GameUnderTest, illegal: str) -> None:
    env = game.single(illegal=illegal)
    env.reset(seed=1)
    last = env.rules.actions - 1
    for action in [last + 1, -1, 1.0, "draw", None, True, np.array([1, 2]), 2**70]:
        with pytest.raises(CallError, match=f"must be a whole number from 0 to {last}"):
            env.step(action)


# Calls and options


@pytest.mark.parametrize("kind", ["single", "vector", "text"])
def test_a_refused_reset_leaves_the_episode_and_the_next_deal_as_they_are(game: GameUnderTest, kind: str) -> None:
    envs = [getattr(game, kind)(players=3) for _ in range(2)]

    def decided(env: Any, mask: Any) -> Any:
        action = mask.argmax(-1)
        return env.step(game.card_game.action_names(env.rules)[action] if kind == "text" else action)

    masks = [env.reset(seed=3)[1]["action_mask"] for env in envs]
    refused: list[Options] = [{"seed": -1}, {"seed": 2**64}, {"options": {"deal": -1}}, {"options": {"deals": 1}}]
    for wrong in (*refused, {"seed": 7, "options": {"deal": "none"}}):
        with pytest.raises((TableError, gymnasium.error.Error)):
            envs[0].reset(**wrong)
    went_on, expected = (decided(env, mask) for env, mask in zip(envs, masks, strict=True))
    assert np.array_equal(went_on[0], expected[0])
    assert np.array_equal(went_on[-1]["action_mask"], expected[-1]["action_mask"])
    again, next_deal = (env.reset()[0] for env in envs)
    assert np.array_equal(again, next_deal)


def test_a_step_without_an_episode_is_an_error(game: GameUnderTest) -> None:
    env = game.single(game.quick_rules, opponents=[game.nth])
    with pytest.raises(CallError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    finish(env)
    with pytest.raises(CallError, match="reset"):
        env.step(0)
    with pytest.raises(CallError, match="no episode has begun: call reset"):
        game.vector(2).step(np.zeros(2, np.int64))
    for unused in (game.single(render_mode="ansi"), game.vector(2, render_mode="ansi")):
        with pytest.raises(CallError, match="no episode has begun: call reset"):
            unused.render()


BAD_OPTIONS: list[tuple[Options, str]] = [
    ({"seat": 2}, "seat=2 must be a whole number from 0 to 1"),
    ({"seat": "first"}, "seat='first' must be a whole number from 0 to 1, or \"random\""),
    ({"opponents": ["nobody"]}, "unknown agent 'nobody'; installed: .*random"),
    ({"opponents": 3}, "opponents=3 must be the name of an agent, an object "),
    ({"opponents": [3]}, "opponent 3 is neither the name of an agent, nor an object with a method act, nor a function"),
    ({"opponents": ["random"] * 3, "players": 3}, "opponents: 3 given, but there must be 1 or 2"),
    ({"opponents": LastLegal}, r"opponent LastLegal is a class; give an object made from it: LastLegal\(\.\.\.\)"),
    ({"opponents": lambda seen: seen}, r"must be a function <lambda>\(observations, masks\), not <lambda>\(seen\)"),
    ({"opponents": "oracle:n=4"}, "oracle:n=4 must be shown the hidden cards, and environments never show them"),
    ({"opponents": "human"}, "opponent human asks a person, and environments seat only programs"),
    ({"reward": "points"}, "reward='points' is not one of"),
    ({"illegal": "ignore"}, "illegal='ignore' is not one of 'error', 'lose'"),
    ({"encoding": "raw"}, "encoding='raw' is not one of"),
    ({"render_mode": "gif"}, "render_mode='gif' is not one of"),
    ({"rules": "players=3", "players": 4}, "players=4, but the rules are for players=3: change one of them"),
]


@pytest.mark.parametrize("kind", ["single", "vector"])
@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS)
def test_bad_options_name_what_is_allowed(game: GameUnderTest, kind: str, options: Options, message: str) -> None:
    with pytest.raises(AgentError if "agent" in message else TableError, match=message):
        getattr(game, kind)(**options)


@pytest.mark.parametrize("kind", ["single", "vector"])
@pytest.mark.parametrize(("game", "refused"), cases_of("bad_options"))
def test_rules_that_let_a_seat_wait_in_vain_are_refused(
    game: GameUnderTest, kind: str, refused: tuple[Options, str]
) -> None:
    options, message = refused
    with pytest.raises(TableError, match=message):
        getattr(game, kind)(**options)


# Opponents


@pytest.mark.parametrize("answer", [[0.5], None, [1, 2], "draw", [[1]], [True]])
def test_an_opponent_that_answers_nonsense_is_named(game: GameUnderTest, answer: Any) -> None:
    env = game.single(seat=1 - game.api.Game(seed=1).seat, opponents=[Broken(answer)])
    with pytest.raises(AgentError, match="agent Broken must return one whole number for every observation, here 1"):
        env.reset(seed=1)


def test_an_illegal_action_of_an_opponent_names_it_and_shows_the_learner_no_cards(game: GameUnderTest) -> None:
    table = game.api.Game(seed=1)
    illegal = int(table.mask().argmin())
    env = game.single(seat=1 - table.seat, opponents=[Broken(np.array([illegal]))])
    message = rf"agent Broken, action {illegal} \(.*\) of seat {table.seat}"
    with pytest.raises(IllegalActionError, match=message) as raised:
        env.reset(seed=1)
    assert "position" not in str(raised.value)


def test_after_an_opponent_failed_only_a_reset_helps(game: GameUnderTest) -> None:
    class Failing(Nth):
        def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[Any]:
            if fails:
                return np.full(len(masks), masks.shape[1])
            return super().act(observations, masks, rng_states)

    fails = False
    env = game.single(opponents=[Failing(game.plays)])
    env.reset(seed=1)
    env.step(game.nth.choice(env._table.seen()[0], env.action_masks()))
    fails = True
    with pytest.raises(IllegalActionError, match="agent Failing"):
        finish(env)
    with pytest.raises(TableError, match="the last step was interrupted: call reset"):
        env.step(legal_now(env))
    assert env.action_masks().any()  # what was seen before the step, not what was half written
    fails = False
    env.reset(seed=1)
    env.step(legal_now(env))


# Pictures and copies
