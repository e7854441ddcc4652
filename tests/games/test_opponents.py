"""Opponents of the environments for one seat: what they are shown, functions among them, and others during training."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from cardtable.table.errors import AgentError
from tests.games.players import LastLegal, finish
from tests.games.under_test import GameUnderTest


class Watching:
    """Plays by the mask alone, and keeps the observations that it was shown."""

    def __init__(self, encoding: str | None = None) -> None:
        self.seen: list[NDArray[Any]] = []
        if encoding is not None:
            self.encoding = encoding

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[Any]:
        assert len(rng_states) == len(masks)
        self.seen.append(observations)
        return by_mask(observations, masks)


class Turncoat:
    """Plays as one agent, and from some moment on as another."""

    def __init__(self, before: Any, after: Any) -> None:
        self.now, self.after = before, after

    def act(self, *shown: Any) -> Any:
        return self.now.act(*shown)

    def turn(self) -> None:
        self.now = self.after


def by_mask(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    """The first legal action and the last in turn, by how many there are."""
    assert len(observations) == len(masks)
    last = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    actions: NDArray[Any] = np.where(masks.sum(axis=1) % 2 == 0, masks.argmax(axis=1), last)
    return actions


def trace(env: Any, steps: int) -> list[Any]:
    """What an environment shows in so many steps with the first legal action, episode after episode."""
    shown = []
    for _ in range(steps):
        masks = env.action_masks()
        observation, reward, terminated, truncated, _ = env.step(masks.argmax(axis=-1))
        shown.append((observation.tolist(), np.asarray(reward).tolist(), np.asarray(terminated | truncated).tolist()))
        if masks.ndim == 1 and (terminated or truncated):
            env.reset()
    return shown


# What they are shown


@pytest.mark.parametrize("encoding", ["compact", "onehot"])
@pytest.mark.parametrize("players", [2, 4])
def test_an_opponent_is_shown_the_encoding_that_it_asks_for(game: GameUnderTest, players: int, encoding: str) -> None:
    """Whatever the environment's own is; an agent that asks for nothing gets the compact one."""
    watching = [Watching(asked) for asked in (None, "compact", "onehot")]
    for opponent in watching:
        env = game.vector(3, game.quick_rules, players=players, opponents=opponent, encoding=encoding)
        env.reset(seed=1)
        trace(env, 12)
    plain, compact, onehot = (opponent.seen for opponent in watching)
    spec = game.api.ObservationSpec(env.rules)
    assert len(plain) > 10
    for seen, same, coded in zip(plain, compact, onehot, strict=True):
        assert seen.dtype == np.int16
        assert np.array_equal(seen, same)
        assert coded.dtype == np.float32
        assert np.array_equal(coded, spec.onehot(seen))


# Functions


@pytest.mark.parametrize("encoding", ["compact", "onehot"])
def test_a_function_is_an_opponent_that_is_shown_what_the_learner_would_be(game: GameUnderTest, encoding: str) -> None:
    asked = Watching(encoding)
    seen: list[NDArray[Any]] = []

    def function(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
        seen.append(observations)
        return by_mask(observations, masks)

    traces = []
    for opponents in (asked, function, [function]):
        seen.clear()
        env = game.vector(3, game.quick_rules, players=3, opponents=opponents, encoding=encoding)
        env.reset(seed=1)
        traces.append(trace(env, 12))
        if opponents is not asked:
            assert all(np.array_equal(one, other) for one, other in zip(seen, asked.seen, strict=True))
    assert traces[0] == traces[1] == traces[2]


def too_hard(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    assert len(observations) == len(masks)
    raise ZeroDivisionError("it is too hard")


@pytest.mark.parametrize("kind", range(3))
def test_an_opponent_that_raises_an_error_is_named_with_its_seat(game: GameUnderTest, kind: int) -> None:
    env = makers(game)[kind](["random", too_hard])

    def play() -> None:
        env.reset(seed=1)
        trace(env, 30)

    with pytest.raises(AgentError, match=r"^opponent too_hard in seat 2: ZeroDivisionError: it is too hard$") as told:
        play()
    assert isinstance(told.value.__cause__, ZeroDivisionError)


# Others during training


def makers(game: GameUnderTest) -> list[Any]:
    """One environment of each kind, with these opponents."""
    options = {"rules": game.quick_rules, "players": 3, "seat": 0}
    return [
        lambda opponents: game.single(**options, opponents=opponents),
        *(
            lambda opponents, more=more: game.vector(**options, opponents=opponents, **more)
            for more in (
                {"num_envs": 3, "autoreset_mode": AutoresetMode.NEXT_STEP},
                {"num_envs": 65, "autoreset_mode": AutoresetMode.SAME_STEP},
            )
        ),
    ]


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("after", ["random", LastLegal(), [LastLegal(), "random"]], ids=str)
def test_others_play_from_the_next_decision_on(game: GameUnderTest, kind: int, after: Any) -> None:
    """In the middle of an episode: as if an agent had changed its mind."""
    make, seats = makers(game)[kind], after if isinstance(after, list) else [after, after]
    rules = make("random").rules
    named = [game.api.make_agent(one, rules) if isinstance(one, str) else one for one in seats]
    turncoats = [Turncoat(Watching(), one) for one in named]
    changed, turned = make(Watching()), make(turncoats)
    for env in (changed, turned):
        env.reset(seed=5)
    assert trace(changed, 3) == trace(turned, 3)
    changed.set_opponents(after)
    for turncoat in turncoats:
        turncoat.turn()
    then = trace(changed, 15)
    assert then == trace(turned, 15)
    stayed = make(Watching())
    stayed.reset(seed=5)
    assert trace(stayed, 18)[3:] != then


@pytest.mark.parametrize("kind", range(3))
def test_opponents_that_cannot_be_seated_leave_the_others_in_their_places(game: GameUnderTest, kind: int) -> None:
    env, other = (makers(game)[kind]([LastLegal(), Watching()]) for _ in range(2))
    for each in (env, other):
        each.reset(seed=2)
    for wrong in ("nobody", ["random"] * 3, LastLegal, "oracle:n=4", len):
        with pytest.raises(AgentError):
            env.set_opponents(wrong)
    assert trace(env, 10) == trace(other, 10)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("kind", range(3))
def test_a_copy_has_the_opponents_of_now_and_changes_them_for_itself(
    game: GameUnderTest, kind: int, clone: Any
) -> None:
    env = makers(game)[kind]("random")
    env.reset(seed=4)
    trace(env, 2)
    env.set_opponents([LastLegal(), Watching()])
    alike, apart = clone(env), clone(env)
    apart.set_opponents("random")
    then = trace(env, 12)
    assert trace(alike, 12) == then
    assert trace(apart, 12) != then


def test_gymnasiums_wrappers_lead_to_it(game: GameUnderTest) -> None:
    env: Any = gymnasium.make(f"{game.api.__name__}:{game.gymnasium_id}", rules="max_turns=12", seat=0)
    watching = Watching()
    env.reset(seed=1)
    env.unwrapped.set_opponents(watching)
    finish(env.unwrapped)
    assert watching.seen
