"""The results of a deal, as compiled code records them, and as everything that measures expects them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.rounds import Rounds
from skipbo_env.kernel.state import BLOCKED, MAX_PLAYERS, NO_CARDS
from skipbo_env.measuring.jit import compiled
from skipbo_env.measuring.luck_terms import TERMS

TRACES = ("completed", "wilds", "stock_left", "turns_taken", "blocked")  # what the rounds leave behind by seat
COMPLETED, WILDS, STOCK_LEFT, TURNS_TAKEN, IS_BLOCKED = range(5)

RESULT_DTYPE = np.dtype(
    (
        np.record,
        [
            ("rounds", "i8"),  # played
            ("turns", "i8"),  # of all rounds
            ("decisions", "i8"),
            ("is_stopped", "i8"),  # too long (5.5)
            ("scores", "i8", MAX_PLAYERS),  # of the round, or totals
            ("traces", "i8", (MAX_PLAYERS, len(TRACES))),
            ("luck", "f8", (MAX_PLAYERS, TERMS)),
        ],
    ),
    align=True,
)


@compiled
def turns_taken(game, rules, seat):
    """How many turns of the round were this seat's."""
    behind = (seat - game.starter) % rules.players
    return (game.turns - behind + rules.players - 1) // rules.players


@compiled
def note_traces(game, rules, result):
    """A round is over, and the table has not been cleared: what does it leave behind?"""
    for seat in range(rules.players):
        result.traces[seat, COMPLETED] += game.completed_piles[seat]
        result.traces[seat, WILDS] += game.wilds_discarded[seat]
        result.traces[seat, STOCK_LEFT] += game.stock_left[seat]
        result.traces[seat, TURNS_TAKEN] += turns_taken(game, rules, seat)
        result.traces[seat, IS_BLOCKED] += game.ending in (BLOCKED, NO_CARDS)


@compiled
def note_scores(game, rules, result, points):
    """A round has been scored or stopped: write its scores to the first places of `points`."""
    result.rounds += 1
    for seat in range(rules.players):
        points[seat] = game.round_scores[seat]


def rounds_of(setup: Setup, results: NDArray[Any], actions: NDArray[np.uint8], points: NDArray[np.int16]) -> Rounds:
    """What the setup asks for; `actions` and `points` (by round and seat) are those of one deal after the other."""
    players, kept = setup.rules.players, None if setup.keep else 0
    scores, traces, luck = (results[name][:, :players].copy() for name in ("scores", "traces", "luck"))
    rounds, turns, decisions = (results[name].copy() for name in ("rounds", "turns", "decisions"))
    return Rounds(
        lower_is_better=False,
        scores=scores,
        rounds=rounds,
        turns=turns,
        is_stopped=results["is_stopped"] != 0,
        traces=traces,
        luck=luck[:, :, : TERMS * setup.with_luck],
        decisions=decisions,
        actions=actions[:kept],
        round_scores=points.reshape(-1, players)[:kept],
        seated=np.tile(np.arange(players), (len(results), 1)),
    )
