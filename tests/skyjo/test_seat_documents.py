"""Tables as JSON and as a written position for one seat, made from its observation alone."""

import random
import re
from typing import Any

import numpy as np
import pytest

import skipbo_env
import skyjo_action_env
import skyjo_env
from skyjo.programs import find_program
from skyjo_action_env.people.documents import Documents
from tests.games.players import random_legal
from tests.helpers import first_quick
from tests.skyjo_action_env.lockstep import random_rules
from tests.skyjo_action_env.test_leak import permuted

GAMES: dict[str, Any] = {
    "skyjo": skyjo_env.Game(skyjo_env.Rules(players=3), seed=5),
    "skyjo that asks": skyjo_env.Game(skyjo_env.Rules(clear="confirm"), seed=6, episode="round"),
    "reichel": skyjo_env.Game(skyjo_env.REICHEL, seed=5, episode="round"),
    "skipbo": skipbo_env.Game(skipbo_env.Rules(players=3), seed=5),
    "skyjo_action": skyjo_action_env.Game(skyjo_action_env.Rules(players=3), seed=5),
    "a round of skipbo": skipbo_env.Game(skipbo_env.Rules(stock=5), seed=6, episode="round"),
}
LEAST_DECISIONS, MOST_DECISIONS = 40, 80
SAME = {"boards": "boards", "discard": "discard_top", "building": "building", "discards": "discards"}
SAME |= {"stock_tops": "stock_tops", "stock_sizes": "stock_sizes", "hand_sizes": "hand_sizes"}
SAME |= {"draw_pile": "draw_pile_size", "open_actions": "open_actions", "held": "held"}
OWN = {"hand", "known", "picked"}  # what may differ for those who look on
UNSEEN = {"chance", "scores", "plays", "earned", "draw", "action_pile"}  # lines of a position that no seat can write
SECRET = {"drawn", "three", "three_place", "three_top"}  # phases of Skyjo Action with cards that only their player sees


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
    seats = range(rules.players)
    compared = written = 0
    while compared < MOST_DECISIONS and not game.is_over:
        public = documents.table_document(game)
        view = game.kind.spec_of(rules).view(game.observation())
        for seat in seats:
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
                written += 1
        everybody = {documents.seen_position(rules, game.observation(seat), game.episode, False) for seat in seats}
        assert len(everybody) == 1
        compared += 1
        game.apply(chance.choice(game.legal_actions()))
    assert compared > LEAST_DECISIONS
    assert written > LEAST_DECISIONS


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


Lines = list[tuple[str, list[str]]]


def seen_lines(position: str) -> Lines:
    """The lines that a seat can write, by their word, with the discards under the top one in order."""
    lines = [(word, cards) for word, *cards in map(str.split, position.splitlines()) if word not in UNSEEN]
    return [(word, sorted(cards[:-1]) + cards[-1:] if "discard" in word else cards) for word, cards in lines]


def known_lines(game: Any, seat: int | None) -> Lines:
    """The same of a table of Skyjo Action, with ? for the cards that this seat, or without one anybody, cannot see."""

    def known(card: str) -> str:
        knowers = card.partition("@")[2].split(",")
        return re.sub(r"\?[^@]*", "?", card) if card[0] == "?" and str(seat) not in knowers else card

    def seen(word: str, cards: list[str]) -> list[str]:
        if word == "seat" and cards[1] in SECRET and cards[0] != str(seat):
            return cards[:2] + ["." if card == "." else "?" for card in cards[2:]]
        return list(map(known, cards)) if word in ("layout", "discard") else cards

    return [(word, seen(word, cards)) for word, cards in seen_lines(game.position())]


@pytest.mark.parametrize("seed", first_quick(12, range(100)))
def test_under_any_rules_a_position_of_skyjo_action_says_what_the_seat_knows_and_no_more(seed: int) -> None:
    chance = random.Random(seed)
    game = skyjo_action_env.Game(random_rules(chance), seed=seed, episode=chance.choice(("game", "round")))
    for _ in range(500):
        if chance.random() < 0.08 or game.is_over:
            check_position(game, chance.randrange(game.rules.players), chance.random() < 0.5, chance)
        if game.is_over:
            break
        game.apply(random_legal(game.legal_actions(), chance, 26, 0.3))


def check_position(game: Any, seat: int, is_own: bool, chance: random.Random) -> None:
    """Clauses 12.1 to 12.3."""
    seen, expected = game.observation(seat), known_lines(game, seat if is_own else None)
    text = Documents().seen_position(game.rules, seen, game.episode, is_own)
    other = permuted(game, chance, seat if is_own else None)
    assert Documents().seen_position(game.rules, other.observation(seat), game.episode, is_own) == text
    if not text:
        assert game.state["reshuffles"][0] > 0
        assert any(card.partition("@")[0] == "?" for _, cards in expected for card in cards)
        return
    assert seen_lines(text) == expected
    assert not UNSEEN & {line.split()[0] for line in text.splitlines()}
    again = skyjo_action_env.Game.from_position(text)
    assert not is_own or np.array_equal(again.observation(seat), seen)
    assert not is_own or seat != game.seat or again.mask().tolist() == game.mask().tolist()


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
