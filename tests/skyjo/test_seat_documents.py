"""Tables as JSON and as a written position for one seat, made from its observation alone."""

import random
from typing import Any

import numpy as np

import skipbo_env
import skyjo_action_env
import skyjo_env
from skyjo.programs import find_program
from skyjo_action_env.people.documents import Documents


def played(game: Any, decisions: int) -> Any:
    """The game after so many random decisions."""
    chance = random.Random(1)
    for _ in range(decisions):
        game.apply(chance.choice(game.legal_actions()))
    return game


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


def test_after_a_reshuffle_who_knows_all_cards_sees_a_position_and_others_none() -> None:
    """Clause 12.3: a position deals every ? from all unseen cards, though some are known to be in the draw pile."""
    game = skyjo_action_env.Game.from_position("""
        skyjo_action-position 1
        reshuffles 1
        layout 1 1 2 2 | 3 3 4 4 | 5 5 6 ?6@0
        layout 7 7 8 8 | 9 9 10 10 | 11 11 12 ?12@0,1
        discard 0
        strays 5 -1
        seat 0 turn
    """)
    seen = game.observation(0)
    text = Documents().seen_position(game.rules, seen, "game", True)
    assert "strays -1 5" in text
    assert np.array_equal(skyjo_action_env.Game.from_position(text).observation(0), seen)
    assert Documents().seen_position(game.rules, game.observation(1), "game", True) == ""
    assert Documents().seen_position(game.rules, seen, "game", False) == ""
