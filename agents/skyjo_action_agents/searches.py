"""The players that search: on many guesses at the hidden cards, or, as a reference, in the true game."""

import math
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.oracle_search import OracleSearch
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.checks import check_int
from cardtable.table.errors import AgentError
from cardtable.table.kernel.futures import futures_loop, rollouts_loop
from cardtable.table.kernel.scoring import whole_margin
from skyjo_action_agents.all_scripts import decision
from skyjo_action_agents.player import scripted
from skyjo_action_env.card_game import SKYJO_ACTION
from skyjo_action_env.kernel import CELLS, EMPTY, NOBODY, OPEN, OVER, PLACES, STAR
from skyjo_action_env.kernel.cards import points
from skyjo_action_env.kernel.rounds import HELD_POINTS
from skyjo_action_env.kernel.view import AT_OPEN
from skyjo_action_env.rules import ACTION, Rules

# What a layout is expected to score before the end, and in the final lap, fitted to 900 rounds of `planner`: a share of
# the points of each card, none above a limit since a higher one will be replaced, and points for each hidden card.
SHARES, LIMITS, HIDDEN_COSTS = (0.6, 0.4), (4, STAR), (3.0, 5.0)
HELD_WORTH, TURN_WORTH = 4.0, 2.0  # points of an action card that can still be used, and of being on move


@scripted
def expected_score(game, rules, seat):
    """Return what a layout is expected to score, with all cards open."""
    ended, turns, score = np.int64(game.ender != NOBODY), CELLS, float(game.bonus[seat])
    for other in range(rules.players):
        turns = min(turns, game.hidden_left[other])
    for cell in range(CELLS):
        if game.cards[seat, cell] != EMPTY:
            score += SHARES[ended] * min(points(game.cards[seat, cell]), LIMITS[ended])
    held = float(HELD_POINTS) if ended else HELD_WORTH if turns <= 1 else -HELD_WORTH
    score += held * game.held[seat].sum() + HIDDEN_COSTS[ended] * game.hidden_left[seat]
    return score - (TURN_WORTH if game.mover == seat else 0.0)


@scripted
def points_ahead(game, rules, seat):
    """Return a seat's margin in the round, times the number of the others: the expected one if the round goes on."""
    if game.phase >= OVER:
        return whole_margin(game.round_scores, rules.players, seat)
    ahead = -rules.players * expected_score(game, rules, seat)
    for other in range(rules.players):
        ahead += expected_score(game, rules, other)
    return np.int64(math.floor(ahead + 0.5))


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
    """Tries its actions on guesses at the hidden cards, with `base` playing on in all seats for `turns` turns. It takes
    the action with the best mean margin, if that beats the action of `base` by `caution` standard errors. `n` guesses
    are tried for each action on average, or as many as fit in `seconds`, by `threads` threads.
    """

    card_game = SKYJO_ACTION
    try_guesses = staticmethod(rollouts_loop(SKYJO_ACTION.kernel, decision, points_ahead, scripted))

    def __init__(
        self,
        rules: Rules = ACTION,
        base: str = "planner",
        n: int = 24,
        turns: int = 24,
        caution: float = 1.0,
        seconds: float = 0.0,
        threads: int = 1,
    ) -> None:
        super().__init__(rules, base, n, caution, seconds, threads)
        self.turns = check_int("turns", turns, 1, 30_000, AgentError)

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
