"""Players of Golf: `greedy` is a compiled script, a function of a seat's observation."""

from cardtable.table.agents.scripted_agent import CompiledScripts, ScriptedAgent
from golf_env.card_game import GOLF
from golf_env.kernel import CELLS, DISCARD, DRAW, DRAWN, HIDDEN, PLACE, RANKS, TAKE, TURN, compiled, points

AT_PHASE, AT_HAND, AT_TOP, AT_UNSEEN, AT_LAYOUT = map(GOLF.at, ("phase", "hand", "discard_top", "unseen", "shown"))


@compiled
def mean_of_unseen(view):
    """Return the mean of the cards that nobody has seen."""
    cards, total = 0, 0
    for rank in range(1, RANKS + 1):
        cards += view[AT_UNSEEN + rank]
        total += view[AT_UNSEEN + rank] * points(rank)
    return total / max(cards, 1)


@compiled
def gain(view, cell, card, mean):
    """Return the points that the own layout is expected to lose if a card comes into this cell."""
    old, other = view[AT_LAYOUT + cell], view[AT_LAYOUT + (cell ^ 1)]
    rest = mean if other == HIDDEN else points(other)
    before = 0.0 if old == other != HIDDEN else rest + (mean if old == HIDDEN else points(old))
    return before - (0.0 if card == other else rest + points(card))


@compiled
def greedy(view, rules, player):  # noqa: ARG001
    """Decide by the greatest gain of a single card."""
    mean, phase, best, most = mean_of_unseen(view), view[AT_PHASE], 0, -100.0
    for cell in range(CELLS):
        value = gain(view, cell, view[AT_TOP] if phase == TURN else view[AT_HAND], mean)
        if value > most:
            best, most = cell, value
    if phase == TURN:
        return TAKE if most >= player.numbers[0] else DRAW
    return DISCARD if phase == DRAWN and most <= 0 else PLACE + best


class GreedyAgent(ScriptedAgent, numbers={"least": 3.0}):
    """Takes the discard if that gains `least` points, else draws; puts a card where it gains most, if anything."""

    compiled_player = CompiledScripts(GOLF, greedy)


AGENTS = {"greedy": "golf_env.players:GreedyAgent"}
