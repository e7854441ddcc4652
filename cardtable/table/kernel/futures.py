"""The value of actions by playing on: from guesses at the hidden cards, or from the true game.

`decision(view, rules, player)` returns the action of a player.
"""

import numpy as np

from cardtable.table.compiling.compiler import Decorator, inlined
from cardtable.table.kernel.chance import GAMMA, SHIFT_11, mix, player_rng_state, share
from cardtable.table.kernel.game_kernel import ROUND_EPISODE, Compiled, GameKernel, play


@inlined
def any_action(kernel, game, rules, player, mask):
    """Return a random legal action."""
    nth = share(mix(player.chance), kernel.write_mask(game, rules, mask))
    for action in range(rules.actions):
        nth -= mask[action]
        if nth < 0:
            return action
    return -1


@inlined
def play_on(kernel, decision, game, rules, players, seat, exploring, view, mask):
    """Let the players play the round to its end; one seat does anything at all in this share of its decisions."""
    player = players[seat]
    while game.phase < kernel.over:
        player.chance += GAMMA
        if game.seat == seat and np.int64(mix(player.chance) >> SHIFT_11) * 2.0**-53 < exploring:
            player.chance += GAMMA
            action = any_action(kernel, game, rules, player, mask)
        else:
            kernel.write_observation(game, rules, game.seat, view)
            action = decision(view, rules, players[game.seat])
        if play(kernel, game, rules, action):
            break


def futures_loop(kernel: GameKernel, decision: Compiled, compiled: Decorator) -> Compiled:
    """Return the function that tries all actions at one table of this game."""

    @compiled
    def try_futures(rules, players, actions, futures, exploring, key, games, view, mask, points):
        """Write the most that each action brings in so many futures of the true game, which is `games[0]`; `games[1]`
        is working space.

        The players' generators are the same for all actions. No player explores in the first future.
        """
        the_rules, game = rules[0], games[1]
        seat = games[0].seat
        for number in range(futures):
            for k in range(len(actions)):
                games[1] = games[0]
                for other in range(the_rules.players):
                    players[other].chance = player_rng_state(key + np.uint64(number) * GAMMA, other)
                if not play(kernel, game, the_rules, actions[k]):
                    share_at_random = exploring if number > 0 else 0.0
                    play_on(kernel, decision, game, the_rules, players, seat, share_at_random, view, mask)
                points[k] = max(points[k], kernel.margin(game, the_rules, seat))

    return try_futures


GAINED, SQUARES, POINTS = range(3)  # rows of what rollouts add up; the points of seat 0, and below those of the others


def rollouts_loop(kernel: GameKernel, decision: Compiled, points_ahead: Compiled, compiled: Decorator) -> Compiled:
    """Return the function that tries actions on guesses at one table of this game. `points_ahead(game, rules, seat)`
    values its end, as a whole number.
    """

    @compiled
    def try_actions(observation, rules, players, actions, first, last, key, turns, games, view, tried):
        """Try the actions on the guesses from `first` up to but without `last`, and let the players play on.

        Adds, for every action: in `tried[GAINED]` its gain for the seat that decides over the first action, in
        `tried[SQUARES]` the square of that, and from `tried[POINTS]` on the points of every seat. A guess is the same
        for all actions, and so are the players' generators. They play until this many turns are over, the present one
        included, or the round is. `games` is working space for two.
        """
        the_rules = rules[0]
        guess, game = games[0], games[1]
        of_first = 0
        for number in range(first, last):
            kernel.sample(guess, the_rules, observation, mix(key + np.uint64(number) * GAMMA), ROUND_EPISODE)
            for k in range(len(actions)):
                games[1] = games[0]
                for seat in range(the_rules.players):
                    players[seat].chance = player_rng_state(guess.key, seat)
                play(kernel, game, the_rules, actions[k])
                while game.phase < kernel.over and game.turns < guess.turns + turns:
                    kernel.write_observation(game, the_rules, game.seat, view)
                    play(kernel, game, the_rules, decision(view, the_rules, players[game.seat]))
                for seat in range(the_rules.players):
                    tried[POINTS + seat, k] += points_ahead(game, the_rules, seat)
                own = points_ahead(game, the_rules, guess.seat)
                of_first = own if k == 0 else of_first
                tried[GAINED, k] += own - of_first
                tried[SQUARES, k] += (own - of_first) ** 2

    return try_actions
