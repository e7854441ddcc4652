"""What is legal, and what an action does (sections 3, 5 and 7)."""

from cardtable.table.kernel.scoring import is_last_round
from skipbo_env.kernel.deal import begin_turn, next_round
from skipbo_env.kernel.drawing import fill_hand, recycle_completed, recycle_discards
from skipbo_env.kernel.jit import inlined_kernel, kernel
from skipbo_env.kernel.knowledge import see_hand_card, see_stock_card
from skipbo_env.kernel.piles import (
    build,
    clear_place,
    fits,
    has_card,
    is_complete,
    lay_on_pile,
    pile_top,
    stock_top,
    take_from_hand,
    take_from_pile,
)
from skipbo_env.kernel.scoring import ENDS, end_round, is_stopped
from skipbo_env.kernel.state import (
    ACTIONS,
    BLOCKED,
    BLOCKED_RECYCLE_DISCARDS,
    DISCARD,
    NO_CARDS,
    NO_CARDS_NOBODY_WINS,
    NONE,
    OVER,
    PASS,
    PLACES,
    PLAY_DISCARD,
    PLAY_HAND,
    REFILL_AT_ONCE,
    STOPPED,
    SYMMETRIC_LOWEST,
    TRUNCATED,
    TURN,
    WILD,
    WON,
)


@kernel
def played_card(game, rules, action):
    """The card that an action below DISCARD would play, or NONE if the seat to move does not have it (3.2, 7.1)."""
    seat = game.seat
    if action < PLAY_HAND:
        return stock_top(game, rules, seat)
    if action < PLAY_DISCARD:
        card = (action - PLAY_HAND) // PLACES + 1
        return card if has_card(game, seat, card) else NONE
    return pile_top(game, seat, (action - PLAY_DISCARD) // PLACES)


@kernel
def has_lower_equal(game, place):
    """Does a lower building place take the same rank (7.4)?"""
    for other in range(place):
        if game.heights[other] == game.heights[place]:
            return True
    return False


@kernel
def has_lower_empty(game, seat, pile):
    """Is this discard pile empty, and a lower one too (7.4)?"""
    if game.sizes[seat, pile] > 0:
        return False
    for other in range(pile):
        if game.sizes[seat, other] == 0:
            return True
    return False


@kernel
def fits_anywhere(game, card):
    """May this card be played at all? NONE never may."""
    for place in range(PLACES):
        if card != NONE and fits(game, card, place):
            return True
    return False


@kernel
def can_play(game, rules):
    """Can the seat to move play any card?"""
    seat = game.seat
    if fits_anywhere(game, stock_top(game, rules, seat)):
        return True
    for k in range(game.hand_size[seat]):
        if fits_anywhere(game, game.hands[seat, k]):
            return True
    for pile in range(PLACES):
        if fits_anywhere(game, pile_top(game, seat, pile)):
            return True
    return False


@kernel
def may_play(game, rules, action):
    """May the seat to move play this card on this place (3.2 to 3.4)?"""
    card, place = played_card(game, rules, action), action % PLACES
    if card == NONE or not fits(game, card, place):
        return False
    return rules.symmetric != SYMMETRIC_LOWEST or not has_lower_equal(game, place)


@kernel
def may_discard(game, rules, action):
    """May the seat to move lay this card on this pile (3.8 to 3.10)?"""
    card, pile = (action - DISCARD) // PLACES + 1, action % PLACES
    if not has_card(game, game.seat, card) or (card == WILD and not rules.discard_wild):
        return False
    if rules.symmetric == SYMMETRIC_LOWEST and has_lower_empty(game, game.seat, pile):
        return False
    return not (rules.compulsory and can_play(game, rules))


@kernel
def is_legal(game, rules, action):
    """May the seat to move do this now (7.3)? Any number may be asked about."""
    if game.phase != TURN or action < 0 or action >= ACTIONS:
        return False
    if action == PASS:
        return game.hand_size[game.seat] == 0
    if action >= DISCARD:
        return may_discard(game, rules, action)
    return may_play(game, rules, action)


@inlined_kernel
def take_up(game, rules, action, card):
    """Take the card that is played from where it lies; what lay below it in the stock is turned up (3.6)."""
    seat = game.seat
    if action < PLAY_HAND:
        game.stock_left[seat] -= 1
        if game.stock_left[seat] > 0:
            see_stock_card(game, stock_top(game, rules, seat))
    elif action < PLAY_DISCARD:
        see_hand_card(game, rules, seat, card)
        take_from_hand(game, seat, card)
    else:
        take_from_pile(game, seat, (action - PLAY_DISCARD) // PLACES)


@kernel
def refill(game, rules):
    """The last hand card has been played: draw five new ones (3.7)."""
    if not fill_hand(game, rules) and rules.no_cards == NO_CARDS_NOBODY_WINS:
        game.turns += 1
        end_round(game, NO_CARDS)


@inlined_kernel
def place_card(game, rules, action):
    """Play a card on a building place, and what that brings about before cards are drawn (3.13)."""
    place, seat = action % PLACES, game.seat
    card = played_card(game, rules, action)
    take_up(game, rules, action, card)
    build(game, card, place)
    game.is_still = 0
    if is_complete(game, place):
        clear_place(game, rules, place)
        game.completed_piles[seat] += 1
        recycle_completed(game, rules)
    if game.stock_left[seat] == 0:
        game.turns += 1
        end_round(game, WON)


@inlined_kernel
def play_card(game, rules, action):
    """Play a card, and draw five new ones if it was the last of a hand (3.7)."""
    place_card(game, rules, action)
    if PLAY_HAND <= action < PLAY_DISCARD and game.hand_size[game.seat] == 0 and rules.refill == REFILL_AT_ONCE:
        refill(game, rules)


@kernel
def unblock(game, rules):
    """Every seat's turn has been still: the round is blocked, unless discards become a new draw pile (5.2, 5.3)."""
    if rules.blocked == BLOCKED_RECYCLE_DISCARDS and recycle_discards(game, rules):
        game.still_turns = 0
        return
    end_round(game, BLOCKED)


@inlined_kernel
def end_turn(game, rules):
    """The turn is over: the next seat's begins, unless the round is blocked or stopped (3.8, 5.2, 5.5)."""
    game.turns += 1
    if game.still_turns == rules.players:
        unblock(game, rules)
    if game.phase == ENDS:
        return
    if game.turns == rules.max_turns:
        end_round(game, STOPPED)
        return
    game.seat = (game.seat + 1) % rules.players
    begin_turn(game, rules)


@inlined_kernel
def discard(game, rules, action):
    """Lay a hand card on a discard pile, which ends the turn (3.8)."""
    card, seat = (action - DISCARD) // PLACES + 1, game.seat
    see_hand_card(game, rules, seat, card)
    take_from_hand(game, seat, card)
    lay_on_pile(game, seat, action % PLACES, card)
    game.wilds_discarded[seat] += card == WILD
    game.still_turns = 0
    end_turn(game, rules)


@inlined_kernel
def pass_on(game, rules):
    """End the turn without a card to discard (3.11); it was still if nothing else could be done in it (5.2)."""
    game.still_turns = game.still_turns + 1 if game.is_still and not can_play(game, rules) else 0
    end_turn(game, rules)


@inlined_kernel
def act(game, rules, action, log):  # noqa: ARG001
    """Carry out a legal action up to where the round is over: the phase is then ENDS."""
    game.last_seat, game.last_action = game.seat, action
    if action == PASS:
        pass_on(game, rules)
    elif action >= DISCARD:
        discard(game, rules, action)
    else:
        play_card(game, rules, action)


@kernel
def go_on(game, rules, log):  # noqa: ARG001
    """After a round was scored: deal the next one unless the episode is over. False if the game is stopped (5.5)."""
    if is_stopped(game):
        game.phase = TRUNCATED
        return False
    if is_last_round(game, rules):
        game.phase = OVER
    else:
        next_round(game, rules)
    return True
