"""An agent of Skyjo Action that sees every card; see `cardtable.table.agents.peek_search`."""

from cardtable.table.agents.peek_search import PeekSearch
from cardtable.table.kernel.futures import futures_loop
from skyjo_action_agents.all_scripts import decision
from skyjo_action_agents.player import scripted
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_action_env.rules import ACTION, Rules


class PeekAgent(PeekSearch):
    """Sees every card: it plays out the round `n` times for every action, with `base` in all seats and some of its own
    later decisions changed at random, and takes the action that led to the best margin. It is for measuring, in rounds
    whose `cardtable.table.game.card_game.Setup` says `may_peek`.
    """

    kind, exploring = SKYJO_ACTION, 0.15
    try_futures = staticmethod(futures_loop(SKYJO_ACTION.kernel, decision, scripted))

    def __init__(self, rules: Rules = ACTION, base: str = "planner", n: int = 16) -> None:
        super().__init__(rules, base, n)
