"""What an action is worth to somebody who knows every card: the compiled part of `skipbo_agents.peek`."""

import numpy as np

from cardtable.kernel.chance import GAMMA, SHIFT_11, mix, player_chance, share
from skipbo_agents.crew import decision
from skipbo_agents.player import scripted
from skipbo_env.kernel.play import play
from skipbo_env.kernel.scoring import margin
from skipbo_env.kernel.state import OVER
from skipbo_env.kernel.view import write_mask, write_view


@scripted
def any_action(game, rules, player, mask):
    """A random legal action."""
    nth = share(mix(player.chance), write_mask(game, rules, mask))
    for action in range(rules.actions):
        nth -= mask[action]
        if nth < 0:
            return action
    return -1


@scripted
def stray_on(game, rules, players, seat, straying, view, mask):
    """Let the players play the round to its end; one seat does anything at all in this share of its decisions."""
    player = players[seat]
    while game.phase < OVER:
        player.chance += GAMMA
        if game.seat == seat and np.int64(mix(player.chance) >> SHIFT_11) * 2.0**-53 < straying:
            player.chance += GAMMA
            action = any_action(game, rules, player, mask)
        else:
            write_view(game, rules, game.seat, view)
            action = decision(view, rules, players[game.seat])
        if play(game, rules, action):
            break


@scripted
def try_futures(rules, players, actions, futures, straying, key, games, view, mask, points):
    """The most that each action brings in so many futures of the true game, which is `games[0]`.

    In the first one nobody strays. `games[1]` is room.
    """
    the_rules, game = rules[0], games[1]
    seat = games[0].seat
    for number in range(futures):
        for k in range(len(actions)):
            games[1] = games[0]
            for other in range(the_rules.players):
                players[other].chance = player_chance(key + np.uint64(number) * GAMMA, other)
            if not play(game, the_rules, actions[k]):
                stray_on(game, the_rules, players, seat, straying if number > 0 else 0.0, view, mask)
            points[k] = max(points[k], margin(game, the_rules, seat))
