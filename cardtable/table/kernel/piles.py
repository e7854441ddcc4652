"""A draw pile and a discard pile in an array `piles` of a record, and cards that are given instead of left to chance.

The discards lie at the front, the bottom card first; `discard_size` says how many there are. The draw pile ends where
the deck would, the next card first; `pile_left` says how many are left. A plain game also counts in `unseen`, by card,
what no seat has seen: the cards of the draw pile, and those that lie hidden in `cards` where `shown` says so.
"""

from cardtable.table.compiling.compiler import kernel
from cardtable.table.kernel.chance import below, shuffle


@kernel
def push_card(game, card):
    """Lay a card on the discard pile."""
    game.piles[game.discard_size] = card
    game.discard_size += 1


@kernel
def pop_card(game):
    """Take the top card of the discard pile."""
    game.discard_size -= 1
    return game.piles[game.discard_size]


@kernel
def top_card(game, none):
    """Return the top card of the discard pile; `none` if it is empty."""
    return game.piles[game.discard_size - 1] if game.discard_size > 0 else none


@kernel
def move_to_end(game, size, end):
    """Move the first `size` cards of the piles to where the draw pile ends; return where they begin now."""
    start = end - size
    for k in range(size - 1, -1, -1):
        game.piles[start + k] = game.piles[k]
    return start


# A guess at what lies where, from cards that are counted


@kernel
def write_counted(counts, lowest, cards, at):
    """Write counted cards, the lowest first, to `cards` from `at` on; return where they end."""
    for k in range(len(counts)):
        for _ in range(counts[k]):
            cards[at] = lowest + k
            at += 1
    return at


@kernel
def deal_hidden(game, rules, cells, hidden, size):
    """Replace every `hidden` in the cells by a card from the end of piles[:size]; return how many are left."""
    for seat in range(rules.players):
        for cell in range(cells):
            if game.cards[seat, cell] == hidden:
                size -= 1
                game.cards[seat, cell] = game.piles[size]
    return size


@kernel
def lay_discards(game, counts, lowest, top, none):
    """Lay counted cards on the discard pile, this one on top unless it is `none`: below it no order ever matters."""
    for k in range(len(counts)):
        for _ in range(counts[k] - (lowest + k == top)):
            push_card(game, lowest + k)
    if top != none:
        push_card(game, top)


# Plain games: one draw pile, and one pool of unseen cards


@kernel
def gather(game, deck):
    """Shuffle the whole deck into the draw pile, unseen."""
    game.unseen[:] = 0
    for k in range(len(deck)):
        game.piles[k] = deck[k]
        game.unseen[deck[k]] += 1
    shuffle(game, game.piles, len(deck))
    game.pile_left, game.discard_size = len(deck), 0


@kernel
def draw_card(game, end):
    """Take the next card of the draw pile, which ends at `end`, after a reshuffle if it is empty."""
    if game.pile_left == 0:
        reshuffle(game, end)
    game.pile_left -= 1
    return game.piles[end - game.pile_left - 1]


@kernel
def reshuffle(game, end):
    """The discards but the top one become the draw pile, unseen again."""
    top = pop_card(game)
    size, game.discard_size = game.discard_size, 0
    for k in range(size):
        game.unseen[game.piles[k]] += 1
    shuffle(game, game.piles, size)
    move_to_end(game, size, end)
    game.pile_left = size
    push_card(game, top)


# Given cards. A card is exchanged for the one that lies there: all cards that a seat cannot tell apart are equally
# likely to be exchanged, so a table that was a fair guess before is one afterwards.


@kernel
def count_lying(game, rules, hidden, card, on_boards, start, end, nth, other):
    """Count such cards in piles[start:end], and if `on_boards` those that lie hidden there; the nth becomes `other`."""
    count = 0
    if on_boards:
        for seat in range(rules.players):
            for cell in range(rules.cells):
                if game.shown[seat, cell] == hidden and game.cards[seat, cell] == card:
                    if count == nth:
                        game.cards[seat, cell] = other
                    count += 1
    for at in range(start, end):
        if game.piles[at] == card:
            if count == nth:
                game.piles[at] = other
            count += 1
    return count


@kernel
def exchange(game, rules, hidden, card, other, on_boards, start, end):
    """Put `other` in the place of a card of this kind, each equally likely; False if there is none."""
    count = count_lying(game, rules, hidden, card, on_boards, start, end, -1, other)
    if count == 0:
        return False
    count_lying(game, rules, hidden, card, on_boards, start, end, below(game, count), other)
    return True
