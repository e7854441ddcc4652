"""The random player: any legal action, each equally likely."""

from cardtable.table.kernel.chance import next_number, share
from skipbo_agents.own_cards import hand_card, has_hand, height, lay_down, pile_card, pile_size, play_hand, stock_card
from skipbo_agents.player import scripted
from skipbo_env.kernel.state import HAND, NONE, PASS, PLACES, PLAY_DISCARD, PLAY_STOCK, SYMMETRIC_LOWEST, WILD

PLAYS_FIRST, OVER_SLOTS = range(2)  # its numbers


@scripted
def fits(view, card, place):
    """Does the building place take this card (3.3, 3.4)? NONE it never takes."""
    return card == WILD or card == height(view, place) + 1


@scripted
def stands_for_it(view, rules, place):
    """Does a lower building place take the same rank and stand for this one too (7.4)?"""
    for other in range(place):
        if rules.symmetric == SYMMETRIC_LOWEST and height(view, other) == height(view, place):
            return True
    return False


@scripted
def is_spare(view, rules, pile):
    """Is this discard pile empty, and does a lower empty one stand for it too (7.4)?"""
    for other in range(pile):
        if rules.symmetric == SYMMETRIC_LOWEST and pile_size(view, rules, pile) + pile_size(view, rules, other) == 0:
            return True
    return False


@scripted
def is_counted(view, player, k):
    """Is this hand card a choice of its own: the first of its rank, unless every card is one?"""
    for other in range(k):
        if player.numbers[OVER_SLOTS] == 0 and hand_card(view, other) == hand_card(view, k):
            return False
    return hand_card(view, k) != NONE


@scripted
def add_plays(view, rules, card, first, player, found):
    """Add every place on which the card may be played, `first` being the action for place 0; return how many there are
    now.
    """
    for place in range(PLACES):
        if fits(view, card, place) and not stands_for_it(view, rules, place):
            player.choices[found] = first + place
            found += 1
    return found


@scripted
def list_plays(view, rules, player):
    """Write down every play; return how many there are."""
    found = add_plays(view, rules, stock_card(view), PLAY_STOCK, player, 0)
    for k in range(HAND):
        if is_counted(view, player, k):
            card = hand_card(view, k)
            found = add_plays(view, rules, card, play_hand(card, 0), player, found)
    for pile in range(PLACES):
        found = add_plays(view, rules, pile_card(view, rules, pile), PLAY_DISCARD + PLACES * pile, player, found)
    return found


@scripted
def add_endings(view, rules, player, found):
    """Add every way to end the turn; return how many choices there are now."""
    if not has_hand(view):
        player.choices[found] = PASS
        return found + 1
    for pile in range(PLACES):
        for k in range(HAND):
            card = hand_card(view, k)
            if (
                not is_counted(view, player, k)
                or is_spare(view, rules, pile)
                or (card == WILD and not rules.discard_wild)
            ):
                continue
            player.choices[found] = lay_down(card, pile)
            found += 1
    return found


@scripted
def random_play(view, rules, player):
    """One decision."""
    found = list_plays(view, rules, player)
    must_play = player.numbers[PLAYS_FIRST] == 1 or (rules.compulsory and has_hand(view))
    if found == 0 or not must_play:
        found = add_endings(view, rules, player, found)
    return player.choices[share(next_number(view, player), found)]
