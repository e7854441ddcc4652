"""What the environments promise, worked out slowly from `Game` alone: rewards, shaping, what one seat gets to see."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skipbo_env import Game, Rules
from skipbo_env.kernel.state import DISCARD

KINDS = ("win", "point", "margin")


def nth_eager(observation: NDArray[Any], mask: NDArray[Any]) -> int:
    """A choice that looks random, but is the same wherever it is made: a play if there is one, so that seats win."""
    legal = np.flatnonzero(mask)
    plays = legal[legal < DISCARD]
    among = plays if len(plays) else legal
    return int(among[int(np.dot(observation.astype(np.int64), np.arange(1, len(observation) + 1))) % len(among)])


class Eager:
    """An agent that chooses so."""

    def __repr__(self) -> str:
        return "Eager()"  # a name without an address, which would differ from process to process

    def act(self, observations: NDArray[Any], masks: NDArray[Any], chances: NDArray[Any]) -> NDArray[Any]:
        assert len(observations) == len(masks) == len(chances) > 0
        return np.array([nth_eager(*seen) for seen in zip(observations, masks, strict=True)])


def ahead(numbers: list[float], seat: int) -> float:
    """By how much a seat has more than the mean of the others."""
    others = [number for other, number in enumerate(numbers) if other != seat]
    return numbers[seat] - sum(others) / len(others)


def stock_margin(game: Game, seat: int) -> float:
    """What shaping pays the change of."""
    if game.phase == "over":
        return 0.0
    return final_stock_margin(game, seat)


def final_stock_margin(game: Game, seat: int) -> float:
    """The stock margin as it lies on the table."""
    sizes = [-float(game.stock_size(other)) for other in range(game.rules.players)]
    return ahead(sizes, seat) / game.rules.stock_size


def reward_at_the_end(game: Game, reward: str, seat: int) -> float:
    """What the last decision of an episode brings a seat, without shaping; every other brings nothing."""
    if game.phase != "over":
        return 0.0
    players = game.rules.players
    share = (seat in game.winners) / len(game.winners) if game.winners else 0.0
    if reward == "point":
        return share
    if reward == "margin":
        totals = [float(total) for total in game.totals]
        return (
            final_stock_margin(game, seat) if game.episode == "round" else ahead(totals, seat) / game.rules.target_score
        )
    return (share - 1 / players) * players / (players - 1) if game.winners else 0.0


@dataclass
class Seen:
    """What a step of the learner's seat must show."""

    game: Game
    observation: NDArray[Any]
    mask: NDArray[Any]
    reward: float


def at_first_decision(rules: Rules, seed: int, episode: str, seat: int) -> Game:
    """The first deal of a seed in which the seat is asked at all, when it is."""
    deal = 0
    while True:
        game = Game(rules, seed, deal, episode)
        while not game.is_over and game.seat != seat:
            game.apply(nth_eager(game.observation(), game.mask()))
        if not game.is_over:
            return game
        deal += 1


def one_seat(game: Game, seat: int, reward: str, is_shaped: bool) -> Iterator[Seen]:
    """Play on from the seat's first decision until the game is over; yields at its decisions, and at the end."""
    earned = 0.0
    while True:
        yield Seen(game, game.observation(seat), game.mask(), earned)
        if game.is_over:
            return
        before, is_first = stock_margin(game, seat), True
        while not game.is_over and (is_first or game.seat != seat):
            game.apply(nth_eager(game.observation(), game.mask()))
            is_first = False
        earned = reward_at_the_end(game, reward, seat)
        if is_shaped:
            earned += stock_margin(game, seat) - before


def with_short_rounds(rules: Rules) -> Rules:
    """The same rules with enough turns for every seat to decide, but at most 60, and few rounds."""
    return rules.replace(max_turns=max(rules.players, min(rules.max_turns, 60)), max_rounds=min(rules.max_rounds, 3))
