"""The players that search: on many guesses at the hidden cards, or, as a reference, in the true game."""

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.oracle_search import OracleSearch
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.kernel.futures import futures_loop, rollouts_loop
from cardtable.table.kernel.scoring import whole_margin
from skyjo_action_agents.all_scripts import decision
from skyjo_action_agents.player import scripted
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_action_env.kernel import OPEN, PLACES
from skyjo_action_env.kernel.view import AT_OPEN
from skyjo_action_env.rules import ACTION, Rules


@scripted
def points_ahead(game, rules, seat):
    """Return a seat's margin in the round, times the number of the others."""
    return whole_margin(game.round_scores, rules.players, seat)


@scripted
def first_alike(observation, rules, action):  # noqa: ARG001  # searches pass the rules
    """Return the first action with the same effect: to take one of equal open action cards is the same."""
    if not OPEN <= action < OPEN + PLACES:
        return action
    same = OPEN
    while observation[AT_OPEN + same - OPEN] != observation[AT_OPEN + action - OPEN]:
        same += 1
    return same


class RolloutAgent(RolloutSearch):
    """Tries its actions on guesses at the hidden cards, with `base` playing on in all seats. It takes the action with
    the best mean margin of the round, if that beats the action of `base` by `caution` standard errors. `n` rounds are
    played for each action on average, or as many as fit in `seconds`, by `threads` threads.
    """

    card_game = SKYJO_ACTION
    try_guesses = staticmethod(rollouts_loop(SKYJO_ACTION.kernel, decision, points_ahead, scripted))

    def __init__(
        self,
        rules: Rules = ACTION,
        base: str = "planner",
        n: int = 20,
        caution: float = 1.0,
        seconds: float = 0.0,
        threads: int = 1,
    ) -> None:
        super().__init__(rules, base, n, caution, seconds, threads)

    def effects(self, observation: NDArray[np.int16], mask: NDArray[np.int8]) -> dict[int, Hashable]:
        """Return the effect of every legal action, as `first_alike` gives it."""
        legal, rules = np.flatnonzero(mask).tolist(), self.rules.params[0]
        return {action: first_alike(observation, rules, action) for action in legal}


class OracleAgent(OracleSearch):
    """Sees every card: it plays out the round `n` times for every action, with `base` in all seats and some of its own
    later decisions changed at random, and takes the action that led to the best margin. It is for measuring, in rounds
    whose `cardtable.table.game.card_game.Setup` says `reveal_hidden`.
    """

    card_game, exploring = SKYJO_ACTION, 0.15
    try_futures = staticmethod(futures_loop(SKYJO_ACTION.kernel, decision, scripted))

    def __init__(self, rules: Rules = ACTION, base: str = "planner", n: int = 16) -> None:
        super().__init__(rules, base, n)
