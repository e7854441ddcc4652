"""All scripts together, so that decisions at many tables and whole rounds are one call of compiled code."""

import numpy as np

from agents.board import confirm, may_draw, random_hidden
from agents.expected import expected
from agents.naive import naive
from agents.player import scripted
from agents.tempo import tempo
from agents.threshold import threshold
from skyjo_env.kernel.chance import player_chance
from skyjo_env.kernel.deal import new_game
from skyjo_env.kernel.play import play
from skyjo_env.kernel.rewards import final_score
from skyjo_env.kernel.state import CONFIRM, OPENING, OVER, TAKE, TRUNCATED, TURN
from skyjo_env.kernel.view import AT_PHASE, write_view

NAIVE, THRESHOLD, EXPECTED, TEMPO = range(4)


@scripted
def decision(view, rules, player):
    """What a player does. All open at random, clear what costs points, and take the discard if nothing can be drawn."""
    phase = view[AT_PHASE]
    if phase == OPENING:
        return rules.first_flip + random_hidden(view, rules, player)
    if phase == CONFIRM:
        return confirm(view, rules)
    if phase == TURN and not may_draw(view):
        return TAKE
    if player.script == THRESHOLD:
        return threshold(view, rules, player)
    if player.script == EXPECTED:
        return expected(view, rules, player)
    if player.script == TEMPO:
        return tempo(view, rules, player)
    return naive(view, rules, player)


@scripted
def decide(observations, rules, players, chances, actions):
    """One decision of the same player at every table, each with the table's own generator."""
    player = players[0]
    for table in range(len(observations)):
        player.chance = chances[table]
        actions[table] = decision(observations[table], rules[0], player)
        chances[table] = player.chance


@scripted
def play_on(game, rules, players, view):
    """Let the players of all seats play on until the round is over."""
    while game.phase < OVER:
        write_view(game, rules, game.seat, view)
        if play(game, rules, decision(view, rules, players[game.seat])):
            break


@scripted
def play_deals(games, rules, players, seed, first, episode, view, scores, rounds, turns, stopped):
    """A round or game of one deal after another, the same players in the same seats."""
    game, the_rules = games[0], rules[0]
    for k in range(len(turns)):
        new_game(game, the_rules, seed, first + np.uint64(k), episode)
        for seat in range(the_rules.players):
            players[seat].chance = player_chance(game.key, seat)
        while game.phase < OVER:
            play_on(game, the_rules, players, view)
        for seat in range(the_rules.players):
            scores[k, seat] = final_score(game, seat)
        rounds[k], turns[k] = game.round_number, game.turns
        stopped[k] = game.phase == TRUNCATED
