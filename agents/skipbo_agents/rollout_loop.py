"""What an action is worth, by playing on from guesses at what is hidden: the compiled part of the search."""

import numpy as np

from cardtable.kernel.chance import GAMMA, mix, player_chance
from cardtable.kernel.scoring import whole_margin
from skipbo_agents.crew import decision
from skipbo_agents.player import scripted
from skipbo_env.kernel.play import play
from skipbo_env.kernel.sample import sample
from skipbo_env.kernel.scoring import CARD_POINTS
from skipbo_env.kernel.state import OVER, ROUND_EPISODE
from skipbo_env.kernel.view import write_view


@scripted
def play_on(game, rules, players, view, turns):
    """Let the players of all seats play on until the round is over, or this many turns of it are."""
    while game.phase < OVER and game.turns < turns:
        write_view(game, rules, game.seat, view)
        play(game, rules, decision(view, rules, players[game.seat]))


@scripted
def points_ahead(game, rules, seat):
    """How many points a seat is ahead of the others, summed over them: those of the round, or while that goes on those
    of the cards that are left in the stock piles (5.4).
    """
    if game.phase >= OVER:
        return -whole_margin(game.round_scores, rules.players, seat)
    ahead = 0
    for other in range(rules.players):
        ahead += game.stock_left[other] - game.stock_left[seat]
    return CARD_POINTS * ahead


@scripted
def try_actions(observation, rules, players, actions, first, last, key, turns, games, view, points, sums, squares):
    """Try the actions on the guesses from `first` up to but without `last`, and let the players play on.

    Adds up the points of each action in `sums[0]`, what it brings more than the first action in `sums[1]`, and the
    squares of that. A guess is the same for all actions, and so are the players' generators. They play until this many
    turns are over, the present one included. `games` is room for two.
    """
    the_rules = rules[0]
    guess, game = games[0], games[1]
    for number in range(first, last):
        sample(guess, the_rules, observation, mix(key + np.uint64(number) * GAMMA), ROUND_EPISODE)
        for k in range(len(actions)):
            games[1] = games[0]
            for seat in range(the_rules.players):
                players[seat].chance = player_chance(guess.key, seat)
            play(game, the_rules, actions[k])
            play_on(game, the_rules, players, view, guess.turns + turns)
            points[k] = points_ahead(game, the_rules, guess.seat)
        for k in range(len(actions)):
            more = points[k] - points[0]
            sums[0, k] += points[k]
            sums[1, k] += more
            squares[k] += more * more
