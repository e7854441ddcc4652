"""What whoever watches can count: older, newer and doubtful cards, and older cards in hands (8.4 to 8.7)."""

import numpy as np

from skipbo_env.kernel.jit import inlined_kernel, kernel
from skipbo_env.kernel.state import CARDS, CERTAIN, HAND, RECYCLE_ON_COMPLETION


@kernel
def tells_apart(game, rules):
    """Are there newer cards beside older ones? Not before a recycling, and never with `on_completion` (8.7)."""
    return game.recycles > 0 and rules.recycle != RECYCLE_ON_COMPLETION


@kernel
def has_newer_only(game, seat):
    """Does the hand hold newer cards alone (8.5)?"""
    for k in range(HAND):
        if game.older_odds[seat, k] > 0:
            return False
    return True


@kernel
def has_older_only(game, seat):
    """Does the hand hold older cards alone (8.5)?"""
    size = game.hand_size[seat]
    return size > 0 and game.older_odds[seat, size - 1] == CERTAIN


@kernel
def update_odds(game, seat):
    """A card is about to leave the hand: any of its cards, each equally likely (8.5)."""
    size = np.int64(game.hand_size[seat])
    for k in range(1, HAND + 1):
        more = np.int64(game.older_odds[seat, k]) if k < HAND else 0
        odds = np.int64(game.older_odds[seat, k - 1]) * max(size - k, 0) + more * (k + 1)
        game.older_odds[seat, k - 1] = (2 * odds + size) // (2 * size)


@inlined_kernel
def see_stock_card(game, card):
    """A card that lay face down in a stock pile is shown: it is an older one."""
    game.older[card - 1] -= 1


@inlined_kernel
def see_hand_card(game, rules, seat, card):
    """A card is about to leave a hand, and everybody sees it (8.4, 8.5)."""
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
    """The hand holds this many older cards for certain."""
    for k in range(HAND):
        game.older_odds[seat, k] = CERTAIN if k + 1 == count else 0


@kernel
def see_recycling(game, rules):
    """Before a recycling: the completed cards become the newer ones, and all others that are unseen older (8.7)."""
    for k in range(CARDS):
        if rules.recycle == RECYCLE_ON_COMPLETION:
            game.older[k] += game.completed[k]
            continue
        game.older[k] += game.newer[k] - game.doubtful[k]
        game.newer[k] = game.completed[k]
        game.doubtful[k] = 0
    if rules.recycle == RECYCLE_ON_COMPLETION:
        return
    game.older_held = 0
    for seat in range(rules.players):
        hold_older(game, seat, game.hand_size[seat])
        game.older_held += game.hand_size[seat]
