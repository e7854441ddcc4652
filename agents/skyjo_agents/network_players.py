"""Players that read a network, beside all scripts.

What they do is compiled only where one of them plays, and looking ahead only where somebody looks ahead.
"""

from cardtable.table.kernel.rounds import decisions_loop
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


decide_by_policy, decide_by_look = decisions_loop(policy, scripted), decisions_loop(look, scripted)
