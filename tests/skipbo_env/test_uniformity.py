"""Deals and recyclings are uniform over what they shuffle (9.2 to 9.4): chi-square tests with fixed seeds."""

from collections import Counter
from collections.abc import Iterable

import pytest
from scipy.stats import chisquare

from skipbo_env import Game, GameBatch, Rules
from tests.helpers import play
from tests.skipbo_env.oracle import DECK
from tests.skipbo_env.tables import closed

pytestmark = pytest.mark.statistical
SIGNIFICANT = 1e-4  # of a test that should pass; the seeds are fixed, so it passes always or never


def assert_drawn_from(cards: Iterable[int], source: Iterable[int]) -> None:
    """These cards look as if each had been drawn from that source."""
    found, shares = Counter(cards), Counter(source)
    expected = [share * found.total() / shares.total() for share in shares.values()]
    assert found.keys() <= shares.keys()
    assert chisquare([found[card] for card in shares], expected).pvalue > SIGNIFICANT


def test_every_place_of_a_deal_is_uniform() -> None:
    """Clauses 2.1, 9.3."""
    batch = GameBatch(Rules(players=3), 4000, seed=1)
    games = batch.state()["games"]
    for stock_card in (0, 29, 30, 89):
        assert_drawn_from(games["stocks"][:, stock_card].tolist(), DECK)
    assert_drawn_from(games["hands"][:, 0, 0].tolist(), DECK)
    assert_drawn_from(games["piles"][:, -1].tolist(), DECK)


def test_every_place_of_a_recycling_is_uniform() -> None:
    """Clauses 4.1, 9.4: over the keys of games, and over the recyclings of one game."""
    cards = list(range(1, 13))
    start = closed(f"stock 3 2; stock 3 2; hand; hand 9; draw; completed {' '.join(map(str, cards))}; seat 1 turn")
    orders = [recycled(start, key, recycles) for key in range(500) for recycles in range(4)]
    for place in (0, 1, 4, 5, 11):
        assert_drawn_from((order[place] for order in orders), cards)
    pairs = (abs(order[0] - order[1]) for order in orders)
    assert_drawn_from(pairs, (abs(one - other) for one in cards for other in cards if one != other))


def recycled(start: Game, key: int, recycles: int) -> list[int]:
    """The completed cards in the order in which they come back: five in the next hand, and the draw pile after it."""
    state = start.state.copy()
    state["key"], state["recycles"] = key, recycles
    game = play(Game.standing(start.rules, state), "discard 9 on 0")
    return [*game.hand(game.seat), *game.state[0]["piles"][len(DECK) - game.draw_pile_size :].tolist()]
