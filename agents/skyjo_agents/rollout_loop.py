"""What an action is worth, by playing on from guesses at what is hidden: the compiled part of the search."""

import numpy as np

from cardtable.kernel.chance import GAMMA, mix, player_chance
from cardtable.kernel.compiler import part
from cardtable.kernel.scoring import whole_margin
from skyjo_agents.crew import SCRIPTS
from skyjo_agents.player import scripted
from skyjo_env.kernel.play import play
from skyjo_env.kernel.sample import sample
from skyjo_env.kernel.state import OVER, ROUND_EPISODE
from skyjo_env.kernel.view import write_view


@scripted
def give_chances(players, rules, key):
    """Every player's generator begins anew."""
    for seat in range(rules.players):
        players[seat].chance = player_chance(key, seat)


@part
def play_on(crew, game, rules, players, view):
    """Let the players of all seats play on until the round is over."""
    while game.phase < OVER:
        write_view(game, rules, game.seat, view)
        if play(game, rules, crew.decision(view, rules, players[game.seat])):
            break


@part
def try_each(crew, observation, rules, players, actions, first, last, key, games, view, points, sums, squares):
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
                play_on(crew, game, the_rules, players, view)
            points[k] = whole_margin(game.round_scores, the_rules.players, guess.seat)
        for k in range(len(actions)):
            more = points[k] - points[0]
            sums[0, k] += points[k]
            sums[1, k] += more
            squares[k] += more * more


@scripted
def try_actions(*guesses):
    """`try_each` with scripts that play on."""
    return try_each(SCRIPTS, *guesses)
