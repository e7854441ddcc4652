"""The random numbers of every game: splitmix64 with unbiased bounded numbers (section 10 of docs/rules/skyjo.md)."""

import numpy as np

from cardtable.table.compiling.compiler import inlined_kernel, kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)
FACTOR_2 = np.uint64(0x94D049BB133111EB)
SHIFT_11, SHIFT_27, SHIFT_30, SHIFT_31, SHIFT_32 = map(np.uint64, (11, 27, 30, 31, 32))
PLAYERS = np.uint64(0x0DDB1A5E5BAD5EED)  # sets the players' chance apart from that of the cards
STIR = np.uint64(0xD1342543DE82EF95)  # a multiplier whose bits look random
UNSET = np.uint64(0)  # the state of a player's generator that begins with what the player sees
SIXTEEN_BITS = np.uint64(0xFFFF)
SHIFT_16 = np.uint64(16)
AT_ONCE = np.uint64(8)  # numbers of an observation
ZERO, ONE, TWO, THREE, FOUR = map(np.uint64, range(5))
LOWER_HALF = np.uint64(0xFFFFFFFF)
TWO_TO_32 = np.uint64(1 << 32)
EIGHT = 8  # marks of a mask that are counted at a time


@kernel
def mix(z):
    """Scramble 64 bits, one to one (10.1)."""
    z = (z ^ (z >> SHIFT_30)) * FACTOR_1
    z = (z ^ (z >> SHIFT_27)) * FACTOR_2
    return z ^ (z >> SHIFT_31)


@kernel
def share(number, n):
    """Return the part of 0 to n − 1 in which a random number falls, near enough evenly for players' choices."""
    return np.int64((number >> SHIFT_32) * np.uint64(n) >> SHIFT_32)


@kernel
def below(game, n):
    """Return a number from 0 to n − 1, each equally likely (10.2); `source` is any record with a generator state
    `chance`.
    """
    bound = np.uint64(n)
    while True:
        game.chance += GAMMA
        product = (mix(game.chance) >> SHIFT_32) * bound
        fraction = product & LOWER_HALF
        # A fraction of at least n is always acceptable; only below it is the exact bound worth a division.
        if fraction >= bound or fraction >= TWO_TO_32 % bound:
            return np.int64(product >> SHIFT_32)


@kernel
def shuffle(game, cards, size):
    """Put the first `size` cards into random order (10.2)."""
    for i in range(size - 1, 0, -1):
        j = below(game, i + 1)
        cards[i], cards[j] = cards[j], cards[i]


@kernel
def game_key(seed, deal):
    """Return the key from which every round of a game is dealt (10.3)."""
    return mix(mix(np.uint64(seed) + GAMMA) + np.uint64(deal))


@kernel
def start_round_rng(game):
    """Set the generator to where this round begins, however the rounds before went (10.3)."""
    game.chance = mix(game.key + np.uint64(game.round_number) * GAMMA)


@kernel
def start_round(game):
    """Count the round that begins, and set its turns and its generator to the beginning."""
    game.round_number += 1
    game.turns = 0
    start_round_rng(game)


@kernel
def player_rng_state(key, seat):
    """Return the first state of a generator from a game's key: in games that players imagine, and for learners' seats.

    No agent is handed it: an agent that knew all keys could tabulate it.
    """
    return mix(mix(key ^ PLAYERS) + key + np.uint64(seat) * GAMMA)


@inlined_kernel
def four_numbers(view, at):
    """Four numbers of an observation side by side in 64 bits, which the processor reads at once."""
    low = np.uint64(view[at]) & SIXTEEN_BITS | (np.uint64(view[at + ONE]) & SIXTEEN_BITS) << SHIFT_16
    high = np.uint64(view[at + TWO]) & SIXTEEN_BITS | (np.uint64(view[at + THREE]) & SIXTEEN_BITS) << SHIFT_16
    return low | high << SHIFT_32


@inlined_kernel
def stirred(state, number):
    """Return the state after one more number."""
    state = (state ^ number) * STIR
    return state ^ state >> SHIFT_32


@kernel
def rng_state_of(view):
    """Return the first state of the generator of a player with this observation. The state tells no more than the
    observation: no seed goes in.
    """
    size, even, odd = np.uint64(len(view)), PLAYERS, PLAYERS
    rest = size - size % AT_ONCE
    for k in range(ZERO, rest, AT_ONCE):
        even = stirred(even, four_numbers(view, k))
        odd = stirred(odd, four_numbers(view, k + FOUR))
    for k in range(rest, size):
        even = stirred(even, np.uint64(view[k]) & SIXTEEN_BITS)
    return mix(mix(even) + odd)


@kernel
def next_number(view, player):
    """Return a player's next random number; the record's `chance` is its generator, which begins here if UNSET."""
    if player.chance == UNSET:
        player.chance = rng_state_of(view)
    player.chance += GAMMA
    return mix(player.chance)


@kernel
def write_rng_states(observations, rng_states):
    """Write the first states of the generators at many tables."""
    for table in range(len(observations)):
        rng_states[table] = rng_state_of(observations[table])


@inlined_kernel
def nth_marked(mask, nth):
    """Return the nth action that is marked, from 0; there must be one. Counted in eights, which the processor does at
    once.
    """
    action, last = 0, len(mask) - EIGHT
    while action <= last:
        marked = 0
        for k in range(EIGHT):
            marked += mask[action + k]
        if nth < marked:
            break
        nth -= marked
        action += EIGHT
    while nth > 0 or mask[action] == 0:
        nth -= mask[action]
        action += 1
    return action


@kernel
def random_actions(masks, rng_states, actions):
    """Write a random legal action for every table, or -1 where none is legal, from generator states (10.1)."""
    for table in range(len(masks)):
        mask, legal = masks[table], 0
        for action in range(len(mask)):
            legal += mask[action]
        rng_states[table] += GAMMA
        nth = share(mix(rng_states[table]), legal)
        actions[table] = nth_marked(mask, nth) if legal > 0 else -1


@kernel
def random_fractions(rng_states, fractions):
    """Write a random number in [0, 1) for every generator state."""
    for table in range(len(rng_states)):
        rng_states[table] += GAMMA
        fractions[table] = np.int64(mix(rng_states[table]) >> SHIFT_11) * 2.0**-53
