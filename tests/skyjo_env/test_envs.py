"""What is asked of Skyjo's environments alone; `tests/games` has what every game promises."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from pettingzoo.test import max_cycles_test
from pettingzoo.utils import BaseWrapper
from pettingzoo.utils.conversions import aec_to_parallel

from skyjo_env import HIDDEN, ObservationSpec, Rules, skyjo_v0
from skyjo_env.envs import SkyjoVectorEnv


class WholeTurns(BaseWrapper):  # type: ignore[misc]
    """One step is one turn, whatever action is chosen: what max_cycles_test takes for granted."""

    metadata = {"is_parallelizable": True}  # noqa: RUF012 (PettingZoo's way)

    def step(self, action: int | None) -> None:
        agent, game = self.agent_selection, self.unwrapped.game
        if action is None:
            self.env.step(None)
            return
        turns = game.turns
        while game.turns == turns and not game.is_over:
            assert self.agent_selection == agent
            legal = game.legal_actions()
            self.env.step(legal[action % len(legal)])


def test_pettingzoos_max_cycles_test_counts_turns() -> None:
    def env(max_cycles: int) -> Any:
        rules = Rules(opening_flips=0, first_starter="seat_0", max_turns=2 * max_cycles)
        return WholeTurns(skyjo_v0.env(rules=rules))

    max_cycles_test(SimpleNamespace(env=env, parallel_env=lambda max_cycles: aec_to_parallel(env(max_cycles))))


def test_random_opponents_do_not_repeat_themselves_at_every_table() -> None:
    rules = Rules(first_starter="seat_0")
    env = SkyjoVectorEnv(50, rules, opponents=["random"], seat=1)
    observations, _ = env.reset(seed=0, options={"deal": 3})
    boards = ObservationSpec(rules).view(observations).cells[:, 1]
    assert len({int(np.flatnonzero(board != HIDDEN)[0]) for board in boards}) > 6
