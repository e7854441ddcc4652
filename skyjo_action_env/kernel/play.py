"""Effects of actions (sections 3 to 7), and SKYJO_ACTION_KERNEL, which hands all functions to `cardtable`."""

import numpy as np

from cardtable.table.kernel.events import note
from cardtable.table.kernel.game_kernel import IMPOSSIBLE, GameKernel
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import (
    CELLS,
    EMPTY,
    LINES,
    NO_KIND,
    NOBODY,
    action_cards,
    cards,
    inlined_kernel,
    kernel,
    rounds,
)
from skyjo_action_env.kernel.action_cards import is_legal, seat_after, write_mask
from skyjo_action_env.kernel.cards import move_cards, replace, turn_up
from skyjo_action_env.kernel.view import sample, write_observation

ENDS, STOPS = state.TRUNCATED + 1, state.TRUNCATED + 2  # phases between `act` and `end_round`: no seat ever sees them


# The end of a turn (3.1)


@kernel
def first_asked(game):
    """Return the seat whose claims and layout come first."""
    return 0 if game.mover == NOBODY or game.is_reveal else game.mover


@kernel
def ask_claim(game, rules):
    """Let the next player with a claim decide (5.2); False if there is none, or nothing to take (5.4)."""
    for place in range(rules.players):
        seat = seat_after(rules, first_asked(game), place)
        if game.claims[seat] > 0:
            may_use_pile = rules.star_source == state.FROM_OPEN_OR_PILE
            if game.open_actions.max() > NO_KIND or (may_use_pile and cards.has_next_action(game, rules)):
                game.seat, game.phase = seat, state.CLAIM
                return True
            game.claims[seat] = 0
    return False


@kernel
def ask_line(game, rules, log):
    """Clear complete lines up to a question to their owner (6.6); False if there is none."""
    looks_at_all = rules.foreign_clear == state.FOREIGN_AT_ONCE or game.is_reveal != 0
    for place in range(rules.players if looks_at_all else 1):
        seat = seat_after(rules, first_asked(game), place)
        line = rounds.clear_layout(game, rules, seat, log)
        if line != NOBODY:
            game.seat, game.phase, game.line = seat, state.LINE, line
            return True
    return False


@kernel
def has_bare_layout(game, rules):
    """Return whether a layout that matters here has no hidden card (9.1)."""
    if rules.ender != state.ENDER_WHO_CAUSED:
        return game.hidden_left[game.mover] == 0
    return game.hidden_left[: rules.players].min() == 0


@kernel
def begin_turn(game, rules):
    """Begin the next turn: an extra one (7.1), or that of the next player."""
    if game.extra_turns > 0:
        game.extra_turns -= 1
    else:
        game.mover = seat_after(rules, game.mover, 1)
        game.fresh[:] = 0
    game.seat, game.phase = game.mover, state.TURN


@kernel
def end_turn(game, rules, log):
    """End the turn; then end the round, begin the final lap, or begin the next turn (9.1, 9.2, 9.7)."""
    game.turns += 1
    if game.ender != NOBODY:
        game.turns_left -= 1
    elif has_bare_layout(game, rules):
        game.ender, game.turns_left, game.extra_turns = game.mover, rules.players - 1, 0
        note(log, state.ROUND_ENDED, game.ender, game.turns_left)
    elif game.turns >= rules.max_turns:
        game.phase = STOPS
        return
    if game.ender == NOBODY or game.turns_left > 0:
        begin_turn(game, rules)
    elif rounds.asks_at_the_end(rules):
        rounds.reveal(game, rules, log)
    else:
        game.phase = ENDS


@kernel
def settle(game, rules, log):
    """Settle a move: claims, lines, open places, and the end of the turn, up to the next decision (3.1)."""
    if ask_claim(game, rules) or ask_line(game, rules, log):
        return
    if not game.is_reveal:
        cards.fill_open_places(game, rules, log)
        if game.mover == NOBODY:
            rounds.begin_turns(game, rules, log)
        else:
            end_turn(game, rules, log)
        if not game.is_reveal or ask_line(game, rules, log):
            return
    game.phase = ENDS


@kernel
def finish(game, rules, log):
    """Complete the player's action."""
    game.played, game.attacked = NO_KIND, NOBODY
    game.chosen, game.chosen_with, game.picked = NOBODY, NOBODY, NOBODY
    settle(game, rules, log)


# What actions do


@kernel
def take_action(game, rules, kind, log):
    """Take an action card, in the seat's turn or for a star (4.1, 5.1)."""
    game.held[game.seat, kind] += 1
    if game.phase == state.CLAIM:
        game.claims[game.seat] -= 1
        game.earned[game.seat] += 1
    if game.seat == game.mover and not rules.delay_counts_extra_moves:
        game.fresh[kind] += 1
    settle(game, rules, log)


@kernel
def lay_off(game, k, log):
    """Lay a drawn card on the discard pile."""
    card = game.hand[k]
    game.hand[k] = EMPTY
    cards.see_drawn_card(game, card)
    cards.push_discard(game, card)
    note(log, state.CARD_DISCARDED, game.seat, card)


@kernel
def lay_off_three(game, rules, top, log):
    """Discard the rest of three drawn cards in the order drawn, but `top` last (NO_CARD: none). If none was laid, a
    hidden card is turned up next (7.3).
    """
    for k in range(state.HAND):
        if k != top and game.hand[k] != EMPTY:
            lay_off(game, k, log)
    if top != state.NO_CARD:
        lay_off(game, top, log)
    if game.picked == state.NO_CARD:
        game.phase = state.THREE_FLIP
    else:
        finish(game, rules, log)


@kernel
def end_three(game, rules, log):
    """End a three, of which a card was laid or none is: the player may choose which of the others goes on top (7.3)."""
    if rules.three_order == state.TOP_OWNER_CHOOSES:
        game.phase = state.THREE_TOP
    else:
        lay_off_three(game, rules, state.NO_CARD, log)


@kernel
def name_card(game, rules, k, log):
    """Choose the card of three that is laid, or none of them, or the one that goes on top (7.3)."""
    if game.phase == state.THREE_TOP:
        lay_off_three(game, rules, k, log)
        return
    game.picked = k
    if k == state.NO_CARD:
        end_three(game, rules, log)
    else:
        game.phase = state.THREE_PLACE


@kernel
def place(game, rules, cell, log):
    """Lay the card in hand on a cell (3.2, 3.3), or the chosen one of three (7.3)."""
    k = np.int64(game.picked) if game.phase == state.THREE_PLACE else 0
    card, was_drawn = game.hand[k], game.phase != state.TAKEN
    if was_drawn:
        cards.see_drawn_card(game, card)
    game.hand[k] = EMPTY
    replace(game, game.seat, cell, card, was_drawn, log)
    if game.phase == state.THREE_PLACE:
        end_three(game, rules, log)
    else:
        finish(game, rules, log)


@kernel
def flip(game, rules, cell, log):
    """Turn a hidden card up: in the opening, or after laying what was drawn on the discard pile (2.4, 3.3, 7.3)."""
    if game.phase == state.OPENING:
        if rounds.open_card(game, rules, cell, log):
            settle(game, rules, log)
        return
    if game.phase == state.DRAWN:
        lay_off(game, 0, log)
    turn_up(game, game.seat, cell, state.CARD_TURNED_UP, log)
    finish(game, rules, log)


@kernel
def choose(game, rules, seat, cell, log):
    """Choose a card of a layout (7.2, 7.6, 7.7), or whom to attack (7.9); True if the action card is carried out."""
    phase, place = game.phase, seat * CELLS + cell
    if phase == state.STEAL_FROM:
        return action_cards.attack_holder(game, rules, seat, log)
    if phase == state.REMOVE_CARD:
        return action_cards.remove_card(game, rules, cell, log)
    if phase == state.SWAP_WITH:
        move_cards(game, seat, game.chosen % CELLS, seat, cell, log)
        return True
    if phase == state.EXCHANGE_WITH:
        game.chosen_with = place
        return action_cards.attack_owners(game, rules, False, log)
    game.chosen = place
    game.phase = state.SWAP_WITH if phase == state.SWAP_FIRST else state.EXCHANGE_WITH
    return False


@kernel
def use_kind(game, rules, action, log):
    """Play or discard an action card, or name the one that a replay, a steal or a remove is about; True if nothing else
    follows.
    """
    kind = (action - state.PLAY) % len(state.KINDS)
    if game.phase == state.REPLAY_KIND:
        return action_cards.replay(game, rules, kind, log)
    if game.phase == state.REMOVE_CARD:
        return action_cards.remove_action(game, rules, kind, log)
    if game.phase == state.STEAL_KIND:
        game.held[game.attacked, kind] -= 1
        return action_cards.begin(game, rules, kind, log)
    if action < state.DISCARD:
        return action_cards.play_card(game, rules, kind, log)
    game.held[game.seat, kind] -= 1
    cards.lay_action(game, kind)
    note(log, state.ACTION_DISCARDED, game.seat, kind)
    return True


@kernel
def answer_line(game, rules, is_cleared, log):
    """Carry out the decision of a line's owner (6.3 to 6.5)."""
    bit = 1 << np.int64(game.line)
    if is_cleared:
        game.accepted |= bit
    else:
        game.changed[game.seat] &= ~bit
        note(log, state.LINE_KEPT, game.seat, game.line)
    game.line = NOBODY
    settle(game, rules, log)


@kernel
def use_card(game, rules, action, log):
    """Take, play or discard an action card, or refuse a claim (sections 4 and 5)."""
    if action < state.ACTION_PILE:
        kind = game.open_actions[action - state.OPEN]
        note(log, state.ACTION_TAKEN, game.seat, kind, False, game.phase == state.CLAIM)
        cards.fill_open_place(game, rules, action - state.OPEN, log)  # at once (4.5)
        take_action(game, rules, kind, log)
    elif action == state.ACTION_PILE:
        kind = cards.next_action(game, rules, log)
        note(log, state.ACTION_TAKEN, game.seat, kind, True, game.phase == state.CLAIM)
        take_action(game, rules, kind, log)
    elif action == state.PASS:
        is_claim = game.phase == state.CLAIM
        note(log, state.CLAIM_REFUSED if is_claim else state.TURN_PASSED, game.seat)
        game.claims[game.seat] -= is_claim
        settle(game, rules, log)
    elif use_kind(game, rules, action, log):
        finish(game, rules, log)


@kernel
def make_choice(game, rules, action, log):
    """Carry out the choice of a cell, a line or an answer that an action card asks for (section 7); True if it is
    carried out.
    """
    if action < rules.first_line:
        at = action - state.CHOOSE
        return choose(game, rules, seat_after(rules, game.seat, at // CELLS), at % CELLS, log)
    if action < rules.first_card:
        at = action - rules.first_line
        action_cards.look(game, seat_after(rules, game.seat, at // LINES), at % LINES, log)
        return True
    return action_cards.answer_attack(game, rules, action == rules.defend, log)


@inlined_kernel
def act(game, rules, action, log):
    """Carry out a legal action up to where the round is over: then the phase is ENDS or STOPS."""
    game.last_seat, game.last_action = game.seat, action
    if action == state.DRAW:
        game.hand[0] = cards.draw_card(game, log)
        game.phase = state.DRAWN
        note(log, state.CARDS_DRAWN, game.seat, 1, game.hand[0])
    elif action == state.TAKE:
        game.hand[0] = cards.pop_discard(game)
        game.phase = state.TAKEN
        note(log, state.DISCARD_TAKEN, game.seat, game.hand[0])
    elif action < state.FLIP:
        place(game, rules, action - state.PLACE, log)
    elif action < state.OPEN:
        flip(game, rules, action - state.FLIP, log)
    elif action < state.CHOOSE:
        use_card(game, rules, action, log)
    elif rules.first_card <= action < rules.clear_line:
        name_card(game, rules, action - rules.first_card, log)
    elif rules.clear_line <= action < rules.defend:
        answer_line(game, rules, action == rules.clear_line, log)
    elif make_choice(game, rules, action, log):
        finish(game, rules, log)


@kernel
def end_round(game, rules, log):
    """End the round: reveal and score it, or stop the game."""
    if game.phase == ENDS and not game.is_reveal:
        rounds.reveal(game, rules, log)
    game.seat = game.last_seat
    if game.phase == ENDS:
        rounds.score_round(game, rules, log)
    else:
        rounds.stop_round(game, rules, log)


@kernel
def act_with(game, rules, action, cards, counts, log):
    """Carry out `act` with a legal action that brings these cards to light; further cards stay as dealt. If it ends the
    round, all hidden cards are turned up already.

    Returns how many cards came to light, or IMPOSSIBLE if one cannot come: then the table is no longer valid. Of the
    first card that is not given, `counts` says how likely it was to be each one, by code − LOWEST.
    """
    if len(cards) > len(game.given):
        return IMPOSSIBLE
    game.watching, game.brought, game.given_size = state.WATCHING, 0, len(cards)
    game.given[: len(cards)] = cards
    act(game, rules, action, log)
    if game.phase == ENDS and not game.is_reveal:
        rounds.turn_all_up(game, rules, log)
    is_refused = game.watching == state.REFUSED
    if game.watching == state.TOLD:
        counts[: state.CODES] = game.odds
    brought = game.brought
    game.watching, game.brought, game.given_size = state.UNWATCHED, 0, 0
    game.given[:] = 0
    game.odds[:] = 0
    return IMPOSSIBLE if is_refused else brought


SKYJO_ACTION_KERNEL = GameKernel(
    deal_round=rounds.deal_round,
    is_legal=is_legal,
    act=act,
    score_round=end_round,
    game_over=state.GAME_OVER,
    write_mask=write_mask,
    write_observation=write_observation,
    sample=sample,
    potential=rounds.expected_margin,
    act_with=act_with,
    note_round_stats=rounds.note_round_stats,
)
