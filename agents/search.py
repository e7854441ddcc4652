"""What an action is worth, by playing on from guesses at what is hidden: the compiled part of the search."""

import numpy as np

from agents.crew import play_on
from agents.player import scripted
from skyjo_env.kernel.chance import GAMMA, mix, player_chance
from skyjo_env.kernel.play import play
from skyjo_env.kernel.sample import sample
from skyjo_env.kernel.state import ROUND_EPISODE


@scripted
def points_for(game, rules, seat):
    """The others' round scores minus the seat's own for each of them: the margin, kept whole."""
    others = 0
    for other in range(rules.players):
        others += game.round_scores[other]
    return others - rules.players * game.round_scores[seat]


@scripted
def give_chances(players, rules, key):
    """Every player's generator begins anew."""
    for seat in range(rules.players):
        players[seat].chance = player_chance(key, seat)


@scripted
def try_actions(observation, rules, players, actions, first, last, key, games, view, points):
    """Add up what each action brings the seat that decides, over the guesses from `first` up to but without `last`.

    A guess is the same for all actions, and so are the players' generators. `games` is room for two.
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
            points[k] += points_for(game, the_rules, guess.seat)
