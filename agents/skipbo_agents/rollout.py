"""The player that searches: it tries its actions on many guesses at what is hidden, and takes the best on average."""

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import whole_number
from cardtable.errors import AgentError
from cardtable.rollout_search import RolloutSearch
from cardtable.scripted_agent import base_of_search
from skipbo_agents.rollout_loop import try_actions
from skipbo_env.kernel.state import DISCARD, GAME_DTYPE, PASS, PLACES
from skipbo_env.kernel.view import AT_HEIGHTS, at_sizes
from skipbo_env.rules import OFFICIAL, Rules


class RolloutAgent(RolloutSearch):
    """Tries its actions on guesses at the hidden cards, the same ones for all actions, and lets the scripted agent
    `base` play on in all seats for `turns` turns, its own included. It takes the action with the best mean of points
    ahead if that is better by `caution` standard errors than what `base` would do, otherwise the action of `base`.
    `n` guesses are tried for each action on average; step by step the worse half of the actions is dropped (sequential
    halving). With `seconds` it plays for that long at every decision instead. `threads` share the work.

    It chooses one action for all guesses, so it knows no more than its observation. Guessing needs the full view: it
    plays only with `view = "table"`.
    """

    def __init__(
        self,
        rules: Rules = OFFICIAL,
        base: str = "planner",
        n: int = 50,
        turns: int = 6,
        caution: float = 1.0,
        seconds: float = 0.0,
        threads: int = 1,
    ) -> None:
        rules = Rules.check(rules)
        if rules.view != "table":
            raise AgentError(
                f"rollout guesses at hidden cards: it needs view=table, and view={rules.view} shows too little"
            )
        super().__init__(rules, base_of_search(base, rules), n, caution, seconds, threads)
        self.turns = whole_number("turns", turns, 1, 30_000, AgentError)

    def distinct_actions(self, observation: NDArray[np.int16], mask: NDArray[np.int8], first: int) -> NDArray[np.int64]:
        """All legal actions, `first` first, but those that are like another: on a place that takes the same rank, or on
        another empty discard pile.
        """
        building = observation[AT_HEIGHTS : AT_HEIGHTS + PLACES].tolist()
        sizes = observation[at_sizes(self.rules.players) :][:PLACES].tolist()
        found: dict[int, int] = {}
        for action in [first, *np.flatnonzero(mask).tolist()]:
            group, at = divmod(action, PLACES)
            if action < DISCARD:
                at = building.index(building[at])
            elif action < PASS and sizes[at] == 0:
                at = sizes.index(0)
            found.setdefault(PLACES * group + at, action)
        return np.array(list(found.values()), np.int64)

    def try_actions(
        self, observation: NDArray[np.int16], actions: NDArray[np.int64], guesses: range, key: np.uint64
    ) -> NDArray[np.int64]:
        """Every action played from each guess; the margins are points ahead after this many turns."""
        tried, points, games = np.zeros((3, len(actions)), np.int64), np.empty_like(actions), np.zeros(2, GAME_DTYPE)
        players, view = np.repeat(self._base.player, self.rules.players), np.empty_like(observation)
        arguments = observation, self.rules.params, players, actions, guesses.start, guesses.stop, key, self.turns
        try_actions(*arguments, games, view, points, tried[:2], tried[2])
        return tried
