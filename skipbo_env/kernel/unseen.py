"""Cards that a seat does not see: dealt anew with the odds of their places, and cards that a decision may reveal.

Before a recycling all unseen cards are alike. After one, chance draws the number of older cards in every other hand,
and which of the doubtful cards were older ones (8.4 to 8.7). With n of the older cards in other hands, `older_held`
minus n of the doubtful cards are older. By card, x of them are so with a chance in proportion to the ways to choose x
of the older cards of that rank and the others of the newer ones. The number of ways is summed up rank by rank.

A decision reveals, to the seat that decides, the stock card that it turns up (3.6), or the cards that it draws when it
has played its last hand card (3.7), one after the other. Cards that are drawn at a stretch, with no recycling between
them, are given together. If cards are given, all cards that the seat does not see are dealt anew around them: a table
that was a fair guess before is one afterwards. Draws from the next turn on keep the game's own chance.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb, perm, prod
from typing import Any

import numpy as np

from cardtable.table.checks import check_given
from cardtable.table.game.table_game import TableGame, copied
from cardtable.table.kernel.chance import GAMMA, SHIFT_11, below, mix
from cardtable.table.kernel.game_kernel import IMPOSSIBLE
from skipbo_env import kernel as state
from skipbo_env.kernel import CARDS, DECK, HAND, MAX_PLAYERS, NONE, PLAY_DISCARD, PLAY_HAND, kernel, single_kernel
from skipbo_env.kernel.cards import can_draw, draw_to_hand, hold_older, lay_out, recycle, tells_apart
from skipbo_env.kernel.play import act, place_card, refill

MAX_HELD = HAND * MAX_PLAYERS  # older cards in hands
OLDER, NEWER = range(2)  # rows of counts of what is left of the two pools
TURNED, DRAWN = range(2)  # rows of counts of given cards: the next stock card, and the next cards of the draw pile


@kernel
def choose(n, k):
    """Return the number of ways to choose k of n; 0 where that cannot be done."""
    if k < 0 or k > n:
        return 0.0
    ways = 1.0
    for i in range(k):
        ways = ways * (n - i) / (i + 1)
    return ways


@kernel
def in_order(n, k):
    """Return the number of ways to choose k of n one after the other; 0 where that cannot be done."""
    if k > n:
        return 0.0
    ways = 1.0
    for i in range(k):
        ways *= n - i
    return ways


@kernel
def pick(game, weights, size):
    """Return a number below `size` with chances in proportion to these weights, which are not all 0."""
    total = 0.0
    for k in range(size):
        total += weights[k]
    game.chance += GAMMA
    left = total * (np.int64(mix(game.chance) >> SHIFT_11) * 2.0**-53)
    picked = 0
    for k in range(size):
        if weights[k] > 0.0:
            picked = k
            if left < weights[k]:
                return k
            left -= weights[k]
    return picked


@kernel
def held_odds(game, observer, seat, k, is_flat):
    """Return the odds that a hand holds k older cards (8.5); the observer's own cards are doubtful instead (8.6)."""
    if seat == observer:
        return 1.0 if k == 0 else 0.0
    if is_flat:
        return 1.0 if k <= game.hand_size[seat] else 0.0
    if k > 0:
        return max(0.0, game.older_odds[seat, k - 1] * 1.0)
    left = state.CERTAIN * 1.0
    for other in range(HAND):
        left -= game.older_odds[seat, other]
    return max(0.0, left)


@kernel
def weigh_hands(game, rules, observer, is_flat, held):
    """Write how likely the hands before seat i are to hold n older cards together as held[i, n]."""
    held[:] = 0.0
    held[0, 0] = 1.0
    for seat in range(rules.players):
        for n in range(MAX_HELD + 1):
            for k in range(min(HAND, n) + 1):
                held[seat + 1, n] += held[seat, n - k] * held_odds(game, observer, seat, k, is_flat)


@kernel
def ways_of(game, k, doubtful, x, given):
    """Return the ways in which x of the doubtful cards of a rank are older, and the given cards of it come next."""
    older, newer = game.older[k] - x, game.newer[k] - (doubtful - x)
    ways = choose(game.older[k], x) * choose(game.newer[k], doubtful - x)
    return ways * in_order(older, given[TURNED, k]) * in_order(newer, given[DRAWN, k])


@kernel
def weigh_doubtful(game, doubtful, given, ways):
    """Write the number of ways in which n of the doubtful cards of the first k ranks are older as ways[k, n]."""
    ways[:] = 0.0
    ways[0, 0] = 1.0
    for k in range(CARDS):
        for x in range(min(doubtful[k], MAX_HELD) + 1):
            factor = ways_of(game, k, doubtful[k], x, given)
            for n in range(x, MAX_HELD + 1):
                ways[k + 1, n] += ways[k, n - x] * factor


@kernel
def weigh_totals(game, doubtful, given, held, ways, totals):
    """Write how likely the others are to hold n older cards together, all in all, as totals[n]."""
    older, newer, uncertain = game.older.sum(), game.newer.sum(), doubtful.sum()
    for n in range(MAX_HELD + 1):
        x = game.older_held - n
        totals[n] = 0.0
        if x < 0 or x > min(uncertain, MAX_HELD):
            continue
        all_ways = choose(older, x) * choose(newer, uncertain - x)
        all_ways *= in_order(older - x, given[TURNED].sum()) * in_order(newer - uncertain + x, given[DRAWN].sum())
        if all_ways > 0.0:
            totals[n] = held[n] * ways[x] / all_ways


@kernel
def pick_holders(game, rules, observer, is_flat, held, n, holding):
    """Decide how many of n older cards every other hand holds."""
    weights = np.zeros(HAND + 1)
    for seat in range(rules.players - 1, -1, -1):
        most = min(HAND, n)
        for k in range(most + 1):
            weights[k] = held[seat, n - k] * held_odds(game, observer, seat, k, is_flat)
        holding[seat] = pick(game, weights, most + 1)
        n -= holding[seat]


@kernel
def pick_older(game, own, doubtful, given, ways, n, pools):
    """Decide which n doubtful cards are older ones, and count what is left of both pools without the given cards.

    Returns how many of the own cards are among them.
    """
    weights, own_older = np.zeros(MAX_HELD + 1), 0
    for k in range(CARDS - 1, -1, -1):
        most = min(doubtful[k], n)
        for x in range(most + 1):
            weights[x] = ways[k, n - x] * ways_of(game, k, doubtful[k], x, given)
        x = pick(game, weights, most + 1)
        n -= x
        pools[OLDER, k] = game.older[k] - x - given[TURNED, k]
        pools[NEWER, k] = game.newer[k] - (doubtful[k] - x) - given[DRAWN, k]
        for place in range(own[k]):  # each of the doubtful cards of a rank is as likely to be older as the others
            if below(game, doubtful[k] - place) < x:
                own_older += 1
                x -= 1
    return own_older


@kernel
def split_pools(game, rules, observer, own, given, pools, holding):
    """Decide how many older cards every hand holds, and count what is left of both pools; False if it cannot be."""
    held = np.zeros((MAX_PLAYERS + 1, MAX_HELD + 1))
    ways = np.zeros((CARDS + 1, MAX_HELD + 1))
    totals = np.zeros(MAX_HELD + 1)
    doubtful = own + game.doubtful
    weigh_doubtful(game, doubtful, given, ways)
    for is_flat in range(2):  # chances are rounded (8.5): where nothing fits those that are left, all count alike
        weigh_hands(game, rules, observer, is_flat, held)
        weigh_totals(game, doubtful, given, held[rules.players], ways[CARDS], totals)
        if totals.sum() > 0.0:
            break
    if totals.sum() == 0.0:
        return False
    n = pick(game, totals, MAX_HELD + 1)
    pick_holders(game, rules, observer, is_flat, held, n, holding)
    holding[observer] = pick_older(game, own, doubtful, given, ways, game.older_held - n, pools)
    return True


@kernel
def join_pools(game, own, given, pools, holding):
    """Count all unseen cards as older ones, which every hand holds alone; False if a given card is not among them."""
    for k in range(CARDS):
        pools[OLDER, k] = game.older[k] + game.newer[k] - game.doubtful[k] - own[k] - given[TURNED, k] - given[DRAWN, k]
        if pools[OLDER, k] < 0:
            return False
    holding[:] = game.hand_size
    return True


@kernel
def has_room(game, rules, observer, given, pools, holding):
    """Return whether there are as many unseen cards, and as many older ones, as places where they can lie."""
    older, newer = -given[TURNED].sum(), game.draw_left - given[DRAWN].sum()
    for seat in range(rules.players):
        older += max(game.stock_left[seat] - 1, 0)
        if holding[seat] > game.hand_size[seat]:
            return False
        if seat != observer:
            older += holding[seat]
            newer += game.hand_size[seat] - holding[seat]
    if tells_apart(game, rules) and pools[OLDER].sum() != older:
        return False
    return pools[OLDER].sum() + pools[NEWER].sum() == older + newer


@kernel
def deal_stocks(game, rules, observer, turned, cards):
    """Lay cards face down in the stock piles; returns the first that is left."""
    at = 0
    for seat in range(rules.players):
        bottom, hidden = seat * rules.stock, game.stock_left[seat] - 1
        if seat == observer and turned != NONE:
            hidden -= 1
            game.stocks[bottom + hidden] = turned
        for k in range(hidden):
            game.stocks[bottom + k] = cards[at]
            at += 1
    return at


@kernel
def deal_hands(game, rules, observer, holding, cards, at):
    """Give the others older cards, which they drew first, then newer ones; returns the first card that is left."""
    for is_newer in range(2):
        for seat in range(rules.players):
            first, end = (holding[seat], game.hand_size[seat]) if is_newer else (0, holding[seat])
            for k in range(first, end):
                if seat != observer:
                    game.hands[seat, k] = cards[at]
                    at += 1
    return at


@kernel
def deal_draws(game, drawn, cards, at):
    """Make these the draw pile, the given cards first."""
    start = DECK - game.draw_left
    for k in range(len(drawn)):
        game.piles[start + k] = drawn[k]
    for k in range(start + len(drawn), DECK):
        game.piles[k] = cards[at]
        at += 1


@kernel
def count_hand(game, seat):
    """Return the cards of a hand, by card."""
    counts = np.zeros(CARDS, np.int64)
    for k in range(game.hand_size[seat]):
        counts[game.hands[seat, k] - 1] += 1
    return counts


@kernel
def count_given(turned, drawn):
    """Return the given cards by card, those to be turned up and those to be drawn."""
    counts = np.zeros((2, CARDS), np.int64)
    if turned != NONE:
        counts[TURNED, turned - 1] = 1
    for card in drawn:
        counts[DRAWN, card - 1] += 1
    return counts


@kernel
def deal_unseen(game, rules, observer, turned, drawn):
    """Deal all cards anew that the observer does not see, and decide which of its own cards are older ones.

    `turned` is to be the next card of its stock pile, unless it is NONE, and `drawn` the first ones of the draw pile.
    False if no such deal exists; then no card has moved.
    """
    own, given = count_hand(game, observer), count_given(turned, drawn)
    pools, holding = np.zeros((2, CARDS), np.int64), np.zeros(MAX_PLAYERS, np.int64)
    if tells_apart(game, rules):
        is_possible = split_pools(game, rules, observer, own, given, pools, holding)
    else:
        is_possible = join_pools(game, own, given, pools, holding)
    if not is_possible or not has_room(game, rules, observer, given, pools, holding):
        return False
    cards = np.zeros(DECK, np.int8)
    lay_out(game, pools[NEWER], cards, lay_out(game, pools[OLDER], cards, 0))
    at = deal_stocks(game, rules, observer, turned, cards)
    deal_draws(game, drawn, cards, deal_hands(game, rules, observer, holding, cards, at))
    if tells_apart(game, rules):
        hold_older(game, observer, holding[observer])
    return True


# What a decision reveals


@kernel
def turns_up(game, action):
    """Return whether this action turns up a stock card (3.6)."""
    return action < PLAY_HAND and game.stock_left[game.seat] > 1


@kernel
def draws(game, rules, action):
    """Return whether this action plays the last hand card, after which new ones are drawn at once (3.7)."""
    return (
        PLAY_HAND <= action < PLAY_DISCARD and game.hand_size[game.seat] == 1 and rules.refill == state.REFILL_AT_ONCE
    )


@kernel
def play_last_card(game, rules, action, log):
    """Play the last hand card, up to where cards are drawn."""
    game.last_seat, game.last_action = game.seat, action
    place_card(game, rules, action, log)


@kernel
def next_stretch(game, rules, log):
    """Return the number of cards that the seat to move draws next at a stretch; recycle first if need be (4.1)."""
    if game.hand_size[game.seat] == HAND or not can_draw(game):
        return 0
    if game.draw_left == 0:
        recycle(game, rules, False, log)
    return min(game.draw_left, HAND - game.hand_size[game.seat])


@kernel
def draw_stretch(game, rules, stretch, given, log):
    """Draw so many cards, the given ones first; False if these cannot come."""
    if len(given) > 0 and not deal_unseen(game, rules, game.seat, NONE, given):
        return False
    for _ in range(stretch):
        draw_to_hand(game, rules, log)
    return True


@kernel
def draw_given(game, rules, cards, log):
    """Draw the given cards, as long as all cards of a stretch are given.

    Returns how many they are, or IMPOSSIBLE if one cannot come; and how many cards come at the next stretch, if any.
    """
    brought = 0
    while True:
        stretch = next_stretch(game, rules, log)
        if stretch == 0 or len(cards) < brought + stretch:
            return brought, stretch
        if not draw_stretch(game, rules, stretch, cards[brought : brought + stretch], log):
            return IMPOSSIBLE, 0
        brought += stretch


@kernel
def act_with(game, rules, action, cards, counts, log):  # noqa: ARG001 (`next_card` weighs what may come)
    """Carry out `act` with an action that brings these cards to light; further cards stay as dealt.

    Returns how many cards came to light, or IMPOSSIBLE if one cannot come: then the table is no longer valid.
    """
    if draws(game, rules, action):
        play_last_card(game, rules, action, log)
        brought, stretch = draw_given(game, rules, cards, log)
        if brought == IMPOSSIBLE or not draw_stretch(game, rules, stretch, cards[brought : brought + stretch], log):
            return IMPOSSIBLE
        refill(game, rules, log)  # the rest; where cards are wanting, the round may be over (4.5)
        return np.int64(game.hand_size[game.seat])
    is_revealing = turns_up(game, action)
    if is_revealing and len(cards) > 0 and not deal_unseen(game, rules, game.seat, cards[0], cards[:0]):
        return IMPOSSIBLE
    act(game, rules, action, log)
    return int(is_revealing)


@single_kernel
def await_one(games, rules, action, cards):
    """Carry out an action up to where it brings a card to light that is not given.

    Returns how many of the given cards came before the stretch to which that card belongs, or IMPOSSIBLE; and how many
    cards come at that stretch, 0 if all that come are given.
    """
    game, the_rules = games[0], rules[0]
    if not draws(game, the_rules, action):
        return 0, 1 if turns_up(game, action) else 0
    play_last_card(game, the_rules, action, None)
    return draw_given(game, the_rules, cards, None)


# The same in whole numbers, for exact probabilities


def next_card(game: TableGame[Any], action: int, cards: Sequence[int]) -> dict[int, Fraction]:
    """Return the probabilities of the next card that a legal action reveals after these; empty if it reveals none."""
    rules, table = game.rules, copied(game.state)
    brought, stretch = await_one(table, rules.params, action, game.card_game.chosen_cards(rules, cards))
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
    """Odds of the next cards for the seat to move: of its stock pile, or of the draw pile."""

    def __init__(self, rules: Any, game: Any, is_stock: bool) -> None:
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
        """Return the weight of these cards as the next ones, in this order; comparable for as many cards."""
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
        ranks = zip(self.older, self.newer, self.doubtful, given, strict=True)
        return _product([self._ways_of(x, *cards) for x in range(cards[2] + 1)] for cards in ranks)

    def _ways_of(self, x: int, older: int, newer: int, doubtful: int, given: int) -> int:
        """The same for one rank, with x older ones of its doubtful cards."""
        left = older - x if self.is_stock else newer - (doubtful - x)
        return comb(older, x) * comb(newer, doubtful - x) * perm(left, given) if left >= 0 else 0


def _count_held(rules: Any, game: Any, observer: int, is_flat: bool) -> list[int]:
    """[n]: how likely the other hands are to hold n older cards together (8.5)."""
    others = [seat for seat in range(rules.players) if seat != observer]
    if is_flat:
        return _product([1] * (int(game["hand_size"][seat]) + 1) for seat in others)
    chances = (game["older_odds"][seat].tolist() for seat in others)
    return _product([max(state.CERTAIN - sum(some), 0), *some] for some in chances)


def _product(polynomials: Iterable[list[int]]) -> list[int]:
    """Return the coefficients of a product of polynomials."""
    product: Any = np.ones(1, object)
    for coefficients in polynomials:
        product = np.convolve(product, np.array(coefficients, object))
    return list(product)
