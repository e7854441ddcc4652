"""What Skip-Bo declares of its examination; `cardtable.exam` does the rest."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.exam.questions import Draw, ExamKind
from skipbo_agents.rollout import RolloutAgent
from skipbo_env.observation import spec_of

AGENTS = ("random", "greedy", "hpvp", "planner")
LAPS = 4  # that are played on; then the cards left in the stock piles count


def phase_of(rules: Any, observation: NDArray[np.int16]) -> int:
    """How far the round is, by the smallest stock pile: above two thirds of what was dealt, above one third, below."""
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
    search=lambda rules: RolloutAgent(rules, base="planner", turns=LAPS * rules.players),
    play_on={2: "planner", 4: "planner", 6: "planner"},
)
