"""The naive player of the paper (6.1): always draws, and replaces a random hidden card."""

from agents.board import confirm, random_hidden, turn_down
from agents.jit import scripted
from agents.scripted import ScriptedAgent
from skyjo_env.kernel.state import CONFIRM, DRAW, FIRST_PLACE, OPENING, TAKE, TURN
from skyjo_env.kernel.view import AT_PHASE
from skyjo_env.rules import OFFICIAL, Rules


@scripted
def naive(view, mask, rules, chances, table):
    """One decision."""
    phase = view[AT_PHASE]
    if phase == TURN:
        return DRAW if mask[DRAW] else TAKE
    if phase == CONFIRM:
        return confirm(view, rules)
    cell = random_hidden(view, rules, chances, table)
    if cell < 0:
        return turn_down(view, mask, rules, 0.0, chances, table)
    return (rules.first_flip if phase == OPENING else FIRST_PLACE) + cell


@scripted
def decide(observations, masks, rules, numbers, chances, actions):  # noqa: ARG001 (as for all agents)
    """One decision at every table."""
    for table in range(len(observations)):
        actions[table] = naive(observations[table], masks[table], rules[0], chances, table)


class NaiveAgent(ScriptedAgent):
    """Always draws and replaces a random hidden card, whatever it has drawn (Reichel 2026, section 6.1)."""

    decide = decide

    def __init__(self, rules: Rules = OFFICIAL) -> None:
        super().__init__(rules)
