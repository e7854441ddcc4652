"""A board and the discard pile: cards become visible, lines are completed and cleared (section 5)."""

from cardtable.table.kernel.events import note
from skyjo_env.kernel.jit import kernel
from skyjo_env.kernel.state import (
    CARD_REVEALED,
    CARD_TURNED_UP,
    CLEARED_TO_DISCARD,
    EMPTY,
    HIDDEN,
    LINES_CLEARED,
    LOWEST,
    TRUNCATED,
)


@kernel
def push_discard(game, card):
    """Lay a card on the discard pile."""
    game.piles[game.discard_size] = card
    game.discard_size += 1
    game.discard_counts[card - LOWEST] += 1


@kernel
def pop_discard(game):
    """Take the top card of the discard pile."""
    game.discard_size -= 1
    card = game.piles[game.discard_size]
    game.discard_counts[card - LOWEST] -= 1
    return card


@kernel
def see_hidden_card(game, card):
    """All now know a card that lay hidden: one less to expect. Until a reshuffle it might have been drawn as well."""
    game.hidden_pool[card - LOWEST] -= 1
    if game.reshuffles == 0:
        game.draw_pool[card - LOWEST] -= 1


@kernel
def see_drawn_card(game, card):
    """All now know a card that came from the draw pile: one less to expect."""
    game.draw_pool[card - LOWEST] -= 1
    if game.reshuffles == 0:
        game.hidden_pool[card - LOWEST] -= 1


@kernel
def is_reveal(game):
    """Is this the end of a round, and not a decision or an opening?"""
    return game.phase > TRUNCATED


@kernel
def turn_up(game, seat, cell, log):
    """Open a hidden card."""
    card = game.cards[seat, cell]
    game.shown[seat, cell] = card
    game.hidden_left[seat] -= 1
    game.open_sum[seat] += card
    see_hidden_card(game, card)
    note(log, CARD_REVEALED if is_reveal(game) else CARD_TURNED_UP, seat, cell, card)


@kernel
def is_complete(game, seat, first, step, length):
    """Are all cells of this line open and equal (5.1, 5.3)?"""
    card = game.shown[seat, first]
    if card >= HIDDEN:
        return False
    for k in range(1, length):
        if game.shown[seat, first + k * step] != card:
            return False
    return True


@kernel
def completes_line(game, rules, seat, cell):
    """Does this cell lie in a complete line (5.1, 5.2)?"""
    column = cell // rules.rows
    if is_complete(game, seat, column * rules.rows, 1, rules.rows):
        return True
    return rules.row_clear != 0 and is_complete(game, seat, cell - column * rules.rows, rules.rows, rules.columns)


@kernel
def complete_cells(game, rules, seat, least):
    """The cells of all complete lines of value `least` or more, as a set of bits (5.1, 5.2)."""
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
            note(log, LINES_CLEARED, seat, 1, cell, 1, card, is_reveal(game))
            if rules.cleared_cards == CLEARED_TO_DISCARD:
                push_discard(game, card)
