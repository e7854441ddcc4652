"""Places of the cards: chance that is chosen, the piles of both decks, and the layouts (sections 3, 8 and 12)."""

import numpy as np

from cardtable.table.kernel.chance import below, shuffle
from cardtable.table.kernel.events import note
from cardtable.table.kernel.piles import move_to_end, pop_card, push_card, top_card
from skyjo_action_env import kernel as state
from skyjo_action_env.kernel import CARDS, CELLS, DECK, EMPTY, HIDDEN, KINDS, LOWEST, NO_KIND, STAR, kernel

UNSEEN, KNOWN, DRAWS = range(3)  # rows of counts


# Chance may be chosen: cards that come to light for the seat that decides are given to the table, one by one. While
# `watching`, every card that comes to light calls here just before it does. What it may be is counted from what that
# seat knows, never from what lies there. A given card is exchanged for the one that lies there: all cards that the seat
# cannot tell apart are equally likely to be exchanged, so a table that was a fair guess before is one afterwards.
# Strays (12.3) count as likely as section 12.4 has it.


@kernel
def is_secret_cell(game, seat, cell):
    """Return whether a hidden card lies here that the deciding seat does not know."""
    return game.shown[seat, cell] == HIDDEN and game.knowers[seat, cell] >> game.last_seat & 1 == 0


@kernel
def is_buried(game, at):
    """Return whether this card of the discard pile is one that no seat has seen."""
    return game.piles[at] >= state.BURIED + LOWEST


@kernel
def count_places(game):
    """Count the cards that this seat cannot see, [3, CARDS]: unseen cards, cards known to be in the draw pile, and all
    cards of the draw pile.
    """
    counts = np.zeros((3, CARDS), np.int64)
    counts[KNOWN] = game.known_draws
    for k in range(state.HAND):  # cards in hand count as known draws, but are there no more
        if game.hand[k] != EMPTY and counts[KNOWN, game.hand[k] - LOWEST] > 0:
            counts[KNOWN, game.hand[k] - LOWEST] -= 1
    for seat in range(state.MAX_PLAYERS):
        for cell in range(CELLS):
            if is_secret_cell(game, seat, cell):
                counts[UNSEEN, game.cards[seat, cell] - LOWEST] += 1
    for at in range(game.discard_size):
        if is_buried(game, at):
            counts[UNSEEN, game.piles[at] - state.BURIED - LOWEST] += 1
    for at in range(DECK - game.pile_left, DECK):
        counts[DRAWS, game.piles[at] - LOWEST] += 1
    counts[UNSEEN] += counts[DRAWS] - counts[KNOWN]
    return counts


@kernel
def place_in_pile(game, card):
    """Return the index of such a card in the draw pile; there must be one."""
    at = DECK - game.pile_left
    while game.piles[at] != card:
        at += 1
    return at


@kernel
def exchange_outside(game, card, other, nth):
    """Put `other` in the place of the nth such card that lies hidden or buried; returns how many are left to go, or
    NOBODY.
    """
    for seat in range(state.MAX_PLAYERS):
        for cell in range(CELLS):
            if is_secret_cell(game, seat, cell) and game.cards[seat, cell] == card:
                if nth == 0:
                    game.cards[seat, cell] = other
                    return state.NOBODY
                nth -= 1
    for at in range(game.discard_size):
        if is_buried(game, at) and game.piles[at] - state.BURIED == card:
            if nth == 0:
                game.piles[at] = other + state.BURIED
                return state.NOBODY
            nth -= 1
    return nth


@kernel
def pick_stray(game, counts):
    """Return a stray of the draw pile, each equally likely."""
    nth = below(game, game.pile_left - counts[KNOWN].sum())
    for k in range(CARDS):
        nth -= counts[DRAWS, k] - counts[KNOWN, k]
        if nth < 0:
            return LOWEST + k
    return EMPTY


@kernel
def take_given(game, first, weights):
    """Return which of the cards with these weights, the codes from `first` on, is given as one comes to light; NOBODY
    if none is.

    Of the first card that is not given the weights are written down; no given card is needed any more.
    """
    game.brought += 1
    if game.watching != state.WATCHING:
        return state.NOBODY
    if game.brought > game.given_size:
        for k in range(len(weights)):
            game.odds[first + k] = weights[k]
        game.watching = state.TOLD
        return state.NOBODY
    given = game.given[game.brought - 1] - LOWEST - first
    if given < 0 or given >= len(weights) or weights[given] == 0:
        game.watching = state.REFUSED
        return state.NOBODY
    return given


@kernel
def watch_hidden(game, seat, cell):
    """Watch a hidden card come to light."""
    if not is_secret_cell(game, seat, cell):
        return
    counts, lying = count_places(game), game.cards[seat, cell]
    given = take_given(game, 0, counts[UNSEEN])
    if given == state.NOBODY or LOWEST + given == lying:
        return
    if exchange_outside(game, LOWEST + given, lying, below(game, counts[UNSEEN, given])) != state.NOBODY:
        game.piles[place_in_pile(game, LOWEST + given)] = lying
    game.cards[seat, cell] = LOWEST + given


@kernel
def watch_draw(game):
    """Watch the next card of the draw pile come to light: one known to be there, or a stray."""
    counts, top = count_places(game), DECK - game.pile_left
    strays = game.pile_left - counts[KNOWN].sum()
    known = counts[KNOWN] * max(counts[UNSEEN].sum(), 1)
    weights = known + strays * counts[UNSEEN]
    given = take_given(game, 0, weights)
    if given == state.NOBODY or LOWEST + given == game.piles[top]:
        return
    if below(game, weights[given]) >= known[given]:
        stray = pick_stray(game, counts)
        if exchange_outside(game, LOWEST + given, stray, below(game, counts[UNSEEN, given])) == state.NOBODY:
            game.piles[place_in_pile(game, stray)] = LOWEST + given
    at = place_in_pile(game, LOWEST + given)
    game.piles[at], game.piles[top] = game.piles[top], LOWEST + given


@kernel
def watch_action(game):
    """Watch the top card of the action pile come to light."""
    top, counts = state.ACTION_DECK - game.action_pile_left, np.zeros(len(KINDS), np.int64)
    for at in range(top, state.ACTION_DECK):
        counts[game.action_piles[at]] += 1
    kind, at = take_given(game, state.FIRST_KIND - LOWEST, counts), top
    if kind != state.NOBODY:
        while game.action_piles[at] != kind:
            at += 1
        game.action_piles[at], game.action_piles[top] = game.action_piles[top], kind


# Piles of playing cards


@kernel
def points(card):
    """Return the points of a card (1.1)."""
    return 0 if card == STAR else card


@kernel
def see_drawn_card(game, card):
    """Let all know a card that came from the draw pile: one that was known to be there, or a stray (12.4)."""
    if game.known_draws[card - LOWEST] > 0:
        game.known_draws[card - LOWEST] -= 1
    else:
        game.unseen[card - LOWEST] -= 1


@kernel
def push_discard(game, card):
    """Lay a card on the discard pile, open."""
    push_card(game, card)
    game.discards[card - LOWEST] += 1


@kernel
def pop_discard(game):
    """Take the top card of the discard pile, which is open."""
    card = pop_card(game)
    game.discards[card - LOWEST] -= 1
    return card


@kernel
def discard_top(game):
    """Return the public top of the discard pile."""
    top = top_card(game, EMPTY)
    return HIDDEN if top >= state.BURIED + LOWEST else top


@kernel
def put_under(game, rules, card, is_hidden):
    """Put a removed card into the discard pile (7.7): to its bottom, or below its top card."""
    at = 0 if rules.removed_to == state.REMOVED_TO_BOTTOM else game.discard_size - 1
    for k in range(game.discard_size, at, -1):
        game.piles[k] = game.piles[k - 1]
    game.piles[at] = card + state.BURIED if is_hidden else card
    game.discard_size += 1
    if is_hidden:
        game.buried += 1
    else:
        game.discards[card - LOWEST] += 1


@kernel
def reshuffle(game, log):
    """Make the discard pile without its top card the draw pile (8.1); all know most of its cards (12.3)."""
    size = game.discard_size - 1
    top = game.piles[size]
    game.discards[top - LOWEST] -= 1
    game.known_draws[:] += game.discards  # beside cards that have just been drawn, as three takes them
    game.discards[:] = 0
    for k in range(size):
        if game.piles[k] >= state.BURIED + LOWEST:
            game.piles[k] -= state.BURIED
    game.reshuffles += 1
    game.buried, game.discard_size, game.pile_left = 0, 0, size
    shuffle(game, game.piles, size)
    move_to_end(game, size, DECK)
    push_discard(game, top)
    note(log, state.PILE_RESHUFFLED, top)


@kernel
def can_draw(game):
    """Return whether there is a card to draw, after a reshuffle if need be (3.4)."""
    return game.pile_left > 0 or game.discard_size >= 2


@kernel
def draw_card(game, log):
    """Draw and return the next card of the draw pile."""
    if game.pile_left == 0:
        reshuffle(game, log)
    if game.watching:
        watch_draw(game)
    card = game.piles[DECK - game.pile_left]
    game.pile_left -= 1
    return card


# Action cards


@kernel
def lay_action(game, kind):
    """Lay an action card on its discard pile."""
    game.action_piles[game.action_discard_size] = kind
    game.action_discard_size += 1
    game.action_discards[kind] += 1


@kernel
def top_action(game):
    """Return the top card of the discard pile of action cards, or NO_KIND."""
    return game.action_piles[game.action_discard_size - 1] if game.action_discard_size > 0 else NO_KIND


@kernel
def take_discarded(game, kind):
    """Take the topmost action card of this kind from the discard pile (7.8)."""
    at = game.action_discard_size - 1
    while game.action_piles[at] != kind:
        at -= 1
    game.action_discard_size -= 1
    game.action_discards[kind] -= 1
    for k in range(at, game.action_discard_size):
        game.action_piles[k] = game.action_piles[k + 1]


@kernel
def has_next_action(game, rules):
    """Return whether there is a card in the action pile, after a reshuffle if need be (8.3)."""
    kept = rules.action_reshuffle == state.RESHUFFLE_KEEP_TOP
    return game.action_pile_left > 0 or game.action_discard_size > kept


@kernel
def pile_up_actions(game, size):
    """Shuffle the first cards of `action_piles`, so many, into the action pile; then none is discarded."""
    shuffle(game, game.action_piles, size)
    for k in range(size - 1, -1, -1):
        game.action_piles[state.ACTION_DECK - size + k] = game.action_piles[k]
    game.action_pile_left, game.action_discard_size = size, 0
    game.action_discards[:] = 0


@kernel
def reshuffle_actions(game, rules, log):
    """Make the discarded action cards the action pile (8.3)."""
    top, keeps_top = top_action(game), rules.action_reshuffle == state.RESHUFFLE_KEEP_TOP
    pile_up_actions(game, game.action_discard_size - keeps_top)
    if keeps_top:
        lay_action(game, top)
    note(log, state.ACTIONS_RESHUFFLED)


@kernel
def next_action(game, rules, log):
    """Draw and return the next card of the action pile; there must be one."""
    if game.action_pile_left == 0:
        reshuffle_actions(game, rules, log)
    if game.watching:
        watch_action(game)
    kind = game.action_piles[state.ACTION_DECK - game.action_pile_left]
    game.action_pile_left -= 1
    return kind


@kernel
def fill_open_place(game, rules, place, log):
    """Lay the next action card in an open place, if there is one (4.5)."""
    game.open_actions[place] = NO_KIND
    if has_next_action(game, rules):
        game.open_actions[place] = next_action(game, rules, log)
        note(log, state.ACTION_TURNED_UP, place, game.open_actions[place])


@kernel
def fill_open_places(game, rules, log):
    """Fill the places that are empty, lowest first (4.5)."""
    for place in range(state.PLACES):
        if game.open_actions[place] == NO_KIND:
            fill_open_place(game, rules, place, log)


# Layouts


@kernel
def cell_of(line, k):
    """Return the kth cell of a line, from the top or the left."""
    return line * state.ROWS + k if line < state.COLUMNS else k * state.ROWS + line - state.COLUMNS


@kernel
def line_length(line):
    """Return the number of cells of a line."""
    return state.ROWS if line < state.COLUMNS else state.COLUMNS


@kernel
def touch(game, seat, cell):
    """Note that a card of two lines has changed (6.5)."""
    game.changed[seat] |= 1 << cell // state.ROWS | 1 << state.COLUMNS + cell % state.ROWS


@kernel
def uncover(game, seat, cell):
    """Show all players a card that lay hidden, wherever it goes now; return it."""
    if game.watching:
        watch_hidden(game, seat, cell)
    card = game.cards[seat, cell]
    game.hidden_left[seat] -= 1
    game.knowers[seat, cell] = 0
    game.unseen[card - LOWEST] -= 1
    return card


@kernel
def lay(game, seat, cell, card):
    """Lay an open card on a cell, which is free now. A star earns an action card (5.1)."""
    game.cards[seat, cell] = card
    game.shown[seat, cell] = card
    game.open_sum[seat] += points(card)
    game.claims[seat] += card == STAR
    touch(game, seat, cell)


@kernel
def turn_up(game, seat, cell, kind, log):
    """Open a hidden card, an event of this kind; a star earns an action card (5.1)."""
    card = uncover(game, seat, cell)
    lay(game, seat, cell, card)
    note(log, kind, seat, cell, card)


@kernel
def replace(game, seat, cell, card, was_drawn, log):
    """Lay an open card in the place of another, which goes on the discard pile (3.2)."""
    was_hidden = game.shown[seat, cell] == HIDDEN
    if was_hidden:
        replaced = uncover(game, seat, cell)
    else:
        replaced = game.cards[seat, cell]
        game.open_sum[seat] -= points(replaced)
    lay(game, seat, cell, card)
    push_discard(game, replaced)
    note(log, state.CARD_PLACED, seat, cell, card, was_drawn, replaced, was_hidden)


@kernel
def count_moved(game, shown, seat, other):
    """Count a card that goes over to another layout, as it is shown."""
    if shown == HIDDEN:
        game.hidden_left[seat] -= 1
        game.hidden_left[other] += 1
    else:
        game.open_sum[seat] -= points(shown)
        game.open_sum[other] += points(shown)


@kernel
def move_cards(game, seat, cell, other, place, log):
    """Let two cards change places as they lie (7.2, 7.6)."""
    mine, others = game.shown[seat, cell], game.shown[other, place]
    game.shown[seat, cell], game.shown[other, place] = others, mine
    card, knowers = game.cards[seat, cell], game.knowers[seat, cell]
    game.cards[seat, cell], game.knowers[seat, cell] = game.cards[other, place], game.knowers[other, place]
    game.cards[other, place], game.knowers[other, place] = card, knowers
    count_moved(game, mine, seat, other)
    count_moved(game, others, other, seat)
    touch(game, seat, cell)
    touch(game, other, place)
    note(log, state.CARDS_MOVED, seat, cell, other, place)


@kernel
def cards_left(game, seat):
    """Return the number of cards of a layout."""
    count = 0
    for cell in range(CELLS):
        count += game.shown[seat, cell] != EMPTY
    return count
