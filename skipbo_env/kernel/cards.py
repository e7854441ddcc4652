"""Places of the cards: piles and hands, dealing and drawing, and cards that any observer can count (sections 1 to 4,
8).

One array holds all discard piles from the front and the draw pile up to its end.
"""

import numpy as np

from cardtable.table.kernel.chance import GAMMA, mix, shuffle, start_round_rng
from cardtable.table.kernel.copying import move
from cardtable.table.kernel.events import note
from cardtable.table.kernel.piles import write_counted
from skipbo_env import kernel as state
from skipbo_env.kernel import CARDS, DECK, HAND, NONE, PLACES, WILD, inlined_kernel, kernel

ZERO, ONE, TWO, THREE = map(np.uint64, range(4))
BYTE, LAST_BYTE, ONES = map(np.uint64, (8, 0xFF, 0x01010101))


# Piles and hands


@kernel
def stock_top(game, rules, seat):
    """Return the top card of a stock pile, or NONE."""
    left = game.stock_left[seat]
    return game.stocks[seat * rules.stock + left - 1] if left > 0 else NONE


@inlined_kernel
def pack(a, b, c, d):
    """Return four numbers as one, a byte each: one for every building place, or for every discard pile of a seat."""
    return np.uint64(a) | np.uint64(b) << BYTE | np.uint64(c) << TWO * BYTE | np.uint64(d) << THREE * BYTE


@inlined_kernel
def pile_end(game, seat, pile):
    """Return the end of a discard pile among the cards of all discard piles."""
    sizes = game.sizes[np.uint64(seat)]
    ends = pack(sizes[ZERO], sizes[ONE], sizes[TWO], sizes[THREE]) * ONES  # byte k: the cards on the piles up to k
    return np.uint64(game.starts[np.uint64(seat)]) + (ends >> BYTE * np.uint64(pile) & LAST_BYTE)


@inlined_kernel
def count_laid(game, seat, pile, cards):
    """Note that a discard pile has so many cards more, or fewer if the number is negative."""
    game.sizes[seat, pile] = np.int64(game.sizes[seat, pile]) + cards
    game.laid += cards
    for other in range(state.MAX_PLAYERS):
        game.starts[other] = np.int64(game.starts[other]) + (cards if other > seat else 0)


@kernel
def pile_top(game, seat, pile):
    """Return the top card of a discard pile, or NONE."""
    return game.piles[pile_end(game, seat, pile) - ONE] if game.sizes[seat, pile] > 0 else NONE


@inlined_kernel
def lay_on_pile(game, seat, pile, card):
    """Lay a card on a discard pile."""
    at = pile_end(game, seat, pile)
    move(game.piles, at, np.uint64(game.laid) - at, at + ONE)
    game.piles[at] = card
    count_laid(game, seat, pile, 1)


@inlined_kernel
def take_from_pile(game, seat, pile):
    """Take the top card of a discard pile."""
    end = pile_end(game, seat, pile)
    card = game.piles[end - ONE]
    move(game.piles, end, np.uint64(game.laid) - end, end - ONE)
    count_laid(game, seat, pile, -1)
    return card


@kernel
def has_card(game, seat, card):
    """Return whether the seat holds such a card."""
    for k in range(game.hand_size[seat]):
        if game.hands[seat, k] == card:
            return True
    return False


@inlined_kernel
def take_from_hand(game, seat, card):
    """Take such a card from a hand that holds one: the one that was drawn first (7.2). Places past its end are NONE."""
    holder, is_beyond = np.uint64(seat), False
    for k in range(np.uint64(HAND - 1)):
        here, following = game.hands[holder, k], game.hands[holder, k + ONE]
        is_beyond |= here == card
        game.hands[holder, k] = following if is_beyond else here
    game.hands[holder, np.uint64(HAND - 1)] = NONE
    game.hand_size[holder] -= 1


@kernel
def fits(game, card, place):
    """Return whether this card may be played on a building place (3.3, 3.4); never for NONE."""
    return card == WILD or card == game.heights[place] + 1


@kernel
def build(game, card, place):
    """Put a card on a building pile."""
    if card == WILD:
        game.wild_ranks[place] |= 1 << game.heights[place]
    game.heights[place] += 1


@kernel
def clear_place(game, rules, place, log):
    """Take a pile from the table; its cards join the completed cards (3.5, 4.4)."""
    note(log, state.PILE_COMPLETED, game.seat, place, game.heights[place])
    for rank in range(1, game.heights[place] + 1):
        is_wild = game.wild_ranks[place] >> (rank - 1) & 1
        note(log, WILD if is_wild else rank)
        card = WILD if is_wild and rules.recycled_wild == state.RECYCLED_WILD else rank
        game.completed[card - 1] += 1
    game.heights[place] = 0
    game.wild_ranks[place] = 0


# What anyone watching can count: older, newer and doubtful cards, and older cards in hands (8.4 to 8.7)


@kernel
def tells_apart(game, rules):
    """Return whether newer cards lie next to older ones: after a recycling, but never with `on_completion` (8.7)."""
    return game.recycles > 0 and rules.recycle != state.RECYCLE_ON_COMPLETION


@kernel
def has_newer_only(game, seat):
    """Return whether the hand holds only newer cards (8.5)."""
    for k in range(HAND):
        if game.older_odds[seat, k] > 0:
            return False
    return True


@kernel
def has_older_only(game, seat):
    """Return whether the hand holds only older cards (8.5)."""
    size = game.hand_size[seat]
    return size > 0 and game.older_odds[seat, size - 1] == state.CERTAIN


@kernel
def update_odds(game, seat):
    """Update the odds for a card that is about to leave the hand: any of its cards, each equally likely (8.5)."""
    size = np.int64(game.hand_size[seat])
    for k in range(1, HAND + 1):
        more = np.int64(game.older_odds[seat, k]) if k < HAND else 0
        odds = np.int64(game.older_odds[seat, k - 1]) * max(size - k, 0) + more * (k + 1)
        game.older_odds[seat, k - 1] = (2 * odds + size) // (2 * size)


@inlined_kernel
def see_stock_card(game, card):
    """See a card that lay face down in a stock pile: it is an older one."""
    game.older[card - 1] -= 1


@inlined_kernel
def see_hand_card(game, rules, seat, card):
    """Update the odds for a card that is about to leave a hand, which all seats see (8.4, 8.5)."""
    if not tells_apart(game, rules):
        game.older[card - 1] -= 1
        return
    if has_newer_only(game, seat):
        game.newer[card - 1] -= 1
        return
    if has_older_only(game, seat):
        game.older[card - 1] -= 1
        game.older_held -= 1
    else:
        game.doubtful[card - 1] += 1
    update_odds(game, seat)


@kernel
def hold_older(game, seat, count):
    """Note that the hand holds this many older cards for certain."""
    for k in range(HAND):
        game.older_odds[seat, k] = state.CERTAIN if k + 1 == count else 0


@kernel
def see_recycling(game, rules):
    """Prepare a recycling: the completed cards become the newer ones, and all others that are unseen older (8.7)."""
    for k in range(CARDS):
        if rules.recycle == state.RECYCLE_ON_COMPLETION:
            game.older[k] += game.completed[k]
            continue
        game.older[k] += game.newer[k] - game.doubtful[k]
        game.newer[k] = game.completed[k]
        game.doubtful[k] = 0
    if rules.recycle == state.RECYCLE_ON_COMPLETION:
        return
    game.older_held = 0
    for seat in range(rules.players):
        hold_older(game, seat, game.hand_size[seat])
        game.older_held += game.hand_size[seat]


# Drawing, and the draw pile made anew (3.1, 3.7, 4 and 5.3)


@kernel
def completed_size(game):
    """Return the number of completed cards."""
    size = 0
    for k in range(CARDS):
        size += np.int64(game.completed[k])
    return size


@kernel
def lay_out(game, counts, cards, at):
    """Write counted cards to `cards` from `at` on, in random order; returns where they end."""
    end = write_counted(counts, 1, cards, at)
    shuffle(game, cards[at:], end - at)
    return end


@kernel
def recycle(game, rules, from_discards, log):
    """Shuffle the completed cards into a new draw pile, with the cards that are left of it (4.1, 4.3)."""
    game.recycles += 1
    see_recycling(game, rules)
    for k in range(DECK - game.draw_left, DECK):
        game.completed[game.piles[k] - 1] += 1
    game.draw_left = completed_size(game)
    start_round_rng(game)
    game.chance = mix(game.chance + np.uint64(game.recycles) * GAMMA)  # whatever was drawn before (9.4)
    lay_out(game, game.completed, game.piles, DECK - game.draw_left)
    game.completed[:] = 0
    note(log, state.PILE_RECYCLED, game.draw_left, from_discards)


@inlined_kernel
def can_draw(game):
    """Return whether there is a card to draw, in the draw pile or among the completed cards (4.5)."""
    return game.draw_left > 0 or completed_size(game) > 0


@inlined_kernel
def draw_to_hand(game, rules, log):
    """Let the seat to move draw the next card where there is one (4.1); it may be the last of the pile (4.2)."""
    if game.draw_left == 0:
        recycle(game, rules, False, log)
    seat, size = game.seat, game.hand_size[game.seat]
    card = game.piles[DECK - game.draw_left]
    game.hands[seat, size] = card
    game.hand_size[seat] = size + 1
    game.draw_left -= 1
    note(log, state.CARDS_DRAWN, seat, 1, card)
    game.is_still = 0
    if game.draw_left == 0 and rules.recycle == state.RECYCLE_WHEN_EMPTY and completed_size(game) > 0:
        recycle(game, rules, False, log)


@inlined_kernel
def fill_hand(game, rules, log):
    """Let the seat to move draw until it holds five cards; False if the cards run out (3.1, 3.7, 4.5)."""
    seat = game.seat
    while game.hand_size[seat] < HAND:
        if not can_draw(game):
            return False
        draw_to_hand(game, rules, log)
    return True


@kernel
def recycle_discards(game, rules, log):
    """Make a draw pile of all cards below the tops of the discard piles; False if there are none (5.3)."""
    at, laid = 0, 0
    for seat in range(state.MAX_PLAYERS):
        game.starts[seat] = laid
        for pile in range(PLACES):
            size = np.int64(game.sizes[seat, pile])
            for _ in range(size - 1):
                game.completed[game.piles[at] - 1] += 1
                at += 1
            if size > 0:
                game.piles[laid] = game.piles[at]
                game.sizes[seat, pile] = 1
                at += 1
                laid += 1
    game.laid = laid
    if at == laid:
        return False
    recycle(game, rules, True, log)
    return True


# Dealing (section 2)


@kernel
def copies_of(card):
    """Return the number of such cards in the deck (1.1)."""
    return state.WILDS if card == WILD else state.COPIES


@kernel
def clear_table(game, rules):
    """Collect all cards: nothing lies on the table."""
    game.turns, game.recycles, game.laid, game.still_turns, game.older_held = 0, 0, 0, 0, 0
    game.wilds_discarded[:] = 0
    game.completed_piles[:] = 0
    game.heights[:] = 0
    game.wild_ranks[:] = 0
    game.older_odds[:] = 0
    game.hands[:] = 0
    game.hand_size[:] = 0
    game.stock_left[:] = 0
    game.stock_left[: rules.players] = rules.stock
    game.sizes[:] = 0
    game.starts[:] = 0
    game.completed[:] = 0
    game.newer[:] = 0
    game.doubtful[:] = 0


@kernel
def deal_cards(game, rules):
    """Shuffle and deal (2.1)."""
    clear_table(game, rules)
    for card in range(1, CARDS + 1):
        game.older[card - 1] = copies_of(card)
    lay_out(game, game.older, game.piles, 0)
    dealt = rules.players * rules.stock
    for k in range(dealt):  # for slices numba would compile 37 more functions, for an error message
        game.stocks[k] = game.piles[k]
    game.draw_left = DECK - dealt
    for seat in range(rules.players):
        see_stock_card(game, stock_top(game, rules, seat))
