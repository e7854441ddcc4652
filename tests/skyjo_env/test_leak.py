"""No observation and no mask depends on what its seat cannot see (1.4, 4.1)."""

import random
from typing import Any

import numpy as np
import pytest

from skyjo_env import Game
from skyjo_env.kernel.state import HIDDEN
from tests.skyjo_env.lockstep import random_rules


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


def permuted(game: Game, chance: random.Random, with_hand: bool) -> Game:
    """A game that differs in everything unseen: hidden cards, draw pile, and the chance to come."""
    other = game.copy()
    record = other._games[0]
    hidden, draws = hidden_places(record, game.rules), draw_places(record, game.rules, with_hand)
    if record["reshuffles"] == 0:
        permute(record, hidden + draws, chance)
    else:
        permute(record, hidden, chance)
        permute(record, draws, chance)
    record["key"], record["chance"] = chance.randrange(2**64), chance.randrange(2**64)
    other._begin(start=other.state.copy())  # writes mask and observation afresh
    return other


def assert_looks_the_same(game: Game, other: Game, seats: list[int]) -> None:
    assert game.mask().tolist() == other.mask().tolist()
    for seat in seats:
        where = f"seat {seat} in phase {game.phase} under {game.rules.to_text()}"
        np.testing.assert_array_equal(game.observation(seat), other.observation(seat), where)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_unseen_shows_in_any_observation_or_mask(seed: int) -> None:
    chance = random.Random(seed)
    game = Game(random_rules(chance), seed=seed)
    seats = list(range(game.rules.players))
    for _ in range(250):
        assert_looks_the_same(game, permuted(game, chance, with_hand=False), seats)
        if game.phase == "drawn":
            others = [seat for seat in seats if seat != game.seat]
            assert_looks_the_same(game, permuted(game, chance, with_hand=True), others)
        if game.is_over:
            break
        game.apply(chance.choice(game.legal_actions()))


def test_the_permutation_moves_hidden_cards_and_draws() -> None:
    game = Game(seed=1)
    other = permuted(game, random.Random(0), with_hand=False)
    for field in ("cards", "piles"):
        assert (game._games[field] != other._games[field]).sum() > 10


def test_the_holder_of_a_drawn_card_sees_it_and_the_others_do_not() -> None:
    game = Game.from_position(
        "skyjo-position 1; board 1 ? ? | ? ? ? | ? ? ? | ? ? ?; board 2 ? ? | ? ? ? | ? ? ? | ? ? ?; discard 3;"
        "seat 1 drawn 9"
    )
    assert (game.observation(1)[2], game.observation(0)[2]) == (9, HIDDEN)
