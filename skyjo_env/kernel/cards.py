"""Boards and piles: cards become visible, lines are cleared, a round is dealt and opened (sections 2, 3, 5, 6, 10)."""

import numpy as np

from cardtable.table.kernel.chance import below, shuffle, start_round_rng
from cardtable.table.kernel.events import note
from cardtable.table.kernel.piles import move_to_end, pop_card, push_card, top_card
from skyjo_env.kernel import kernel, state
from skyjo_env.kernel.state import EMPTY, HIDDEN, LOWEST, NOBODY


@kernel
def push_discard(game, card):
    """Lay a card on the discard pile."""
    push_card(game, card)
    game.discard_counts[card - LOWEST] += 1


@kernel
def pop_discard(game):
    """Take the top card of the discard pile."""
    card = pop_card(game)
    game.discard_counts[card - LOWEST] -= 1
    return card


@kernel
def see_hidden_card(game, card):
    """Take a card that lay hidden, and is now seen, out of the pools. Until a reshuffle it might have been drawn as
    well.
    """
    game.hidden_pool[card - LOWEST] -= 1
    if game.reshuffles == 0:
        game.draw_pool[card - LOWEST] -= 1


@kernel
def see_drawn_card(game, card):
    """Take a card of the draw pile out of the pools: all seats now know it."""
    game.draw_pool[card - LOWEST] -= 1
    if game.reshuffles == 0:
        game.hidden_pool[card - LOWEST] -= 1


@kernel
def is_reveal(game):
    """Return whether this is the end of a round, and not a decision or an opening."""
    return game.phase > state.TRUNCATED


@kernel
def turn_up(game, seat, cell, log):
    """Open a hidden card."""
    card = game.cards[seat, cell]
    game.shown[seat, cell] = card
    game.hidden_left[seat] -= 1
    game.open_sum[seat] += card
    see_hidden_card(game, card)
    note(log, state.CARD_REVEALED if is_reveal(game) else state.CARD_TURNED_UP, seat, cell, card)


@kernel
def is_complete(game, seat, first, step, length):
    """Return whether all cells of this line are open and equal (5.1, 5.3)."""
    card = game.shown[seat, first]
    if card >= HIDDEN:
        return False
    for k in range(1, length):
        if game.shown[seat, first + k * step] != card:
            return False
    return True


@kernel
def completes_line(game, rules, seat, cell):
    """Return whether this cell lies in a complete line (5.1, 5.2)."""
    column = cell // rules.rows
    if is_complete(game, seat, column * rules.rows, 1, rules.rows):
        return True
    return rules.row_clear != 0 and is_complete(game, seat, cell - column * rules.rows, rules.rows, rules.columns)


@kernel
def complete_cells(game, rules, seat, least):
    """Return the cells of all complete lines of value `least` or more, as a set of bits (5.1, 5.2)."""
    rows, columns = rules.rows, rules.columns
    found = 0
    for column in range(columns):
        if game.shown[seat, column * rows] >= least and is_complete(game, seat, column * rows, 1, rows):
            found |= ((1 << rows) - 1) << (column * rows)
    if rules.row_clear:
        for row in range(rows):
            if game.shown[seat, row] >= least and is_complete(game, seat, row, rows, columns):
                for column in range(columns):
                    found |= 1 << (column * rows + row)
    return found


@kernel
def clear_complete(game, rules, seat, least, log):
    """Clear all complete lines of value `least` or more together (5.4), onto the discard pile or out of play (5.6)."""
    found = complete_cells(game, rules, seat, least)
    for cell in range(rules.cells):
        if found >> cell & 1:
            card = game.cards[seat, cell]
            game.cards[seat, cell] = EMPTY
            game.shown[seat, cell] = EMPTY
            game.open_sum[seat] -= card
            note(log, state.LINES_CLEARED, seat, 1, cell, 1, card, is_reveal(game))
            if rules.cleared_cards == state.CLEARED_TO_DISCARD:
                push_discard(game, card)


@kernel
def known_starter(game, rules):
    """Return the starter of this round, or NOBODY where it depends on the opening (3.1, 3.3)."""
    if game.round_number == 1:
        return 0 if rules.first_starter == state.START_SEAT_0 else NOBODY
    return game.ender if rules.next_starter == state.NEXT_PREVIOUS_ENDER else NOBODY


@kernel
def highest_open_card(game, rules, seat):
    """Return the highest open card of a board, below every card if there is none (3.2)."""
    highest = LOWEST - 1
    for cell in range(rules.cells):
        if highest < game.shown[seat, cell] < HIDDEN:
            highest = game.shown[seat, cell]
    return highest


@kernel
def tied_seat(game, rules, open_sum, nth):
    """Return the nth of the seats with this sum (10.5)."""
    for seat in range(rules.players):
        if game.open_sum[seat] == open_sum:
            if nth == 0:
                return seat
            nth -= 1
    return NOBODY


@kernel
def highest_sum(game, rules):
    """Return the seat with the highest sum of open cards (3.1), ties broken by 3.2."""
    best, tied = 0, 1
    for seat in range(1, rules.players):
        if game.open_sum[seat] > game.open_sum[best]:
            best, tied = seat, 1
        elif game.open_sum[seat] == game.open_sum[best]:
            tied += 1
            higher = highest_open_card(game, rules, seat) > highest_open_card(game, rules, best)
            if rules.start_tie == state.TIE_HIGHEST_CARD and higher:
                best = seat
    if rules.start_tie == state.TIE_RANDOM and tied > 1:
        return tied_seat(game, rules, game.open_sum[best], below(game, tied))
    return best


@kernel
def begin_turns(game, rules, log):
    """End the opening and begin the first turn (section 3)."""
    if game.starter == NOBODY:
        game.starter = highest_sum(game, rules)
    game.seat = game.starter
    game.phase = state.TURN
    note(log, state.TURNS_BEGAN, game.seat)


@kernel
def open_in_opening(game, rules, seat, cell, log):
    """Carry out one opening flip; a line that it completes is cleared at once (2.4)."""
    turn_up(game, seat, cell, log)
    if rules.clear == state.CLEAR_AUTOMATIC and completes_line(game, rules, seat, cell):
        clear_complete(game, rules, seat, LOWEST, log)


@kernel
def nth_hidden(game, rules, seat, nth):
    """Return the hidden cell of a board that has this many hidden cells before it."""
    for cell in range(rules.cells):
        if game.shown[seat, cell] == HIDDEN:
            if nth == 0:
                return cell
            nth -= 1
    return NOBODY


@kernel
def open_at_random(game, rules, seat, log):
    """Turn up as many cells as the opening asks for, picked by chance (2.3, 10.4)."""
    for _ in range(rules.opening_flips):
        nth = below(game, np.int64(game.hidden_left[seat]))
        open_in_opening(game, rules, seat, nth_hidden(game, rules, seat, nth), log)


@kernel
def divide_pile(game, rules, start, end):
    """Make piles[start:end] the draw pile, in one part or in one for each seat (6.5)."""
    size = end - start
    parts = rules.players if rules.draw_streams else 1
    game.pile_left = size
    for part in range(parts):
        game.pile_next[part] = start + part * size // parts
        game.pile_end[part] = start + (part + 1) * size // parts


@kernel
def lay_out_pile(game, rules, start, end):
    """Turn up piles[start] as the discard pile; the cards from there to `end` are the draw pile (2.1, 6.2)."""
    card = game.piles[start]
    see_drawn_card(game, card)
    push_discard(game, card)
    divide_pile(game, rules, start + 1, end)


@kernel
def deal_cards(game, rules):
    """Deal from the shuffled deck: all boards, hidden, then the first discard; the rest is the draw pile (2.1)."""
    game.hidden_pool[:] = 0
    game.discard_counts[:] = 0
    game.discard_size = 0
    for k in range(rules.deck_size):
        game.hidden_pool[rules.deck[k] - LOWEST] += 1
    for k in range(state.SPAN):  # as one assignment it would take two seconds longer to compile
        game.draw_pool[k] = game.hidden_pool[k]
    dealt = 0
    for seat in range(rules.players):
        for cell in range(rules.cells):
            game.cards[seat, cell] = game.piles[dealt]
            game.shown[seat, cell] = HIDDEN
            dealt += 1
        game.hidden_left[seat] = rules.cells
        game.open_sum[seat] = 0
    lay_out_pile(game, rules, dealt, rules.deck_size)


@kernel
def deal_boards(game, rules):
    """Collect all cards and deal the next round (2.1)."""
    game.round_number += 1
    game.starter = known_starter(game, rules)
    game.ender, game.hand = NOBODY, EMPTY
    game.turns, game.turns_left, game.reshuffles = 0, 0, 0
    start_round_rng(game)
    for k in range(rules.deck_size):
        game.piles[k] = rules.deck[k]
    shuffle(game, game.piles, rules.deck_size)
    deal_cards(game, rules)


@kernel
def begin_opening(game, rules, log):
    """Begin the opening: the players open cards, or chance does it for them (2.2, 2.3)."""
    game.phase, game.seat, game.opening_left = state.OPENING, 0, 0
    if rules.initial_flip == state.OPENING_CHOOSE and rules.opening_flips > 0:
        game.opening_left = rules.opening_flips
        return
    for seat in range(rules.players):
        open_at_random(game, rules, seat, log)
    begin_turns(game, rules, log)


@kernel
def deal_round(game, rules, log):
    """Deal the next round and open it (section 2)."""
    deal_boards(game, rules)
    note(log, state.ROUND_DEALT, game.round_number, game.piles[0])
    begin_opening(game, rules, log)


@kernel
def fullest_part(game, rules):
    """Return the part of the draw pile with the most cards left, the lowest among equals (6.5)."""
    best = 0
    for part in range(1, rules.players):
        if game.pile_end[part] - game.pile_next[part] > game.pile_end[best] - game.pile_next[best]:
            best = part
    return best


@kernel
def reshuffle(game, rules):
    """Make the discard pile the draw pile (6.1, 6.2); from now on all know which cards are in it."""
    size = np.int64(game.discard_size)
    top = game.piles[size - 1]
    if rules.reshuffle == state.RESHUFFLE_KEEP_TOP:
        size -= 1
    game.reshuffles += 1
    game.draw_pool[:] = 0
    game.discard_counts[:] = 0
    game.discard_size = 0
    for k in range(size):
        game.draw_pool[game.piles[k] - LOWEST] += 1
    shuffle(game, game.piles, size)
    start = move_to_end(game, size, rules.deck_size)
    if rules.reshuffle == state.RESHUFFLE_KEEP_TOP:
        push_discard(game, top)
        divide_pile(game, rules, start, rules.deck_size)
    else:
        lay_out_pile(game, rules, start, rules.deck_size)


@kernel
def note_reshuffle(log, game):
    """Note a reshuffle, before any card is drawn."""
    note(log, state.PILE_RESHUFFLED, game.pile_left, top_card(game, EMPTY))


@kernel
def can_draw(game):
    """Return whether there is a card to draw, after a reshuffle if need be (6.4)."""
    return game.pile_left > 0 or game.discard_size >= 2


@kernel
def close_gap(game, drawn_from):
    """Close the gap after a card was drawn from this part: the parts before it move up by one, and discards have the
    room in front.
    """
    for k in range(game.pile_next[drawn_from], game.pile_next[0], -1):
        game.piles[k] = game.piles[k - 1]
    for part in range(drawn_from):
        game.pile_next[part] += 1
        game.pile_end[part] += 1


@kernel
def drawn_part(game, rules):
    """Return the part of the draw pile from which the seat to move draws (6.5)."""
    part = game.seat if rules.draw_streams else 0
    if game.pile_next[part] == game.pile_end[part]:
        return fullest_part(game, rules)
    return part


@kernel
def draw_card(game, rules, log):
    """Draw and return the next card of the draw pile, for the seat whose turn it is (4.1, 6.1)."""
    if game.pile_left == 0:
        reshuffle(game, rules)
        note_reshuffle(log, game)
    part = drawn_part(game, rules)
    card = game.piles[game.pile_next[part]]
    if part > 0:
        close_gap(game, part)
    game.pile_next[part] += 1
    game.pile_left -= 1
    return card
