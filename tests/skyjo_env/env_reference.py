"""What the environments promise, worked out slowly from `Game` alone: rewards, shaping, what one seat gets to see."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo_env import Game, ObservationSpec, Rules
from skyjo_env.envs import SkyjoEnv

Choice = Callable[[NDArray[Any], NDArray[Any]], int]


def nth_legal(observation: NDArray[Any], mask: NDArray[Any]) -> int:
    """A choice that looks random, but is the same wherever it is made."""
    legal = np.flatnonzero(mask)
    return int(legal[int(np.dot(observation.astype(np.int64), np.arange(1, len(observation) + 1))) % len(legal)])


class Nth:
    """An agent that chooses so."""

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        assert len(observations) == len(masks) == len(chances) > 0
        return np.array([nth_legal(*seen) for seen in zip(observations, masks, strict=True)])


def margin(scores: tuple[int, ...], seat: int) -> float:
    others = [score for other, score in enumerate(scores) if other != seat]
    return sum(others) / len(others) - scores[seat]


def win(game: Game, seat: int) -> float:
    if not game.winners:
        return 0.0
    share = (seat in game.winners) / len(game.winners)
    return (share - 1 / game.rules.players) * game.rules.players / (game.rules.players - 1)


def expected_margin(game: Game, seat: int) -> float:
    """From what a seat sees that does not decide: it knows no more than everybody."""
    if game.phase == "over":
        return 0.0
    players = game.rules.players
    observer = (game.seat + 1) % players
    view = ObservationSpec(game.rules).view(game.observation(observer))
    pool = view.hidden_pool.tolist()
    cards = [value for value, count in zip(game.rules.values, pool, strict=True) for _ in range(count)]
    mean = sum(cards) / len(cards) if cards else 0.0
    places = [(other - observer) % players for other in range(players)]
    scores = tuple(float(view.open_sums[place] + view.hidden_left[place] * mean) for place in places)
    return margin(scores, seat) / 100  # type: ignore[arg-type]


def decision_rewards(before: Game, after: Game, reward: str) -> list[float]:
    """What the decision between the two brought every seat, without shaping."""
    seats = range(after.rules.players)
    if reward == "win":
        return [win(after, seat) if after.is_over else 0.0 for seat in seats]
    has_scored = not after.is_truncated and (after.round != before.round or after.is_over)
    if not has_scored:
        return [0.0 for _ in seats]
    if reward == "score":
        return [-score / 100 for score in after.round_scores]
    return [margin(after.round_scores, seat) / 100 for seat in seats]


@dataclass
class Seen:
    """What a step of the learner's seat must show."""

    game: Game
    observation: NDArray[Any]
    mask: NDArray[Any]
    reward: float


def one_seat(game: Game, seat: int, reward: str, is_shaped: bool, opponent: Choice, learner: Choice) -> Iterator[Seen]:
    """Play on until the game is over; yields at every decision of the learner, and at the end."""
    earned, expected = 0.0, None
    while True:
        while not game.is_over and game.seat != seat:
            before = game.copy()
            game.apply(opponent(game.observation(), game.mask()))
            earned += decision_rewards(before, game, reward)[seat]
        now = expected_margin(game, seat)
        if is_shaped and expected is not None:
            earned += now - expected
        expected = now
        yield Seen(game, game.observation(seat), game.mask(), earned)
        if game.is_over:
            return
        before, earned = game.copy(), 0.0
        game.apply(learner(game.observation(), game.mask()))
        earned += decision_rewards(before, game, reward)[seat]


def with_short_rounds(rules: Rules) -> Rules:
    """The same rules with enough turns for every seat to decide, but at most 60."""
    return rules.replace(max_turns=max(rules.players, min(rules.max_turns, 60)))


def finish(env: SkyjoEnv) -> list[float]:
    """Play the episode to its end."""
    rewards, is_over = [], False
    while not is_over:
        _, reward, terminated, truncated, _ = env.step(int(env.action_masks().argmax()))
        rewards.append(reward)
        is_over = terminated or truncated
    return rewards
