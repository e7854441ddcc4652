"""The cards that a decision of Skip-Bo may bring to light: which, how likely, and the table that is left afterwards."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from skipbo_env import Game, GameBatch, IllegalActionError, Rules, TableError, parse_action
from skipbo_env.kernel import PASS, WILD
from tests.skipbo_env.small_pools import EXPECTED, Arrangement, small


def number(game: Game, name: str) -> int:
    return parse_action(game.rules, name)


def as_expected(what: Any, given: Any = None) -> dict[Any, Fraction]:
    """The probability of what an arrangement of the small table shows; of those alone in which `given` holds."""
    found: dict[Any, Fraction] = {}
    for laid, chance in EXPECTED.items():
        if given is None or given(laid):
            found[what(laid)] = found.get(what(laid), Fraction(0)) + chance
    total = sum(found.values(), Fraction(0))
    return {shown: chance / total for shown, chance in found.items()}


# How likely


def test_before_a_recycling_every_unseen_card_is_as_likely_8_4() -> None:
    piles = "piles 4 4 | | |; piles | | |"
    game = Game.from_position(f"skipbo-position 1; stock ? ? 1; stock ? 5; hand 7 w; hand ? ?; {piles}; seat 0 turn")
    outcomes = game.outcomes(number(game, "stock to 0"))
    unseen = 162 - 2 - 2 - 2
    special = {1: 11, 4: 10, 5: 11, 7: 11, WILD: 17}
    assert outcomes == {card: Fraction(special.get(card, 12), unseen) for card in range(1, 14)}


def test_cards_drawn_come_one_after_the_other_3_7() -> None:
    game = Game.from_position("skipbo-position 1; stock ? ? 1; stock ? 5; hand w; hand ? ?; seat 0 turn")
    play = number(game, "hand w to 0")
    unseen = 162 - 2 - 1
    assert game.outcomes(play)[5] == Fraction(11, unseen)
    assert game.outcomes(play, 5)[5] == Fraction(10, unseen - 1)
    assert game.outcomes(play, 5, 5, WILD)[WILD] == Fraction(16, unseen - 3)
    assert game.outcomes(play, 5, 5, WILD, 1, 2) == {}


def test_after_a_recycling_a_stock_card_is_as_likely_as_the_definition_says_8_4_8_6() -> None:
    game = small()
    assert game.outcomes(number(game, "stock to 0")) == as_expected(lambda laid: laid.stock[0])


def test_after_a_recycling_drawn_cards_are_as_likely_as_the_definition_says_8_4_8_6() -> None:
    """The draw pile has two cards; what follows is drawn from the completed cards, which are known (4.1)."""
    game = small()
    play = number(game, "hand 7 to 1")
    assert game.outcomes(play) == as_expected(lambda laid: laid.draws[0])
    for first in (3, 7, 8):
        expected = as_expected(lambda laid: laid.draws[1], lambda laid, first=first: laid.draws[0] == first)
        assert game.outcomes(play, first) == expected
    counts = game.state["completed"][0].tolist()
    assert game.outcomes(play, 8, 7) == {
        card: Fraction(count, sum(counts)) for card, count in enumerate(counts, 1) if count > 0
    }
    assert game.outcomes(play, 8, 7, 1)[1] == Fraction(counts[0] - 1, sum(counts) - 1)


def test_a_card_that_cannot_come_or_one_too_many_changes_nothing() -> None:
    game = small()
    before = game.record()
    for name, cards, reason in (
        ("stock to 0", (8,), "cards 8 cannot be revealed"),
        ("stock to 0", (14,), "card=14 must be a whole number from 1 to 13"),
        ("stock to 0", (3, 3), "2 cards are given, but this action reveals only 1"),
        ("hand 7 to 1", (9,), "cards 9 cannot be revealed"),
        ("hand 7 to 1", (8, 8, 1, 1, 1, 1), "6 cards are given, but this action reveals only 5"),
        ("hand 7 to 1", (7, 7, 1), "cards 7, 7, 1 cannot be revealed"),
    ):
        for decide in (game.apply, game.play, game.outcomes):
            with pytest.raises(TableError, match=reason):
                decide(number(game, name), *cards)
    with pytest.raises(IllegalActionError):
        game.outcomes(PASS)
    assert game.record() == before


@pytest.mark.parametrize("view", ["tops", "own"])
def test_a_seat_that_sees_too_little_cannot_say_8_2(view: str) -> None:
    game = Game(Rules(view=view))
    action = game.legal_actions()[-1]
    for decide in (lambda: game.outcomes(action), lambda: game.apply(action, 5), lambda: game.play(action, 5)):
        with pytest.raises(TableError, match=f"view='{view}'"):
            decide()


# A fair guess stays one


@pytest.mark.statistical
@pytest.mark.slow
def test_a_table_dealt_around_a_card_is_as_likely_as_the_definition_says() -> None:
    """Seat 0 turns up a 3: what lies in the other stock pile, in the other hand and in the draw pile then?"""
    expected = as_expected(lambda laid: laid, lambda laid: laid.stock[0] == 3)
    batch = GameBatch.sample(small().rules, np.repeat(small().observation(0)[None], 600, axis=0), seed=7)
    counts: Counter[Arrangement] = Counter()
    for state in batch.state()["games"]:
        game = Game.from_state(small().rules, np.array([state]))
        game.apply(number(game, "stock to 0"), 3)
        stock, hand, draws = game.state["stocks"][0, [0, 2]], game.state["hands"][0, 1, :2], game.state["piles"][0, -2:]
        counts[Arrangement(tuple(stock.tolist()), (tuple(sorted(hand.tolist())),), tuple(draws.tolist()))] += 1
    assert set(counts) <= set(expected)
    assert {laid for laid, chance in expected.items() if chance > Fraction(1, 50)} <= set(counts)
    for laid, chance in expected.items():
        p = float(chance)
        assert abs(counts[laid] - 600 * p) < 4.5 * np.sqrt(600 * p * (1 - p)) + 1
