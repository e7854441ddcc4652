"""The player that searches: it tries its actions on many guesses at what is hidden, and takes the best on average."""

import numpy as np
from numpy.typing import NDArray

from cardtable.rollout_search import RolloutSearch
from cardtable.scripted_agent import base_of_search
from skyjo_agents.rollout_loop import try_actions
from skyjo_env.kernel.state import FIRST_PLACE, GAME_DTYPE
from skyjo_env.kernel.view import AT_CELLS
from skyjo_env.rules import OFFICIAL, Rules


class RolloutAgent(RolloutSearch):
    """Tries its actions on guesses at the hidden cards, the same ones for all actions, and lets the scripted agent
    `base` play on in all seats. It takes the action with the best mean margin of the round if that is better by
    `caution` standard errors than what `base` would do, otherwise the action of `base`. `n` rounds are played for each
    action on average; step by step the worse half of the actions is dropped (sequential halving). With `seconds` it
    plays for that long at every decision instead. `threads` share the work.

    It chooses one action for all guesses, so it knows no more than its observation.
    """

    def __init__(
        self,
        rules: Rules = OFFICIAL,
        base: str = "tempo",
        n: int = 400,
        caution: float = 1.0,
        seconds: float = 0.0,
        threads: int = 1,
    ) -> None:
        rules = Rules.check(rules)
        super().__init__(rules, base_of_search(base, rules), n, caution, seconds, threads)

    def distinct_actions(self, observation: NDArray[np.int16], mask: NDArray[np.int8], first: int) -> NDArray[np.int64]:
        """All legal actions, `first` first, but those that are like another: on an equal card in an equal column."""
        legal = [first, *np.flatnonzero(mask)]
        if self.rules.row_clear:  # then it matters in which row a card lies
            return np.array(list(dict.fromkeys(legal)), np.int64)
        cards = observation[AT_CELLS : AT_CELLS + self.rules.cells].tolist()
        found: dict[object, int] = {}
        for action in legal:
            kind, cell = divmod(action - FIRST_PLACE, self.rules.cells)  # placed or turned up
            top = cell - cell % self.rules.rows
            alike = (kind, cards[cell], *sorted(cards[top : top + self.rules.rows])) if kind in (0, 1) else action
            found.setdefault(alike, action)
        return np.array(list(found.values()), np.int64)

    def try_actions(
        self, observation: NDArray[np.int16], actions: NDArray[np.int64], guesses: range, key: np.uint64
    ) -> NDArray[np.int64]:
        """Every action played to the end of the round from each guess; the margins are those of the round."""
        tried, points, games = np.zeros((3, len(actions)), np.int64), np.empty_like(actions), np.zeros(2, GAME_DTYPE)
        players, view = np.repeat(self._base.player, self.rules.players), np.empty_like(observation)
        arguments = observation, self.rules.params, players, actions, guesses.start, guesses.stop, key, games, view
        try_actions(*arguments, points, tried[:2], tried[2])
        return tried
