"""What chance may bring: the cards that a decision brings to light for the seat that decides, given to the table.

These are the stock card that is turned up (3.6), or the cards that are drawn when the last hand card was played (3.7),
one after the other. If cards are given, all that the seat does not see is dealt anew around them, as likely as it is to
lie so: a table that was a fair guess before is one afterwards. Cards that are drawn at a stretch, with no recycling
between them, are given together.
"""

from cardtable.table.kernel.game_kernel import IMPOSSIBLE
from skipbo_env.kernel.drawing import can_draw, draw_to_hand, recycle
from skipbo_env.kernel.jit import kernel, single_kernel
from skipbo_env.kernel.play import act, place_card, refill
from skipbo_env.kernel.state import HAND, NONE, PLAY_DISCARD, PLAY_HAND, REFILL_AT_ONCE
from skipbo_env.kernel.unseen import deal_unseen


@kernel
def turns_up(game, action):
    """Does this action turn up a stock card (3.6)?"""
    return action < PLAY_HAND and game.stock_left[game.seat] > 1


@kernel
def draws(game, rules, action):
    """Does this action play the last hand card, so that new ones are drawn at once (3.7)?"""
    return PLAY_HAND <= action < PLAY_DISCARD and game.hand_size[game.seat] == 1 and rules.refill == REFILL_AT_ONCE


@kernel
def play_last_card(game, rules, action):
    """Play the last hand card, up to where cards are drawn."""
    game.last_seat, game.last_action = game.seat, action
    place_card(game, rules, action)


@kernel
def next_stretch(game, rules):
    """How many cards the seat to move draws next at a stretch; the draw pile is made anew if it has to be (4.1)."""
    if game.hand_size[game.seat] == HAND or not can_draw(game):
        return 0
    if game.draw_left == 0:
        recycle(game, rules)
    return min(game.draw_left, HAND - game.hand_size[game.seat])


@kernel
def draw_stretch(game, rules, stretch, given):
    """Draw so many cards, the given ones first; False if these cannot come."""
    if len(given) > 0 and not deal_unseen(game, rules, game.seat, NONE, given):
        return False
    for _ in range(stretch):
        draw_to_hand(game, rules)
    return True


@kernel
def draw_with(game, rules, cards):
    """Fill the hand with the given cards first; returns how many were drawn, or IMPOSSIBLE."""
    brought = 0
    while True:
        stretch = next_stretch(game, rules)
        if stretch == 0:
            return brought
        if not draw_stretch(game, rules, stretch, cards[brought : brought + stretch]):
            return IMPOSSIBLE
        brought += stretch


@kernel
def act_with(game, rules, action, cards, counts, log):  # noqa: ARG001 (`skipbo_env.outcomes` weighs what may come)
    """`act` with an action that brings these cards to light; further cards stay as dealt.

    Returns how many cards came to light, or IMPOSSIBLE if one cannot come: then the table is no longer valid.
    """
    if draws(game, rules, action):
        play_last_card(game, rules, action)
        brought = draw_with(game, rules, cards)
        refill(game, rules)  # nothing is left to draw; where cards are wanting, the round may be over (4.5)
        return brought
    brought = 0
    if turns_up(game, action):
        if len(cards) > 0 and not deal_unseen(game, rules, game.seat, cards[0], cards[:0]):
            return IMPOSSIBLE
        brought = 1
    act(game, rules, action, log)
    return brought


@single_kernel
def await_one(games, rules, action, cards):
    """Carry out an action up to where it brings a card to light that is not given.

    Returns how many of the given cards came before the stretch to which that card belongs, or IMPOSSIBLE; and how many
    cards come at that stretch, 0 if all that come are given.
    """
    game, the_rules = games[0], rules[0]
    if not draws(game, the_rules, action):
        return 0, 1 if turns_up(game, action) else 0
    play_last_card(game, the_rules, action)
    brought = 0
    while True:
        stretch = next_stretch(game, the_rules)
        if stretch == 0 or len(cards) < brought + stretch:
            return brought, stretch
        if not draw_stretch(game, the_rules, stretch, cards[brought : brought + stretch]):
            return IMPOSSIBLE, 0
        brought += stretch
