"""An agent that sees every card: not a fair player, but a measure of what knowing the cards is worth."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from cardtable.agents import crew_of
from cardtable.checks import whole_number
from cardtable.errors import AgentError
from cardtable.rollout_search import fresh_keys
from skipbo_agents.compiled_rounds import CREW
from skipbo_agents.peek_futures import try_futures
from skipbo_agents.scripted import ScriptedAgent
from skipbo_env.agents import make_agent
from skipbo_env.kernel.state import GAME_DTYPE
from skipbo_env.observation import spec_of
from skipbo_env.rules import OFFICIAL, Rules

STRAYING = 0.05  # fraction of its later decisions played at random


class PeekAgent:
    """Sees every card, the draw pile's too: it plays the round on `n` times for every action, with `base` in all seats
    and some of its own later decisions changed at random, and takes the action that led to the best margin.

    It is there to measure skill against chance. It plays only where the table itself is shown to it, in
    rounds whose `cardtable.card_game.Setup` says `may_peek`; everything else refuses it.
    """

    is_slow = sees_hidden = True

    def __init__(self, rules: Rules = OFFICIAL, base: str = "greedy:pile=smallest", n: int = 8) -> None:
        self.rules = Rules.check(rules)
        self.n = whole_number("n", n, 1, 10**9, AgentError)
        agent = make_agent(base, rules)
        if crew_of(agent) is not CREW:
            raise AgentError(f"base={base}: only a scripted agent can be the base of a search")
        self._players = np.repeat(cast(ScriptedAgent, agent).player, rules.players)

    def act(self, observations: Any, masks: Any, chances: Any) -> NDArray[np.int64]:  # noqa: ARG002
        """Refuse: an observation does not hold the hidden cards."""
        raise AgentError(
            "peek must be shown the hidden cards: it plays where matches have may_peek=True, and nowhere else"
        )

    def act_knowing(
        self, games: NDArray[Any], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """The best action found for every table, whose whole state is in `games`."""
        actions = np.empty(len(masks), np.int64)
        room, view = np.zeros(2, GAME_DTYPE), np.zeros(spec_of(self.rules).size, np.int16)
        for table, key in enumerate(fresh_keys(chances)):
            room[0] = games[table]
            legal = np.flatnonzero(masks[table])
            points = np.full(len(legal), -np.inf)
            arguments = self.rules.params, self._players.copy(), legal, self.n, STRAYING, key
            try_futures(*arguments, room, view, masks[table].copy(), points)
            actions[table] = legal[points.argmax()]
        return actions
