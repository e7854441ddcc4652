"""Players that read a network, beside all scripts.

What they do is compiled only where one of them plays, and looking ahead only where somebody looks ahead.
"""

from skyjo_agents.all_scripts import decision
from skyjo_agents.look_ahead import look
from skyjo_agents.player import scripted
from skyjo_agents.policy_play import policy

POLICY, LOOK = range(100, 102)  # beyond the codes of the scripts


@scripted
def policy_decision(view, rules, player):
    """What a policy or a script does."""
    return policy(view, rules, player) if player.script == POLICY else decision(view, rules, player)


@scripted
def look_decision(view, rules, player):
    """What any player does."""
    return look(view, rules, player) if player.script == LOOK else policy_decision(view, rules, player)


@scripted
def decide_by_policy(observations, rules, players, chances, actions):  # noqa: ARG001 (a policy leaves nothing to chance)
    """One decision of the same policy at every table."""
    for table in range(len(observations)):
        actions[table] = policy(observations[table], rules[0], players[0])


@scripted
def decide_by_look(observations, rules, players, chances, actions):
    """One decision of the same player at every table, each with the table's own generator."""
    player = players[0]
    for table in range(len(observations)):
        player.chance = chances[table]
        actions[table] = look(observations[table], rules[0], player)
        chances[table] = player.chance
