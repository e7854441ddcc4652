"""No observation and no mask depends on what its seat cannot see (1.4, 4.1)."""

import random
from typing import Any

import numpy as np

from skyjo_env import Game
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


def test_the_permutation_moves_hidden_cards_and_draws() -> None:
    game = Game(seed=1)
    other = permuted(game, random.Random(0))
    for field in ("cards", "piles"):
        assert (game._games[field] != other._games[field]).sum() > 10


def test_the_holder_of_a_drawn_card_sees_it_and_the_others_do_not() -> None:
    game = Game.from_position(
        "skyjo-position 1; board 1 ? ? | ? ? ? | ? ? ? | ? ? ?; board 2 ? ? | ? ? ? | ? ? ? | ? ? ?; discard 3;"
        "seat 1 drawn 9"
    )
    assert (game.observation(1)[2], game.observation(0)[2]) == (9, HIDDEN)
