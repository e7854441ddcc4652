"""A sampled game is consistent with its observation and uniform over what the seat cannot see."""

import random
from collections import Counter
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from skyjo_env import Game, GameBatch, ObservationSpec, Rules, SkyjoError
from skyjo_env.kernel.state import HIDDEN
from tests.helpers import play_at_random, random_game
from tests.skyjo_env.lockstep import random_rules

SAMPLES = 30_000

# Boards of 2 × 2 cells and twelve different cards: six are unseen, in three hidden cells and a draw pile of three.
TINY = Rules(rows=2, columns=2, deck=tuple((value, 1) for value in range(12)), opening_flips=1)
TINY_POSITION = """skyjo-position 1
rules rows=2 columns=2 opening_flips=1 deck=0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1
board 0 1 | ?2 ?3
board 4 5 | 6 ?7
discard 8
"""


def shown(game: Game, seat: int) -> Any:
    return np.repeat(game.observation(seat)[None], 3, axis=0)


@pytest.mark.parametrize("seed", range(60))
def test_a_sample_looks_the_same_to_its_seat_and_is_a_possible_table(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    game = random_game(rules, seed, chance.randrange(300))
    for seat in range(rules.players):
        batch = GameBatch.sample(rules, shown(game, seat), seed=seed)
        for table in range(len(batch)):
            guess = Game.from_position(batch.position(table))  # refuses a deck that does not come out even
            np.testing.assert_array_equal(guess.observation(seat), game.observation(seat))
            if seat == game.seat:
                assert guess.mask().tolist() == game.mask().tolist()


@pytest.mark.parametrize("seed", range(20))
def test_a_sampled_game_can_be_played_to_its_end(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance).replace(max_rounds=2)
    game = random_game(rules, seed, chance.randrange(100))
    guess = Game.from_position(GameBatch.sample(rules, shown(game, game.seat)).position(0))
    play_at_random(guess, chance, 100_000)
    assert guess.is_over


def arrangements(batch: GameBatch) -> Counter[tuple[int, ...]]:
    """How often each order of the unseen cards occurs: hidden cells by seat, then a hidden hand, then the draw pile."""
    rules, games = batch.rules, batch._games
    boards = games["cards"][:, : rules.players, : rules.cells]
    hidden = boards[games["shown"][:, : rules.players, : rules.cells] == HIDDEN].reshape(len(games), -1)
    pile = games["piles"][:, games["pile_next"][0, 0] : games["pile_end"][0, 0]]
    unseen = np.concatenate([hidden, games["hand"][:, None], pile], axis=1)
    return Counter(map(tuple, unseen.tolist()))


def orders(cards: list[int]) -> int:
    """In how many different orders these cards can lie."""
    return factorial(len(cards)) // prod(factorial(count) for count in Counter(cards).values())


def assert_uniform(counts: Counter[tuple[int, ...]], outcomes: int) -> None:
    """Every one of the possible outcomes occurs equally often."""
    assert len(counts) <= outcomes
    observed = [*counts.values(), *([0] * (outcomes - len(counts)))]
    assert chisquare(observed).pvalue > 1e-4


@pytest.mark.statistical
def test_samples_are_uniform_over_all_arrangements() -> None:
    game = Game.from_position(TINY_POSITION + "seat 0 turn")
    batch = GameBatch.sample(TINY, np.repeat(game.observation()[None], SAMPLES, axis=0))
    assert_uniform(arrangements(batch), orders([2, 3, 7, 9, 10, 11]))


@pytest.mark.statistical
def test_a_card_drawn_by_another_seat_is_sampled_with_the_rest() -> None:
    game = Game.from_position(TINY_POSITION + "seat 0 drawn 9")
    batch = GameBatch.sample(TINY, np.repeat(game.observation(1)[None], SAMPLES, axis=0), seed=1)
    assert_uniform(arrangements(batch), orders([2, 3, 7, 9, 10, 11]))


@pytest.mark.statistical
def test_a_card_in_the_own_hand_is_known() -> None:
    game = Game.from_position(TINY_POSITION + "seat 0 drawn 9")
    counts = arrangements(GameBatch.sample(TINY, np.repeat(game.observation(0)[None], SAMPLES, axis=0), seed=2))
    assert {order[3] for order in counts} == {9}
    assert_uniform(counts, orders([2, 3, 7, 10, 11]))


@pytest.mark.statistical
def test_after_a_reshuffle_hidden_cards_and_draws_are_sampled_apart() -> None:
    game = Game.from_position(TINY_POSITION + "reshuffles 1; draw 9 10 11; seat 0 turn")
    counts = arrangements(GameBatch.sample(TINY, np.repeat(game.observation()[None], SAMPLES, axis=0), seed=3))
    assert {tuple(sorted(order[:3])) for order in counts} == {(2, 3, 7)}
    assert_uniform(counts, orders([2, 3, 7]) * orders([9, 10, 11]))


def test_the_same_seed_samples_the_same_games_and_another_does_not() -> None:
    game = Game(seed=4)
    observations = shown(game, 0)
    first, again, other = (GameBatch.sample(game.rules, observations, seed=seed) for seed in (1, 1, 2))
    assert [first.position(table) for table in range(3)] == [again.position(table) for table in range(3)]
    assert len({batch.position(table) for batch in (first, other) for table in range(3)}) == 6


def test_a_guess_has_nothing_to_do_with_the_cards_of_any_deal() -> None:
    """Equal seeds must not make a guess follow the deal that it guesses at."""
    batch = GameBatch(Rules(initial_flip="random"), n=500)
    guess = GameBatch.sample(batch.rules, batch.observations)
    hidden = batch._games["shown"][:, :2, :12] == HIDDEN
    real, guessed = (games["cards"][:, :2, :12][hidden] for games in (batch._games, guess._games))
    bottom = batch._games["piles"][:, 149:129:-1].ravel()
    assert 0.05 < np.mean(real == guessed) < 0.10
    assert 0.05 < np.mean(bottom == guessed) < 0.10


# What is changed in an observation of the first official deal, after the opening and a draw, and what is then wrong.
IMPOSSIBLE: list[tuple[str, Any, str]] = [
    ("hand", 22, "hand"),
    ("hand", 12, "the deck"),
    ("phase", 1, "hand"),
    ("phase", 6, "hand"),
    ("turns_left", 1, "observation 1: turns_left"),
    ("ender", 1, "observation 1: turns_left"),
    ("turns", 1000, "observation 1: turns 1000"),
    ("starter", -1, "observation 1: starter"),
    ("totals", 100, "observation 1: a total of 100"),
    ("cells", 20, "cells"),
    ("open_sums", 100, "open_sums"),
    ("discard_top", 22, "discards"),
    ("draw_pile_size", 150, "hidden_pool"),
    ("reshuffles", 1, "hidden_pool"),
    ("discards", 1, "discards"),
]


@pytest.mark.parametrize(("name", "value", "message"), IMPOSSIBLE)
@pytest.mark.parametrize("dtype", [np.int16, np.int64])
def test_what_does_not_fit_together_is_refused(name: str, value: int, message: str, dtype: Any) -> None:
    game = Game(Rules(initial_flip="random"))
    game.apply(0)
    observations = shown(game, game.seat).astype(dtype)
    assert len(GameBatch.sample(game.rules, observations)) == 3
    getattr(ObservationSpec(game.rules).view(observations), name)[1] = value
    with pytest.raises(SkyjoError, match=message):
        GameBatch.sample(game.rules, observations)


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        (0, 9, "phase"),
        (13, 30, "cells"),
        (43, 149, "hidden_pool"),
        (58, 149, "draw_pool"),
        (73, 9, "discards"),
        (37, 3, "hidden_left"),
    ],
)
def test_an_impossible_observation_is_refused(entry: int, value: int, message: str) -> None:
    observations = shown(Game(seed=1), 0)
    observations[1, entry] = value
    with pytest.raises(SkyjoError, match=message):
        GameBatch.sample(Rules(), observations)


@pytest.mark.parametrize("observations", [np.zeros((2, 7), np.int16), np.zeros((2, 88)), np.zeros(88, np.int16)])
def test_observations_of_another_shape_or_type_are_refused(observations: Any) -> None:
    with pytest.raises(SkyjoError):
        GameBatch.sample(Rules(), observations)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_damaged_observation_is_accepted_can_be_played_to_its_end(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance).replace(max_rounds=2, max_turns=60)
    spec, observation = ObservationSpec(rules), random_game(rules, seed, chance.randrange(60)).observation()
    for _ in range(60):
        damaged = observation.copy()
        entry = chance.randrange(spec.size)
        damaged[entry] = chance.randint(int(spec.low[entry]), int(spec.high[entry]))
        try:
            batch = GameBatch.sample(rules, damaged[None], seed=seed)
        except SkyjoError:
            continue
        guess = Game.from_position(batch.position(0))
        play_at_random(guess, chance, 10_000)
        assert guess.is_over
