"""The agents that search: over many guesses at the hidden cards, or, to measure chance, with all cards open."""

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from cardtable.table.agents.oracle_search import OracleSearch
from cardtable.table.agents.rollout_search import RolloutSearch
from cardtable.table.checks import check_int
from cardtable.table.errors import AgentError
from cardtable.table.kernel.futures import futures_loop, rollouts_loop
from cardtable.table.kernel.scoring import whole_margin
from skipbo_agents.player import scripted
from skipbo_agents.scripted import decision
from skipbo_env.card_game import SKIPBO
from skipbo_env.kernel import DISCARD, OVER, PASS, PLACES
from skipbo_env.kernel.play import CARD_POINTS
from skipbo_env.kernel.view import AT_HEIGHTS, at_sizes
from skipbo_env.rules import OFFICIAL, Rules


@scripted
def points_ahead(game, rules, seat):
    """Return the points by which a seat is ahead of the others, summed over them. The scores of the round count once it
    is over. Before that, the cards left in the stock piles count (5.4).
    """
    if game.phase >= OVER:
        return -whole_margin(game.round_scores, rules.players, seat)
    ahead = 0
    for other in range(rules.players):
        ahead += game.stock_left[other] - game.stock_left[seat]
    return CARD_POINTS * ahead


@scripted
def first_alike(observation, rules, action):
    """Return the first action with the same effect: places for the same rank are alike, and so are empty piles."""
    place, same, sizes = action % PLACES, 0, at_sizes(rules)
    if action < DISCARD:
        while observation[AT_HEIGHTS + same] != observation[AT_HEIGHTS + place]:
            same += 1
    elif action < PASS and observation[sizes + place] == 0:
        while observation[sizes + same] > 0:
            same += 1
    else:
        return action
    return action - place + same


class RolloutAgent(RolloutSearch):
    """Tries its actions on guesses at the hidden cards, the same ones for all actions, and lets the scripted agent
    `base` play on in all seats for `turns` turns, its own included. It takes the action with the best mean of points
    ahead if that is better by `caution` standard errors than what `base` would do, otherwise the action of `base`.
    `n` guesses are tried for each action on average; step by step the worse half of the actions is dropped (sequential
    halving). With `seconds` it plays for that long at every decision instead. `threads` share the work.

    It chooses one action for all guesses, so it knows no more than its observation. Guessing needs the full view: it
    plays only with `view = "table"`.
    """

    card_game = SKIPBO
    rules: Rules
    try_guesses = staticmethod(rollouts_loop(SKIPBO.kernel, decision, points_ahead, scripted))

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
        super().__init__(rules, base, n, caution, seconds, threads)
        if self.rules.view != "table":
            raise AgentError(
                f"rollout guesses at hidden cards: it needs view=table, and view={self.rules.view} shows too little"
            )
        self.turns = check_int("turns", turns, 1, 30_000, AgentError)

    def effects(self, observation: NDArray[np.int16], mask: NDArray[np.int8]) -> dict[int, Hashable]:
        """Return the effect of every legal action, as `first_alike` gives it."""
        legal, rules = np.flatnonzero(mask).tolist(), self.rules.params[0]
        return {action: first_alike(observation, rules, action) for action in legal}


class OracleAgent(OracleSearch):
    """Sees every card, even in the draw pile: it plays out the round `n` times for every action, with `base` in all
    seats and some of its own later decisions changed at random, and takes the action that led to the best margin.

    It is for measuring skill against chance. It plays only where it is shown the table itself, in rounds whose
    `cardtable.table.game.card_game.Setup` says `reveal_hidden`; everything else refuses it.
    """

    card_game, exploring = SKIPBO, 0.05
    try_futures = staticmethod(futures_loop(SKIPBO.kernel, decision, scripted))

    def __init__(self, rules: Rules = OFFICIAL, base: str = "greedy:pile=smallest", n: int = 8) -> None:
        super().__init__(rules, base, n)
