"""Judges of decisions in Skip-Bo, and the game's examination: its questions, phases and rollouts."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.analysis import Marks, RolloutAnalyst, Spread
from cardtable.arena.exam.questions import Draw, ExamKind
from skipbo_agents.search import RolloutAgent
from skipbo_env.card_game import spec_of
from skipbo_env.kernel.play import CARD_POINTS

MARKS = Marks(inaccuracy=CARD_POINTS / 2, mistake=CARD_POINTS, blunder=2 * CARD_POINTS, chance=0.018)


class SkipboAnalyst(RolloutAnalyst):
    """Judges decisions by rollouts."""

    marks, spread, left = MARKS, Spread(4.2, 5.4), "stock_sizes"


analyst_of = SkipboAnalyst.of
AGENTS = ("random", "greedy", "hpvp", "planner")
LAPS = 4  # that are played on; then the cards left in the stock piles count


def phase_of(rules: Any, observation: NDArray[np.int16]) -> int:
    """Return the third of the round, by the smallest stock pile: at least two thirds of the dealt cards are left, at
    least one third, or fewer.
    """
    smallest = int(min(spec_of(rules).view(observation).stock_sizes))
    thirds_left: int = 3 * smallest // rules.stock_size
    return 2 - min(thirds_left, 2)


SKIPBO_EXAM = ExamKind(
    game="skipbo",
    file=Path(__file__).with_name("exam.npz"),
    draws={
        2: Draw(questions=240, rollouts=800, agents=AGENTS),
        4: Draw(questions=120, rollouts=600, agents=AGENTS),
        6: Draw(questions=60, rollouts=400, agents=AGENTS),
    },
    phases=("first third", "second third", "last third"),
    phase_of=phase_of,
    base="planner",
    search=lambda rules, base: RolloutAgent(rules, base, turns=LAPS * rules.players),
)
