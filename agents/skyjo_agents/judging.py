"""Judges of decisions in Skyjo (`lookahead` with its value network, or a rollout), and its examination."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.arena.exam.analysis import Analyst, Floats, Marks, RolloutAnalyst, Spread
from cardtable.arena.exam.questions import Draw, ExamKind
from cardtable.table.agents.agents import Agent
from cardtable.table.errors import AgentError
from skyjo_agents.policy import LookaheadAgent, PolicyAgent
from skyjo_agents.rollout import RolloutAgent
from skyjo_env.kernel.state import NOBODY, OPENING, TURN
from skyjo_env.kernel.view import AT_ENDER, AT_PHASE

PHASES = ("opening", "draw or take", "place", "final lap")
SCRIPTS = ("random", "naive", "threshold:t=2", "threshold:t=2,columns=true", "expected", "tempo")
PLAYERS = (*SCRIPTS, *(f"{name}:t=4" for name in ("hurried", "collector", "cautious", "copycat")), "policy")


def phase_of(rules: Any, observation: NDArray[np.int16]) -> int:
    """Return the number of the phase."""
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
        2: Draw(questions=480, rollouts=1600, agents=(*PLAYERS, "lookahead")),
        4: Draw(questions=240, rollouts=800, agents=PLAYERS),
        8: Draw(questions=120, rollouts=400, agents=PLAYERS),
    },
    phases=PHASES,
    phase_of=phase_of,
    base="policy",
    search=RolloutAgent,
)


MARKS = Marks(inaccuracy=0.5, mistake=1.0, blunder=2.0, chance=0.018)  # points, and about what half a point costs


class SkyjoAnalyst(Analyst):
    """Common base of all analysts of Skyjo."""

    marks, spread, left = MARKS, Spread(2.2, 1.7), "hidden_left"


class SkyjoRolloutAnalyst(SkyjoAnalyst, RolloutAnalyst):
    """Judges decisions by rollouts."""


class LookAnalyst(SkyjoAnalyst):
    """Judges decisions as `lookahead` does; in checks its policy plays on."""

    measures_luck = True

    def __init__(self, look: LookaheadAgent) -> None:
        super().__init__(RolloutAgent(look.rules).with_base(PolicyAgent(look.rules, str(look.file))))
        self.look, self.weights = look, look.digest

    def action_values(self, observation: NDArray[np.int16], mask: NDArray[np.int8], key: int) -> Floats:  # noqa: ARG002
        """Return the values of actions by looking ahead."""
        return self.look.action_values(observation, key)

    def seat_values(self, observation: NDArray[np.int16], key: int) -> Floats:
        """Return the network's values of the table."""
        return self.look.seat_values(observation, key)


def analyst_of(agent: Agent) -> Analyst:
    """Return the analyst that judges as this agent does; AgentError if it cannot judge."""
    if isinstance(agent, LookaheadAgent):
        return LookAnalyst(agent)
    if isinstance(agent, RolloutAgent):
        return SkyjoRolloutAnalyst(agent)
    raise AgentError("it cannot judge; lookahead and rollout can")
