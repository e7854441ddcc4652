"""Legal actions, their effects, and the beginnings and ends of turns, rounds and games (sections 2, 3, 5, 6 and 7)."""

import numpy as np

from cardtable.table.kernel.chance import below, start_round
from cardtable.table.kernel.events import note, note_list
from skipbo_env import kernel as state
from skipbo_env.kernel import NOBODY, NONE, PLACES, PLAY_DISCARD, PLAY_HAND, WILD, cards, inlined_kernel, kernel

FROM_STOCK, FROM_HAND, FROM_PILE = range(3)  # where a card that is played lay
ENDS = state.TRUNCATED + 1  # the phase between `act` and `score_round`: no seat ever sees it
WIN_POINTS, CARD_POINTS = 25, 5  # for winning, and for every card in the others' stock piles (5.4)


# A round ends (sections 5 and 6)


@kernel
def end_round(game, ending):
    """End the round; `score_round` goes on from here."""
    game.ending = ending
    game.phase = ENDS


@kernel
def fewest_stock(game, rules):
    """Return the seat with the fewest cards in its stock pile, or NOBODY if several have the fewest (5.3)."""
    fewest, is_tied = 0, False
    for seat in range(1, rules.players):
        if game.stock_left[seat] < game.stock_left[fewest]:
            fewest, is_tied = seat, False
        elif game.stock_left[seat] == game.stock_left[fewest]:
            is_tied = True
    return NOBODY if is_tied else fewest


@kernel
def round_winner(game, rules):
    """Return the winner of the round that has just ended, or NOBODY (5.1, 5.3)."""
    if game.ending == state.WON:
        return game.seat
    if game.ending == state.BLOCKED and rules.blocked == state.BLOCKED_MIN_STOCK:
        return fewest_stock(game, rules)
    return NOBODY


@kernel
def note_round(game, rules, won, log):
    """Note that the round is over, and has been scored or stopped."""
    if game.ending == state.STOPPED:
        note(log, state.ROUND_STOPPED, game.round_number, game.turns)
        note_list(log, game.stock_left, rules.players)
    else:
        note(log, state.ROUND_SCORED, game.round_number, game.turns, game.ending, won)
        note_list(log, game.stock_left, rules.players)
        note_list(log, game.round_scores, rules.players)
    note_list(log, game.totals, rules.players)


@kernel
def score_round(game, rules, log):
    """Score the round (5.4, 5.5) and add the scores to the totals (6.1)."""
    won, points = round_winner(game, rules), WIN_POINTS
    for seat in range(rules.players):
        game.round_scores[seat] = 0
        if seat != won:
            points += CARD_POINTS * np.int64(game.stock_left[seat])
    if won != NOBODY:
        game.round_scores[won] = points
        game.totals[won] += points
    note_round(game, rules, won, log)
    if game.ending == state.STOPPED:
        game.phase = state.TRUNCATED


# A turn and a round begin (sections 2 and 3)


@kernel
def most_stock(game, rules):
    """Return the seat with the most cards in its stock pile, among several the first after the starter (2.3)."""
    most = NOBODY
    for k in range(1, rules.players + 1):
        seat = (game.starter + k) % rules.players
        if most == NOBODY or game.stock_left[seat] > game.stock_left[most]:
            most = seat
    return most


@kernel
def next_starter(game, rules):
    """Return the starter of the round after one that has been scored (2.3)."""
    if rules.next_starter == state.NEXT_LOSER:
        return most_stock(game, rules)
    if rules.next_starter == state.NEXT_WINNER and round_winner(game, rules) != NOBODY:
        return round_winner(game, rules)
    return (game.starter + 1) % rules.players


@inlined_kernel
def refill(game, rules, log):
    """Let the seat to move draw until it holds five cards (3.1, 3.7); the round may end for want of cards (4.5)."""
    if not cards.fill_hand(game, rules, log) and rules.no_cards == state.NO_CARDS_NOBODY_WINS:
        game.turns += 1
        end_round(game, state.NO_CARDS)


@inlined_kernel
def begin_turn(game, rules, log):
    """Begin the turn of the seat to move: it draws (3.1)."""
    note(log, state.TURN_BEGAN, game.seat)
    game.is_still = 1
    refill(game, rules, log)


@kernel
def deal_round(game, rules, log):
    """Deal the next round, and let its first turn begin (2.1 to 2.3)."""
    is_first = game.round_number == 0
    starter = 0 if is_first else next_starter(game, rules)
    start_round(game)
    cards.deal_cards(game, rules)
    if is_first:
        game.ending = state.UNENDED
        starter = below(game, rules.players) if rules.first_starter == state.STARTER_RANDOM else 0
    game.phase, game.starter, game.seat = state.TURN, starter, starter
    note(log, state.ROUND_DEALT, game.round_number, starter, rules.players)
    for seat in range(rules.players):
        note(log, cards.stock_top(game, rules, seat))
    begin_turn(game, rules, log)


# What is legal (section 7)


@kernel
def played_card(game, rules, action):
    """Return the card that an action below DISCARD plays, or NONE if the seat to move does not have it (3.2, 7.1)."""
    seat = game.seat
    if action < PLAY_HAND:
        return cards.stock_top(game, rules, seat)
    if action < PLAY_DISCARD:
        card = (action - PLAY_HAND) // PLACES + 1
        return card if cards.has_card(game, seat, card) else NONE
    return cards.pile_top(game, seat, (action - PLAY_DISCARD) // PLACES)


@kernel
def has_lower_equal(game, place):
    """Return whether a lower building place takes the same rank (7.4)."""
    for other in range(place):
        if game.heights[other] == game.heights[place]:
            return True
    return False


@kernel
def has_lower_empty(game, seat, pile):
    """Return whether this discard pile is empty, and a lower one too (7.4)."""
    if game.sizes[seat, pile] > 0:
        return False
    for other in range(pile):
        if game.sizes[seat, other] == 0:
            return True
    return False


@kernel
def fits_anywhere(game, card):
    """Return whether this card may be played at all; never for NONE."""
    for place in range(PLACES):
        if card != NONE and cards.fits(game, card, place):
            return True
    return False


@kernel
def can_play(game, rules):
    """Return whether the seat to move can play any card."""
    seat = game.seat
    if fits_anywhere(game, cards.stock_top(game, rules, seat)):
        return True
    for k in range(game.hand_size[seat]):
        if fits_anywhere(game, game.hands[seat, k]):
            return True
    for pile in range(PLACES):
        if fits_anywhere(game, cards.pile_top(game, seat, pile)):
            return True
    return False


@kernel
def may_play(game, rules, action):
    """Return whether the seat to move may play this card on this place (3.2 to 3.4)."""
    card, place = played_card(game, rules, action), action % PLACES
    if card == NONE or not cards.fits(game, card, place):
        return False
    return rules.symmetric != state.SYMMETRIC_LOWEST or not has_lower_equal(game, place)


@kernel
def may_discard(game, rules, action):
    """Return whether the seat to move may lay this card on this pile (3.8 to 3.10)."""
    card, pile = (action - state.DISCARD) // PLACES + 1, action % PLACES
    if not cards.has_card(game, game.seat, card) or (card == WILD and not rules.discard_wild):
        return False
    if rules.symmetric == state.SYMMETRIC_LOWEST and has_lower_empty(game, game.seat, pile):
        return False
    return not (rules.compulsory and can_play(game, rules))


@kernel
def is_legal(game, rules, action):
    """Return whether the seat to move may take this action now (7.3); False for any other number."""
    if game.phase != state.TURN or action < 0 or action >= state.ACTIONS:
        return False
    if action == state.PASS:
        return game.hand_size[game.seat] == 0
    if action >= state.DISCARD:
        return may_discard(game, rules, action)
    return may_play(game, rules, action)


# What an action does (sections 3 and 5)


@inlined_kernel
def take_up(game, rules, action, card, log):
    """Take the card that is played from where it lies; what lay below it in the stock is turned up (3.6)."""
    seat = game.seat
    if action < PLAY_HAND:
        game.stock_left[seat] -= 1
        if game.stock_left[seat] > 0:
            top = cards.stock_top(game, rules, seat)
            cards.see_stock_card(game, top)
            note(log, state.STOCK_CARD_TURNED_UP, seat, top)
    elif action < PLAY_DISCARD:
        cards.see_hand_card(game, rules, seat, card)
        cards.take_from_hand(game, seat, card)
    else:
        cards.take_from_pile(game, seat, (action - PLAY_DISCARD) // PLACES)


@inlined_kernel
def note_play(game, action, card, log):
    """Note that the seat to move plays a card: where it lies, and the rank that it is about to stand for."""
    source = FROM_STOCK if action < PLAY_HAND else FROM_HAND if action < PLAY_DISCARD else FROM_PILE
    pile = (action - PLAY_DISCARD) // PLACES if action >= PLAY_DISCARD else NOBODY
    place = action % PLACES
    note(log, state.CARD_PLAYED, game.seat, source, pile, card, place, game.heights[place] + 1)


@inlined_kernel
def place_card(game, rules, action, log):
    """Play a card on a building place, and what that brings about before cards are drawn (3.13)."""
    place, seat = action % PLACES, game.seat
    card = played_card(game, rules, action)
    note_play(game, action, card, log)
    take_up(game, rules, action, card, log)
    cards.build(game, card, place)
    game.is_still = 0
    if game.heights[place] == state.RANKS:
        cards.clear_place(game, rules, place, log)
        game.completed_piles[seat] += 1
        if rules.recycle == state.RECYCLE_ON_COMPLETION:  # 4.3
            cards.recycle(game, rules, False, log)
    if game.stock_left[seat] == 0:
        game.turns += 1
        end_round(game, state.WON)


@inlined_kernel
def play_card(game, rules, action, log):
    """Play a card, and draw five new ones if it was the last of a hand (3.7)."""
    place_card(game, rules, action, log)
    if PLAY_HAND <= action < PLAY_DISCARD and game.hand_size[game.seat] == 0 and rules.refill == state.REFILL_AT_ONCE:
        refill(game, rules, log)


@kernel
def unblock(game, rules, log):
    """Block the round, as every seat's turn has been still, unless discards become a new draw pile (5.2, 5.3)."""
    if rules.blocked == state.BLOCKED_RECYCLE_DISCARDS and cards.recycle_discards(game, rules, log):
        game.still_turns = 0
        return
    end_round(game, state.BLOCKED)


@inlined_kernel
def end_turn(game, rules, log):
    """End the turn: the next seat's begins, unless the round is blocked or stopped (3.8, 5.2, 5.5)."""
    game.turns += 1
    if game.still_turns == rules.players:
        unblock(game, rules, log)
    if game.phase == ENDS:
        return
    if game.turns == rules.max_turns:
        end_round(game, state.STOPPED)
        return
    game.seat = (game.seat + 1) % rules.players
    begin_turn(game, rules, log)


@inlined_kernel
def discard(game, rules, action, log):
    """Lay a hand card on a discard pile, which ends the turn (3.8)."""
    card, seat = (action - state.DISCARD) // PLACES + 1, game.seat
    cards.see_hand_card(game, rules, seat, card)
    cards.take_from_hand(game, seat, card)
    cards.lay_on_pile(game, seat, action % PLACES, card)
    game.wilds_discarded[seat] += card == WILD
    game.still_turns = 0
    note(log, state.CARD_DISCARDED, seat, card, action % PLACES)
    end_turn(game, rules, log)


@inlined_kernel
def pass_on(game, rules, log):
    """End the turn without a card to discard (3.11); it was still if nothing else could be done in it (5.2)."""
    game.still_turns = game.still_turns + 1 if game.is_still and not can_play(game, rules) else 0
    note(log, state.TURN_PASSED, game.seat)
    end_turn(game, rules, log)


@inlined_kernel
def act(game, rules, action, log):
    """Carry out a legal action up to where the round is over: the phase is then ENDS."""
    game.last_seat, game.last_action = game.seat, action
    if action == state.PASS:
        pass_on(game, rules, log)
    elif action >= state.DISCARD:
        discard(game, rules, action, log)
    else:
        play_card(game, rules, action, log)
