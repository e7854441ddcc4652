"""An agent of Skyjo that sees every card; see `cardtable.table.agents.peek_search`."""

from cardtable.table.agents.peek_search import PeekSearch
from cardtable.table.kernel.futures import futures_loop
from skyjo_agents.all_scripts import decision
from skyjo_agents.player import scripted
from skyjo_env.card_game import SKYJO
from skyjo_env.rules import OFFICIAL, Rules


class PeekAgent(PeekSearch):
    """Sees every card, even in the draw pile: it plays out the round `n` times for every action, with `base` in all
    seats and some of its own later decisions changed at random, and takes the action that led to the best margin.

    It is for measuring skill against chance. It plays only where it is shown the table itself, in rounds whose
    `cardtable.table.game.card_game.Setup` says `may_peek`; everything else refuses it.
    """

    kind, exploring = SKYJO, 0.15
    try_futures = staticmethod(futures_loop(SKYJO.kernel, decision, scripted))

    def __init__(self, rules: Rules = OFFICIAL, base: str = "tempo", n: int = 32) -> None:
        super().__init__(rules, base, n)
