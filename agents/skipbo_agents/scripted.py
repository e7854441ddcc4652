"""The scripted agents by name: each is a compiled script (a file of its name) and its numbers."""

from typing import Any

from cardtable.table.agents.scripted_agent import CompiledScripts, ScriptedAgent
from cardtable.table.checks import brief
from cardtable.table.errors import AgentError
from skipbo_agents import greedy, hpvp
from skipbo_agents.all_scripts import GREEDY, HPVP, PLANNER, RANDOM, decide, decision
from skipbo_agents.player import PLAYER_DTYPE, scripted
from skipbo_env.card_game import SKIPBO
from skipbo_env.rules import OFFICIAL, Rules

COMPILED_SCRIPTS = CompiledScripts(SKIPBO.kernel, {RANDOM: decision}, scripted)


class SkipboScript(ScriptedAgent):
    """A script of Skip-Bo."""

    kind, compiled_player, player_type, decide = SKIPBO, COMPILED_SCRIPTS, PLAYER_DTYPE, staticmethod(decide)


def _code(name: str, word: Any, words: tuple[str, ...]) -> int:
    """Where a parameter that is a word stands among those allowed."""
    if not isinstance(word, str) or word not in words:
        raise AgentError(f"{name}={brief(word)} is not one of {', '.join(words)}")
    return words.index(word)


class RandomAgent(SkipboScript):
    """Plays any legal action, each equally likely.

    With `plays_first` it plays cards as long as it can, and only then discards. With `over=slots` every hand card is
    an action of its own, also beside an equal one.
    """

    script = RANDOM

    def __init__(self, rules: Rules = OFFICIAL, plays_first: bool = False, over: str = "actions") -> None:
        super().__init__(rules, plays_first, _code("over", over, ("actions", "slots")))


class GreedyAgent(SkipboScript):
    """Plays the first card that can be played, of the stock pile, the hand, then the discard piles, on the first place
    that takes it (Strittmatter, section 5.1). It goes through its hand as it was drawn, or by `rank`. It discards the
    first hand card, on the leftmost, the smallest or a random `pile`.
    """

    script = GREEDY

    def __init__(self, rules: Rules = OFFICIAL, pile: str = "leftmost", hand_order: str = "drawn") -> None:
        super().__init__(rules, _code("pile", pile, greedy.PILES), _code("hand_order", hand_order, greedy.HAND_ORDERS))


class HpvpAgent(SkipboScript):
    """Hierarchical Positional Value Play (Strittmatter, section 3): plays the stock card if it can, else the hand card
    that brings a pile nearest to 12, else a discard pile's top, always on the highest pile that takes it. It discards
    its highest card on the pile whose top card is below 12 and the nearest to it, or with `gap=farthest` the farthest.

    Where the paper can be read in several ways: an `empty` pile is ignored unless no pile has a top below 12, or counts
    as a top of zero, or is taken first. A wild card is used as any other, or with `wild_use=last` only when no other
    hand card can be played. On a `tie` between a natural and a wild card, the natural or the wild one is played.
    """

    script = HPVP

    def __init__(
        self,
        rules: Rules = OFFICIAL,
        gap: str = "nearest",
        empty: str = "ignored",
        wild_use: str = "literal",
        tie: str = "natural",
    ) -> None:
        codes = (
            _code("gap", gap, hpvp.GAPS),
            _code("empty", empty, hpvp.EMPTIES),
            _code("wild_use", wild_use, hpvp.WILD_USES),
            _code("tie", tie, hpvp.TIES),
        )
        super().__init__(rules, *codes)


class PlannerAgent(SkipboScript):
    """Searches its turn for the table that is worth most to it, counted in stock cards.

    It plays its stock card with as few wild cards as it can, and keeps wild cards, each worth `wild`, unless they bring
    new cards. It makes room for cards to `draw`, keeps its stock card in `reach`, and leaves the others no pile on
    which their stock cards fit soon (`threat`). It discards where it covers nothing that it needs, preferably on an
    `equal` card.

    The defaults were found by playing against itself (docs/skipbo_agents.md).
    """

    script = PLANNER

    def __init__(
        self,
        rules: Rules = OFFICIAL,
        threat: float = 0.9,
        wild: float = 0.35,
        draw: float = 0.08,
        reach: float = 0.25,
        equal: float = 0.05,
    ) -> None:
        super().__init__(rules, threat, wild, draw, reach, equal)
