"""The player that searches: it tries its actions on many guesses at the hidden cards, and takes the best on average.

`OracleAgent` tries them on the table itself, of which it sees every card.
"""

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.agents import agents_of
from cardtable.table.agents.oracle_search import OracleSearch
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.agents.scripted_agent import ScriptedAgent
from cardtable.table.checks import check_int
from cardtable.table.errors import AgentError
from cardtable.table.kernel.futures import futures_loop, rollouts_loop
from cardtable.table.kernel.game_kernel import Compiled
from skyjo_agents.all_scripts import decision
from skyjo_agents.network_players import rated_highest, try_with_policies
from skyjo_agents.player import scripted
from skyjo_agents.policy import PolicyAgent
from skyjo_agents.round_ends import points_ahead
from skyjo_env.card_game import SKYJO
from skyjo_env.kernel.state import FIRST_PLACE
from skyjo_env.kernel.view import AT_CELLS
from skyjo_env.rules import OFFICIAL, Rules


class RolloutAgent(RolloutSearch):
    """Tries its actions on guesses at the hidden cards, the same ones for all actions, and lets `base`, a scripted
    agent or a policy, play on in all seats. It takes the action with the best mean margin of the round if that is
    better by `caution` standard errors than what `base` would do, otherwise the action of `base`. `n` rounds are
    played for each action on average; step by step the worse half of the actions is dropped (sequential halving). With
    `seconds` it plays for that long at every decision instead. `threads` share the work. With
    `base=policy,width=4` it tries only the four actions that the policy rates highest; in the final lap, all.

    It chooses one action for all guesses, so it knows no more than its observation.
    """

    card_game = SKYJO
    rules: Rules
    try_with_scripts = staticmethod(rollouts_loop(SKYJO.kernel, decision, points_ahead, scripted))

    def __init__(
        self,
        rules: Rules = OFFICIAL,
        base: str = "tempo",
        n: int = 400,
        caution: float = 1.0,
        seconds: float = 0.0,
        threads: int = 1,
        width: int = 0,
    ) -> None:
        super().__init__(rules, base, n, caution, seconds, threads)
        self.width = check_int("width", width, 0, 99, AgentError)
        if self.width and not isinstance(self.base, PolicyAgent):
            raise AgentError(f"width={width} needs base=policy, which rates the actions")

    def find_base(self, base: str) -> ScriptedAgent:
        """Return the scripted agent or policy that plays on; AgentError if it cannot."""
        if base.partition(":")[0] != "policy":
            return super().find_base(base)
        agent = agents_of(SKYJO).make(base, self.rules)
        assert isinstance(agent, PolicyAgent)
        return agent

    @property
    def try_guesses(self) -> Compiled:
        """The loop in which the base plays on; policies have separate code."""
        return try_with_policies if isinstance(self.base, PolicyAgent) else self.try_with_scripts

    def candidates(self, observation: NDArray[np.int16], mask: NDArray[np.int8], first: int) -> NDArray[np.int64]:
        """Return the actions to try, `first` first; with a width, only those that the policy rates highest."""
        if self.width:
            best = np.empty(len(mask), np.bool_)
            rated_highest(observation, self.rules.params, self.base.player, self.width, best)
            best[first] = True
            mask = mask * best
        return self.distinct_actions(observation, mask, first)

    def effects(self, observation: NDArray[np.int16], mask: NDArray[np.int8]) -> dict[int, Hashable]:
        """Return the effect of every legal action. Actions on equal cards in equal columns have the same effect."""
        legal = np.flatnonzero(mask).tolist()
        if self.rules.row_clear:  # then it matters in which row a card lies
            return {action: action for action in legal}
        cards = observation[AT_CELLS : AT_CELLS + self.rules.cells].tolist()
        effects: dict[int, Hashable] = {}
        for action in legal:
            kind, cell = divmod(action - FIRST_PLACE, self.rules.cells)  # placed or turned up
            top = cell - cell % self.rules.rows
            alike = kind, cards[cell], *sorted(cards[top : top + self.rules.rows])
            effects[action] = alike if kind in (0, 1) else action
        return effects


class OracleAgent(OracleSearch):
    """Sees every card, even in the draw pile: it plays out the round `n` times for every action, with `base` in all
    seats and some of its own later decisions changed at random, and takes the action that led to the best margin.

    It is for measuring skill against chance. It plays only where it is shown the table itself, in rounds whose
    `cardtable.table.game.card_game.Setup` says `reveal_hidden`; everything else refuses it.
    """

    card_game, exploring = SKYJO, 0.15
    try_futures = staticmethod(futures_loop(SKYJO.kernel, decision, scripted))

    def __init__(self, rules: Rules = OFFICIAL, base: str = "tempo", n: int = 32) -> None:
        super().__init__(rules, base, n)
