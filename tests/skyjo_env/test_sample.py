"""What a seat cannot see (1.4, 4.1): nothing it is shown depends on it, and sampled tables are uniform over it."""

import os
import random
from collections import Counter
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from skyjo_env import Game, GameBatch, Rules
from skyjo_env.kernel.state import HIDDEN


def hidden_places(record: Any, rules: Any) -> list[tuple[str, Any]]:
    """Where cards lie that nobody has seen on a board, as (field, index)."""
    cells = np.argwhere(record["shown"][: rules.players, : rules.cells] == HIDDEN)
    return [("cards", (seat, cell)) for seat, cell in cells]


def draw_places(record: Any, rules: Any, with_hand: bool) -> list[tuple[str, Any]]:
    """Where the cards of the draw pile lie, and the card drawn from it if that is to count as unseen."""
    parts = range(rules.players if rules.draw_streams else 1)
    pile = [("piles", at) for part in parts for at in range(record["pile_next"][part], record["pile_end"][part])]
    return pile + ([("hand", None)] if with_hand else [])


def permute(record: Any, places: list[tuple[str, Any]], chance: random.Random) -> None:
    """Exchange the cards in these places at random."""
    cards = [record[field] if at is None else record[field][at] for field, at in places]
    chance.shuffle(cards)
    for (field, at), card in zip(places, cards, strict=True):
        if at is None:
            record[field] = card
        else:
            record[field][at] = card


def permuted(game: Game, chance: random.Random, seat: int | None = None) -> Game:
    """A game that differs in everything that a seat does not see, or nobody: hidden cards, draw pile, later chance."""
    other = game.copy()
    record = other._games[0]
    with_hand = game.phase == "drawn" and seat not in (None, game.seat)
    hidden, draws = hidden_places(record, game.rules), draw_places(record, game.rules, with_hand)
    if record["reshuffles"] == 0:
        permute(record, hidden + draws, chance)
    else:
        permute(record, hidden, chance)
        permute(record, draws, chance)
    record["key"], record["chance"] = chance.randrange(2**64), chance.randrange(2**64)
    other._begin(start=other.state.copy())  # writes mask and observation afresh
    return other


SAMPLES = 300 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 30_000

# Boards of 2 × 2 cells and twelve different cards: six are unseen, in three hidden cells and a draw pile of three.
TINY = Rules(rows=2, columns=2, deck=tuple((value, 1) for value in range(12)), opening_flips=1)
TINY_POSITION = """skyjo-position 1
rules rows=2 columns=2 opening_flips=1 deck=0:1,1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1,10:1,11:1
board 0 1 | ?2 ?3
board 4 5 | 6 ?7
discard 8
"""


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
    """Every one of the possible outcomes occurs equally often, and every card in every place."""
    assert len(counts) <= outcomes
    observed = [*counts.values(), *([0] * (outcomes - len(counts)))]
    assert chisquare(observed).pvalue > 1e-4
    for cards in map(Counter, zip(*counts.elements(), strict=True)):
        assert len(cards) == 1 or chisquare([*cards.values()]).pvalue > 1e-4


@pytest.mark.parametrize(("deciding", "observer"), [("seat 0 turn", 0), ("seat 0 drawn 9", 1)])
def test_samples_are_uniform_over_all_arrangements_and_of_a_card_that_another_seat_has_drawn(
    deciding: str, observer: int
) -> None:
    game = Game.from_position(TINY_POSITION + deciding)
    observations = np.repeat(game.observation(observer)[None], SAMPLES, axis=0)
    assert_uniform(arrangements(GameBatch.sample(TINY, observations, seed=1)), orders([2, 3, 7, 9, 10, 11]))


def test_a_card_in_the_own_hand_is_known() -> None:
    game = Game.from_position(TINY_POSITION + "seat 0 drawn 9")
    counts = arrangements(GameBatch.sample(TINY, np.repeat(game.observation(0)[None], SAMPLES, axis=0), seed=2))
    assert {order[3] for order in counts} == {9}
    assert_uniform(counts, orders([2, 3, 7, 10, 11]))


def test_after_a_reshuffle_hidden_cards_and_draws_are_sampled_apart() -> None:
    game = Game.from_position(TINY_POSITION + "reshuffles 1; draw 9 10 11; seat 0 turn")
    counts = arrangements(GameBatch.sample(TINY, np.repeat(game.observation()[None], SAMPLES, axis=0), seed=3))
    assert {tuple(sorted(order[:3])) for order in counts} == {(2, 3, 7)}
    assert_uniform(counts, orders([2, 3, 7]) * orders([9, 10, 11]))


def test_a_guess_has_nothing_to_do_with_the_cards_of_any_deal() -> None:
    """Equal seeds must not make a guess follow the deal that it guesses at."""
    batch = GameBatch(Rules(initial_flip="random"), n=200)
    guess = GameBatch.sample(batch.rules, batch.observations)
    hidden = batch._games["shown"][:, :2, :12] == HIDDEN
    real, guessed = (games["cards"][:, :2, :12][hidden] for games in (batch._games, guess._games))
    bottom = batch._games["piles"][:, 149:129:-1].ravel()
    assert 0.05 < np.mean(real == guessed) < 0.10
    assert 0.05 < np.mean(bottom == guessed) < 0.10
