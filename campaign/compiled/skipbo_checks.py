"""What holds at every table of Skip-Bo, counted afresh from where the cards lie."""

from campaign.compiled.jit import kernel
from campaign.compiled.play import FAULTS as SHARED_FAULTS
from campaign.compiled.play import FINE, play_and_check
from skipbo_env.kernel.skipbo_kernel import SKIPBO_KERNEL
from skipbo_env.kernel.state import (
    BLOCKED,
    CARDS,
    COPIES,
    DECK,
    HAND,
    MAX_PLAYERS,
    NONE,
    OVER,
    PLACES,
    RANKS,
    RECYCLED_WILD,
    STOPPED,
    TRUNCATED,
    TURN,
    UNSEEN,
    VIEW_OWN,
    VIEW_TABLE,
    WILD,
    WILDS,
    WON,
)
from skipbo_env.kernel.view import write_view

OWN_FAULTS = (
    "cards are lost or made",
    "hands or building piles hold what they cannot",
    "discard piles are miscounted",
    "older, newer and doubtful cards are not all that is unseen",
    "phase, ending and counters contradict each other",
    "an observation is not what its seat can see",
)
FAULTS = (*SHARED_FAULTS, *OWN_FAULTS)
LOST, PLACED, PILES, UNKNOWN, PHASES, VIEW = range(len(SHARED_FAULTS), len(FAULTS))
NOT_TOLD = -1  # what an observation holds in place of what is not counted

play_any, table_kernel = play_and_check, SKIPBO_KERNEL


@kernel
def count_hidden(game, rules, counts):
    """The cards that nobody sees: face-down stock cards, hands, the draw pile; by card."""
    for card in range(WILD + 1):
        counts[card] = 0
    for seat in range(rules.players):
        for k in range(game.stock_left[seat] - 1):
            counts[game.stocks[seat * rules.stock + k]] += 1
        for k in range(game.hand_size[seat]):
            counts[game.hands[seat, k]] += 1
    for k in range(game.draw_left):
        counts[game.piles[DECK - 1 - k]] += 1


@kernel
def count_open(game, rules, counts):
    """Add the cards that lie or lay face up: stock tops, discard piles, building piles, completed cards."""
    for seat in range(rules.players):
        if game.stock_left[seat] > 0:
            counts[game.stocks[seat * rules.stock + game.stock_left[seat] - 1]] += 1
    for k in range(game.laid):
        counts[game.piles[k]] += 1
    for place in range(PLACES):
        for rank in range(1, game.heights[place] + 1):
            counts[WILD if game.wild_ranks[place] >> (rank - 1) & 1 else rank] += 1
    for card in range(1, CARDS + 1):
        counts[card] += game.completed[card - 1]


@kernel
def cards_are_wrong(game, rules, counts):
    """Is the deck not on the table (1.1)? Recycled as played, wild cards may have become natural ones (4.4)."""
    count_hidden(game, rules, counts)
    count_open(game, rules, counts)
    total = counts[NONE]
    for card in range(1, CARDS + 1):
        copies = WILDS if card == WILD else COPIES
        total += counts[card]
        if rules.recycled_wild == RECYCLED_WILD and counts[card] != copies:
            return True
        if card != WILD and counts[card] < copies:
            return True
    return total != DECK or counts[NONE] != 0


@kernel
def places_are_wrong(game, rules):
    """Is there a card behind the end of a hand, none within it, or something impossible on a building place?"""
    for seat in range(MAX_PLAYERS):
        if not 0 <= game.hand_size[seat] <= (HAND if seat < rules.players else 0):
            return True
        for k in range(HAND):
            if (game.hands[seat, k] != NONE) != (k < game.hand_size[seat]):
                return True
    for place in range(PLACES):
        if not 0 <= game.heights[place] < RANKS or game.wild_ranks[place] >> game.heights[place] != 0:
            return True
    return False


@kernel
def piles_are_wrong(game):
    """Do the sizes of the discard piles not add up to where they begin and to how many cards were laid?"""
    start = 0
    for seat in range(MAX_PLAYERS):
        if game.starts[seat] != start:
            return True
        for pile in range(PLACES):
            start += game.sizes[seat, pile]
    return start != game.laid or game.laid + game.draw_left > DECK


@kernel
def unseen_is_wrong(game, rules, counts):
    """Are older and newer cards, less those counted in both, not all unseen cards (8.4, 8.6)?"""
    count_hidden(game, rules, counts)
    for k in range(CARDS):
        if min(game.older[k], game.newer[k], game.doubtful[k]) < 0:
            return True
        if game.older[k] + game.newer[k] - game.doubtful[k] != counts[k + 1]:
            return True
    return False


@kernel
def fits_somewhere(game, card):
    """Does a building place take this card (3.3, 3.4)?"""
    for place in range(PLACES):
        if card == WILD or (card != NONE and card == game.heights[place] + 1):
            return True
    return False


@kernel
def somebody_can_move(game, rules):
    """Is there a card to draw, one in hand, or one on top of a pile that can be played (5.2)?"""
    movable = game.draw_left
    for k in range(CARDS):
        movable += game.completed[k]
    for seat in range(rules.players):
        movable += game.hand_size[seat]
        movable += fits_somewhere(game, game.stocks[seat * rules.stock + game.stock_left[seat] - 1])
        end = game.starts[seat]
        for pile in range(PLACES):
            end += game.sizes[seat, pile]
            if game.sizes[seat, pile] > 0:
                movable += fits_somewhere(game, game.piles[end - 1])
    return movable > 0


@kernel
def phase_is_wrong(game, rules):
    """Do phase, ending, seats and counters contradict each other (5, 6)?"""
    empty = 0
    for seat in range(rules.players):
        empty += game.stock_left[seat] == 0
    if not (TURN <= game.phase <= TRUNCATED and 0 <= game.seat < rules.players and 0 <= game.starter < rules.players):
        return True
    if (game.phase == TRUNCATED) != (game.ending == STOPPED and game.phase >= OVER):
        return True
    if empty != (1 if game.phase == OVER and game.ending == WON else 0):
        return True
    if game.phase == TURN and game.still_turns >= rules.players:
        return True
    if game.phase == OVER and game.ending == BLOCKED and somebody_can_move(game, rules):
        return True
    return not (0 <= game.turns <= rules.max_turns and 1 <= game.round_number <= rules.max_rounds)


@kernel
def write_seats(game, rules, observer, out, at):
    """What an observation tells of every seat; returns where it ends."""
    players = rules.players
    for place in range(players):
        seat = (observer + place) % players
        is_seen = place == 0 or rules.visible != VIEW_OWN
        left = game.stock_left[seat]
        top = game.stocks[seat * rules.stock + left - 1] if left > 0 else NONE
        out[at + place] = top if is_seen or left == 0 else UNSEEN
        out[at + players + place] = left
        out[at + 2 * players + place] = game.hand_size[seat]
        out[at + 3 * players + place] = min(game.totals[seat], 32767)
        end = game.starts[seat]
        for pile in range(PLACES):
            size = game.sizes[seat, pile]
            end += size
            top = game.piles[end - 1] if size > 0 else NONE
            out[at + 4 * players + PLACES * place + pile] = size
            out[at + 8 * players + PLACES * place + pile] = top if is_seen or size == 0 else UNSEEN
        for k in range(HAND):
            odds = game.older_odds[seat, k] if place > 0 else 0
            out[at + 12 * players + HAND * place + k] = odds if rules.visible == VIEW_TABLE else NOT_TOLD
    return at + (12 + HAND) * players


@kernel
def write_discards(game, rules, observer, out, at):
    """What an observation tells of all cards on discard piles, the observer's first."""
    end = at + DECK - rules.players
    for place in range(rules.players):
        seat = (observer + place) % rules.players
        laid = 0
        for pile in range(PLACES):
            laid += game.sizes[seat, pile]
        for k in range(laid):
            out[at] = game.piles[game.starts[seat] + k] if rules.visible == VIEW_TABLE else UNSEEN
            at += 1
    while at < end:
        out[at] = NONE if rules.visible == VIEW_TABLE else UNSEEN
        at += 1


@kernel
def write_expected(game, rules, observer, out):
    """The observation, number by number, as `skipbo_env.observation` explains it."""
    is_table = rules.visible == VIEW_TABLE
    out[0] = game.phase
    out[1] = (game.seat - observer + rules.players) % rules.players
    out[2] = observer
    out[3] = (game.starter - observer + rules.players) % rules.players
    out[4] = game.round_number
    out[5] = game.turns
    out[6] = game.recycles
    out[7] = game.draw_left
    out[8] = game.is_still
    out[9] = game.still_turns
    out[10] = game.older_held if is_table else NOT_TOLD
    at = 11
    for place in range(PLACES):
        out[at + place] = game.heights[place]
        out[at + PLACES + place] = game.wild_ranks[place]
    at += 2 * PLACES
    for k in range(HAND):
        out[at + k] = game.hands[observer, k]
    at += HAND
    for card in range(CARDS):
        own = 0
        for k in range(game.hand_size[observer]):
            own += game.hands[observer, k] == card + 1
        out[at + card] = own
        out[at + CARDS + card] = game.completed[card] if is_table else NOT_TOLD
        out[at + 2 * CARDS + card] = game.older[card] if is_table else NOT_TOLD
        out[at + 3 * CARDS + card] = game.newer[card] if is_table else NOT_TOLD
        out[at + 4 * CARDS + card] = game.doubtful[card] + own if is_table else NOT_TOLD
    at = write_seats(game, rules, observer, out, at + 5 * CARDS)
    write_discards(game, rules, observer, out, at)


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
        return LOST
    if places_are_wrong(game, rules):
        return PLACED
    if piles_are_wrong(game):
        return PILES
    if unseen_is_wrong(game, rules, twin):
        return UNKNOWN
    if phase_is_wrong(game, rules):
        return PHASES
    if k % 4 == 0 and view_is_wrong(game, rules, k // 4 % rules.players, view, twin):
        return VIEW
    return FINE


@kernel
def play_checked(games, rules, seed, deals, episode, limit, eagerness, first_end, work, made):
    """See `campaign.compiled.play.play_and_check`."""
    return play_any(
        table_kernel, find_fault, games, rules, seed, deals, episode, limit, eagerness, first_end, work, made
    )
