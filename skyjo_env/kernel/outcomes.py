"""What chance may bring: the cards that a decision brings to light, counted, and given to the table one by one.

In the order in which they come, these cards are: the new top of the discard pile, where a draw needs a reshuffle that
turns one up (6.2); the card that is drawn (4.1), turned up (2.2, 4.4) or replaced (4.6); and, if the decision ends the
round, every card that is still hidden, by seat and cell (7.4). What each of them may be is counted from what the seat
that decides knows, never from what lies there. A given card is exchanged for the one that lies there: all cards that
this seat has not seen and cannot tell apart are equally likely to be exchanged, so a table that was a fair guess before
is one afterwards.
"""

from cardtable.table.kernel.chance import below
from cardtable.table.kernel.game_kernel import IMPOSSIBLE
from skyjo_env.kernel.board import pop_discard, push_discard, see_drawn_card, turn_up
from skyjo_env.kernel.deal import drawn_part, note_reshuffle, reshuffle
from skyjo_env.kernel.jit import kernel
from skyjo_env.kernel.play import ENDS, act
from skyjo_env.kernel.state import (
    DRAW,
    DRAWN,
    EMPTY,
    FIRST_PLACE,
    HIDDEN,
    LOWEST,
    NOBODY,
    RESHUFFLE_ALL,
    SPAN,
)


@kernel
def count_hidden(game, counts):
    """What a hidden card may be, by card − LOWEST, for the seat that decides: it knows the card it has drawn (4.1)."""
    for k in range(SPAN):
        counts[k] = game.hidden_pool[k]
    if game.phase == DRAWN and game.hand != EMPTY and game.reshuffles == 0:
        counts[game.hand - LOWEST] -= 1


@kernel
def count_draws(game, counts):
    """What the next card of the draw pile may be, by card − LOWEST, in the phase turn."""
    for k in range(SPAN):
        counts[k] = game.draw_pool[k]


@kernel
def count_lying(game, rules, card, on_boards, in_pile):
    """How many such cards lie hidden on the boards, in the draw pile, or in both."""
    count = 0
    if on_boards:
        for seat in range(rules.players):
            for cell in range(rules.cells):
                count += game.shown[seat, cell] == HIDDEN and game.cards[seat, cell] == card
    if in_pile:
        for part in range(rules.players if rules.draw_streams else 1):
            for at in range(game.pile_next[part], game.pile_end[part]):
                count += game.piles[at] == card
    return count


@kernel
def exchange_on_boards(game, rules, card, other, nth):
    """Put `other` in the place of the nth such hidden card; returns how many places are left to go, or NOBODY."""
    for seat in range(rules.players):
        for cell in range(rules.cells):
            if game.shown[seat, cell] == HIDDEN and game.cards[seat, cell] == card:
                if nth == 0:
                    game.cards[seat, cell] = other
                    return NOBODY
                nth -= 1
    return nth


@kernel
def exchange_in_pile(game, rules, card, other, nth):
    """Put `other` in the place of the nth such card of the draw pile."""
    for part in range(rules.players if rules.draw_streams else 1):
        for at in range(game.pile_next[part], game.pile_end[part]):
            if game.piles[at] == card:
                if nth == 0:
                    game.piles[at] = other
                    return
                nth -= 1


@kernel
def exchange(game, rules, card, other, on_boards, in_pile):
    """Put `other` in the place of a card of this value, each equally likely; False if there is none."""
    count = count_lying(game, rules, card, on_boards, in_pile)
    if count == 0:
        return False
    nth = below(game, count)
    if on_boards:
        nth = exchange_on_boards(game, rules, card, other, nth)
    if nth != NOBODY:
        exchange_in_pile(game, rules, card, other, nth)
    return True


@kernel
def give_hidden(game, rules, seat, cell, card):
    """Let this card lie in a hidden cell; False if nothing unseen is such a card."""
    lying = game.cards[seat, cell]
    if lying != card:
        if not exchange(game, rules, card, lying, True, game.reshuffles == 0):
            return False
        game.cards[seat, cell] = card
    return True


@kernel
def give_draw(game, rules, card):
    """Let this card be the next to draw; False if nothing unseen is such a card."""
    at = game.pile_next[drawn_part(game, rules)]
    lying = game.piles[at]
    if lying != card:
        if not exchange(game, rules, card, lying, game.reshuffles == 0, True):
            return False
        game.piles[at] = card
    return True


@kernel
def give_discard(game, rules, card):
    """Let this card be the one that a reshuffle has just turned up (6.2); False if none was shuffled."""
    lying = game.piles[0]
    if lying != card:
        if not exchange(game, rules, card, lying, False, True):
            return False
        game.draw_pool[pop_discard(game) - LOWEST] += 1
        see_drawn_card(game, card)
        push_discard(game, card)
    return True


@kernel
def reshuffle_with(game, rules, cards, counts):
    """Make the draw pile anew for a draw; the card that is turned up may be given. Returns how many were brought."""
    reshuffle(game, rules)
    if rules.reshuffle != RESHUFFLE_ALL:
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
    """The cell that an action places a card on or turns up, or NOBODY."""
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
    """`act` with a legal action that brings these cards to light; further cards stay as dealt. If it ends the round,
    all hidden cards are turned up already.

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
    if game.phase == ENDS:
        return reveal_cards(game, rules, cards, brought, counts, log)
    return brought
