"""The results of a deal, as compiled code records them, and as everything that measures expects them."""

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Setup
from cardtable.rounds import Rounds
from skyjo_env.kernel.state import MAX_PLAYERS
from skyjo_env.measuring.jit import compiled
from skyjo_env.measuring.luck_terms import TERMS

RESULT_DTYPE = np.dtype(
    (
        np.record,
        [
            ("rounds", "i8"),  # played
            ("turns", "i8"),  # of all rounds
            ("decisions", "i8"),
            ("is_stopped", "i8"),  # too long (7.8)
            ("scores", "i8", MAX_PLAYERS),  # of the round, or totals
            ("cleared", "i8", MAX_PLAYERS),  # cells that were empty at the ends of the rounds
            ("luck", "f8", (MAX_PLAYERS, TERMS)),
        ],
    ),
    align=True,
)


@compiled
def note_round(game, rules, result, turns, points):
    """A round is over: its turns, its cleared cells, and its scores behind those of the rounds before."""
    at = result.rounds * rules.players
    result.rounds += 1
    result.turns += turns
    for seat in range(rules.players):
        points[at + seat] = game.round_scores[seat]
        result.cleared[seat] += game.cleared[seat]


def rounds_of(setup: Setup, results: NDArray[np.void], actions: NDArray[np.uint8], points: NDArray[np.int16]) -> Rounds:
    """What the setup asks for; `actions` and `points` (by round and seat) are those of one deal after the other."""
    players, kept = setup.rules.players, None if setup.keep else 0
    scores, cleared, luck = (results[name][:, :players].copy() for name in ("scores", "cleared", "luck"))
    rounds, turns, decisions = (results[name].copy() for name in ("rounds", "turns", "decisions"))
    return Rounds(
        lower_is_better=True,
        scores=scores,
        rounds=rounds,
        turns=turns,
        is_stopped=results["is_stopped"] != 0,
        traces=cleared[:, :, None],
        luck=luck[:, :, : TERMS * setup.with_luck],
        decisions=decisions,
        actions=actions[:kept],
        round_scores=points.reshape(-1, players)[:kept],
        seated=np.tile(np.arange(players), (len(results), 1)),
    )
