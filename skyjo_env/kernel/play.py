"""What is legal, and what an action does (sections 4, 5, 7 and 9)."""

from cardtable.table.kernel.events import note
from cardtable.table.kernel.scoring import (
    is_last_round,
    note_winners,
)
from skyjo_env.kernel.board import (
    clear_complete,
    complete_cells,
    completes_line,
    pop_discard,
    push_discard,
    see_drawn_card,
    see_hidden_card,
    turn_up,
)
from skyjo_env.kernel.deal import begin_turns, can_draw, deal_round, draw_card, open_in_opening
from skyjo_env.kernel.jit import inlined_kernel, kernel
from skyjo_env.kernel.scoring import reveal, score_round, stop_round
from skyjo_env.kernel.state import (
    AFTER_DISCARD_FLIP,
    CARD_DISCARDED,
    CARD_DRAWN,
    CARD_PLACED,
    CLEAR_AUTOMATIC,
    CLEAR_CONFIRM,
    CONFIRM,
    DISCARD_TAKEN,
    DRAW,
    DRAWN,
    EMPTY,
    FIRST_PLACE,
    GAME_OVER,
    HIDDEN,
    LAP_EACH_OTHER_ONCE,
    LINES_KEPT,
    LOWEST,
    NOBODY,
    OPENING,
    OVER,
    ROUND_ENDED,
    TAKE,
    TAKEN,
    TRUNCATED,
    TURN,
)

ENDS, STOPS = TRUNCATED + 1, TRUNCATED + 2  # phases between `act` and `end_round`: no seat ever sees them


@kernel
def may_place(phase):
    """Is a card in hand to be placed on a cell that is not cleared (4.2, 4.3, 4.7)?"""
    return phase in (DRAWN, TAKEN)


@kernel
def may_flip(rules, phase):
    """May a hidden card be turned up (2.2, 4.4)?"""
    return phase == OPENING or (phase == DRAWN and rules.flip_after_discard == AFTER_DISCARD_FLIP)


@kernel
def is_legal(game, rules, action):
    """May the seat to move do this now (9.4)? Any number may be asked about."""
    phase = game.phase
    if action < 0:  # the rules record holds -1 for an action that these rules lack: it must not match
        return False
    if FIRST_PLACE <= action < rules.first_flip:
        return may_place(phase) and game.shown[game.seat, action - FIRST_PLACE] != EMPTY
    if rules.first_flip <= action < rules.first_flip + rules.cells:
        return may_flip(rules, phase) and game.shown[game.seat, action - rules.first_flip] == HIDDEN
    if action == DRAW:
        return phase == TURN and can_draw(game)
    if action == TAKE:
        return phase == TURN
    if action == rules.discard_drawn:
        return phase == DRAWN
    return phase == CONFIRM and (action == rules.clear_lines or action == rules.keep_lines)


@kernel
def lap_length(game, rules):
    """How many turns follow the one in which the round was ended (7.2)."""
    if rules.final_lap == LAP_EACH_OTHER_ONCE:
        return rules.players - 1
    return (game.starter - game.ender - 1 + rules.players) % rules.players


@kernel
def end_turn(game, rules, log):
    """The turn is over: has the round been ended, is the lap complete, and whose turn is next (7.1-7.3, 7.8)?"""
    game.turns += 1
    if game.ender != NOBODY:
        game.turns_left -= 1
    elif game.hidden_left[game.seat] == 0:
        game.ender = game.seat
        game.turns_left = lap_length(game, rules)
        note(log, ROUND_ENDED, game.ender, game.turns_left)
    elif game.turns >= rules.max_turns:
        game.phase = STOPS
        return
    if game.ender != NOBODY and game.turns_left == 0:
        game.phase = ENDS
        return
    game.seat = game.seat + 1 if game.seat + 1 < rules.players else 0
    game.phase = TURN


@kernel
def finish_move(game, rules, log):
    """The turn ends, but with confirmation not before a question while a complete line lies on the board (5.5)."""
    if rules.clear == CLEAR_CONFIRM and complete_cells(game, rules, game.seat, LOWEST) != 0:
        game.phase = CONFIRM
    else:
        end_turn(game, rules, log)


@kernel
def clear_and_finish(game, rules, cell, log):
    """A card now lies open in this cell: clear what it completes (5.4), and finish."""
    if rules.clear == CLEAR_AUTOMATIC and completes_line(game, rules, game.seat, cell):
        clear_complete(game, rules, game.seat, LOWEST, log)
    finish_move(game, rules, log)


@kernel
def place(game, rules, cell, log):
    """The card in hand replaces the card in this cell, which goes on the discard pile (4.2, 4.3, 4.6)."""
    seat, hand, was_drawn = game.seat, game.hand, game.phase == DRAWN
    if was_drawn:
        see_drawn_card(game, hand)
    replaced, was_hidden = game.cards[seat, cell], game.shown[seat, cell] == HIDDEN
    if was_hidden:
        game.hidden_left[seat] -= 1
        see_hidden_card(game, replaced)
    else:
        game.open_sum[seat] -= replaced
    game.cards[seat, cell] = hand
    game.shown[seat, cell] = hand
    game.open_sum[seat] += hand
    game.hand = EMPTY
    push_discard(game, replaced)
    note(log, CARD_PLACED, seat, cell, hand, was_drawn, replaced, was_hidden)
    clear_and_finish(game, rules, cell, log)


@kernel
def discard_drawn(game, log):
    """Lay the drawn card on the discard pile (4.4)."""
    see_drawn_card(game, game.hand)
    push_discard(game, game.hand)
    note(log, CARD_DISCARDED, game.seat, game.hand)
    game.hand = EMPTY


@kernel
def opening_flip(game, rules, cell, log):
    """Open one card in the opening; then the next seat's, and after the last the first turn (2.2, 2.3)."""
    open_in_opening(game, rules, game.seat, cell, log)
    game.opening_left -= 1
    if game.opening_left > 0:
        return
    if game.seat + 1 < rules.players:
        game.seat += 1
        game.opening_left = rules.opening_flips
    else:
        begin_turns(game, rules, log)


@kernel
def flip(game, rules, cell, log):
    """Turn a hidden card up: in the opening, or after laying the drawn card on the discard pile (2.2, 4.4)."""
    if game.phase == OPENING:
        opening_flip(game, rules, cell, log)
    else:
        discard_drawn(game, log)
        turn_up(game, game.seat, cell, log)
        clear_and_finish(game, rules, cell, log)


@inlined_kernel
def act(game, rules, action, log):
    """Carry out a legal action up to where the round is over (9.1-9.3): then the phase is ENDS or STOPS."""
    game.last_seat, game.last_action = game.seat, action
    if action == DRAW:
        game.hand = draw_card(game, rules, log)
        game.phase = DRAWN
        note(log, CARD_DRAWN, game.seat, game.hand)
    elif action == TAKE:
        game.hand = pop_discard(game)
        game.phase = TAKEN
        note(log, DISCARD_TAKEN, game.seat, game.hand)
    elif action < rules.first_flip:
        place(game, rules, action - FIRST_PLACE, log)
    elif action < rules.first_flip + rules.cells:
        flip(game, rules, action - rules.first_flip, log)
    elif action == rules.discard_drawn:
        discard_drawn(game, log)
        finish_move(game, rules, log)
    else:
        if action == rules.clear_lines:
            clear_complete(game, rules, game.seat, LOWEST, log)
        else:
            note(log, LINES_KEPT, game.seat)
        end_turn(game, rules, log)


@kernel
def end_round(game, rules, log):
    """The round is over: reveal and score it, or stop the game."""
    if game.phase == ENDS:
        reveal(game, rules, log)
        score_round(game, rules, log)
    else:
        stop_round(game, rules, log)


@kernel
def go_on(game, rules, log):
    """After a round was scored: deal the next one unless the episode is over. False if the game was stopped."""
    if game.phase == TRUNCATED:
        return False
    if is_last_round(game, rules):
        game.phase = OVER
        note_winners(log, GAME_OVER, game, rules)
    else:
        deal_round(game, rules, log)
    return True
