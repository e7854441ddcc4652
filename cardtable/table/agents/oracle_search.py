"""An agent that sees every card: not a fair player, but a measure of what knowing the cards is worth."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.rollout_search import fresh_keys
from cardtable.table.agents.scripted_agent import base_of_search
from cardtable.table.checks import check_int
from cardtable.table.errors import AgentError
from cardtable.table.game.card_game import CardGame
from cardtable.table.kernel.game_kernel import Compiled


class OracleSearch:
    """Base of the agents `oracle`: plays out the true round `n` times for every action, with `base` in all seats, and
    changes some of its own later decisions at random.

    It plays only where it is shown the table itself, in rounds whose `Setup` says `reveal_hidden`.
    """

    is_slow = sees_hidden = True
    card_game: ClassVar[CardGame]
    exploring: ClassVar[float]  # fraction of its later decisions played at random
    try_futures: ClassVar[Compiled]  # made by `cardtable.table.kernel.futures.futures_loop`

    def __init__(self, rules: Any, base: str, n: int) -> None:
        self.rules = rules = self.card_game.rules_type.check(rules)
        self.n = check_int("n", n, 1, 10**9, AgentError)
        self._players = np.repeat(base_of_search(base, rules).player, rules.players)

    def act(self, observations: Any, masks: Any, rng_states: Any) -> NDArray[np.int64]:  # noqa: ARG002
        """Refuse: an observation does not hold the hidden cards."""
        raise AgentError("oracle must be shown the hidden cards: it plays only in matches with reveal_hidden=True")

    def act_knowing(
        self, games: NDArray[Any], masks: NDArray[np.int8], rng_states: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Return the best action found for every table, whose whole state is in `games`."""
        actions = np.empty(len(masks), np.int64)
        scratch, view = np.zeros(2, self.card_game.dtype), np.zeros(self.card_game.spec_of(self.rules).size, np.int16)
        for table, key in enumerate(fresh_keys(rng_states)):
            scratch[0] = games[table]
            legal = np.flatnonzero(masks[table])
            points = np.full(len(legal), -np.inf)
            arguments = self.rules.params, self._players.copy(), legal, self.n, self.exploring, key
            self.try_futures(*arguments, scratch, view, masks[table].copy(), points)
            actions[table] = legal[points.argmax()]
        return actions
