"""The examination of Skyjo: its questions, phases and rollouts."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.questions import Draw, ExamKind
from skyjo_agents.rollout import RolloutAgent
from skyjo_env.kernel.state import NOBODY, OPENING, TURN
from skyjo_env.kernel.view import AT_ENDER, AT_PHASE

PHASES = ("opening", "draw or take", "place", "final lap")
SCRIPTS = ("random", "naive", "threshold:t=2", "threshold:t=2,columns=true", "expected", "tempo")
PLAYERS = (*SCRIPTS, *(f"{name}:t=4" for name in ("hurried", "collector", "cautious", "copycat")), "policy")


def phase_of(rules: Any, observation: NDArray[np.int16]) -> int:
    """The number of the phase."""
    del rules
    if observation[AT_PHASE] == OPENING:
        return 0
    if observation[AT_ENDER] != NOBODY:
        return 3
    return 1 if observation[AT_PHASE] == TURN else 2


SKYJO_EXAM = ExamKind(
    game="skyjo",
    file=Path(__file__).with_name("exam.npz"),
    draws={
        2: Draw(questions=480, rollouts=1600, agents=(*PLAYERS, "look")),
        4: Draw(questions=240, rollouts=800, agents=PLAYERS),
        8: Draw(questions=120, rollouts=400, agents=PLAYERS),
    },
    phases=PHASES,
    phase_of=phase_of,
    base="policy",
    search=RolloutAgent,
)
