"""The script of a learned policy: it chooses the legal action that its network rates best."""

import numpy as np

from skyjo_agents.network_play import write_logits
from skyjo_agents.own_board import may_draw, own_card
from skyjo_agents.player import scripted
from skyjo_env.kernel.play import may_flip, may_place
from skyjo_env.kernel.state import CONFIRM, DRAW, DRAWN, EMPTY, FIRST_PLACE, HIDDEN, NOBODY, TAKE, TURN
from skyjo_env.kernel.view import AT_ENDER, AT_PHASE, AT_TURNS

DRAWS_AFTER = 30  # turns of a seat; half of all rounds between two policies are over after 13
TURNS_UP_AFTER = 50  # turns of a seat
ALIKE = 1e-4  # logits that differ by less are equal, as in cardtable.table.agents.policies.policy_file


@scripted
def may(view, rules, action):
    """Return whether this action is legal for the seat that decides."""
    phase = view[AT_PHASE]
    if phase == TURN:
        return action == TAKE or (action == DRAW and may_draw(view))
    if FIRST_PLACE <= action < rules.first_flip:
        return may_place(phase) and own_card(view, action - FIRST_PLACE) != EMPTY
    if rules.first_flip <= action < rules.first_flip + rules.cells:
        return may_flip(rules, phase) and own_card(view, action - rules.first_flip) == HIDDEN
    if action == rules.discard_drawn:
        return phase == DRAWN
    return phase == CONFIRM and (action == rules.clear_lines or action == rules.keep_lines)


@scripted
def best_legal(view, rules, logits):
    """Return the legal action with the highest logit, the first of several within ALIKE of it; a legal one even if
    weights are so large that logits are no numbers.
    """
    best = -1
    for action in range(rules.actions):
        if may(view, rules, action) and (best < 0 or logits[action] > logits[best]):
            best = action
    for action in range(best):
        if logits[action] >= logits[best] - ALIKE and may(view, rules, action):
            return action
    return best


@scripted
def has_lasted(view, rules, turns):
    """Return whether all seats have had this many turns and no seat has ended the round; a final lap ends anyway."""
    return view[AT_TURNS] >= turns * rules.players and view[AT_ENDER] == NOBODY


@scripted
def turn_up_instead(view, rules, action):
    """Turn up a hidden card instead of placing the drawn card on an open one; any other action stays as it is."""
    cell = action - FIRST_PLACE
    if 0 <= cell < rules.cells and own_card(view, cell) != HIDDEN:
        for hidden in range(rules.cells):
            if own_card(view, hidden) == HIDDEN:
                return rules.first_flip + hidden
    return action


@scripted
def moved_on(view, rules, action):
    """Return the same action, or one that ends the round sooner once it has taken long.

    Players that keep exchanging the same discards would never end it; a new card breaks the circle. If they still wait
    for each other, they turn up hidden cards.
    """
    if action == TAKE and has_lasted(view, rules, DRAWS_AFTER) and may_draw(view):
        return DRAW
    if view[AT_PHASE] == DRAWN and has_lasted(view, rules, TURNS_UP_AFTER) and may_flip(rules, DRAWN):
        return turn_up_instead(view, rules, action)
    return action


@scripted
def policy(view, rules, player):
    """Return the decision of a policy."""
    logits = np.empty(rules.actions, np.float32)
    write_logits(view, rules, player.weights, player.layout, logits)
    return moved_on(view, rules, best_legal(view, rules, logits))
