"""A guess at what a seat does not see: a full game consistent with one observation, as likely as its counts say.

It reads nothing but the observation, so a search that starts from here cannot see more than its seat.
"""

import numpy as np

from cardtable.table.kernel.chance import GAMMA, mix
from skipbo_env.kernel.deal import clear_table
from skipbo_env.kernel.jit import kernel
from skipbo_env.kernel.state import (
    BLOCKED,
    CARDS,
    HAND,
    MAX_PLAYERS,
    NOBODY,
    NONE,
    OVER,
    PLACES,
    STOPPED,
    TRUNCATED,
    UNENDED,
    WON,
)
from skipbo_env.kernel.unseen import deal_unseen
from skipbo_env.kernel.view import (
    AT_COMPLETED,
    AT_DECIDER,
    AT_DOUBTFUL,
    AT_DRAW_PILE,
    AT_HAND,
    AT_HAND_COUNTS,
    AT_HEIGHTS,
    AT_IS_STILL,
    AT_NEWER,
    AT_OLDER,
    AT_OLDER_HELD,
    AT_PHASE,
    AT_RECYCLES,
    AT_ROUND,
    AT_SEAT,
    AT_SEATS,
    AT_STARTER,
    AT_STILL_TURNS,
    AT_TURNS,
    AT_WILD_RANKS,
    at_discards,
    at_odds,
    at_sizes,
)


@kernel
def read_table(game, rules, observation):
    """Take over the single numbers of the observation, and the building piles."""
    observer = observation[AT_SEAT]
    game.phase = observation[AT_PHASE]
    game.seat = (observer + observation[AT_DECIDER]) % rules.players
    game.starter = (observer + observation[AT_STARTER]) % rules.players
    game.last_seat, game.last_action = NOBODY, NOBODY
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
            game.sizes[seat, pile] = observation[at_sizes(players) + PLACES * place + pile]
        for k in range(HAND):
            game.older_odds[seat, k] = observation[at_odds(players) + HAND * place + k]
    for k in range(HAND):
        game.hands[observer, k] = observation[AT_HAND + k]


@kernel
def read_discards(game, rules, observation):
    """Lay the discard piles of seat 0 first; the observation begins with those of the observer."""
    players, observer = rules.players, observation[AT_SEAT]
    at = 0
    for seat in range(MAX_PLAYERS):
        game.starts[seat] = at
        for pile in range(PLACES):
            at += np.int64(game.sizes[seat, pile])
    game.laid = at
    read = at_discards(players)
    for place in range(players):
        seat = (observer + place) % players
        end = game.starts[seat + 1] if seat + 1 < MAX_PLAYERS else game.laid
        for k in range(game.starts[seat], end):
            game.piles[k] = observation[read]
            read += 1


@kernel
def guess_ending(game, rules):
    """How the last round ended, as far as it is seen."""
    game.ending = UNENDED
    if game.phase == TRUNCATED:
        game.ending = STOPPED
    if game.phase == OVER:
        game.ending = BLOCKED
        for seat in range(rules.players):
            if game.stock_left[seat] == 0:
                game.ending = WON


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
