"""What an action is worth, by playing on from guesses at what is hidden: the compiled part of the search."""

import numpy as np

from cardtable.kernel.chance import GAMMA, SHIFT_11, mix, player_chance, share
from cardtable.kernel.scoring import whole_margin
from skyjo_agents.crew import decision, play_on
from skyjo_agents.player import scripted
from skyjo_env.kernel.play import play
from skyjo_env.kernel.sample import sample
from skyjo_env.kernel.state import OVER, ROUND_EPISODE
from skyjo_env.kernel.view import write_mask, write_view


@scripted
def give_chances(players, rules, key):
    """Every player's generator begins anew."""
    for seat in range(rules.players):
        players[seat].chance = player_chance(key, seat)


@scripted
def try_actions(observation, rules, players, actions, first, last, key, games, view, points, sums, squares):
    """Try the actions on the guesses from `first` up to but without `last`, and let the players play on.

    Adds up the points of each action in `sums[0]`, what it brings more than the first action in `sums[1]`, and the
    squares of that. A guess is the same for all actions, and so are the players' generators. `games` is room for two.
    """
    the_rules = rules[0]
    guess, game = games[0], games[1]
    for number in range(first, last):
        sample(guess, the_rules, observation, mix(key + np.uint64(number) * GAMMA), ROUND_EPISODE)
        for k in range(len(actions)):
            games[1] = games[0]
            give_chances(players, the_rules, guess.key)
            if not play(game, the_rules, actions[k]):
                play_on(game, the_rules, players, view)
            points[k] = whole_margin(game.round_scores, the_rules.players, guess.seat)
        for k in range(len(actions)):
            more = points[k] - points[0]
            sums[0, k] += points[k]
            sums[1, k] += more
            squares[k] += more * more


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
    """As `play_on`, but one seat does anything at all in this share of its decisions."""
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
    """The most that each action brings in so many futures of the true game, which is `games[0]`; see `try_actions`.

    In the first one nobody strays.
    """
    the_rules, game = rules[0], games[1]
    seat = games[0].seat
    for number in range(futures):
        for k in range(len(actions)):
            games[1] = games[0]
            give_chances(players, the_rules, key + np.uint64(number) * GAMMA)
            if not play(game, the_rules, actions[k]):
                stray_on(game, the_rules, players, seat, straying if number > 0 else 0.0, view, mask)
            points[k] = max(points[k], whole_margin(game.round_scores, the_rules.players, seat))
