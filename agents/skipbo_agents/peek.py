"""An agent of Skip-Bo that sees every card; see `cardtable.peek_search`."""

from cardtable.peek_search import PeekSearch
from skipbo_agents.peek_futures import try_futures
from skipbo_env.kernel.state import GAME_DTYPE
from skipbo_env.observation import spec_of
from skipbo_env.rules import OFFICIAL, Rules


class PeekAgent(PeekSearch):
    """Sees every card, even in the draw pile: it plays out the round `n` times for every action, with `base` in all
    seats and some of its own later decisions changed at random, and takes the action that led to the best margin.

    It is for measuring skill against chance. It plays only where it is shown the table itself, in rounds whose
    `cardtable.card_game.Setup` says `may_peek`; everything else refuses it.
    """

    straying, game_type = 0.05, GAME_DTYPE
    spec_of, try_futures = staticmethod(spec_of), staticmethod(try_futures)

    def __init__(self, rules: Rules = OFFICIAL, base: str = "greedy:pile=smallest", n: int = 8) -> None:
        super().__init__(Rules.check(rules), base, n)
