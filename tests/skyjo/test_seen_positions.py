"""A position as far as a seat can see it: read again, it shows that seat the same."""

import random
from typing import Any

import numpy as np
import pytest

import skipbo_env
import skyjo_env
from skyjo.programs import find_program

GAMES: dict[str, Any] = {
    "skyjo": skyjo_env.Game(skyjo_env.Rules(players=3), seed=5),
    "skyjo that asks": skyjo_env.Game(skyjo_env.Rules(clear="confirm"), seed=6, episode="round"),
    "skipbo": skipbo_env.Game(skipbo_env.Rules(players=3), seed=5),
    "a round of skipbo": skipbo_env.Game(skipbo_env.Rules(stock=5), seed=6, episode="round"),
}
LEAST_DECISIONS, MOST_DECISIONS = 40, 200


@pytest.mark.parametrize("start", GAMES.values(), ids=GAMES)
def test_a_seen_position_shows_its_seat_the_same(start: Any) -> None:
    game, chance = start.copy(), random.Random(1)
    documents, rules = find_program(game.rules.game).documents, game.rules
    compared = 0
    while compared < MOST_DECISIONS:
        if game.is_over or getattr(own_view(game), "recycles", 0) > 0:
            break  # what can be counted after a recycling is not written
        for seat in range(rules.players):
            seen = game.observation(seat)
            text = documents.seen_position(rules, seen, game.episode, True)
            again = type(game).from_position(text)
            assert np.array_equal(again.observation(seat), seen), text
            assert again.episode == game.episode
        compared += 1
        game.apply(chance.choice(game.legal_actions()))
    assert compared > LEAST_DECISIONS


def own_view(game: Any) -> Any:
    return game.kind.spec_of(game.rules).view(game.observation())


def test_a_card_that_nobody_else_sees_is_a_question_mark() -> None:
    game = skyjo_env.Game.from_position("""
        skyjo-position 1
        board 9 9 -1 | ? ? ? | ? ? ? | ? ? ?
        board ? ? ? | ? ? ? | ? ? ? | ? ? 5
        discard 3 8
        draw 9 ...
        seat 0 drawn 4
    """)
    documents = find_program(game.rules.game).documents
    own, public = (documents.seen_position(game.rules, game.observation(0), "game", is_own) for is_own in (True, False))
    assert own.splitlines()[-1] == "seat 0 drawn 4"
    assert public.splitlines()[-1] == "seat 0 drawn ?"
    assert documents.seen_position(game.rules, game.observation(1), "game", True) == public
    assert own.splitlines()[-3:-1] == ["board ? ? ? | ? ? ? | ? ? ? | ? ? 5", "discard 3 8"]


def test_hidden_discard_piles_cannot_be_written() -> None:
    game = skipbo_env.Game(skipbo_env.Rules(view="own"), seed=2)
    chance = random.Random(1)
    for _ in range(20):
        game.apply(chance.choice(game.legal_actions()))
    assert find_program(game.rules.game).documents.seen_position(game.rules, game.observation(0), "game", True) == ""
