"""One seat with opponents: the Gymnasium environment, and what holds at many tables too."""

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardtable.envs import seat_batch as seats
from cardtable.kernel.seats import RUNNING
from skyjo_env import AgentError, CallError, Game, IllegalActionError, Rules, SkyjoError
from skyjo_env.card_game import illegal_penalty
from skyjo_env.envs import SkyjoEnv, SkyjoVectorEnv
from tests.helpers import SEEDED, many_rules, seeds
from tests.skyjo_env.env_reference import Nth, expected_margin, finish, nth_legal, one_seat, with_short_rounds
from tests.skyjo_env.lockstep import random_rules

ID = "skyjo_env:skyjo/Skyjo-v0"
KINDS = ("margin", "score", "win")


class Broken:
    """An agent that answers with whatever it was made with."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> Any:
        assert len(observations) == len(masks) == len(chances)
        return self.answer


# Others' tests


@pytest.mark.parametrize(
    "options",
    [{}, {"players": 4, "episode": "game"}, {"encoding": "onehot"}, {"illegal": "lose", "shaping": "expected_margin"}],
)
def test_gymnasiums_check_env(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = SkyjoEnv(**options)
    env.spec = gymnasium.spec("skyjo/Skyjo-v0")
    env.action_space = FirstLegal(env)
    check_env(env)


class FirstLegal(gymnasium.spaces.Discrete):
    """An action space whose sample is legal: check_env knows no masks."""

    def __init__(self, env: SkyjoEnv) -> None:
        super().__init__(env.rules.actions)
        self.env = env

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        assert mask is None
        assert probability is None
        return np.int64(self.env.action_masks().argmax())


def test_make_finds_the_environment_and_its_vector() -> None:
    assert isinstance(gymnasium.make(ID).unwrapped, SkyjoEnv)
    vector = gymnasium.make_vec(ID, num_envs=3)
    assert isinstance(vector, SkyjoVectorEnv)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    with pytest.raises(gymnasium.error.VersionNotFound):
        gymnasium.make("skyjo_env:skyjo/Skyjo-v9")


# One table is the game


@SEEDED
@given(
    many_rules.map(with_short_rounds), seeds, st.sampled_from(["round", "game"]), st.sampled_from(KINDS), st.booleans()
)
def test_a_single_environment_is_the_game_from_one_seat(
    rules: Rules, seed: int, episode: str, reward: str, is_shaped: bool
) -> None:
    rules = rules.replace(max_rounds=2)
    shaping = "expected_margin" if is_shaped else None
    env = SkyjoEnv(rules, opponents=[Nth()], episode=episode, reward=reward, shaping=shaping)
    observation, info = env.reset(seed=seed)
    earned, terminated, truncated = 0.0, False, False
    game = Game(rules, seed=seed, episode=episode)
    for seen in one_seat(game, info["seat"], reward, is_shaped, nth_legal, nth_legal):
        assert observation.tolist() == seen.observation.tolist()
        assert info["action_mask"].tolist() == env.action_masks().tolist() == seen.mask.tolist()
        assert info["round"] == game.round
        assert earned == pytest.approx(seen.reward, abs=1e-9)
        assert (terminated, truncated) == (game.is_over and not game.is_truncated, game.is_truncated)
        if not game.is_over:
            observation, earned, terminated, truncated, info = env.step(nth_legal(observation, info["action_mask"]))
    assert info["round_scores"].tolist() == list(game.round_scores)
    assert info["totals"].tolist() == list(game.totals)


def test_shaped_rewards_add_up_to_the_margin() -> None:
    env = SkyjoEnv(players=3, opponents=[Nth()], shaping="expected_margin")
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        start, total, is_over = info, 0.0, False
        while not is_over:
            observation, reward, is_over, _, info = env.step(nth_legal(observation, info["action_mask"]))
            total += reward
        scores = info["round_scores"]
        margin = (scores.sum() - scores[start["seat"]]) / 2 - scores[start["seat"]]
        # From the first decision on the expected margin is no longer 0: the opponents may have turned cards up.
        assert total == pytest.approx(margin / 100 - expected_at_start(env, seed), abs=1e-9)


def expected_at_start(env: SkyjoEnv, seed: int) -> float:
    _, info = env.reset(seed=seed)
    game = Game(env.rules, seed=seed, episode="round")
    while game.seat != info["seat"]:
        game.apply(nth_legal(game.observation(), game.mask()))
    return expected_margin(game, info["seat"])


def test_resets_without_a_seed_deal_on_and_options_choose_a_deal() -> None:
    env = SkyjoEnv(opponents=[Nth()], seat=0, rules=Rules(first_starter="seat_0"))
    shown = {}
    for deal in range(4):
        observation, _ = env.reset(seed=5) if deal == 0 else env.reset()
        shown[deal] = observation
        assert observation.tolist() == Game(env.rules, seed=5, deal=deal, episode="round").observation(0).tolist()
    observation, _ = env.reset(options={"deal": 2})
    assert np.array_equal(observation, shown[2])
    assert np.array_equal(env.reset()[0], shown[3])
    assert np.array_equal(env.reset(seed=5)[0], shown[0])


@pytest.mark.statistical
def test_a_random_seat_changes_from_deal_to_deal_and_every_seat_comes() -> None:
    env = SkyjoEnv(players=4)
    chosen = [env.reset(seed=seed)[1]["seat"] for seed in range(400)]
    assert np.bincount(chosen).min() > 60
    assert chosen == [env.reset(seed=seed)[1]["seat"] for seed in range(400)]


def test_every_opponent_sits_where_it_was_put() -> None:
    seen: dict[str, set[int]] = {"a": set(), "b": set(), "c": set()}

    class Noting(Nth):
        def __init__(self, name: str) -> None:
            self.name = name

        def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
            seen[self.name] |= set(observations[:, 9].tolist())  # the observer's own seat
            return super().act(observations, masks, chances)

    env = SkyjoEnv(players=4, seat=2, opponents=[Noting("a"), Noting("b"), Noting("c")])
    env.reset(seed=1)
    finish(env)
    assert seen == {"a": {3}, "b": {0}, "c": {1}}


def test_an_illegal_action_is_an_error_that_changes_nothing() -> None:
    env = SkyjoEnv()
    observation, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(IllegalActionError, match=f"action {illegal} .* is illegal"):
        env.step(illegal)
    assert np.array_equal(env.action_masks(), info["action_mask"])
    assert np.array_equal(env._table.seen()[0], observation)


@pytest.mark.parametrize(("reward", "penalty"), [("margin", -3.12), ("score", -2.88), ("win", -1.0)])
def test_with_lose_an_illegal_action_ends_the_episode_with_the_penalty(reward: str, penalty: float) -> None:
    env = SkyjoEnv(illegal="lose", reward=reward)
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, earned, terminated, truncated, info = env.step(illegal)
    assert (earned, terminated, truncated, info["illegal_action"]) == (penalty, True, False, illegal)
    assert not info["action_mask"].any()
    with pytest.raises(CallError, match="reset"):
        env.step(illegal)
    env.reset()
    assert env.action_masks().any()


@pytest.mark.parametrize("illegal", ["error", "lose"])
@pytest.mark.parametrize("action", [26, -1, 1.0, "draw", None, True, np.array([1, 2]), 2**70])
def test_what_is_no_action_at_all_is_an_error(illegal: str, action: Any) -> None:
    env = SkyjoEnv(illegal=illegal)
    env.reset(seed=1)
    with pytest.raises(CallError, match="must be a whole number from 0 to 25"):
        env.step(action)


@pytest.mark.parametrize("action", [np.int64(14), np.int8(14), np.array(14), 14])
def test_whole_numbers_of_any_kind_are_actions(action: Any) -> None:
    env = SkyjoEnv(seat=0)
    env.reset(seed=1)
    env.step(action)


@pytest.mark.statistical
@pytest.mark.slow
def test_the_penalty_is_never_better_than_a_round() -> None:
    for seed in range(300):
        rules = with_short_rounds(random_rules(random.Random(seed)))
        for kind in KINDS:
            env = SkyjoEnv(rules, opponents=[Nth()], reward=kind)
            env.reset(seed=seed)
            assert illegal_penalty(env.rules, kind) <= min(finish(env)) + 1e-9


@pytest.mark.parametrize("env", [SkyjoEnv(), SkyjoVectorEnv(2)])
def test_unknown_reset_options_are_refused(env: Any) -> None:
    with pytest.raises(SkyjoError, match="unknown reset option deals; the only option is deal"):
        env.reset(options={"deals": 3})


def test_without_any_seed_two_environments_deal_differently() -> None:
    one, other = SkyjoEnv(seat=0), SkyjoEnv(seat=0)
    for env in (one, other):
        env.np_random.random()  # as wrappers do
    assert any(not np.array_equal(one.reset()[0], other.reset()[0]) for _ in range(3))


def test_a_step_without_an_episode_is_an_error() -> None:
    env = SkyjoEnv(opponents=[Nth()])
    with pytest.raises(CallError, match="reset"):
        env.step(14)
    env.reset(seed=1)
    finish(env)
    with pytest.raises(CallError, match="reset"):
        env.step(14)
    with pytest.raises(CallError, match="no episode has begun: call reset"):
        SkyjoVectorEnv(2).step(np.zeros(2, np.int64))
    for unused in (SkyjoEnv(render_mode="ansi"), SkyjoVectorEnv(2, render_mode="ansi")):
        with pytest.raises(CallError, match="no episode has begun: call reset"):
            unused.render()


BAD_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"seat": 2}, "seat=2 must be a whole number from 0 to 1"),
    ({"seat": "first"}, "seat='first' must be a whole number from 0 to 1, or \"random\""),
    ({"opponents": ["nobody"]}, "unknown agent 'nobody'; installed: .*random"),
    ({"opponents": 3}, "opponents=3 must be the name of an agent, an object "),
    ({"opponents": "nobody"}, "unknown agent 'nobody'; installed: .*random"),
    ({"opponents": [3]}, "opponent 3 is neither"),
    ({"opponents": []}, "opponents: 0 given, but there must be 1 "),
    ({"opponents": ["random"] * 3, "players": 3}, "opponents: 3 given, but there must be 1 or 2"),
    ({"reward": "points"}, "reward='points' is not one of"),
    ({"illegal": "ignore"}, "illegal='ignore' is not one of 'error', 'lose'"),
    ({"encoding": "raw"}, "encoding='raw' is not one of"),
    ({"render_mode": "gif"}, "render_mode='gif' is not one of"),
    (
        {"oponents": ["random"]},
        "unexpected keyword argument 'oponents'; the options are .*opponents, seat, .*; did you mean opponents.",
    ),
    ({"rules": Rules(max_turns=1, opening_flips=0)}, "max_turns=1 is too small"),
]


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS)
@pytest.mark.parametrize("make", [SkyjoEnv, SkyjoVectorEnv])
def test_bad_options_name_what_is_allowed(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SkyjoError, match=message):
        make(**options)


@pytest.mark.parametrize("players", [2, 4])
def test_a_name_that_stands_alone_is_one_opponent(players: int) -> None:
    alone, listed = (SkyjoEnv(players=players, opponents=given) for given in ("tempo", ["tempo"]))
    assert np.array_equal(alone.reset(seed=1)[0], listed.reset(seed=1)[0])
    for _ in range(20):
        action = int(np.flatnonzero(alone.action_masks())[0])
        assert alone.step(action)[1:4] == listed.step(action)[1:4]


@pytest.mark.parametrize("answer", [[0.5], None, [1, 2], "draw", [[1]], [True]])
def test_an_opponent_that_answers_nonsense_is_named(answer: Any) -> None:
    env = SkyjoEnv(seat=1, opponents=[Broken(answer)])
    with pytest.raises(AgentError, match="agent Broken must return one whole number for every observation, here 1"):
        env.reset(seed=1)


def test_an_illegal_action_of_an_opponent_names_it_and_shows_the_learner_no_cards() -> None:
    env = SkyjoEnv(seat=1, opponents=[Broken(np.array([0]))])
    with pytest.raises(IllegalActionError, match=r"agent Broken, action 0 \(draw\) of seat 0") as raised:
        env.reset(seed=1)
    assert "position" not in str(raised.value)


def test_after_an_opponent_failed_only_a_reset_helps() -> None:
    opponent = Broken(np.array([14]))
    env = SkyjoEnv(Rules(first_starter="seat_0", opening_flips=1), seat=0, opponents=[opponent])
    env.reset(seed=1)
    env.step(14)
    opponent.answer = np.array([25])
    env.step(0)
    with pytest.raises(IllegalActionError, match="agent Broken"):
        env.step(2)
    with pytest.raises(SkyjoError, match="the last step was interrupted: call reset"):
        env.step(2)
    assert env.action_masks().any()  # what was seen before the step, not what was half written
    opponent.answer = np.array([14])
    env.reset(seed=1)
    env.step(14)


def test_a_signal_in_the_kernel_call_leaves_nothing_half_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python delivers a signal as soon as compiled code has returned."""
    env = SkyjoVectorEnv(3, opponents=[Nth()])
    _, infos = env.reset(seed=1)
    played = seats.SeatBatch._play_line

    def interrupted(*state: Any) -> int:
        played(*state)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(seats.SeatBatch, "_play_line", interrupted)
        with pytest.raises(KeyboardInterrupt):
            env.step(infos["action_mask"].argmax(1))
    with pytest.raises(CallError, match="the last step was interrupted: call reset"):
        env.step(infos["action_mask"].argmax(1))


def test_an_interrupted_picture_does_not_hide_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    env = SkyjoEnv(Rules(max_turns=2), render_mode="human", opponents=[Nth()])
    monkeypatch.setattr(env, "render", lambda: None)
    env.reset(seed=1)

    def closed() -> None:
        if env._table.endings[0] != RUNNING:
            raise KeyboardInterrupt

    monkeypatch.setattr(env, "render", closed)
    with pytest.raises(KeyboardInterrupt):
        finish(env)
    with pytest.raises(CallError, match="reset"):
        env.step(0)
