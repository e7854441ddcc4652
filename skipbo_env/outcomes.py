"""The cards that a decision may reveal, with exact probabilities; `Game.outcomes` is the public interface.

A decision reveals, to the seat that decides: the stock card that it turns up (3.6), or the cards that the seat
draws when it has played its last hand card (3.7), one after the other. What follows from the next turn on stays the
game's own chance.

The probabilities are weighed as in `skipbo_env.kernel.unseen`, here in whole numbers.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, perm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import check_given, whole_number
from cardtable.table.errors import TableError
from cardtable.table.game.table_game import TableGame, copied
from cardtable.table.kernel.game_kernel import IMPOSSIBLE
from skipbo_env.kernel.knowledge import tells_apart
from skipbo_env.kernel.outcomes import await_one
from skipbo_env.kernel.state import CARDS, CERTAIN, PLAY_HAND
from skipbo_env.rules import Rules


def card_array(rules: Rules, cards: Sequence[int]) -> NDArray[np.int64]:
    """Cards as the kernel takes them; TableError if they cannot be given under these rules."""
    if rules.view != "table":
        raise TableError(
            f"with view={rules.view!r} a seat sees too little to say which cards may come; use view='table'"
        )
    return np.array([whole_number("card", card, 1, CARDS) for card in cards], np.int64)


def next_card(game: TableGame[Rules], action: int, cards: Sequence[int]) -> dict[int, Fraction]:
    """What the next card may be that a legal action reveals after these; empty if there is none."""
    rules, table = game.rules, copied(game.state)
    brought, stretch = await_one(table, rules.params, action, card_array(rules, cards))
    check_given(cards, brought + stretch if brought != IMPOSSIBLE else IMPOSSIBLE)
    waiting = list(cards[brought:])
    odds = _Odds(rules, table[0], is_stock=action < PLAY_HAND)
    if odds.weigh(waiting) == 0:
        check_given(cards, IMPOSSIBLE)
    if len(waiting) == stretch:
        return {}
    weights = {card: odds.weigh([*waiting, card]) for card in range(1, CARDS + 1)}
    total = sum(weights.values(), Fraction(0))
    return {card: weight / total for card, weight in weights.items() if weight > 0}


class _Odds:
    """How likely cards are to come next, for the seat to move: of its stock pile, or of the draw pile."""

    def __init__(self, rules: Rules, game: Any, is_stock: bool) -> None:
        self.is_stock = is_stock
        self.has_two_pools = bool(tells_apart(game, rules.params[0]))
        seat = int(game["seat"])
        own = np.bincount(game["hands"][seat, : game["hand_size"][seat]], minlength=CARDS + 1)[1:]
        self.older, self.newer = game["older"].tolist(), game["newer"].tolist()
        self.doubtful = (game["doubtful"] + own).tolist()
        self.older_held = int(game["older_held"])
        self.held = _count_held(rules, game, seat, is_flat=False)
        if self.weigh([]) == 0:  # chances are rounded (8.5): where nothing fits those that are left, all count alike
            self.held = _count_held(rules, game, seat, is_flat=True)

    def weigh(self, given: Sequence[int]) -> Fraction:
        """How likely these cards are to come next, one after the other; comparable for as many cards."""
        counts = [given.count(card) for card in range(1, CARDS + 1)]
        if not self.has_two_pools:
            unseen = zip(self.older, self.newer, self.doubtful, counts, strict=True)
            return Fraction(prod(perm(older + newer - doubtful, count) for older, newer, doubtful, count in unseen))
        ways, total = self._ways(counts), Fraction(0)
        older, newer, uncertain = sum(self.older), sum(self.newer), sum(self.doubtful)
        for n, odds in enumerate(self.held):
            x = self.older_held - n
            if odds > 0 and 0 <= x <= uncertain and ways[x] > 0:
                left = older - x if self.is_stock else newer - (uncertain - x)
                all_ways = comb(older, x) * comb(newer, uncertain - x) * perm(left, len(given))
                total += Fraction(odds * ways[x], all_ways)
        return total

    def _ways(self, given: Sequence[int]) -> list[int]:
        """[n]: the ways in which n of the doubtful cards are older ones, and the given cards come next."""
        ways = [1]
        for cards in zip(self.older, self.newer, self.doubtful, given, strict=True):
            factors = [self._ways_of(x, *cards) for x in range(cards[2] + 1)]
            longer = [0] * (len(ways) + len(factors) - 1)
            for n, before in enumerate(ways):
                for x, factor in enumerate(factors):
                    longer[n + x] += before * factor
            ways = longer
        return ways

    def _ways_of(self, x: int, older: int, newer: int, doubtful: int, given: int) -> int:
        """The same for one rank, with x older ones of its doubtful cards."""
        left = older - x if self.is_stock else newer - (doubtful - x)
        return comb(older, x) * comb(newer, doubtful - x) * perm(left, given) if left >= 0 else 0


def _count_held(rules: Rules, game: Any, observer: int, is_flat: bool) -> list[int]:
    """[n]: how likely the other hands are to hold n older cards together (8.5)."""
    held = [1]
    for seat in range(rules.players):
        if seat != observer:
            some = game["older_odds"][seat].tolist()
            odds = [max(CERTAIN - sum(some), 0), *some]
            if is_flat:
                odds = [1] * (int(game["hand_size"][seat]) + 1)
            held = np.convolve(np.array(held, object), np.array(odds, object)).tolist()
    return held
