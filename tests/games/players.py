"""Who plays the games of the tests."""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.kernel.chance import random_actions


@dataclass(eq=False)
class Nth:
    """An agent whose choices look random, but are the same wherever they are made."""

    plays: int = 0  # an action below this number is preferred, so that rounds end

    def choice(self, observation: NDArray[Any], mask: NDArray[Any]) -> int:
        """A legal action; where nothing is legal, as at the end of an episode, 0."""
        legal = np.flatnonzero(mask)
        if len(legal) == 0:
            return 0
        plays = legal[legal < self.plays]
        among = plays if len(plays) > 0 else legal
        return int(among[int(np.dot(observation.astype(np.int64), np.arange(1, len(observation) + 1))) % len(among)])

    def choices(self, observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.int64]:
        """The same at many tables."""
        return np.array([self.choice(*seen) for seen in zip(observations, masks, strict=True)])

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> NDArray[Any]:
        assert len(observations) == len(masks) == len(rng_states) > 0
        return self.choices(observations, masks)


@dataclass(frozen=True)
class LastLegal:
    """The legal action with the greatest number."""

    def act(self, observations: Any, masks: Any, rng_states: Any) -> Any:
        assert len(observations) == len(rng_states)
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


@dataclass(frozen=True)
class Eager:
    """Random legal actions; those below a number are preferred, so that rounds end."""

    plays: int = 0

    def act(self, observations: Any, masks: NDArray[np.int8], rng_states: NDArray[np.uint64]) -> NDArray[np.int64]:
        assert len(observations) == len(masks)
        preferred, actions = masks.copy(), np.empty(len(masks), np.int64)
        preferred[:, self.plays :] = 0
        is_preferred = np.asarray(preferred.any(axis=1))[:, None]
        random_actions(np.where(is_preferred, preferred, masks), rng_states.copy(), actions)
        return actions


class Broken:
    """An agent that answers with whatever it was made with."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, observations: NDArray[Any], masks: NDArray[Any], rng_states: NDArray[Any]) -> Any:
        assert len(observations) == len(masks) == len(rng_states)
        return self.answer


def random_legal(legal: list[int], chance: random.Random, plays: int = 0, eagerness: float = 0.9) -> int:
    """A random legal action; with this probability one below `plays`, if there is one."""
    first = [action for action in legal if action < plays]
    return chance.choice(first if first and chance.random() < eagerness else legal)


def finish(env: Any) -> list[float]:
    """Play the episode of an environment for one seat to its end; returns the rewards."""
    rewards, is_over = [], False
    while not is_over:
        _, reward, terminated, truncated, _ = env.step(int(env.action_masks().argmax()))
        rewards.append(reward)
        is_over = terminated or truncated
    return rewards


def at_first_decision(game: Any, rules: Any, seed: int, episode: str, seat: int, deal: int = 0) -> Any:
    """The first deal from this one on in which the seat is asked at all, when it is."""
    while True:
        table = game.api.Game(rules, seed=seed, deal=deal, episode=episode)
        while not table.is_over and table.seat != seat:
            table.apply(game.nth.choice(table.observation(), table.mask()))
        if not table.is_over:
            return table
        deal += 1
