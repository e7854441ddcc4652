"""Drawing, and the draw pile made anew (sections 3.1, 3.7, 4 and 5.3)."""

import numpy as np

from cardtable.table.kernel.chance import GAMMA, mix, shuffle, start_round_chance
from skipbo_env.kernel.jit import inlined_kernel, kernel
from skipbo_env.kernel.knowledge import see_recycling
from skipbo_env.kernel.piles import add_to_hand
from skipbo_env.kernel.state import (
    CARDS,
    DECK,
    HAND,
    MAX_PLAYERS,
    PLACES,
    RECYCLE_ON_COMPLETION,
    RECYCLE_WHEN_EMPTY,
)


@kernel
def completed_size(game):
    """How many completed cards there are."""
    size = 0
    for k in range(CARDS):
        size += np.int64(game.completed[k])
    return size


@kernel
def start_recycling_chance(game):
    """Set the generator to where this recycling begins, whatever was drawn before (9.4)."""
    start_round_chance(game)
    game.chance = mix(game.chance + np.uint64(game.recycles) * GAMMA)


@kernel
def recycle(game, rules):
    """Shuffle the completed cards into a new draw pile, with the cards that are left of it (4.1, 4.3)."""
    game.recycles += 1
    see_recycling(game, rules)
    for k in range(DECK - game.draw_left, DECK):
        game.completed[game.piles[k] - 1] += 1
    at = DECK - completed_size(game)
    game.draw_left = DECK - at
    pile = game.piles[at:]
    at = 0
    for k in range(CARDS):
        for _ in range(game.completed[k]):
            pile[at] = k + 1
            at += 1
        game.completed[k] = 0
    start_recycling_chance(game)
    shuffle(game, pile, at)


@inlined_kernel
def can_draw(game):
    """Is there a card to draw, in the draw pile or among the completed cards (4.5)?"""
    return game.draw_left > 0 or completed_size(game) > 0


@inlined_kernel
def draw_card(game, rules):
    """Draw the next card where there is one (4.1, 4.2)."""
    if game.draw_left == 0:
        recycle(game, rules)
    card = game.piles[DECK - game.draw_left]
    game.draw_left -= 1
    return card


@inlined_kernel
def draw_to_hand(game, rules):
    """Let the seat to move draw the next card where there is one; it may have been the last of the pile (4.2)."""
    add_to_hand(game, game.seat, draw_card(game, rules))
    game.is_still = 0
    if game.draw_left == 0 and rules.recycle == RECYCLE_WHEN_EMPTY and completed_size(game) > 0:
        recycle(game, rules)


@inlined_kernel
def fill_hand(game, rules):
    """Let the seat to move draw until it holds five cards; False if the cards run out (3.1, 3.7, 4.5)."""
    seat = game.seat
    while game.hand_size[seat] < HAND:
        if not can_draw(game):
            return False
        draw_to_hand(game, rules)
    return True


@kernel
def recycle_completed(game, rules):
    """With `on_completion` the cards of a pile that has left the table are shuffled into the draw pile (4.3)."""
    if rules.recycle == RECYCLE_ON_COMPLETION:
        recycle(game, rules)


@kernel
def recycle_discards(game, rules):
    """Make a draw pile of all cards below the tops of the discard piles; False if there are none (5.3)."""
    at, laid = 0, 0
    for seat in range(MAX_PLAYERS):
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
    recycle(game, rules)
    return True
