"""Tables as JSON for one seat: made from its observation alone, they show what the game's public table shows."""

import random
from typing import Any

import pytest

import skipbo_env
import skyjo_env
from skyjo.programs import find_program

GAMES: list[Any] = [
    skyjo_env.Game(skyjo_env.Rules(players=3), seed=5),
    skyjo_env.Game(skyjo_env.REICHEL, seed=5, episode="round"),
    skipbo_env.Game(skipbo_env.Rules(players=3), seed=5),
]
SAME = {"boards": "boards", "discard": "discard_top", "building": "building", "discards": "discards"}
SAME |= {"stock_tops": "stock_tops", "stock_sizes": "stock_sizes", "hand_sizes": "hand_sizes"}
SAME |= {"draw_pile": "draw_pile_size"}


@pytest.mark.parametrize("start", GAMES, ids=["skyjo", "reichel", "skipbo"])
def test_every_seat_sees_the_public_table_and_its_own_cards(start: Any) -> None:
    game, chance = start.copy(), random.Random(1)
    documents, rules = find_program(game.rules.game).documents, game.rules
    for _ in range(150):
        if game.is_over:
            break
        public = documents.table_document(game)
        for seat in range(rules.players):
            own, nobody = (documents.view_document(rules, game.observation(seat), is_own) for is_own in (True, False))
            for name in SAME.keys() & own.keys():
                assert _lists(own[name]) == _lists(public[SAME[name]]), name
            assert {name for name in own if own[name] != nobody[name]} <= {"hand"}
            assert nobody == documents.view_document(rules, game.observation((seat + 1) % rules.players), False)
        game.apply(chance.choice(game.legal_actions()))


def test_where_nobody_sees_all_piles_a_spectator_sees_none_of_a_seats_own() -> None:
    game = skipbo_env.Game(skipbo_env.Rules(view="own"), seed=2)
    documents, chance = find_program(game.rules.game).documents, random.Random(1)
    for _ in range(40):
        game.apply(chance.choice(game.legal_actions()))
    view = documents.view_document(game.rules, game.observation(0), False)
    assert view["stock_tops"] == ["?", "?"]
    assert {card for seat in view["discards"] for pile in seat for card in pile} == {"?"}
    own = documents.view_document(game.rules, game.observation(0), True)
    assert own["stock_tops"][0] == documents.table_document(game)["stock_tops"][0]


def _lists(value: Any) -> Any:
    return [_lists(each) for each in value] if isinstance(value, list | tuple) else value
