"""Cards that chance may bring, and the luck of the cards that it has brought.

A decision brings cards to light in this order. First comes the new top of the discard pile, where a draw needs a
reshuffle that turns one up (6.2). Then comes the card that is drawn (4.1), turned up (2.2, 4.4) or replaced (4.6). If
the decision ends the round, every card that is still hidden follows, by seat and cell (7.4).

The possible cards are counted from the knowledge of the seat that decides, never from the card that lies there. A given
card is exchanged for the one that lies there. All cards that this seat has not seen and cannot tell apart are equally
likely to be exchanged, so a table that was a fair guess before is one afterwards.

Luck: whenever a card becomes known, it is uniform over cards that can be counted. Its gain minus its expected gain has
mean 0 under any strategy, so a share of it can be subtracted from a score without bias. Three sums are kept for every
seat. The first is of the cards it turned up, against their mean. The second is of its draws, by the most that a draw
can take off its board's expected sum. The third is of the hidden cards that the seat before it laid on the discard
pile, by the same measure.
"""

import numpy as np

from cardtable.table.kernel.game_kernel import IMPOSSIBLE
from cardtable.table.kernel.piles import exchange
from skyjo_env.kernel import kernel, state
from skyjo_env.kernel.cards import (
    drawn_part,
    note_reshuffle,
    pop_discard,
    push_discard,
    reshuffle,
    see_drawn_card,
    turn_up,
)
from skyjo_env.kernel.play import act
from skyjo_env.kernel.state import DRAW, EMPTY, FIRST_PLACE, HIDDEN, LOWEST, NOBODY, SPAN
from skyjo_env.kernel.view import AT_CELLS, at_pools


@kernel
def count_hidden(game, counts):
    """Write the counts of a hidden card, by card − LOWEST, for the seat that decides: it knows the card it has drawn
    (4.1).
    """
    for k in range(SPAN):
        counts[k] = game.hidden_pool[k]
    if game.phase == state.DRAWN and game.hand != EMPTY and game.reshuffles == 0:
        counts[game.hand - LOWEST] -= 1


@kernel
def count_draws(game, counts):
    """Write the counts of the next card of the draw pile, by card − LOWEST, in the phase turn."""
    for k in range(SPAN):
        counts[k] = game.draw_pool[k]


@kernel
def exchange_unseen(game, rules, card, other, on_boards, in_pile):
    """Put `other` in the place of such a hidden card or draw, each equally likely; False if there is none."""
    start = rules.deck_size - game.pile_left if in_pile else rules.deck_size
    return exchange(game, rules, HIDDEN, card, other, on_boards, start, rules.deck_size)


@kernel
def give_hidden(game, rules, seat, cell, card):
    """Let this card lie in a hidden cell; False if nothing unseen is such a card."""
    lying = game.cards[seat, cell]
    if lying != card:
        if not exchange_unseen(game, rules, card, lying, True, game.reshuffles == 0):
            return False
        game.cards[seat, cell] = card
    return True


@kernel
def give_draw(game, rules, card):
    """Let this card be the next to draw; False if nothing unseen is such a card."""
    at = game.pile_next[drawn_part(game, rules)]
    lying = game.piles[at]
    if lying != card:
        if not exchange_unseen(game, rules, card, lying, game.reshuffles == 0, True):
            return False
        game.piles[at] = card
    return True


@kernel
def give_discard(game, rules, card):
    """Let this card be the one that a reshuffle has just turned up (6.2); False if none was shuffled."""
    lying = game.piles[0]
    if lying != card:
        if not exchange_unseen(game, rules, card, lying, False, True):
            return False
        game.draw_pool[pop_discard(game) - LOWEST] += 1
        see_drawn_card(game, card)
        push_discard(game, card)
    return True


@kernel
def reshuffle_with(game, rules, cards, counts):
    """Make the draw pile anew for a draw; the card that is turned up may be given. Returns how many were brought."""
    reshuffle(game, rules)
    if rules.reshuffle != state.RESHUFFLE_ALL:
        return 0
    if len(cards) > 0:
        return 1 if give_discard(game, rules, cards[0]) else IMPOSSIBLE
    count_draws(game, counts)
    counts[game.piles[0] - LOWEST] += 1
    return 1


@kernel
def draw_with(game, rules, cards, counts):
    """Let the next draw bring the given cards; returns how many it brings to light."""
    brought = 0
    if game.pile_left == 0:
        brought = reshuffle_with(game, rules, cards, counts)
    if brought == IMPOSSIBLE:
        return IMPOSSIBLE
    if brought == len(cards):
        count_draws(game, counts)
    elif brought < len(cards) and not give_draw(game, rules, cards[brought]):
        return IMPOSSIBLE
    return brought + 1


@kernel
def hidden_with(game, rules, seat, cell, cards, brought, counts):
    """Make the next hidden card the given one, if one is given; returns how many have come to light with it."""
    if brought == len(cards):
        count_hidden(game, counts)
    elif brought < len(cards) and not give_hidden(game, rules, seat, cell, cards[brought]):
        return IMPOSSIBLE
    return brought + 1


@kernel
def cell_of(rules, action):
    """Return the cell that an action places a card on or turns up, or NOBODY."""
    if FIRST_PLACE <= action < rules.first_flip + rules.cells:
        return (action - FIRST_PLACE) % rules.cells
    return NOBODY


@kernel
def prepare(game, rules, action, cards, counts):
    """Lay the table so that a legal action itself brings the given cards to light.

    Returns how many cards the action brings, or IMPOSSIBLE. Of the first that is not given, `counts` says what it may
    be, by card − LOWEST.
    """
    if action == DRAW:
        return draw_with(game, rules, cards, counts)
    cell = cell_of(rules, action)
    if cell == NOBODY or game.shown[game.seat, cell] != HIDDEN:
        return 0
    return hidden_with(game, rules, game.seat, cell, cards, 0, counts)


@kernel
def reveal_cards(game, rules, cards, brought, counts, log):
    """Turn up every hidden card (7.4), those that are given among them; returns the number of cards, as `prepare`."""
    for seat in range(rules.players):
        for cell in range(rules.cells):
            if game.shown[seat, cell] == HIDDEN:
                brought = hidden_with(game, rules, seat, cell, cards, brought, counts)
                if brought == IMPOSSIBLE:
                    return IMPOSSIBLE
                turn_up(game, seat, cell, log)
    return brought


@kernel
def act_with(game, rules, action, cards, counts, log):
    """Carry out `act` with a legal action that brings these cards to light; further cards stay as dealt. If it ends the
    round, all hidden cards are turned up already.

    Returns how many cards came to light, or IMPOSSIBLE if one cannot come: then the table is no longer valid. Of the
    first card that is not given, `counts` says what it may have been, by card − LOWEST; it is left alone if there is
    none.
    """
    reshuffles = game.reshuffles
    brought = prepare(game, rules, action, cards, counts)
    if brought == IMPOSSIBLE:
        return IMPOSSIBLE
    if game.reshuffles != reshuffles:
        note_reshuffle(log, game)
    act(game, rules, action, log)
    if game.phase == state.ENDS:
        return reveal_cards(game, rules, cards, brought, counts, log)
    return brought


NONE = 99  # no card
GAP = -9  # instead of a count
MAX_COLUMNS = 6


@kernel
def card_at(view, reader, cell):
    """Return the card that a cell of the board shows."""
    return view[np.uint64(reader.board) + np.uint64(cell)]


@kernel
def at_value(rules, card):
    """Return the index of a card's value in the reader's tables; unsigned, so that nothing is counted from the end."""
    return np.uint64(card - rules.low)


@kernel
def cell_cost(rules, reader, card):
    """Return the cost of a cell, without the column's hope."""
    return reader.hidden_cost if card == HIDDEN else reader.costs[at_value(rules, card)]


@kernel
def completed(rules, points):
    """Return the cost of a complete column: nothing, or its points if it need not be cleared (5.5)."""
    return min(points, 0.0) if rules.clear_lines >= 0 else 0.0


@kernel
def read_column(view, rules, reader, column):
    """Note the cost of the cells of a column, and the first two values that are open in it, with their counts.

    A column with a gap, where a card was cleared with its row, can never be complete: its counts are GAP.
    """
    points, one, ones, two, twos, has_gap = 0.0, NONE, 0, NONE, 0, False
    first = column * rules.rows
    for cell in range(first, first + rules.rows):
        card = card_at(view, reader, cell)
        if card == EMPTY:
            has_gap = True
            continue
        points += cell_cost(rules, reader, card)
        if card == HIDDEN:
            continue
        if one == NONE or card == one:
            one = np.int64(card)
            ones += 1
        elif two == NONE or card == two:
            two = np.int64(card)
            twos += 1
    reader.points[column] = points
    reader.one[column], reader.two[column] = one, two
    reader.ones[column], reader.twos[column] = (GAP, GAP) if has_gap else (ones, twos)


@kernel
def value_beside(rules, reader, column, card):
    """Return the value that all cells of a column show except one with this card; NONE if there is none."""
    if reader.ones[column] - (card == reader.one[column]) == rules.rows - 1:
        return reader.one[column]
    return reader.two[column] if reader.twos[column] - (card == reader.two[column]) == rules.rows - 1 else NONE


TURNED_UP, DREW, GIVEN = range(3)  # the terms
TERMS = 3
NO_VALUE = NONE + 1  # a card of no value that there is

WEIGHTS = np.array([-0.42, 0.41, 0.28])  # points of margin for each point of a term; for 2 to 8 players alike

SCRATCH_DTYPE = np.dtype(
    (
        np.record,
        [
            ("board", "i8"),  # where the board that is read begins in the observation
            ("hidden_cost", "f8"),
            ("costs", "f8", SPAN),  # of an open card, by value
            ("points", "f8", MAX_COLUMNS),  # what the cells of a column cost
            ("one", "i8", MAX_COLUMNS),  # the first value that is open in a column ...
            ("ones", "i8", MAX_COLUMNS),  # ... and how often
            ("two", "i8", MAX_COLUMNS),  # the second
            ("twos", "i8", MAX_COLUMNS),
            ("by_open", "f8", SPAN),  # the dearest cell where a card of this value completes nothing
            ("worths", "f8", SPAN),  # what completing a column with a card of this value saves
        ],
    ),
    align=True,
)  # room to look at a board


@kernel
def pool_mean(view, rules):
    """Return (mean, cards) of the hidden cards as the seat that decides counts them."""
    cards, points, at = 0, 0, at_pools(rules)
    for k in range(rules.values):
        cards += view[at + k]
        points += view[at + k] * (rules.low + k)
    return (points / cards if cards > 0 else 0.0), cards


@kernel
def dearest_cell(view, rules, scratch, value):
    """Return the most that a cell costs, in columns that are not complete, where a card of this value completes
    nothing.
    """
    dearest = -np.inf
    for column in range(rules.columns):
        if scratch.ones[column] == rules.rows:  # complete, and kept by choice (5.5)
            continue
        for cell in range(column * rules.rows, (column + 1) * rules.rows):
            shown = card_at(view, scratch, cell)
            completes = value != NO_VALUE and value_beside(rules, scratch, column, shown) == value
            if shown != EMPTY and not completes:
                dearest = max(dearest, cell_cost(rules, scratch, shown))
    return dearest


@kernel
def note_completion(view, rules, scratch, column, value):
    """Write the points that a card of this value saves by completing a column, or elsewhere."""
    k = value - rules.low
    scratch.worths[k] = max(scratch.worths[k], scratch.points[column] - completed(rules, float(rules.rows * value)))
    scratch.by_open[k] = dearest_cell(view, rules, scratch, value)


@kernel
def read_gains(view, rules, scratch, board):
    """Look at a board: by value, the dearest cell to replace and what completing a column saves."""
    scratch.hidden_cost, _ = pool_mean(view, rules)
    scratch.board = board
    for k in range(rules.values):
        scratch.costs[k], scratch.worths[k] = rules.low + k, 0.0
    for column in range(rules.columns):
        read_column(view, rules, scratch, column)
    dearest = dearest_cell(view, rules, scratch, NO_VALUE)
    for k in range(rules.values):
        scratch.by_open[k] = dearest
    for column in range(rules.columns):
        if scratch.ones[column] == rules.rows - 1:
            note_completion(view, rules, scratch, column, scratch.one[column])
        if scratch.twos[column] == rules.rows - 1:
            note_completion(view, rules, scratch, column, scratch.two[column])


@kernel
def gain(rules, scratch, card):
    """Return the most that this card takes off the expected sum of the board that was read."""
    k = card - rules.low
    return max(scratch.by_open[k] - card, scratch.worths[k], 0.0)


@kernel
def beyond_expected(rules, scratch, card, counts, first):
    """Return the gain of a card minus the mean gain of a draw from these counts, the lowest card's at `first`."""
    cards, gains = 0, 0.0
    for k in range(rules.values):
        count = counts[first + k]
        cards += count
        gains += count * gain(rules, scratch, rules.low + k)
    return gain(rules, scratch, card) - gains / cards if cards > 0 else 0.0


@kernel
def luck_of_draw(game, rules, scratch, view, luck):
    """Measure the luck of a card that has been drawn; `view` is what its seat saw before."""
    read_gains(view, rules, scratch, AT_CELLS)
    low = rules.low - LOWEST
    luck[game.seat, DREW] += beyond_expected(rules, scratch, game.hand, game.draw_pool, low)


@kernel
def luck_of_gift(rules, scratch, view, card, taker, luck):
    """Measure the luck of a hidden card that was replaced and lies on the discard pile, for the next seat to take."""
    read_gains(view, rules, scratch, AT_CELLS + rules.cells)
    luck[taker, GIVEN] += beyond_expected(rules, scratch, card, view, at_pools(rules))


@kernel
def luck_of_reveal(before, rules, seen, mean, luck):
    """Measure the luck of the end of a round, which turns up all cards that were hidden before its last action; `seen`
    is the cell of the seat that decided which this action already revealed.
    """
    for seat in range(rules.players):
        for cell in range(rules.cells):
            if before.shown[seat, cell] == HIDDEN and not (seat == before.seat and cell == seen):
                luck[seat, TURNED_UP] += before.cards[seat, cell] - mean


@kernel
def luck_of_cell(before, game, rules, scratch, view, action, luck):
    """Measure the luck of a card that was placed or turned up, by the table before it and after it, and its seat's
    view.
    """
    seat = before.seat
    is_scored = game.phase == state.ENDS
    mean, cards = pool_mean(view, rules)
    cell, seen = cell_of(rules, action), NOBODY
    if cell != NOBODY and before.shown[seat, cell] == HIDDEN:
        seen, card = cell, before.cards[seat, cell]
        if action >= rules.first_flip:
            luck[seat, TURNED_UP] += card - mean
        elif not is_scored and game.phase < state.OVER and game.shown[seat, cell] != EMPTY:
            luck_of_gift(rules, scratch, view, card, game.seat, luck)
        mean = (mean * cards - card) / (cards - 1) if cards > 1 else 0.0
    if is_scored:
        luck_of_reveal(before, rules, seen, mean, luck)


@kernel
def note_luck(before, game, rules, action, view, scratch, luck):
    """Add what an action has brought to light to the luck of the seats; only cells need the table before it."""
    if action == DRAW:
        luck_of_draw(game, rules, scratch, view, luck)
    elif action >= FIRST_PLACE:
        luck_of_cell(before, game, rules, scratch, view, action, luck)
