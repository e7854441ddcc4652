"""What an action is worth to somebody who knows every card: the true game, played on several times.

Each game compiles this with its own functions: `kernel` is its `cardtable.kernel.tables.TableKernel`, and
`decision(view, rules, player)` what a player does.
"""

import numpy as np

from cardtable.kernel.chance import GAMMA, SHIFT_11, mix, player_chance, share
from cardtable.kernel.compiler import part


@part
def any_action(kernel, game, rules, player, mask):
    """A random legal action."""
    nth = share(mix(player.chance), kernel.write_mask(game, rules, mask))
    for action in range(rules.actions):
        nth -= mask[action]
        if nth < 0:
            return action
    return -1


@part
def stray_on(kernel, decision, game, rules, players, seat, straying, view, mask):
    """Let the players play the round to its end; one seat does anything at all in this share of its decisions."""
    player = players[seat]
    while game.phase < kernel.over:
        player.chance += GAMMA
        if game.seat == seat and np.int64(mix(player.chance) >> SHIFT_11) * 2.0**-53 < straying:
            player.chance += GAMMA
            action = any_action(kernel, game, rules, player, mask)
        else:
            kernel.write_view(game, rules, game.seat, view)
            action = decision(view, rules, players[game.seat])
        if kernel.play(game, rules, action):
            break


@part
def try_futures(kernel, decision, rules, players, actions, futures, straying, key, games, view, mask, points):
    """The most that each action brings in so many futures of the true game, which is `games[0]`; `games[1]` is room.

    The players' generators are the same for all actions. In the first future nobody strays.
    """
    the_rules, game = rules[0], games[1]
    seat = games[0].seat
    for number in range(futures):
        for k in range(len(actions)):
            games[1] = games[0]
            for other in range(the_rules.players):
                players[other].chance = player_chance(key + np.uint64(number) * GAMMA, other)
            if not kernel.play(game, the_rules, actions[k]):
                strays = straying if number > 0 else 0.0
                stray_on(kernel, decision, game, the_rules, players, seat, strays, view, mask)
            points[k] = max(points[k], kernel.margin(game, the_rules, seat))
