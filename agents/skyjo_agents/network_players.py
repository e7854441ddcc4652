"""Players that read a network, in addition to all scripts.

Their decisions are compiled only where one of them plays, and lookahead only where a player looks ahead. Analyses and
searches ask here for the values of actions and tables.
"""

import numpy as np

from cardtable.table.kernel.futures import rollouts_loop
from cardtable.table.kernel.rounds import decisions_loop
from skyjo_agents.all_scripts import decision
from skyjo_agents.lookahead import (
    SCRATCH_DTYPE,
    add_best,
    add_worth,
    consider_best,
    goes_further,
    guess,
    look,
    weigh_choices,
)
from skyjo_agents.player import scripted
from skyjo_agents.policy_play import policy
from skyjo_agents.round_ends import points_ahead
from skyjo_env.card_game import SKYJO
from skyjo_env.kernel.state import DRAWN, GAME_DTYPE, TAKEN

POLICY, LOOK = range(100, 102)  # beyond the codes of the scripts


@scripted
def policy_decision(view, rules, player):
    """Return the action of a policy or a script."""
    return policy(view, rules, player) if player.script == POLICY else decision(view, rules, player)


@scripted
def look_decision(view, rules, player):
    """Return the action of any player: a search, a policy or a script."""
    return look(view, rules, player) if player.script == LOOK else policy_decision(view, rules, player)


decide_by_policy, decide_by_look = decisions_loop(policy, scripted), decisions_loop(look, scripted)


@scripted
def rated_highest(observation, rules, player, width, considered):
    """Mark the `width` actions that the policy rates highest; in the final lap, all."""
    consider_best(observation, rules[0], player[0], width, considered)


@scripted
def judge_actions(observation, rules, player, width, key, action_values):
    """Write what the `width` actions that the policy rates highest, and those like them, are worth to every seat, in
    points; with a width of 0 all legal ones. NaN for the others.
    """
    network = player[0].weights, player[0].layout
    considered = np.empty(rules[0].actions, np.bool_)
    consider_best(observation, rules[0], player[0], width, considered)
    return weigh_choices(observation, rules[0], considered, *network, player[0].depth, key, action_values)


@scripted
def judge_table(observation, rules, player, key, worth):
    """Write the value of the table to every seat, in points, looking as far ahead as the decision before it."""
    network = player[0].weights, player[0].layout
    games, scratch, view = np.empty(2, GAME_DTYPE), np.empty(1, SCRATCH_DTYPE), np.empty_like(observation)
    guess(games[0], rules[0], observation, key)
    worth[:] = 0
    if games[0].phase in (DRAWN, TAKEN) and goes_further(observation, player[0].depth):
        add_best(games[0], rules[0], *network, key, 1.0, view, worth)
    else:
        add_worth(games, rules[0], *network, key, 1.0, view, scratch[0], worth)


try_with_policies = rollouts_loop(SKYJO.kernel, policy_decision, points_ahead, scripted)
