"""What holds at every table of Skyjo Action, counted afresh from where the cards lie."""

from campaign.compiled.jit import kernel
from campaign.compiled.play import FAULTS as SHARED_FAULTS
from campaign.compiled.play import FINE, play_and_check
from skyjo_action_env.kernel.skyjo_action_kernel import SKYJO_ACTION_KERNEL
from skyjo_action_env.kernel.state import (
    ACTION_DECK,
    BURIED,
    CARDS,
    CELLS,
    CERTAIN_KINDS,
    COPIES,
    COUNTS,
    DECK,
    DECK_ALL,
    EMPTY,
    HAND,
    HIDDEN,
    KINDS,
    LOWEST,
    NO_KIND,
    NOBODY,
    OVER,
    PLACES,
    STAR,
    TRUNCATED,
    UNWATCHED,
)
from skyjo_action_env.kernel.view import at_known, at_seats, is_secret, write_view

OWN_FAULTS = (
    "playing cards are lost or made",
    "action cards are lost or made",
    "a layout shows what does not lie there",
    "unseen cards, known draws or discards are miscounted",
    "the hidden cards or the open points of a layout are miscounted",
    "somebody knows a card that is not hidden, or nobody who plays",
    "phase and seats contradict each other",
    "an observation does not show what its seat knows, and nothing else",
)
FAULTS = (*SHARED_FAULTS, *OWN_FAULTS)
PLAYING, ACTIONS, SHOWN, POOLS, LAYOUTS, KNOWN, PHASES, VIEW = range(len(SHARED_FAULTS), len(FAULTS))
UNWRITTEN = -99

play_any, table_kernel = play_and_check, SKYJO_ACTION_KERNEL


@kernel
def discard(game, at):
    """A card of the discard pile, whether it was seen or not."""
    return game.piles[at] - BURIED if game.piles[at] >= BURIED + LOWEST else game.piles[at]


@kernel
def count_unseen(game, rules, left):
    """Hidden and buried cards, the draw pile and the hand, by card."""
    for k in range(CARDS):
        left[k] = 0
    for seat in range(rules.players):
        for cell in range(CELLS):
            left[game.cards[seat, cell] - LOWEST] += game.shown[seat, cell] == HIDDEN
    for at in range(game.discard_size):
        left[discard(game, at) - LOWEST] += game.piles[at] >= BURIED + LOWEST
    for at in range(DECK - game.pile_left, DECK):
        left[game.piles[at] - LOWEST] += 1


@kernel
def playing_cards_are_wrong(game, rules, left):
    """Is a card on the table that the deck does not have, or one of the deck nowhere (1.1)?"""
    count_unseen(game, rules, left)
    for seat in range(rules.players):
        for cell in range(CELLS):
            if game.shown[seat, cell] != HIDDEN and game.cards[seat, cell] != EMPTY:
                left[game.cards[seat, cell] - LOWEST] += 1
    for at in range(game.discard_size):
        if game.piles[at] <= STAR:
            left[game.piles[at] - LOWEST] += 1
    for k in range(HAND):
        if game.hand[k] != EMPTY:
            left[game.hand[k] - LOWEST] += 1
    for k in range(CARDS):
        if left[k] != COUNTS[k]:
            return True
    return game.discard_size + game.pile_left > DECK


@kernel
def action_cards_are_wrong(game, rules, left):
    """The same for action cards (1.2, 1.4)."""
    for kind in range(len(KINDS)):
        left[kind] = COPIES if kind < CERTAIN_KINDS or rules.action_deck == DECK_ALL else 0
        left[kind] -= game.held[: rules.players, kind].sum()
        discards = 0
        for at in range(game.action_discard_size):
            discards += game.action_piles[at] == kind
        left[kind] -= discards
        if game.action_discards[kind] != discards or game.fresh[kind] < 0 or game.held[:, kind].min() < 0:
            return True
    for place in range(PLACES):
        if game.open_actions[place] != NO_KIND:
            left[game.open_actions[place]] -= 1
    for at in range(ACTION_DECK - game.action_pile_left, ACTION_DECK):
        left[game.action_piles[at]] -= 1
    for kind in range(len(KINDS)):
        if left[kind] != 0:
            return True
    return False


@kernel
def shown_is_wrong(game, rules):
    """Does a layout show another card than lies there?"""
    for seat in range(rules.players):
        for cell in range(CELLS):
            card, shown = game.cards[seat, cell], game.shown[seat, cell]
            if shown != card and (shown != HIDDEN or card == EMPTY):
                return True
    return False


@kernel
def pools_are_wrong(game, rules, left, known):
    """Are the cards whose place nobody can name miscounted, or those known to be drawn (12.3, 12.4), or discards?"""
    count_unseen(game, rules, left)
    for k in range(CARDS):
        known[k] = 0
    for at in range(DECK - game.pile_left, DECK):
        known[game.piles[at] - LOWEST] += 1
    for k in range(HAND):
        if is_secret(game.phase) and game.hand[k] != EMPTY:
            left[game.hand[k] - LOWEST] += 1
            known[game.hand[k] - LOWEST] += 1
    for k in range(CARDS):
        if game.unseen[k] + game.known_draws[k] != left[k] or not 0 <= game.known_draws[k] <= known[k]:
            return True
    return False


@kernel
def discards_are_wrong(game, left):
    """Are the discards miscounted, seen or not?"""
    for k in range(CARDS):
        left[k] = 0
    buried = 0
    for at in range(game.discard_size):
        if game.piles[at] <= STAR:
            left[game.piles[at] - LOWEST] += 1
        else:
            buried += 1
    for k in range(CARDS):
        if game.discards[k] != left[k]:
            return True
    return game.buried != buried


@kernel
def layouts_are_wrong(game, rules):
    """Are hidden cards or the points of open cards miscounted?"""
    for seat in range(rules.players):
        hidden, points = 0, 0
        for cell in range(CELLS):
            shown = game.shown[seat, cell]
            hidden += shown == HIDDEN
            points += shown if shown < STAR else 0
        if game.hidden_left[seat] != hidden or game.open_sum[seat] != points:
            return True
    return False


@kernel
def knowledge_is_wrong(game, rules):
    """Does anybody know a card that is not hidden, or somebody who does not play (12.2)?"""
    for seat in range(rules.players):
        for cell in range(CELLS):
            knowers = game.knowers[seat, cell]
            if knowers != 0 and (game.shown[seat, cell] != HIDDEN or knowers >> rules.players != 0):
                return True
    return False


@kernel
def phase_is_wrong(game, rules):
    """Do phase, seats and counters contradict each other (9.1 to 9.7, 10.4)?"""
    others = rules.players - 1
    if not (0 <= game.seat <= others and NOBODY <= game.ender <= others and NOBODY <= game.mover <= others):
        return True
    if not (0 <= game.phase <= TRUNCATED and 0 <= game.turns_left <= others and game.watching == UNWATCHED):
        return True
    if game.phase < OVER and not game.is_reveal and (game.turns_left > 0) != (game.ender != NOBODY):
        return True
    return not (0 <= game.turns <= rules.max_turns + others and 1 <= game.round_number <= rules.max_rounds)


@kernel
def view_is_wrong(game, rules, observer, view):
    """Is another hidden card shown than those that the observer knows, or is a number missing, or one too many?"""
    for k in range(len(view)):
        view[k] = UNWRITTEN
    write_view(game, rules, observer, view)
    for place in range(rules.players):
        seat = (observer + place) % rules.players
        for cell in range(CELLS):
            is_known = game.knowers[seat, cell] >> observer & 1
            expected = game.cards[seat, cell] if is_known else EMPTY
            if view[at_known(rules) + CELLS * place + cell] != expected:
                return True
    size = at_seats(rules) + 6 * rules.players
    for k in range(len(view)):
        if (view[k] == UNWRITTEN) != (k >= size):
            return True
    return False


@kernel
def find_fault(game, rules, k, view, twin):
    """The number of the first thing that is wrong at this table, or FINE."""
    if playing_cards_are_wrong(game, rules, twin):
        return PLAYING
    if action_cards_are_wrong(game, rules, twin):
        return ACTIONS
    if shown_is_wrong(game, rules):
        return SHOWN
    if pools_are_wrong(game, rules, view, twin) or discards_are_wrong(game, twin):
        return POOLS
    if layouts_are_wrong(game, rules):
        return LAYOUTS
    if knowledge_is_wrong(game, rules):
        return KNOWN
    if phase_is_wrong(game, rules):
        return PHASES
    if k % 4 == 0 and view_is_wrong(game, rules, k // 4 % rules.players, view):
        return VIEW
    return FINE


@kernel
def play_checked(games, rules, seed, deals, episode, limit, eagerness, first_end, work, made):
    """See `campaign.compiled.play.play_and_check`."""
    return play_any(
        table_kernel, find_fault, games, rules, seed, deals, episode, limit, eagerness, first_end, work, made
    )
