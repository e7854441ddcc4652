"""A layout: cards are turned up, laid, moved, and known to some seats (sections 3 and 12)."""

from skyjo_action_env.kernel.giving import watch_hidden
from skyjo_action_env.kernel.jit import kernel
from skyjo_action_env.kernel.piles import points, push_discard
from skyjo_action_env.kernel.state import CELLS, COLUMNS, EMPTY, HIDDEN, LOWEST, ROWS, STAR


@kernel
def touch(game, seat, cell):
    """A card of two lines has changed (6.5)."""
    game.changed[seat] |= 1 << cell // ROWS | 1 << COLUMNS + cell % ROWS


@kernel
def uncover(game, seat, cell):
    """All see a card that lay hidden, wherever it goes now; returns it."""
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
def turn_up(game, seat, cell):
    """Open a hidden card; a star earns an action card (5.1)."""
    lay(game, seat, cell, uncover(game, seat, cell))


@kernel
def replace(game, seat, cell, card):
    """Lay an open card in the place of another, which goes on the discard pile (3.2)."""
    if game.shown[seat, cell] == HIDDEN:
        replaced = uncover(game, seat, cell)
    else:
        replaced = game.cards[seat, cell]
        game.open_sum[seat] -= points(replaced)
    lay(game, seat, cell, card)
    push_discard(game, replaced)


@kernel
def count_moved(game, shown, seat, other):
    """A card goes over to another layout, as it is shown."""
    if shown == HIDDEN:
        game.hidden_left[seat] -= 1
        game.hidden_left[other] += 1
    else:
        game.open_sum[seat] -= points(shown)
        game.open_sum[other] += points(shown)


@kernel
def move_cards(game, seat, cell, other, place):
    """Two cards change places as they lie (7.2, 7.6)."""
    mine, others = game.shown[seat, cell], game.shown[other, place]
    game.shown[seat, cell], game.shown[other, place] = others, mine
    card, knowers = game.cards[seat, cell], game.knowers[seat, cell]
    game.cards[seat, cell], game.knowers[seat, cell] = game.cards[other, place], game.knowers[other, place]
    game.cards[other, place], game.knowers[other, place] = card, knowers
    count_moved(game, mine, seat, other)
    count_moved(game, others, other, seat)
    touch(game, seat, cell)
    touch(game, other, place)


@kernel
def cards_left(game, seat):
    """The cards of a layout."""
    count = 0
    for cell in range(CELLS):
        count += game.shown[seat, cell] != EMPTY
    return count
