"""Tables as JSON and as a written position for one seat, made from its observation alone."""

import random
from typing import Any

import numpy as np
import pytest

import skipbo_env
import skyjo_action_env
import skyjo_env
from skyjo.programs import find_program

GAMES: dict[str, Any] = {
    "skyjo": skyjo_env.Game(skyjo_env.Rules(players=3), seed=5),
    "skyjo that asks": skyjo_env.Game(skyjo_env.Rules(clear="confirm"), seed=6, episode="round"),
    "reichel": skyjo_env.Game(skyjo_env.REICHEL, seed=5, episode="round"),
    "skipbo": skipbo_env.Game(skipbo_env.Rules(players=3), seed=5),
    "skyjo_action": skyjo_action_env.Game(skyjo_action_env.Rules(players=3), seed=5),
    "a round of skipbo": skipbo_env.Game(skipbo_env.Rules(stock=5), seed=6, episode="round"),
}
LEAST_DECISIONS, MOST_DECISIONS = 40, 200
SAME = {"boards": "boards", "discard": "discard_top", "building": "building", "discards": "discards"}
SAME |= {"stock_tops": "stock_tops", "stock_sizes": "stock_sizes", "hand_sizes": "hand_sizes"}
SAME |= {"draw_pile": "draw_pile_size", "open_actions": "open_actions", "held": "held"}
OWN = {"hand", "known", "picked"}  # what may differ for those who look on


def played(game: Any, decisions: int) -> Any:
    """The game after so many random decisions."""
    chance = random.Random(1)
    for _ in range(decisions):
        game.apply(chance.choice(game.legal_actions()))
    return game


@pytest.mark.parametrize("start", GAMES.values(), ids=GAMES)
def test_every_seat_sees_the_public_table_and_its_own_cards_and_its_position_shows_it_the_same(start: Any) -> None:
    game, chance = start.copy(), random.Random(1)
    documents, rules = find_program(game.rules.game).documents, game.rules
    compared = 0
    while compared < MOST_DECISIONS and not game.is_over:
        public = documents.table_document(game)
        view = game.kind.spec_of(rules).view(game.observation())
        for seat in range(rules.players):
            seen = game.observation(seat)
            own, nobody = (documents.view_document(rules, seen, is_own) for is_own in (True, False))
            for name in SAME.keys() & own.keys():
                assert _lists(own[name]) == _lists(public[SAME[name]]), name
            assert {name for name in own if own[name] != nobody[name]} <= OWN
            assert nobody == documents.view_document(rules, game.observation((seat + 1) % rules.players), False)
            position = documents.seen_position(rules, seen, game.episode, True)
            if position and getattr(view, "recycles", 0) == 0:  # what can be counted after a recycling is not written
                again = type(game).from_position(position)
                assert np.array_equal(again.observation(seat), seen), again.position()
                assert again.episode == game.episode
        compared += 1
        game.apply(chance.choice(game.legal_actions()))
    assert compared > LEAST_DECISIONS


def _lists(value: Any) -> Any:
    return [_lists(each) for each in value] if isinstance(value, list | tuple) else value


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


def test_where_nobody_sees_all_piles_a_spectator_sees_none_of_a_seats_own_and_no_position_is_written() -> None:
    game = played(skipbo_env.Game(skipbo_env.Rules(view="own"), seed=2), 40)
    documents, seen = find_program(game.rules.game).documents, game.observation(0)
    view, own = (documents.view_document(game.rules, seen, is_own) for is_own in (False, True))
    assert view["stock_tops"] == ["?", "?"]
    assert {card for seat in view["discards"] for pile in seat for card in pile} == {"?"}
    assert own["stock_tops"][0] == documents.table_document(game)["stock_tops"][0]
    assert documents.seen_position(game.rules, seen, "game", True) == ""
