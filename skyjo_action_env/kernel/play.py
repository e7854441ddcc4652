"""What is legal, and what an action does (sections 3 to 7)."""

import numpy as np

from cardtable.table.kernel.scoring import is_last_round
from skyjo_action_env.kernel import action_cards, piles, scoring, state
from skyjo_action_env.kernel.deal import begin_turns, deal_round, open_card
from skyjo_action_env.kernel.jit import inlined_kernel, kernel
from skyjo_action_env.kernel.layout import cards_left, move_cards, replace, turn_up
from skyjo_action_env.kernel.lines import cell_of, clear_layout, line_length
from skyjo_action_env.kernel.state import CELLS, EMPTY, HIDDEN, KINDS, LINES, NO_KIND, NOBODY

ENDS, STOPS = state.TRUNCATED + 1, state.TRUNCATED + 2  # phases between `act` and `end_round`: no seat ever sees them


# What is legal (10.4)


@kernel
def may_place(phase):
    """Is a card to be laid on a cell?"""
    return phase in (state.DRAWN, state.TAKEN, state.THREE_PLACE)


@kernel
def may_flip(phase):
    """May a hidden card be turned up?"""
    return phase in (state.OPENING, state.DRAWN, state.THREE_FLIP)


@kernel
def may_take_action(game, rules):
    """May an action card be taken now, if there is one (4.1, 4.6, 5.4)?"""
    if game.phase == state.TURN:
        return game.ender == NOBODY or rules.final_lap_take != 0
    return game.phase == state.CLAIM


@kernel
def is_ready(game, kind):
    """May the player use an action card of this kind in this turn (4.3, 4.4, 4.6)?"""
    return game.phase == state.TURN and game.ender == NOBODY and game.held[game.mover, kind] > game.fresh[kind]


@kernel
def may_play(game, rules, kind):
    """May a card of this kind be played, or be chosen by a replay or a steal?"""
    if game.phase == state.TURN:
        return is_ready(game, kind) and action_cards.can_play(game, rules, kind)
    if game.phase == state.REPLAY_KIND:
        return action_cards.can_replay(game, rules, kind)
    return game.phase == state.STEAL_KIND and action_cards.can_steal(game, rules, game.attacked, kind)


@kernel
def is_later(game, rules, seat, other):
    """Does this seat come after another one, clockwise from the mover (7.11)?"""
    players = rules.players
    return (seat - game.mover + players) % players > (other - game.mover + players) % players


@kernel
def has_later(game, rules, seat, cell):
    """Is there another card to choose after this one: of the same layout to swap with (7.2), of a later one (7.6)?"""
    if game.phase == state.SWAP_FIRST:
        return cell + 1 < CELLS and game.shown[seat, cell + 1 :].min() < EMPTY
    for other in range(rules.players):
        if is_later(game, rules, other, seat) and cards_left(game, other) > 0:
            return True
    return False


@kernel
def may_choose(game, rules, seat, cell):
    """May this cell be chosen now (7.2, 7.6, 7.7, 7.9)?"""
    phase = game.phase
    if phase == state.STEAL_FROM:
        return cell == 0 and action_cards.can_steal_from(game, rules, seat)
    if game.shown[seat, cell] == EMPTY:
        return False
    if phase == state.SWAP_FIRST:
        return seat == game.mover and has_later(game, rules, seat, cell)
    if phase == state.SWAP_WITH:
        return seat == game.mover and cell > game.chosen % CELLS
    if phase == state.EXCHANGE_FIRST:
        return has_later(game, rules, seat, cell)
    if phase == state.EXCHANGE_WITH:
        return is_later(game, rules, seat, game.chosen // CELLS)
    return phase == state.REMOVE_CARD and seat == game.attacked


@kernel
def may_look(game, seat, line):
    """Has this line a hidden card to look at (7.5)?"""
    if game.phase == state.LOOK_AT:
        for k in range(line_length(line)):
            if game.shown[seat, cell_of(line, k)] == HIDDEN:
                return True
    return False


@kernel
def is_legal_choice(game, rules, action):
    """May this cell, line, card or answer be chosen (10.3)?"""
    phase = game.phase
    if action < rules.first_line:
        at = action - state.CHOOSE
        return may_choose(game, rules, action_cards.seat_after(rules, game.seat, at // CELLS), at % CELLS)
    if action < rules.first_card:
        at = action - rules.first_line
        return may_look(game, action_cards.seat_after(rules, game.seat, at // LINES), at % LINES)
    if action == rules.first_card + state.NO_CARD:  # none of three is laid (7.3)
        return phase == state.THREE_CARD and game.hidden_left[game.seat] > 0
    if action < rules.clear_line:
        return phase in (state.THREE_CARD, state.THREE_TOP) and game.hand[action - rules.first_card] != EMPTY
    return phase == (state.LINE if action < rules.defend else state.DEFEND_ASKED)


@kernel
def is_legal_card(game, rules, action):
    """May an action card be taken (4.1, 5.4), played or discarded so (4.2), or a claim refused (5.3)?"""
    phase, kind = game.phase, (action - state.PLAY) % len(KINDS)
    if action < state.ACTION_PILE:
        return may_take_action(game, rules) and game.open_actions[action - state.OPEN] != NO_KIND
    if action == state.ACTION_PILE:
        is_usable = phase == state.TURN or rules.star_source == state.FROM_OPEN_OR_PILE
        return may_take_action(game, rules) and is_usable and piles.has_next_action(game, rules)
    if action == state.PASS:
        must_pass = phase == state.TURN and cards_left(game, game.seat) == 0  # 3.5
        return must_pass or (phase == state.CLAIM and rules.star_claim == state.CLAIM_MAY)
    if action < state.DISCARD:
        return may_play(game, rules, kind)
    if phase == state.REMOVE_CARD:  # 7.7
        return rules.remove_action_cards != 0 and game.held[game.attacked, kind] > 0
    return is_ready(game, kind)


@kernel
def is_legal(game, rules, action):
    """May the seat that decides do this now (10.3, 10.4)? Any number may be asked about."""
    if action < 0 or action >= rules.actions:
        return False
    if action < state.PLACE:
        has_cards = cards_left(game, game.seat) > 0
        return game.phase == state.TURN and has_cards and (action == state.TAKE or piles.can_draw(game))
    if action < state.FLIP:
        return may_place(game.phase) and game.shown[game.seat, action - state.PLACE] != EMPTY
    if action < state.OPEN:
        return may_flip(game.phase) and game.shown[game.seat, action - state.FLIP] == HIDDEN
    if action < state.CHOOSE:
        return is_legal_card(game, rules, action)
    return is_legal_choice(game, rules, action)


# The end of a turn (3.1)


@kernel
def first_asked(game):
    """The seat whose claims and layout come first."""
    return 0 if game.mover == NOBODY or game.is_reveal else game.mover


@kernel
def ask_claim(game, rules):
    """Let the next player with a claim decide (5.2); False if there is none, or nothing to take (5.4)."""
    for place in range(rules.players):
        seat = action_cards.seat_after(rules, first_asked(game), place)
        if game.claims[seat] > 0:
            may_use_pile = rules.star_source == state.FROM_OPEN_OR_PILE
            if game.open_actions.max() > NO_KIND or (may_use_pile and piles.has_next_action(game, rules)):
                game.seat, game.phase = seat, state.CLAIM
                return True
            game.claims[seat] = 0
    return False


@kernel
def ask_line(game, rules):
    """Clear complete lines up to a question to their owner (6.6); False if there is none."""
    looks_at_all = rules.foreign_clear == state.FOREIGN_AT_ONCE or game.is_reveal != 0
    for place in range(rules.players if looks_at_all else 1):
        seat = action_cards.seat_after(rules, first_asked(game), place)
        line = clear_layout(game, rules, seat)
        if line != NOBODY:
            game.seat, game.phase, game.line = seat, state.LINE, line
            return True
    return False


@kernel
def has_bare_layout(game, rules):
    """Has a layout that matters here no hidden card (9.1)?"""
    if rules.ender != state.ENDER_WHO_CAUSED:
        return game.hidden_left[game.mover] == 0
    return game.hidden_left[: rules.players].min() == 0


@kernel
def begin_turn(game, rules):
    """The next turn begins: an extra one (7.1), or that of the next player."""
    if game.extra_turns > 0:
        game.extra_turns -= 1
    else:
        game.mover = action_cards.seat_after(rules, game.mover, 1)
        game.fresh[:] = 0
    game.seat, game.phase = game.mover, state.TURN


@kernel
def end_turn(game, rules):
    """The turn is over: has the round been ended, and whose turn is next (9.1, 9.2, 9.7)?"""
    game.turns += 1
    if game.ender != NOBODY:
        game.turns_left -= 1
    elif has_bare_layout(game, rules):
        game.ender, game.turns_left, game.extra_turns = game.mover, rules.players - 1, 0
    elif game.turns >= rules.max_turns:
        game.phase = STOPS
        return
    if game.ender == NOBODY or game.turns_left > 0:
        begin_turn(game, rules)
    elif scoring.asks_at_the_end(rules):
        scoring.reveal(game, rules)
    else:
        game.phase = ENDS


@kernel
def settle(game, rules):
    """A move has been made: claims, lines, open places, and the end of the turn, up to the next decision (3.1)."""
    if ask_claim(game, rules) or ask_line(game, rules):
        return
    if not game.is_reveal:
        piles.fill_open_places(game, rules)
        if game.mover == NOBODY:
            begin_turns(game, rules)
        else:
            end_turn(game, rules)
        if not game.is_reveal or ask_line(game, rules):
            return
    game.phase = ENDS


@kernel
def finish(game, rules):
    """What the player has done is complete."""
    game.played, game.attacked = NO_KIND, NOBODY
    game.chosen, game.chosen_with, game.picked = NOBODY, NOBODY, NOBODY
    settle(game, rules)


# What actions do


@kernel
def take_action(game, rules, kind):
    """The seat takes an action card, in its turn or for a star (4.1, 5.1)."""
    game.held[game.seat, kind] += 1
    if game.phase == state.CLAIM:
        game.claims[game.seat] -= 1
        game.earned[game.seat] += 1
    if game.seat == game.mover and not rules.delay_counts_extra_moves:
        game.fresh[kind] += 1
    settle(game, rules)


@kernel
def lay_off(game, k):
    """Lay a drawn card on the discard pile."""
    card = game.hand[k]
    game.hand[k] = EMPTY
    piles.see_drawn_card(game, card)
    piles.push_discard(game, card)


@kernel
def lay_off_three(game, rules, top):
    """Discard the rest of three drawn cards in the order drawn, but `top` last (NO_CARD: none). If none was laid, a
    hidden card is turned up next (7.3).
    """
    for k in range(state.HAND):
        if k != top and game.hand[k] != EMPTY:
            lay_off(game, k)
    if top != state.NO_CARD:
        lay_off(game, top)
    if game.picked == state.NO_CARD:
        game.phase = state.THREE_FLIP
    else:
        finish(game, rules)


@kernel
def end_three(game, rules):
    """A card of three was laid, or none is: the player may choose which of the others goes on top (7.3)."""
    if rules.three_order == state.TOP_OWNER_CHOOSES:
        game.phase = state.THREE_TOP
    else:
        lay_off_three(game, rules, state.NO_CARD)


@kernel
def name_card(game, rules, k):
    """Choose the card of three that is laid, or none of them, or the one that goes on top (7.3)."""
    if game.phase == state.THREE_TOP:
        lay_off_three(game, rules, k)
        return
    game.picked = k
    if k == state.NO_CARD:
        end_three(game, rules)
    else:
        game.phase = state.THREE_PLACE


@kernel
def place(game, rules, cell):
    """Lay the card in hand on a cell (3.2, 3.3), or the chosen one of three (7.3)."""
    k = np.int64(game.picked) if game.phase == state.THREE_PLACE else 0
    card = game.hand[k]
    if game.phase != state.TAKEN:
        piles.see_drawn_card(game, card)
    game.hand[k] = EMPTY
    replace(game, game.seat, cell, card)
    if game.phase == state.THREE_PLACE:
        end_three(game, rules)
    else:
        finish(game, rules)


@kernel
def flip(game, rules, cell):
    """Turn a hidden card up: in the opening, or after laying what was drawn on the discard pile (2.4, 3.3, 7.3)."""
    if game.phase == state.OPENING:
        if open_card(game, rules, cell):
            settle(game, rules)
        return
    if game.phase == state.DRAWN:
        lay_off(game, 0)
    turn_up(game, game.seat, cell)
    finish(game, rules)


@kernel
def choose(game, rules, seat, cell):
    """Choose a card of a layout (7.2, 7.6, 7.7), or whom to attack (7.9); True if the action card is carried out."""
    phase, place = game.phase, seat * CELLS + cell
    if phase == state.STEAL_FROM:
        return action_cards.attack_holder(game, rules, seat)
    if phase == state.REMOVE_CARD:
        return action_cards.remove_card(game, rules, cell)
    if phase == state.SWAP_WITH:
        move_cards(game, seat, game.chosen % CELLS, seat, cell)
        return True
    if phase == state.EXCHANGE_WITH:
        game.chosen_with = place
        return action_cards.attack_owners(game, rules, False)
    game.chosen = place
    game.phase = state.SWAP_WITH if phase == state.SWAP_FIRST else state.EXCHANGE_WITH
    return False


@kernel
def use_kind(game, rules, action):
    """Play or discard an action card, or name the one that a replay, a steal or a remove is about; True if nothing else
    follows.
    """
    kind = (action - state.PLAY) % len(KINDS)
    if game.phase == state.REPLAY_KIND:
        return action_cards.replay(game, rules, kind)
    if game.phase == state.REMOVE_CARD:
        return action_cards.remove_action(game, rules, kind)
    if game.phase == state.STEAL_KIND:
        game.held[game.attacked, kind] -= 1
        return action_cards.begin(game, rules, kind)
    if action < state.DISCARD:
        return action_cards.play_card(game, rules, kind)
    game.held[game.seat, kind] -= 1
    piles.lay_action(game, kind)
    return True


@kernel
def answer_line(game, rules, is_cleared):
    """The owner of a line has decided (6.3 to 6.5)."""
    bit = 1 << np.int64(game.line)
    if is_cleared:
        game.accepted |= bit
    else:
        game.changed[game.seat] &= ~bit
    game.line = NOBODY
    settle(game, rules)


@kernel
def use_card(game, rules, action):
    """An action card is taken, played or discarded, or a claim refused (sections 4 and 5)."""
    if action < state.ACTION_PILE:
        kind = game.open_actions[action - state.OPEN]
        piles.fill_open_place(game, rules, action - state.OPEN)  # at once (4.5)
        take_action(game, rules, kind)
    elif action == state.ACTION_PILE:
        take_action(game, rules, piles.next_action(game, rules))
    elif action == state.PASS:
        game.claims[game.seat] -= game.phase == state.CLAIM
        settle(game, rules)
    elif use_kind(game, rules, action):
        finish(game, rules)


@kernel
def make_choice(game, rules, action):
    """A cell, a line or an answer that an action card asks for (section 7); True if it is carried out."""
    if action < rules.first_line:
        at = action - state.CHOOSE
        return choose(game, rules, action_cards.seat_after(rules, game.seat, at // CELLS), at % CELLS)
    if action < rules.first_card:
        at = action - rules.first_line
        action_cards.look(game, action_cards.seat_after(rules, game.seat, at // LINES), at % LINES)
        return True
    return action_cards.answer_attack(game, rules, action == rules.defend)


@inlined_kernel
def act(game, rules, action):
    """Carry out a legal action up to where the round is over: then the phase is ENDS or STOPS."""
    game.last_seat, game.last_action = game.seat, action
    if action == state.DRAW:
        game.hand[0] = piles.draw_card(game)
        game.phase = state.DRAWN
    elif action == state.TAKE:
        game.hand[0] = piles.pop_discard(game)
        game.phase = state.TAKEN
    elif action < state.FLIP:
        place(game, rules, action - state.PLACE)
    elif action < state.OPEN:
        flip(game, rules, action - state.FLIP)
    elif action < state.CHOOSE:
        use_card(game, rules, action)
    elif rules.first_card <= action < rules.clear_line:
        name_card(game, rules, action - rules.first_card)
    elif rules.clear_line <= action < rules.defend:
        answer_line(game, rules, action == rules.clear_line)
    elif make_choice(game, rules, action):
        finish(game, rules)


@kernel
def end_round(game, rules):
    """The round is over: reveal and score it, or stop the game."""
    if game.phase == ENDS and not game.is_reveal:
        scoring.reveal(game, rules)
    game.seat = game.last_seat
    scoring.note_round(game, rules)
    if game.phase == ENDS:
        scoring.score_round(game, rules)
    else:
        scoring.stop_round(game, rules)


@kernel
def go_on(game, rules):
    """After a round was scored: deal the next one unless the episode is over. False if the game was stopped."""
    if game.phase == state.TRUNCATED:
        return False
    if is_last_round(game, rules):
        game.phase = state.OVER
    else:
        deal_round(game, rules)
    return True
