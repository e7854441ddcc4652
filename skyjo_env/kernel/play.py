"""Legal actions, their effects, and the end of a round with its rewards (sections 4, 5, 7, 8 and 9)."""

from cardtable.table.kernel.events import note, note_list
from cardtable.table.kernel.scoring import POINTS
from skyjo_env.kernel import cards, inlined_kernel, kernel, state
from skyjo_env.kernel.state import DRAWN, EMPTY, FIRST_PLACE, HIDDEN, LOWEST, NOBODY


@kernel
def may_place(phase):
    """Return whether a card in hand is to be placed on a cell that is not cleared (4.2, 4.3, 4.7)."""
    return phase in (DRAWN, state.TAKEN)


@kernel
def may_flip(rules, phase):
    """Return whether a hidden card may be turned up (2.2, 4.4)."""
    return phase == state.OPENING or (phase == DRAWN and rules.flip_after_discard == state.AFTER_DISCARD_FLIP)


@kernel
def is_legal(game, rules, action):
    """Return whether the seat to move may take this action now (9.4); False for any other number."""
    phase = game.phase
    if action < 0:  # the rules record holds -1 for an action that these rules lack: it must not match
        return False
    if FIRST_PLACE <= action < rules.first_flip:
        return may_place(phase) and game.shown[game.seat, action - FIRST_PLACE] != EMPTY
    if rules.first_flip <= action < rules.first_flip + rules.cells:
        return may_flip(rules, phase) and game.shown[game.seat, action - rules.first_flip] == HIDDEN
    if action == state.DRAW:
        return phase == state.TURN and cards.can_draw(game)
    if action == state.TAKE:
        return phase == state.TURN
    if action == rules.discard_drawn:
        return phase == DRAWN
    return phase == state.CONFIRM and (action == rules.clear_lines or action == rules.keep_lines)


@kernel
def lap_length(game, rules):
    """Return the number of turns that follow the one in which the round was ended (7.2)."""
    if rules.final_lap == state.LAP_EACH_OTHER_ONCE:
        return rules.players - 1
    return (game.starter - game.ender - 1 + rules.players) % rules.players


@kernel
def end_turn(game, rules, log):
    """End the turn; then begin the final lap, the next turn, or the end of the round (7.1-7.3, 7.8)."""
    game.turns += 1
    if game.ender != NOBODY:
        game.turns_left -= 1
    elif game.hidden_left[game.seat] == 0:
        game.ender = game.seat
        game.turns_left = lap_length(game, rules)
        note(log, state.ROUND_ENDED, game.ender, game.turns_left)
    elif game.turns >= rules.max_turns:
        game.phase = state.STOPS
        return
    if game.ender != NOBODY and game.turns_left == 0:
        game.phase = state.ENDS
        return
    game.seat = game.seat + 1 if game.seat + 1 < rules.players else 0
    game.phase = state.TURN


@kernel
def finish_move(game, rules, log):
    """End the turn, but with confirmation not before a question while a complete line lies on the board (5.5)."""
    if rules.clear == state.CLEAR_CONFIRM and cards.complete_cells(game, rules, game.seat, LOWEST) != 0:
        game.phase = state.CONFIRM
    else:
        end_turn(game, rules, log)


@kernel
def clear_and_finish(game, rules, cell, log):
    """Clear the lines that a card now lying open in this cell completes (5.4), and finish."""
    if rules.clear == state.CLEAR_AUTOMATIC and cards.completes_line(game, rules, game.seat, cell):
        cards.clear_complete(game, rules, game.seat, LOWEST, log)
    finish_move(game, rules, log)


@kernel
def place(game, rules, cell, log):
    """Replace the card in this cell by the card in hand; it goes on the discard pile (4.2, 4.3, 4.6)."""
    seat, hand, was_drawn = game.seat, game.hand, game.phase == DRAWN
    if was_drawn:
        cards.see_drawn_card(game, hand)
    replaced, was_hidden = game.cards[seat, cell], game.shown[seat, cell] == HIDDEN
    if was_hidden:
        game.hidden_left[seat] -= 1
        cards.see_hidden_card(game, replaced)
    else:
        game.open_sum[seat] -= replaced
    game.cards[seat, cell] = hand
    game.shown[seat, cell] = hand
    game.open_sum[seat] += hand
    game.hand = EMPTY
    cards.push_discard(game, replaced)
    note(log, state.CARD_PLACED, seat, cell, hand, was_drawn, replaced, was_hidden)
    clear_and_finish(game, rules, cell, log)


@kernel
def discard_drawn(game, log):
    """Lay the drawn card on the discard pile (4.4)."""
    cards.see_drawn_card(game, game.hand)
    cards.push_discard(game, game.hand)
    note(log, state.CARD_DISCARDED, game.seat, game.hand)
    game.hand = EMPTY


@kernel
def opening_flip(game, rules, cell, log):
    """Open one card in the opening; then the next seat's, and after the last the first turn (2.2, 2.3)."""
    cards.open_in_opening(game, rules, game.seat, cell, log)
    game.opening_left -= 1
    if game.opening_left > 0:
        return
    if game.seat + 1 < rules.players:
        game.seat += 1
        game.opening_left = rules.opening_flips
    else:
        cards.begin_turns(game, rules, log)


@kernel
def flip(game, rules, cell, log):
    """Turn a hidden card up: in the opening, or after laying the drawn card on the discard pile (2.2, 4.4)."""
    if game.phase == state.OPENING:
        opening_flip(game, rules, cell, log)
    else:
        discard_drawn(game, log)
        cards.turn_up(game, game.seat, cell, log)
        clear_and_finish(game, rules, cell, log)


@inlined_kernel
def act(game, rules, action, log):
    """Carry out a legal action up to where the round is over (9.1-9.3): then the phase is ENDS or STOPS."""
    game.last_seat, game.last_action = game.seat, action
    if action == state.DRAW:
        game.hand = cards.draw_card(game, rules, log)
        game.phase = DRAWN
        note(log, state.CARD_DRAWN, game.seat, game.hand)
    elif action == state.TAKE:
        game.hand = cards.pop_discard(game)
        game.phase = state.TAKEN
        note(log, state.DISCARD_TAKEN, game.seat, game.hand)
    elif action < rules.first_flip:
        place(game, rules, action - FIRST_PLACE, log)
    elif action < rules.first_flip + rules.cells:
        flip(game, rules, action - rules.first_flip, log)
    elif action == rules.discard_drawn:
        discard_drawn(game, log)
        finish_move(game, rules, log)
    else:
        if action == rules.clear_lines:
            cards.clear_complete(game, rules, game.seat, LOWEST, log)
        else:
            note(log, state.LINES_KEPT, game.seat)
        end_turn(game, rules, log)


@kernel
def reveal(game, rules, log):
    """Turn up every hidden card, then clear the lines that are complete (7.4)."""
    for seat in range(rules.players):
        for cell in range(rules.cells):
            if game.shown[seat, cell] == HIDDEN:
                cards.turn_up(game, seat, cell, log)
    if rules.reveal_clear:
        least = LOWEST if rules.clear == state.CLEAR_AUTOMATIC else 1
        for seat in range(rules.players):
            cards.clear_complete(game, rules, seat, least, log)


@kernel
def is_penalised(game, rules):
    """Return whether the ender's raw score is multiplied (7.6, 7.7)."""
    score = game.open_sum[game.ender]
    if rules.ender_penalty_mode == state.PENALTY_OFF or (score <= 0 and not rules.penalty_on_negative):
        return False
    for seat in range(rules.players):
        if seat == game.ender:
            continue
        if game.open_sum[seat] < score:
            return True
        if game.open_sum[seat] == score and rules.ender_penalty_mode == state.PENALTY_STRICT:
            return True
    return False


@kernel
def note_round(log, kind, game, rules):
    """Note that a round is over, with its number, its turns and every board."""
    note(log, kind, game.round_number, game.turns, rules.players)
    for seat in range(rules.players):
        note_list(log, game.shown[seat], rules.cells)


@kernel
def note_round_stats(game, rules, round_stats):
    """Note how many cells of every board were cleared in a round that is over."""
    for seat in range(rules.players):
        for cell in range(rules.cells):
            round_stats[seat, 0] += game.cards[seat, cell] == EMPTY


@kernel
def score_round(game, rules, log):
    """Round scores and totals (7.5-7.7, 8.1)."""
    for seat in range(rules.players):
        game.round_scores[seat] = game.open_sum[seat]
    if is_penalised(game, rules):
        points, score = game.open_sum[game.ender], game.open_sum[game.ender] * rules.penalty_factor
        game.round_scores[game.ender] = score
        if score != points:  # 0 points stay 0
            note(log, state.ENDER_PENALISED, game.ender, points, score)
    for seat in range(rules.players):
        game.totals[seat] += game.round_scores[seat]
    note_round(log, state.ROUND_SCORED, game, rules)
    note(log, game.ender)
    note_list(log, game.round_scores, rules.players)
    note_list(log, game.totals, rules.players)


@kernel
def stop_round(game, rules, log):
    """Stop a round that has gone on for too long; no totals change (7.8)."""
    game.phase = state.TRUNCATED
    for seat in range(rules.players):
        game.round_scores[seat] = 0
        for cell in range(rules.cells):
            if game.cards[seat, cell] != EMPTY:
                game.round_scores[seat] += game.cards[seat, cell]
    note_round(log, state.ROUND_STOPPED, game, rules)
    note_list(log, game.totals, rules.players)


@kernel
def end_round(game, rules, log):
    """End the round: reveal and score it, or stop the game."""
    if game.phase == state.ENDS:
        reveal(game, rules, log)
        score_round(game, rules, log)
    else:
        stop_round(game, rules, log)


@kernel
def mean_hidden_card(game, rules):
    """Return the mean value of a hidden card, from public knowledge."""
    cards, points = 0, 0
    for value in range(rules.low, rules.low + rules.values):
        count = game.hidden_pool[value - LOWEST]
        cards += count
        points += count * value
    return points / cards if cards > 0 else 0.0


@kernel
def expected_margin(game, rules, seat):
    """Return the others' mean expected score minus the seat's own if the round ended now; 0 once the game is over.

    A score is expected as the open sum plus the mean hidden card for every hidden cell. A game that was stopped is not
    over: learners estimate how it would have gone on.
    """
    if game.phase == state.OVER:
        return 0.0
    mean, expected_sum = mean_hidden_card(game, rules), 0.0
    for other in range(rules.players):
        expected_sum += game.open_sum[other] + game.hidden_left[other] * mean
    own = game.open_sum[seat] + game.hidden_left[seat] * mean
    return ((expected_sum - own) / (rules.players - 1) - own) / POINTS
