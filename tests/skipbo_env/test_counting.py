"""What can be counted, checked against what is true: the rules 8.4 to 8.7 as the oracle has them."""

import random
from collections import Counter

import pytest

from skipbo_env.kernel import DISCARD
from tests.games.players import random_legal
from tests.skipbo_env.oracle import MarkedTable, Older, together
from tests.skipbo_env.tables import random_rules


def assert_counts_are_true(table: MarkedTable) -> None:
    """What is unseen is counted exactly, and only the doubtful cards may be of the other kind."""
    older, newer = table.unseen(is_older=True), table.unseen(is_older=False)
    for card in range(1, 14):
        assert table.older[card] + table.newer[card] - table.doubtful[card] == older[card] + newer[card]
    for counted, true in ((table.older, older), (table.newer, newer)):
        assert all(counted[card] - table.doubtful[card] <= true[card] <= counted[card] for card in range(1, 14))
    if table.has_newer_cards():
        in_hands = sum(isinstance(card, Older) for card in together(*table.hands))
        assert table.older_in_hands - sum(table.doubtful.values()) <= in_hands <= table.older_in_hands
    else:
        assert (newer, table.doubtful, table.older_in_hands) == (Counter(), Counter(), 0)


@pytest.mark.parametrize("seed", range(20))
def test_only_doubtful_cards_can_be_miscounted(seed: int) -> None:
    """Clauses 8.4, 8.6, 8.7."""
    chance = random.Random(seed)
    table = MarkedTable(random_rules(chance), seed)
    for _ in range(1000):
        assert_counts_are_true(table)
        if table.phase != "turn":
            break
        table.apply(random_legal(table.legal_actions(), chance, DISCARD))
