"""The program in the appendix of Reichel (2026), compiled: what it does, with all that it gets wrong.

Cells are numbered by row. The mean is that of the draw pile itself, which nobody at a table can see; a taken discard
may be laid back; cards of a removed column leave play; after MAX_TURNS turns of single players the boards are counted
as they are. The mean of an empty draw pile raises an error at the beginning of a turn, so a game crashes there, and the
lines that would reshuffle the discards are never reached.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel.chance import below, game_key, shuffle
from skyjo_env.rules import REICHEL
from studies.paper.compiled import compiled

ROWS, COLUMNS = 3, 4
CELLS = ROWS * COLUMNS
DECK_SIZE = 150
MAX_TURNS = 500
GONE = 99  # where a column was removed

ENDED, STOPPED, CRASHED = range(3)  # outcomes of a game; a stopped one is scored as it stands, a crashed one never

# What is counted during a game, index in the counters.
EVENTS = ("turns", "taken", "laid_back", "cleared", "could", "missed", "by_the_mean", "by_the_pile", "needless")
TURNS, TAKEN, LAID_BACK, CLEARED, COULD, MISSED, BY_THE_MEAN, BY_THE_PILE, NEEDLESS = range(9)

STATE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("chance", "u8"),
            ("pile_size", "i8"),
            ("pile_sum", "i8"),
            ("discard_size", "i8"),
            ("pile", "i1", DECK_SIZE),  # the last card is drawn first
            ("discard", "i1", DECK_SIZE),
            ("cards", "i1", (2, CELLS)),
            ("is_open", "i1", (2, CELLS)),
        ],
    ),
    align=True,
)

DECK = np.array([value for value, count in REICHEL.deck for _ in range(count)], np.int8)


@compiled
def draw(state):
    """The last card of the draw pile."""
    state.pile_size -= 1
    card = state.pile[state.pile_size]
    state.pile_sum -= card
    return card


@compiled
def lay_down(state, card):
    """On top of the discard pile."""
    state.discard[state.discard_size] = card
    state.discard_size += 1


@compiled
def nth_hidden(state, player, nth):
    """The hidden cell of a board with `nth` hidden cells before it, or -1."""
    for cell in range(CELLS):
        if state.cards[player, cell] != GONE and not state.is_open[player, cell]:
            if nth == 0:
                return cell
            nth -= 1
    return -1


@compiled
def hidden_cells(state, player):
    """How many cards of a board are hidden."""
    hidden = 0
    for cell in range(CELLS):
        hidden += state.cards[player, cell] != GONE and not state.is_open[player, cell]
    return hidden


@compiled
def deal(state, deck):
    """Shuffle; the first discard; then for each player twelve cards and two open ones at random."""
    state.pile[:] = deck
    shuffle(state, state.pile, DECK_SIZE)
    state.pile_size, state.pile_sum, state.discard_size = DECK_SIZE, 0, 0
    for k in range(DECK_SIZE):
        state.pile_sum += deck[k]
    lay_down(state, draw(state))
    for player in range(2):
        for cell in range(CELLS):
            state.cards[player, cell] = draw(state)
            state.is_open[player, cell] = 0
        for flipped in range(2):
            cell = nth_hidden(state, player, below(state, CELLS - flipped))
            state.is_open[player, cell] = 1


@compiled
def worst_open(state, player):
    """The first of the highest open cards, or -1."""
    worst = -1
    for cell in range(CELLS):
        card = state.cards[player, cell]
        if card != GONE and state.is_open[player, cell] and (worst < 0 or card > state.cards[player, worst]):
            worst = cell
    return worst


@compiled
def completes(state, player, card, cell):
    """Would this card, laid here, complete a column?"""
    if state.cards[player, cell] == GONE:
        return False
    for row in range(ROWS):
        other = cell % COLUMNS + row * COLUMNS
        if other != cell and not (state.is_open[player, other] and state.cards[player, other] == card):
            return False
    return True


@compiled
def could_gain(state, player, card):
    """Is there a column that this card would complete, with points in its other two cards?"""
    if card <= 0:
        return False
    for cell in range(CELLS):
        is_there = state.is_open[player, cell] and state.cards[player, cell] == card
        if completes(state, player, card, cell) and not is_there:
            return True
    return False


@compiled
def remove_complete(state, player):
    """Remove the columns of three equal open cards; return how many."""
    removed = 0
    for column in range(COLUMNS):
        card = state.cards[player, column]
        if card == GONE or not state.is_open[player, column]:
            continue
        if completes(state, player, card, column):
            removed += 1
            for row in range(ROWS):
                state.cards[player, column + row * COLUMNS] = GONE
    return removed


@compiled
def mean_unseen(state, card, is_taken):
    """The mean that the text describes: of all cards unseen as the turn began, a drawn one included."""
    points, cards = np.int64(state.pile_sum), np.int64(state.pile_size)
    if not is_taken:
        points, cards = points + card, cards + 1
    for player in range(2):
        for cell in range(CELLS):
            if state.cards[player, cell] != GONE and not state.is_open[player, cell]:
                points += state.cards[player, cell]
                cards += 1
    return points / cards


@compiled
def hidden_place(state, player, card, hidden, targets):
    """Any hidden cell; with `targets` rather one where the card completes a column."""
    if targets:
        for cell in range(CELLS):
            if not state.is_open[player, cell] and completes(state, player, card, cell):
                return cell
    return nth_hidden(state, player, below(state, hidden))


@compiled
def choose(state, player, card, is_taken, mean, targets, counts):
    """The highest open card if it is higher than this one; else any hidden one if this one is below the mean; else -1.

    Counted, without changing what is done: a column that could be completed, and is not; a choice that the mean
    decides, and that the mean of all unseen cards would change; and an open card replaced though a hidden one is worth
    more.
    """
    worst, hidden = worst_open(state, player), hidden_cells(state, player)
    is_replaced = worst >= 0 and state.cards[player, worst] > card
    is_below = hidden > 0 and card < mean
    chosen = -1
    if is_replaced:
        chosen = worst
    elif is_below:
        chosen = hidden_place(state, player, card, hidden, targets)
    if could_gain(state, player, card):
        counts[COULD] += 1
        counts[MISSED] += chosen < 0 or not completes(state, player, card, chosen)
    if hidden > 0:
        expected = mean_unseen(state, card, is_taken)
        counts[BY_THE_MEAN] += not is_replaced
        counts[BY_THE_PILE] += not is_replaced and is_below != (card < expected)
        counts[NEEDLESS] += is_replaced and state.cards[player, worst] < expected
    return chosen


@compiled
def play_turn(state, player, threshold, targets, counts):
    """Play one turn; False if the program crashes."""
    if state.pile_size == 0:
        return False
    mean = state.pile_sum / state.pile_size
    counts[TURNS] += 1
    is_taken = state.discard[state.discard_size - 1] <= threshold
    if is_taken:
        state.discard_size -= 1
        card = state.discard[state.discard_size]
        counts[TAKEN] += 1
    else:
        card = draw(state)
    cell = choose(state, player, card, is_taken, mean, targets, counts)
    if cell < 0:
        counts[LAID_BACK] += is_taken
        lay_down(state, card)
        return True
    lay_down(state, state.cards[player, cell])
    state.cards[player, cell] = card
    state.is_open[player, cell] = 1
    counts[CLEARED] += remove_complete(state, player)
    return True


@compiled
def play_out(state, threshold, targets, counts):
    """From the deal to the end; returns the outcome."""
    for turn in range(MAX_TURNS):
        player = turn % 2
        if not play_turn(state, player, threshold, targets, counts):
            return CRASHED
        if hidden_cells(state, player) == 0:
            return ENDED if play_turn(state, 1 - player, threshold, targets, counts) else CRASHED
    return STOPPED


@compiled
def play_games(state, deck, threshold, targets, seed, first, scores, outcomes, counts):
    """Games `first`, `first` + 1, ...: scores [games, 2], outcomes [games] and counters [games, events]."""
    for game in range(len(scores)):
        state[0].chance = game_key(seed, np.uint64(first + game))
        deal(state[0], deck)
        outcomes[game] = play_out(state[0], threshold, targets, counts[game])
        for player in range(2):
            scores[game, player] = 0
            for cell in range(CELLS):
                if state[0].cards[player, cell] != GONE:
                    scores[game, player] += state[0].cards[player, cell]


@dataclass(frozen=True)
class Games:
    """The results of some games of the program."""

    scores: NDArray[np.int16]  # [games, 2]; of a crashed game as it stood, which the program never prints
    outcomes: NDArray[np.int8]  # [games]
    counts: NDArray[np.int32]  # [games, EVENTS]


def play_program(threshold: float, games: range, seed: int, *, targets: bool = False) -> Games:
    """Play these games; each depends on nothing but its number, the seed and the threshold.

    With `targets` the program does what the text lists and the appendix lacks: of the hidden cards it replaces one
    where the card completes a column, if there is one.
    """
    scores = np.zeros((len(games), 2), np.int16)
    outcomes = np.zeros(len(games), np.int8)
    counts = np.zeros((len(games), len(EVENTS)), np.int32)
    state = np.zeros(1, STATE_DTYPE)
    play_games(state, DECK, float(threshold), targets, np.uint64(seed), games.start, scores, outcomes, counts)
    return Games(scores, outcomes, counts)
