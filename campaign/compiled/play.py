"""The loop that all games share: deal, choose at random, play, check."""

import numpy as np

from cardtable.kernel.chance import GAMMA, mix, share
from cardtable.kernel.compiler import inlined
from cardtable.kernel.game_kernel import play

LOWEST_ASKED, BEYOND = -2, 3  # actions are also asked about below 0 and above the last
FINE, MASK, STUCK, SCORES = range(4)  # what can be wrong in any game; a game's own faults follow
FAULTS = (
    "nothing",
    "the mask is not what is legal",
    "nobody can decide, or somebody after the end",
    "the scores do not add up",
)


@inlined
def mask_is_wrong(kernel, game, rules, mask):
    """Does the mask contradict what is legal, action by action?"""
    told, legal = kernel.write_mask(game, rules, mask), 0
    for action in range(LOWEST_ASKED, rules.actions + BEYOND):
        is_marked = 0 <= action < rules.actions and mask[action] == 1
        if is_marked != kernel.is_legal(game, rules, action):
            return True
        legal += is_marked
    return legal != told


@inlined
def is_stuck(kernel, game, mask):
    """Is nobody able to decide although the game goes on, or somebody although it is over?"""
    legal = 0
    for action in range(len(mask)):
        legal += mask[action]
    return (legal == 0) != (game.phase >= kernel.over)


@inlined
def scores_are_wrong(game, rules, before, was_scored):
    """Do the totals not grow by the scores of a round that was scored, and by nothing otherwise?"""
    for seat in range(rules.players):
        grown = game.round_scores[seat] if was_scored else 0
        if game.totals[seat] != before[seat] + grown:
            return True
    return False


@inlined
def chosen(mask, chance, first_end, eager):
    """A random legal action; if eager, one below `first_end` if there is one."""
    legal = 0
    for action in range(first_end if eager else len(mask)):
        legal += mask[action]
    end = first_end if eager and legal > 0 else len(mask)
    if legal == 0:
        for action in range(len(mask)):
            legal += mask[action]
    nth = share(mix(chance), legal)
    for action in range(end):
        nth -= mask[action]
        if nth < 0:
            return action
    return -1


@inlined
def play_and_check(kernel, checks, games, rules, seed, deals, episode, limit, eagerness, first_end, work, made):
    """Play this many deals, each up to a limit of decisions; returns the number of a fault.

    `made` gets the decisions of all deals, the deal, and the decisions in it, with which a fault can be found again.
    """
    game, the_rules = games[0], rules[0]
    mask, view, twin, before = work
    chance = mix(seed)
    for deal in range(deals):
        kernel.new_game(game, the_rules, seed, np.uint64(deal), episode)
        made[1] = deal
        for k in range(limit):
            made[2] = k
            if mask_is_wrong(kernel, game, the_rules, mask):
                return MASK
            if is_stuck(kernel, game, mask):
                return STUCK
            fault = checks(game, the_rules, k, view, twin)
            if fault != FINE:
                return fault
            if game.phase >= kernel.over:
                break
            for seat in range(the_rules.players):
                before[seat] = game.totals[seat]
            chance += GAMMA
            eager = np.int64(share(chance * GAMMA, 100)) < eagerness
            was_scored = play(kernel, game, the_rules, chosen(mask, chance, first_end, eager))
            made[0] += 1
            if scores_are_wrong(game, the_rules, before, was_scored):
                return SCORES
    return FINE
