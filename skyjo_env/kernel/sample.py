"""A guess at what a seat does not see: a full game consistent with one observation, uniform over the unseen cards.

It reads nothing but the observation, so a search that starts from here cannot see more than its seat.
"""

from cardtable.table.kernel.chance import GAMMA, mix, shuffle
from skyjo_env.kernel.deal import divide_pile, move_to_end
from skyjo_env.kernel.jit import kernel
from skyjo_env.kernel.state import DRAWN, EMPTY, HIDDEN, LOWEST, NOBODY, OPENING
from skyjo_env.kernel.view import (
    AT_CELLS,
    AT_DECIDER,
    AT_DISCARD_TOP,
    AT_ENDER,
    AT_HAND,
    AT_PHASE,
    AT_RESHUFFLES,
    AT_ROUND,
    AT_SEAT,
    AT_STARTER,
    AT_TURNS,
    AT_TURNS_LEFT,
    at_pools,
    at_seats,
)


@kernel
def absolute_seat(rules, place, observer):
    """The seat that is `place` places clockwise from the observer; NOBODY stays NOBODY."""
    if place < 0:
        return NOBODY
    return (observer + place) % rules.players


@kernel
def read_table(game, rules, observation):
    """Take over the single numbers of the observation."""
    observer = observation[AT_SEAT]
    game.phase = observation[AT_PHASE]
    game.seat = absolute_seat(rules, observation[AT_DECIDER], observer)
    game.hand = observation[AT_HAND]
    game.ender = absolute_seat(rules, observation[AT_ENDER], observer)
    game.last_seat, game.last_action = NOBODY, NOBODY
    game.turns_left = observation[AT_TURNS_LEFT]
    game.starter = absolute_seat(rules, observation[AT_STARTER], observer)
    game.round_number = observation[AT_ROUND]
    game.turns = observation[AT_TURNS]
    game.reshuffles = observation[AT_RESHUFFLES]


@kernel
def read_boards(game, rules, observation):
    """Take over what lies open, and the counts and totals of every seat."""
    players, cells = rules.players, rules.cells
    for place in range(players):
        seat = (observation[AT_SEAT] + place) % players
        for cell in range(cells):
            shown = observation[AT_CELLS + place * cells + cell]
            game.shown[seat, cell] = shown
            game.cards[seat, cell] = shown
        at = at_seats(rules) + place
        game.hidden_left[seat] = observation[at]
        game.open_sum[seat] = observation[at + players]
        game.totals[seat] = observation[at + 2 * players]
        game.round_scores[seat] = 0
        game.cleared[seat] = 0
    game.opening_left = 0
    if game.phase == OPENING:
        game.opening_left = rules.opening_flips - cells + game.hidden_left[game.seat]


@kernel
def read_pools(game, rules, observation):
    """Take over the counts as everybody knows them: without the observer's own knowledge of a card it drew."""
    hidden = at_pools(rules)
    first = rules.low - LOWEST
    game.hidden_pool[:] = 0
    game.draw_pool[:] = 0
    game.discard_counts[:] = 0
    for k in range(rules.values):
        game.hidden_pool[first + k] = observation[hidden + k]
        game.draw_pool[first + k] = observation[hidden + rules.values + k]
        game.discard_counts[first + k] = observation[hidden + 2 * rules.values + k]
    if game.phase == DRAWN and game.hand != HIDDEN:
        game.draw_pool[game.hand - LOWEST] += 1
        if game.reshuffles == 0:
            game.hidden_pool[game.hand - LOWEST] += 1


@kernel
def lay_discards(game, rules, top):
    """The discard pile: its cards are known, their order below the top never matters."""
    game.discard_size = 0
    for card in range(rules.low, rules.low + rules.values):
        for _ in range(game.discard_counts[card - LOWEST] - (1 if card == top else 0)):
            game.piles[game.discard_size] = card
            game.discard_size += 1
    if top != EMPTY:
        game.piles[game.discard_size] = top
        game.discard_size += 1


@kernel
def shuffle_pool(game, rules, observation, at):
    """Write the cards that the observer counts in a pool to game.piles, in random order; return how many."""
    size = 0
    for k in range(rules.values):
        for _ in range(observation[at + k]):
            game.piles[size] = rules.low + k
            size += 1
    shuffle(game, game.piles, size)
    return size


@kernel
def deal_hidden(game, rules, size):
    """Give every hidden cell a card from the end of game.piles[:size]; return how many are left."""
    for seat in range(rules.players):
        for cell in range(rules.cells):
            if game.shown[seat, cell] == HIDDEN:
                size -= 1
                game.cards[seat, cell] = game.piles[size]
    return size


@kernel
def sample(game, rules, observation, key, episode):
    """Make `game` a full game that the observation's seat cannot tell from the real one; `key` decides the guess."""
    game.chance = mix(key + GAMMA)
    game.episode = episode
    read_table(game, rules, observation)
    read_boards(game, rules, observation)
    read_pools(game, rules, observation)
    hidden = at_pools(rules)
    size = deal_hidden(game, rules, shuffle_pool(game, rules, observation, hidden))
    if game.reshuffles > 0:
        size = shuffle_pool(game, rules, observation, hidden + rules.values)
    if game.hand == HIDDEN:
        size -= 1
        game.hand = game.piles[size]
    divide_pile(game, rules, move_to_end(game, rules, size), rules.deck_size)
    lay_discards(game, rules, observation[AT_DISCARD_TOP])
    game.key = mix(game.chance)
