"""The scripted agents by name: each is a compiled script and its numbers.

All scripts are one compiled function, so that decisions at many tables and whole rounds are one call.
"""

from cardtable.table.agents.scripted_agent import CompiledScripts, ScriptedAgent
from skipbo_agents.paper_players import (
    EMPTIES,
    GAPS,
    HAND_ORDERS,
    PILES,
    TIES,
    WILD_USES,
    greedy,
    hpvp,
    random_play,
)
from skipbo_agents.planner import planner
from skipbo_agents.player import PLAYER_DTYPE, scripted
from skipbo_env.card_game import SKIPBO

RANDOM, GREEDY, HPVP, PLANNER = range(4)


@scripted
def decision(view, rules, player):
    """Return the action of a player, by its script."""
    if player.script == GREEDY:
        return greedy(view, rules, player)
    if player.script == HPVP:
        return hpvp(view, rules, player)
    if player.script == PLANNER:
        return planner(view, rules, player)
    return random_play(view, rules, player)


class SkipboScript(ScriptedAgent):
    """A script of Skip-Bo."""

    compiled_player = CompiledScripts(SKIPBO, decision, PLAYER_DTYPE)


class RandomAgent(SkipboScript, numbers={"plays_first": False, "over": ("actions", "slots")}):
    """Plays any legal action, each equally likely.

    With `plays_first` it plays cards as long as it can, and only then discards. With `over=slots` every hand card is a
    separate action, even next to an equal one.
    """

    script = RANDOM


class GreedyAgent(SkipboScript, numbers={"pile": PILES, "hand_order": HAND_ORDERS}):
    """Plays the first card that can be played, of the stock pile, the hand, then the discard piles, on the first place
    that takes it (Strittmatter, section 5.1). It goes through its hand as it was drawn, or by `rank`. It discards the
    first hand card, on the leftmost, the smallest or a random `pile`.
    """

    script = GREEDY


READINGS = {"gap": GAPS, "empty": EMPTIES, "wild_use": WILD_USES, "tie": TIES}


class HpvpAgent(SkipboScript, numbers=READINGS):
    """Hierarchical Positional Value Play (Strittmatter, section 3): plays the stock card if it can, else the hand card
    that brings a pile nearest to 12, else a discard pile's top, always on the highest pile that takes it. It discards
    its highest card on the pile whose top card is below 12 and the nearest to it, or with `gap=farthest` the farthest.

    Where the paper can be read in several ways: an `empty` pile is ignored unless no pile has a top below 12, or counts
    as a top of zero, or is taken first. A wild card is used as any other, or with `wild_use=last` only when no other
    hand card can be played. On a `tie` between a natural and a wild card, the natural or the wild one is played.
    """

    script = HPVP


class PlannerAgent(SkipboScript, numbers={"threat": 0.9, "wild": 0.35, "draw": 0.08, "reach": 0.25, "equal": 0.05}):
    """Searches its turn for the table that is worth most to it, counted in stock cards.

    It plays its stock card with as few wild cards as it can, and keeps wild cards, each worth `wild`, unless they bring
    new cards. It makes room for cards to `draw`, keeps its stock card in `reach`, and leaves the others no pile on
    which their stock cards fit soon (`threat`). It discards where it covers nothing that it needs, preferably on an
    `equal` card.

    The defaults were found by playing against itself.
    """

    script = PLANNER
