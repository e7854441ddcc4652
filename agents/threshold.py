"""The threshold players of the paper (6.2, 6.3): take a discard up to t; place it by fixed rules."""

from agents.board import (
    completed_by,
    confirm,
    least_harm,
    mean_unseen,
    own_card,
    own_hidden,
    random_hidden,
    turn_down,
    worst_open,
)
from agents.jit import scripted
from agents.scripted import ScriptedAgent
from skyjo_env.kernel.state import CONFIRM, DRAW, FIRST_PLACE, OPENING, TAKE, TAKEN, TURN
from skyjo_env.kernel.view import AT_DISCARD_TOP, AT_HAND, AT_PHASE
from skyjo_env.rules import OFFICIAL, Rules


@scripted
def takes(view, mask, rules, t, columns):
    """Is the discard worth taking: not above the threshold, or the last card of a column?"""
    top = view[AT_DISCARD_TOP]
    if top <= t or not mask[DRAW]:
        return True
    return columns and completed_by(view, rules, top, mean_unseen(view, rules)) >= 0


@scripted
def threshold(view, mask, rules, t, columns, chances, table):
    """One decision."""
    phase = view[AT_PHASE]
    if phase == OPENING:
        return rules.first_flip + random_hidden(view, rules, chances, table)
    if phase == TURN:
        return TAKE if takes(view, mask, rules, t, columns) else DRAW
    if phase == CONFIRM:
        return confirm(view, rules)
    card, mean = view[AT_HAND], mean_unseen(view, rules)
    if columns:
        cell = completed_by(view, rules, card, mean)
        if cell >= 0:
            return FIRST_PLACE + cell
    worst = worst_open(view, rules)
    if worst >= 0 and own_card(view, worst) > card:
        return FIRST_PLACE + worst
    if own_hidden(view, rules) > 0 and card < mean:
        return FIRST_PLACE + random_hidden(view, rules, chances, table)
    if phase == TAKEN:
        return least_harm(view, rules, mean, chances, table)
    return turn_down(view, mask, rules, mean, chances, table)


@scripted
def decide(observations, masks, rules, numbers, chances, actions):
    """One decision at every table."""
    t, columns = numbers[0], numbers[1] == 1
    for table in range(len(observations)):
        actions[table] = threshold(observations[table], masks[table], rules[0], t, columns, chances, table)


class ThresholdAgent(ScriptedAgent):
    """Takes a discard of at most `t`, else draws; replaces its highest open card if that is higher than the card in
    hand, else a random hidden card if the card in hand is below the mean of the unseen cards, else discards
    (Reichel 2026, section 6.2). With `columns` it first completes columns, also with a discard (6.3).

    Where the official rules want more than the paper's, it turns up a random hidden card after a discard, and places a
    taken card that it does not want where it does the least expected harm.
    """

    decide = decide

    def __init__(self, rules: Rules = OFFICIAL, t: float = 2.0, columns: bool = False) -> None:
        super().__init__(rules, t, columns)
