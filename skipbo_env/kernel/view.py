"""The observation of a seat, the mask of legal actions, and a guess at the table from the observation.

The class `View` lists every part of an observation; places in the vector follow from it.
"""

from typing import Any

import numpy as np

from cardtable.table.game.slices import Numbers, TableView, codes, others, place_of, seen
from cardtable.table.kernel.chance import GAMMA, mix
from cardtable.table.kernel.copying import copy_eight, copy_four, copy_numbers, fill
from cardtable.table.kernel.views import relative_seat
from skipbo_env import kernel as state
from skipbo_env.kernel import CARDS, COPIES, HAND, NONE, PLACES, RANKS, UNSEEN, WILD, inlined_kernel, kernel
from skipbo_env.kernel.cards import BYTE, LAST_BYTE, ONES, clear_table, pack
from skipbo_env.kernel.unseen import deal_unseen

UNKNOWN = -1  # a count that the seat cannot know (8.2)
MAX_INT16 = 32767  # an observation is 16 bits wide
ZERO, ONE, TWO, THREE, FOUR = map(np.uint64, range(5))
EIGHT, FIFTEEN = map(np.uint64, (8, 15))
SIXTEENS = np.uint64(0x10101010)  # four packed 16s

MAX_OF_CARD = COPIES + state.WILDS  # of one card, where wild cards come back as what they were played as (4.4)
COUNTS = "by card, 1 to 12 and wild"
MARKS = f"{NONE} none, {WILD} wild, {UNSEEN} not seen"
WILD_BITS = "which ranks of every building pile are wild cards: 1 for the rank 1, 2 for 2, 4 for 3, ..."
ODDS = f"the chances that 1 to {HAND} cards of a hand are older, in {state.CERTAIN}ths; the observer's own are 0"
LAID = "the cards of all discard piles one after the other, the observer's first, bottom card first"
DOUBTFUL = f"cards seen that are counted as older or newer, {COUNTS}"


def most_held(rules: Any) -> int:
    """Return the most cards in all hands."""
    return HAND * int(rules.players)


class View(TableView):
    """The observation of a seat."""

    phase: Numbers = seen("choice", 0, state.TRUNCATED, codes(state.PHASES))
    decider: Numbers = seen("choice", 0, others, "who decides, in places clockwise from the observer (0: the observer)")
    seat: Numbers = seen("choice", 0, others, "the observer's own seat number")
    starter: Numbers = seen("choice", 0, others, "who started this round, in places clockwise")
    round: Numbers = seen("number", 1, "max_rounds", "number of the round", usual=10)
    turns: Numbers = seen("number", 0, "max_turns", "turns completed in this round", usual=100)
    recycles: Numbers = seen("number", 0, MAX_INT16, "number of recyclings in this round", usual=5)
    draw_pile_size: Numbers = seen("number", 0, state.DECK, "cards in the draw pile")
    is_still: Numbers = seen("choice", 0, 1, "1 as long as nothing has been drawn or played in this turn")
    still_turns: Numbers = seen("choice", 0, "players", "how many turns in a row have been still")
    older_held: Numbers = seen("number", UNKNOWN, most_held, "older cards in hands at the last recycling")
    building: Numbers = seen("choice", 0, RANKS - 1, "last rank of every building pile, 0 for an empty place", PLACES)
    building_wilds: Numbers = seen("number", 0, 2 ** (RANKS - 1) - 1, WILD_BITS, PLACES)
    hand: Numbers = seen("card", NONE, WILD, f"the observer's hand, first drawn first; {NONE} none, {WILD} wild", HAND)
    hand_counts: Numbers = seen("number", 0, HAND, f"the observer's hand, {COUNTS}", CARDS)
    completed: Numbers = seen("number", UNKNOWN, MAX_OF_CARD, f"completed cards, {COUNTS}", CARDS, usual=COPIES)
    older: Numbers = seen(
        "number", UNKNOWN, MAX_OF_CARD, f"unseen cards that were never shown, {COUNTS}", CARDS, usual=COPIES
    )
    newer: Numbers = seen(
        "number", UNKNOWN, MAX_OF_CARD, f"unseen cards of the last recycling, {COUNTS}", CARDS, usual=COPIES
    )
    doubtful: Numbers = seen("number", UNKNOWN, MAX_OF_CARD, DOUBTFUL, CARDS, usual=COPIES)
    stock_tops: Numbers = seen(
        "card", NONE, UNSEEN, f"top of every stock pile, the observer's first; {MARKS}", "players"
    )
    stock_sizes: Numbers = seen("number", 0, "stock_size", "cards in every stock pile", "players")
    hand_sizes: Numbers = seen("number", 0, HAND, "cards in every hand", "players")
    totals: Numbers = seen("number", 0, MAX_INT16, "totals of all rounds scored", "players", usual="target_score")
    discard_sizes: Numbers = seen("number", 0, state.DECK, "cards on every discard pile", "players", PLACES, usual=10)
    discard_tops: Numbers = seen("card", NONE, UNSEEN, f"top of every discard pile; {MARKS}", "players", PLACES)
    older_odds: Numbers = seen("number", UNKNOWN, state.CERTAIN, ODDS, "players", HAND)
    discards: Numbers = seen("pile", NONE, UNSEEN, LAID, "discard_room")


# Where the single numbers stand, then the building places, the own hand, and what is counted by card.
AT_PHASE, AT_DECIDER, AT_SEAT, AT_STARTER, AT_ROUND, AT_TURNS, AT_RECYCLES, AT_DRAW_PILE = range(8)
AT_IS_STILL, AT_STILL_TURNS, AT_OLDER_HELD, AT_HEIGHTS = range(8, 12)
AT_WILD_RANKS = AT_HEIGHTS + PLACES
AT_HAND = AT_WILD_RANKS + PLACES
AT_HAND_COUNTS = AT_HAND + HAND
AT_COMPLETED, AT_OLDER, AT_NEWER, AT_DOUBTFUL, AT_SEATS = (AT_HAND_COUNTS + CARDS * k for k in range(1, 6))

at_sizes, at_tops = place_of(View, "discard_sizes"), place_of(View, "discard_tops")
at_odds, at_discards = place_of(View, "older_odds"), place_of(View, "discards")


# The observation


@inlined_kernel
def write_table(game, rules, observer, out):
    """Write the single numbers, and the building piles."""
    out[AT_PHASE] = game.phase
    out[AT_DECIDER] = relative_seat(rules, game.seat, observer)
    out[AT_SEAT] = observer
    out[AT_STARTER] = relative_seat(rules, game.starter, observer)
    out[AT_ROUND] = game.round_number
    out[AT_TURNS] = game.turns
    out[AT_RECYCLES] = game.recycles
    out[AT_DRAW_PILE] = game.draw_left
    out[AT_IS_STILL] = game.is_still
    out[AT_STILL_TURNS] = game.still_turns
    out[AT_OLDER_HELD] = game.older_held
    copy_four(game.heights, ZERO, out, np.uint64(AT_HEIGHTS))
    copy_four(game.wild_ranks, ZERO, out, np.uint64(AT_WILD_RANKS))


@inlined_kernel
def write_counts(game, out):
    """Write the cards that any observer can count (8.1, 8.4), without the doubtful cards, which `write_hand` writes."""
    cards = np.uint64(CARDS)
    copy_numbers(game.completed, ZERO, cards, out, np.uint64(AT_COMPLETED))
    copy_numbers(game.older, ZERO, cards, out, np.uint64(AT_OLDER))
    copy_numbers(game.newer, ZERO, cards, out, np.uint64(AT_NEWER))


@inlined_kernel
def write_hand(game, observer, out):
    """Write the observer's own hand, as drawn and counted, and the doubtful cards: to it its own are doubtful too
    (8.6).
    """
    seat, counts = np.uint64(observer), np.uint64(0)  # packed, four bits for each card
    for k in range(np.uint64(HAND)):
        card = np.uint64(game.hands[seat, k])
        out[np.uint64(AT_HAND) + k] = card
        counts += ONE << FOUR * card
    for k in range(np.uint64(CARDS)):
        count = np.int64(counts >> FOUR * (k + ONE) & FIFTEEN)
        out[np.uint64(AT_HAND_COUNTS) + k] = count
        out[np.uint64(AT_DOUBTFUL) + k] = game.doubtful[k] + count


@inlined_kernel
def write_tops(game, seat, out, at):
    """Write the tops of a seat's discard piles."""
    end = np.uint64(game.starts[seat])
    for pile in range(np.uint64(PLACES)):
        size = np.uint64(game.sizes[seat, pile])
        end += size
        top = game.piles[end - np.uint64(size > ZERO)]  # read even if the pile is empty: choosing is faster than a jump
        out[at + pile] = top if size > ZERO else NONE


@inlined_kernel
def write_seats(game, rules, observer, out):
    """Write every seat's stock pile, hand and total, and its discard piles; the observer's first, then clockwise."""
    players, stock, seat = np.uint64(rules.players), np.uint64(rules.stock), np.uint64(observer)
    sizes, odds, at = np.uint64(at_sizes(rules)), np.uint64(at_odds(rules)), np.uint64(AT_SEATS)
    tops = np.uint64(at_tops(rules))
    for place in range(players):
        left = np.uint64(game.stock_left[seat])
        out[at] = game.stocks[seat * stock + left - ONE] if left > ZERO else NONE
        out[at + players] = left
        out[at + players + players] = game.hand_size[seat]
        out[at + players + players + players] = min(game.totals[seat], MAX_INT16)
        copy_four(game.sizes[seat], ZERO, out, sizes)
        write_tops(game, seat, out, tops)
        for k in range(np.uint64(HAND)):
            out[odds + k] = game.older_odds[seat, k] if place > ZERO else 0
        at, sizes, tops, odds = at + ONE, sizes + FOUR, tops + FOUR, odds + np.uint64(HAND)
        seat = seat + ONE if seat + ONE < players else ZERO


@inlined_kernel
def write_discards(game, rules, observer, out):
    """Write the cards of all discard piles, the observer's first, then clockwise."""
    start, laid = np.uint64(at_discards(rules)), np.uint64(game.laid)
    before, room = np.uint64(game.starts[observer]), np.uint64(rules.discard_room)
    if laid + EIGHT > room:
        copy_numbers(game.piles, before, laid - before, out, start)
        copy_numbers(game.piles, ZERO, before, out, start + laid - before)
        fill(out, start + laid, room - laid, NONE)
        return
    fill(out, start, room, NONE)
    for k in range(ZERO, laid - before, EIGHT):  # up to seven numbers too many, which what comes next replaces
        copy_eight(game.piles, before + k, out, start + k)
    for k in range(ZERO, before, EIGHT):
        copy_eight(game.piles, k, out, start + laid - before + k)
    fill(out, start + laid, EIGHT, NONE)


@inlined_kernel
def hide_discards(rules, out):
    """Hide the cards below the tops in a view, and the numbers that follow from them (8.2)."""
    for k in range(AT_COMPLETED, AT_SEATS):
        out[k] = UNKNOWN
    out[AT_OLDER_HELD] = UNKNOWN
    for k in range(at_odds(rules), at_discards(rules)):
        out[k] = UNKNOWN
    for k in range(at_discards(rules), at_discards(rules) + rules.discard_room):
        out[k] = UNSEEN


@inlined_kernel
def hide_others(rules, out):
    """Hide the tops of the others' stock and discard piles in a view (8.2)."""
    for place in range(1, rules.players):
        out[AT_SEATS + place] = UNSEEN if out[AT_SEATS + place] != NONE else NONE
    for k in range(at_tops(rules) + PLACES, at_odds(rules)):
        if out[k] != NONE:
            out[k] = UNSEEN


@inlined_kernel
def write_observation(game, rules, observer, out):
    """Write one seat's observation: all it could know from having watched that can still matter, and nothing else."""
    write_table(game, rules, observer, out)
    write_counts(game, out)
    write_hand(game, observer, out)
    write_seats(game, rules, observer, out)
    write_discards(game, rules, observer, out)
    if rules.visible != state.VIEW_TABLE:
        hide_discards(rules, out)
    if rules.visible == state.VIEW_OWN:
        hide_others(rules, out)


# The mask of legal actions


@inlined_kernel
def write_packed(packed, target, at):
    """Write four packed numbers."""
    target[at], target[at + ONE] = packed & LAST_BYTE, packed >> BYTE & LAST_BYTE
    target[at + TWO], target[at + THREE] = packed >> TWO * BYTE & LAST_BYTE, packed >> THREE * BYTE & LAST_BYTE


@inlined_kernel
def sum_of_packed(packed):
    """Return the sum of four packed numbers."""
    return np.int64(packed * ONES >> THREE * BYTE & LAST_BYTE)


@inlined_kernel
def ranks_taken(game):
    """Return the rank that every building place takes (3.3), packed."""
    return pack(game.heights[0], game.heights[1], game.heights[2], game.heights[3]) + ONES


@inlined_kernel
def places_open(game, rules):
    """Return 1 for every building place that is open to plays, packed: a lower one stands for its equals (7.4)."""
    if rules.symmetric != state.SYMMETRIC_LOWEST:
        return ONES
    a, b, c, d = game.heights[0], game.heights[1], game.heights[2], game.heights[3]
    return pack(1, a != b, c != a and c != b, d != a and d != b and d != c)


@inlined_kernel
def piles_open(game, rules, seat):
    """Return 1 for every discard pile on which a card may be laid: a lower empty pile stands for all empty ones.
    Packed.
    """
    if rules.symmetric != state.SYMMETRIC_LOWEST:
        return ONES
    a, b, c, d = game.sizes[seat, 0] > 0, game.sizes[seat, 1] > 0, game.sizes[seat, 2] > 0, game.sizes[seat, 3] > 0
    return pack(1, b or a, c or (a and b), d or (a and b and c))


@inlined_kernel
def places_for(card, ranks, places):
    """Return 1 for every place on which a card may be played, packed; NONE may be played nowhere.

    Numbers below 16 are equal where no bit differs, and only 16 less no difference still has its fifth bit.
    """
    equal = SIXTEENS - (ranks ^ np.uint64(card) * ONES) >> FOUR & ONES
    return places if card == WILD else equal & places


@inlined_kernel
def mask_hand(game, seat, ranks, places, mask):
    """Mark the plays of hand cards; return how many there are for each place, packed.

    An empty place of the hand marks what stands before the hand cards, the plays of the stock pile.
    """
    plays, seen = np.uint64(0), np.uint64(1)
    for k in range(np.uint64(HAND)):
        card = np.uint64(game.hands[seat, k])
        may = places_for(card, ranks, places)
        write_packed(may, mask, np.uint64(state.PLAY_HAND - PLACES) + FOUR * card)
        plays += may * (ONE - (seen >> card & ONE))  # equal cards are one decision (7.2)
        seen |= ONE << card
    return plays


@inlined_kernel
def mask_piles(game, seat, ranks, places, mask):
    """Mark the plays from the own discard piles; return how many there are for each place, packed."""
    plays, end, at = np.uint64(0), np.uint64(game.starts[seat]), np.uint64(state.PLAY_DISCARD)
    for pile in range(np.uint64(PLACES)):
        size = np.uint64(game.sizes[seat, pile])
        end += size
        top = np.uint64(game.piles[end - np.uint64(size > ZERO)])  # as in `write_tops`
        card = top if size > ZERO else ZERO
        may = places_for(card, ranks, places)
        write_packed(may, mask, at)
        plays += may
        at += FOUR
    return plays


@inlined_kernel
def mask_plays(game, rules, mask):
    """Mark every play (3.2 to 3.4); return how many there are."""
    seat, ranks, places = np.uint64(game.seat), ranks_taken(game), places_open(game, rules)
    plays = mask_hand(game, seat, ranks, places, mask)
    top = np.uint64(game.stocks[seat * np.uint64(rules.stock) + np.uint64(game.stock_left[seat]) - ONE])
    may = places_for(top, ranks, places)
    write_packed(may, mask, np.uint64(state.PLAY_STOCK))
    return sum_of_packed(plays + may + mask_piles(game, seat, ranks, places, mask))


@inlined_kernel
def mask_discards(game, rules, mask):
    """Mark every card that may end the turn on a discard pile (3.8, 3.10); return how many there are."""
    seat, cards, seen = np.uint64(game.seat), ZERO, ZERO
    piles = piles_open(game, rules, seat)
    for k in range(np.uint64(game.hand_size[seat])):
        card = np.uint64(game.hands[seat, k])
        if card != np.uint64(WILD) or rules.discard_wild:
            write_packed(piles, mask, np.uint64(state.DISCARD - PLACES) + FOUR * card)
            cards += ONE - (seen >> card & ONE)
            seen |= ONE << card
    return np.int64(cards) * sum_of_packed(piles)


@inlined_kernel
def write_mask(game, rules, mask):
    """Write 1 for every action that is legal now and 0 for the others; return how many are."""
    fill(mask, ZERO, np.uint64(state.ACTIONS), 0)
    if game.phase != state.TURN:
        return 0
    legal = mask_plays(game, rules, mask)
    if game.hand_size[np.uint64(game.seat)] == 0:
        mask[np.uint64(state.PASS)] = 1
        return legal + 1
    if not rules.compulsory or legal == 0:
        legal += mask_discards(game, rules, mask)
    return legal


# A guess at the whole table, which reads nothing but the observation: it sees no more than its seat


@kernel
def read_table(game, rules, observation):
    """Take over the single numbers of the observation, and the building piles."""
    observer = observation[AT_SEAT]
    game.phase = observation[AT_PHASE]
    game.seat = (observer + observation[AT_DECIDER]) % rules.players
    game.starter = (observer + observation[AT_STARTER]) % rules.players
    game.last_seat, game.last_action = state.NOBODY, state.NOBODY
    game.round_number = observation[AT_ROUND]
    game.turns = observation[AT_TURNS]
    game.recycles = observation[AT_RECYCLES]
    game.draw_left = observation[AT_DRAW_PILE]
    game.is_still = observation[AT_IS_STILL]
    game.still_turns = observation[AT_STILL_TURNS]
    game.older_held = observation[AT_OLDER_HELD]
    for place in range(PLACES):
        game.heights[place] = observation[AT_HEIGHTS + place]
        game.wild_ranks[place] = observation[AT_WILD_RANKS + place]


@kernel
def read_counts(game, observation):
    """Take over the counts as everybody knows them: the observer's own hand is doubtful to itself alone (8.6)."""
    for k in range(CARDS):
        game.completed[k] = observation[AT_COMPLETED + k]
        game.older[k] = observation[AT_OLDER + k]
        game.newer[k] = observation[AT_NEWER + k]
        game.doubtful[k] = observation[AT_DOUBTFUL + k] - observation[AT_HAND_COUNTS + k]


@kernel
def read_seats(game, rules, observation):
    """Take over the open stock cards, the sizes of all piles and hands, the own hand, the chances and the totals."""
    players, observer = rules.players, observation[AT_SEAT]
    game.totals[:] = 0
    game.round_scores[:] = 0
    for place in range(players):
        seat, at = (observer + place) % players, AT_SEATS + place
        left = observation[at + players]
        game.stock_left[seat] = left
        if left > 0:
            game.stocks[seat * rules.stock + left - 1] = observation[at]
        game.hand_size[seat] = observation[at + 2 * players]
        game.totals[seat] = observation[at + 3 * players]
        for pile in range(PLACES):
            game.sizes[seat, pile] = observation[at_sizes(rules) + PLACES * place + pile]
        for k in range(HAND):
            game.older_odds[seat, k] = observation[at_odds(rules) + HAND * place + k]
    for k in range(HAND):
        game.hands[observer, k] = observation[AT_HAND + k]


@kernel
def read_discards(game, rules, observation):
    """Lay the discard piles of seat 0 first; the observation begins with those of the observer."""
    players, observer = rules.players, observation[AT_SEAT]
    at = 0
    for seat in range(state.MAX_PLAYERS):
        game.starts[seat] = at
        for pile in range(PLACES):
            at += np.int64(game.sizes[seat, pile])
    game.laid = at
    read = at_discards(rules)
    for place in range(players):
        seat = (observer + place) % players
        end = game.starts[seat + 1] if seat + 1 < state.MAX_PLAYERS else game.laid
        for k in range(game.starts[seat], end):
            game.piles[k] = observation[read]
            read += 1


@kernel
def guess_ending(game, rules):
    """Write the end of the last round, as far as a seat sees it."""
    game.ending = state.UNENDED
    if game.phase == state.TRUNCATED:
        game.ending = state.STOPPED
    if game.phase == state.OVER:
        game.ending = state.BLOCKED
        for seat in range(rules.players):
            if game.stock_left[seat] == 0:
                game.ending = state.WON


@kernel
def sample(game, rules, observation, key, episode):
    """Make `game` a full game that the observation's seat cannot tell from the real one; `key` decides the guess.

    If no deal fits the observation's counts, `older_held` is set to -1.
    """
    game.chance = mix(key + GAMMA)
    game.episode = episode
    clear_table(game, rules)
    read_table(game, rules, observation)
    read_counts(game, observation)
    read_seats(game, rules, observation)
    read_discards(game, rules, observation)
    guess_ending(game, rules)
    if not deal_unseen(game, rules, observation[AT_SEAT], NONE, observation[:0]):
        game.older_held = -1
    game.key = mix(game.chance)
