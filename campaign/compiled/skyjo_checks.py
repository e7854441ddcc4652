"""What holds at every table of Skyjo, counted afresh from where the cards lie."""

from campaign.compiled.jit import kernel
from campaign.compiled.play import FAULTS as SHARED_FAULTS
from campaign.compiled.play import FINE, play_and_check
from skyjo_env.kernel.skyjo_kernel import SKYJO_KERNEL
from skyjo_env.kernel.state import (
    CLEARED_OUT_OF_PLAY,
    DRAWN,
    EMPTY,
    HIDDEN,
    LOWEST,
    NOBODY,
    OVER,
    SPAN,
    TAKEN,
    TRUNCATED,
)
from skyjo_env.kernel.view import write_view

OWN_FAULTS = (
    "cards are lost or made",
    "a board shows what does not lie there",
    "the draw pile is not in one piece",
    "hidden cards, draws or discards are miscounted",
    "the hidden cards or the open sum of a board are miscounted",
    "phase, hand and seats contradict each other",
    "the final scores are not those of the boards",
    "an observation is not what its seat can see",
)
FAULTS = (*SHARED_FAULTS, *OWN_FAULTS)
CARDS, SHOWN, PILES, POOLS, BOARDS, PHASES, FINAL, VIEW = range(len(SHARED_FAULTS), len(FAULTS))

play_any, table_kernel = play_and_check, SKYJO_KERNEL


@kernel
def count_deck(rules, counts):
    """The cards of the deck, by value."""
    for value in range(SPAN):
        counts[value] = 0
    for k in range(rules.deck_size):
        counts[rules.deck[k] - LOWEST] += 1


@kernel
def cards_are_wrong(game, rules, left):
    """Is a card on the table that the deck does not have, or one of the deck nowhere (1.1, 5.6)?"""
    count_deck(rules, left)
    for seat in range(rules.players):
        for cell in range(rules.cells):
            if game.cards[seat, cell] != EMPTY:
                left[game.cards[seat, cell] - LOWEST] -= 1
    for k in range(game.discard_size):
        left[game.piles[k] - LOWEST] -= 1
    for k in range(rules.deck_size - game.pile_left, rules.deck_size):
        left[game.piles[k] - LOWEST] -= 1
    if game.hand != EMPTY:
        left[game.hand - LOWEST] -= 1
    for value in range(SPAN):
        if left[value] < 0 or (left[value] > 0 and rules.cleared_cards != CLEARED_OUT_OF_PLAY):
            return True
    return False


@kernel
def shown_is_wrong(game, rules):
    """Does a board show another card than lies there?"""
    for seat in range(rules.players):
        for cell in range(rules.cells):
            card, shown = game.cards[seat, cell], game.shown[seat, cell]
            if shown != card and (shown != HIDDEN or card == EMPTY):
                return True
    return False


@kernel
def piles_are_wrong(game, rules):
    """Are the parts of the draw pile not one after the other up to the end of the deck (6.5)?"""
    end, parts = rules.deck_size - game.pile_left, rules.players if rules.draw_streams else 1
    for k in range(parts):
        if game.pile_next[k] != end or game.pile_end[k] < end:
            return True
        end = game.pile_end[k]
    return end != rules.deck_size or game.discard_size + game.pile_left > rules.deck_size


@kernel
def count_unseen(game, rules, hidden, draws):
    """The hidden cards of all boards, and the cards to be drawn with a drawn one in hand, by value."""
    for value in range(SPAN):
        hidden[value] = draws[value] = 0
    for seat in range(rules.players):
        for cell in range(rules.cells):
            if game.shown[seat, cell] == HIDDEN:
                hidden[game.cards[seat, cell] - LOWEST] += 1
    for k in range(rules.deck_size - game.pile_left, rules.deck_size):
        draws[game.piles[k] - LOWEST] += 1
    if game.phase == DRAWN:
        draws[game.hand - LOWEST] += 1


@kernel
def pools_are_wrong(game, rules, hidden, draws):
    """Are hidden cards or draws miscounted? Before a reshuffle nobody tells them apart."""
    count_unseen(game, rules, hidden, draws)
    for value in range(SPAN):
        if game.reshuffles == 0:
            hidden[value] += draws[value]
            draws[value] = hidden[value]
        if game.hidden_pool[value] != hidden[value] or game.draw_pool[value] != draws[value]:
            return True
    return False


@kernel
def discards_are_wrong(game, counts):
    """Are the discards miscounted?"""
    for value in range(SPAN):
        counts[value] = 0
    for k in range(game.discard_size):
        counts[game.piles[k] - LOWEST] += 1
    for value in range(SPAN):
        if game.discard_counts[value] != counts[value]:
            return True
    return False


@kernel
def boards_are_wrong(game, rules):
    """Are hidden cards or the sums of open cards miscounted?"""
    for seat in range(rules.players):
        left, total = 0, 0
        for cell in range(rules.cells):
            shown = game.shown[seat, cell]
            left += shown == HIDDEN
            total += shown if shown < HIDDEN else 0
        if game.hidden_left[seat] != left or game.open_sum[seat] != total:
            return True
    return False


@kernel
def phase_is_wrong(game, rules):
    """Do phase, hand, seats and counters contradict each other (4, 7.1 to 7.3, 7.8, 9.4)?"""
    others = rules.players - 1
    if (game.hand != EMPTY) != (game.phase == DRAWN or game.phase == TAKEN):
        return True
    if not (0 <= game.seat <= others and NOBODY <= game.ender <= others and NOBODY <= game.starter <= others):
        return True
    if not (0 <= game.phase <= TRUNCATED and 0 <= game.turns_left <= others):
        return True
    if (game.turns_left > 0) != (game.ender != NOBODY and game.phase < OVER):
        return True
    return not (0 <= game.turns <= rules.max_turns + others and 1 <= game.round_number <= rules.max_rounds)


@kernel
def final_scores_are_wrong(game, rules):
    """After the end: is a score neither the sum of a board nor, for the ender, that times the penalty (7.5 to 7.8)?"""
    for seat in range(rules.players):
        total = 0
        for cell in range(rules.cells):
            total += game.cards[seat, cell] if game.cards[seat, cell] != EMPTY else 0
        may_double = game.phase == OVER and seat == game.ender
        if game.round_scores[seat] != total and not (
            may_double and game.round_scores[seat] == total * rules.penalty_factor
        ):
            return True
    return False


@kernel
def seen_from(rules, seat, observer):
    """How many places clockwise from the observer a seat is; NOBODY stays NOBODY."""
    return (seat - observer + rules.players) % rules.players if seat != NOBODY else NOBODY


@kernel
def write_expected(game, rules, observer, out):
    """The observation, number by number, as `skyjo_env.observation` explains it."""
    is_held = game.phase == DRAWN
    out[0] = game.phase
    out[1] = seen_from(rules, game.seat, observer)
    out[2] = HIDDEN if is_held and game.seat != observer else game.hand
    out[3] = EMPTY if game.discard_size == 0 else game.piles[game.discard_size - 1]
    out[4] = game.pile_left
    out[5] = game.discard_size
    out[6] = seen_from(rules, game.ender, observer)
    out[7] = game.turns_left
    out[8] = seen_from(rules, game.starter, observer)
    out[9] = observer
    out[10] = game.round_number
    out[11] = game.turns
    out[12] = game.reshuffles
    at = 13
    for place in range(rules.players):
        for cell in range(rules.cells):
            out[at] = game.shown[(observer + place) % rules.players, cell]
            at += 1
    for place in range(rules.players):
        seat = (observer + place) % rules.players
        out[at + place] = game.hidden_left[seat]
        out[at + rules.players + place] = game.open_sum[seat]
        out[at + 2 * rules.players + place] = min(max(game.totals[seat], -32767), 32767)
    at += 3 * rules.players
    for k in range(rules.values):
        value = rules.low + k
        own = 1 if is_held and game.seat == observer and game.hand == value else 0
        out[at + k] = game.hidden_pool[value - LOWEST] - (own if game.reshuffles == 0 else 0)
        out[at + rules.values + k] = game.draw_pool[value - LOWEST] - own
        out[at + 2 * rules.values + k] = game.discard_counts[value - LOWEST]
    return at + 3 * rules.values


@kernel
def view_is_wrong(game, rules, observer, view, expected):
    """Is an observation not what is expected, or is anything written behind its end?"""
    for k in range(len(view)):
        view[k] = expected[k] = -99
    write_view(game, rules, observer, view)
    write_expected(game, rules, observer, expected)
    for k in range(len(view)):
        if view[k] != expected[k]:
            return True
    return False


@kernel
def find_fault(game, rules, k, view, twin):
    """The number of the first thing that is wrong at this table, or FINE."""
    if cards_are_wrong(game, rules, twin):
        return CARDS
    if shown_is_wrong(game, rules):
        return SHOWN
    if piles_are_wrong(game, rules):
        return PILES
    if pools_are_wrong(game, rules, view, twin) or discards_are_wrong(game, twin):
        return POOLS
    if boards_are_wrong(game, rules):
        return BOARDS
    if phase_is_wrong(game, rules):
        return PHASES
    if game.phase >= OVER and final_scores_are_wrong(game, rules):
        return FINAL
    if k % 4 == 0 and view_is_wrong(game, rules, k // 4 % rules.players, view, twin):
        return VIEW
    return FINE


@kernel
def play_checked(games, rules, seed, deals, episode, limit, eagerness, first_end, work, made):
    """See `campaign.compiled.play.play_and_check`."""
    return play_any(
        table_kernel, find_fault, games, rules, seed, deals, episode, limit, eagerness, first_end, work, made
    )
