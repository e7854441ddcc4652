"""SkyjoVecEnv: N tables, one seat at each, as stable-baselines3 wants a vector of environments."""

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from skyjo_env.agents import Agent
from skyjo_env.checks import seed_number, whole_number
from skyjo_env.encoding import ENCODINGS, encoded, observation_box
from skyjo_env.envs.options import code_of, names_options, rules_for
from skyjo_env.envs.screen import Screen
from skyjo_env.envs.seats import SeatBatch
from skyjo_env.errors import SkyjoError
from skyjo_env.games import MOST_TABLES
from skyjo_env.kernel.seats import FORFEITED, RUNNING, STOPPED
from skyjo_env.rules import OFFICIAL, Rules


class SkyjoVecEnv(VecEnv):
    """N tables for any algorithm of stable-baselines3 and sb3-contrib; the options are those of `skyjo/Skyjo-v0`.

    `action_masks` answers MaskablePPO. Learners that cannot mask need `illegal="lose"`. A new episode begins in the
    step that ends one; the info of that table has `terminal_observation`, `TimeLimit.truncated`, `round_scores` and
    `totals`. All other infos are empty.
    """

    @names_options
    def __init__(
        self,
        num_envs: int,
        rules: Rules | str = OFFICIAL,
        players: int | None = None,
        opponents: Iterable[str | Agent] = ("random",),
        seat: str | int = "random",
        episode: str = "round",
        reward: str = "margin",
        shaping: str | None = None,
        encoding: str = "compact",
        illegal: str = "error",
        render_mode: str | None = None,
        render_size: tuple[int, int] = (960, 640),
    ) -> None:
        self.rules = rules_for(rules, players)
        n = whole_number("num_envs", num_envs, 1, MOST_TABLES)
        self._tables = SeatBatch(self.rules, n, opponents, seat, episode, reward, shaping, illegal, restarts=True)
        self._encoding = ENCODINGS[code_of("encoding", encoding, ENCODINGS)]
        code_of("render_mode", render_mode, (None, "rgb_array"))
        self.render_mode = render_mode
        self._screen = Screen(render_mode, render_size)
        self._actions: NDArray[Any] | None = None
        self._is_begun = False
        self._empty: list[dict[str, Any]] = [{} for _ in range(n)]  # 1024 new ones would cost a tenth of a step
        super().__init__(n, observation_box(self.rules, encoding), spaces.Discrete(self.rules.actions))

    def reset(self) -> VecEnvObs:
        """Deal at every table: with the seeds of `seed`, else every table's next deal."""
        if any(self._options):
            raise SkyjoError("SkyjoVecEnv has no options for reset; seed(...) chooses the deals")
        if not self._is_begun and self._seeds[0] is None:
            self.seed()
        seeds = None if self._seeds[0] is None else np.array([_seed(one) for one in self._seeds], np.uint64)
        self._tables.begin(seeds)
        self._is_begun = True
        self._reset_seeds()
        self._reset_options()
        return self._encoded(self._tables.observations)

    def _encoded(self, observations: NDArray[np.int16]) -> NDArray[Any]:
        return encoded(self.rules, self._encoding, observations)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the decisions; `step_wait` carries them out."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Decide at every table, and let the opponents play until the seat decides again everywhere."""
        if not self._is_begun:
            raise SkyjoError("no episode has begun: call reset() before step()")
        tables = self._tables
        tables.step(self._actions)
        outcomes = tables.outcomes
        dones = outcomes != RUNNING
        infos = self._empty.copy()
        self._tell_ends(infos, np.flatnonzero(dones), outcomes)
        return self._encoded(tables.observations), tables.rewards.astype(np.float32), dones, infos

    def _tell_ends(self, infos: list[dict[str, Any]], numbers: NDArray[np.int64], outcomes: NDArray[np.int64]) -> None:
        finals = self._encoded(self._tables.finals[numbers])
        scores, totals = self._tables.scores(numbers)
        ends = zip(numbers.tolist(), outcomes[numbers].tolist(), finals, scores.tolist(), totals.tolist(), strict=True)
        for number, outcome, final, round_scores, all_totals in ends:
            infos[number] = {
                "terminal_observation": final,
                "TimeLimit.truncated": outcome == STOPPED,
                "round_scores": round_scores,
                "totals": all_totals,
            }
            if outcome == FORFEITED:
                infos[number]["illegal_action"] = int(self._tables.last_actions[number])

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now at every table, [N, A]."""
        masks: NDArray[np.bool_] = self._tables.masks.view(np.bool_)
        return masks

    def close(self) -> None:
        """There is nothing to close."""

    def get_images(self) -> Sequence[NDArray[Any] | None]:
        """A picture of every table, if `render_mode` is rgb_array."""
        return [self._screen.show(self._tables.game(number)) for number in range(self.num_envs)]  # type: ignore[misc]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute, the same for all tables."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Tables have no attributes of their own that could be set."""
        raise AttributeError(f"{attr_name} cannot be set at single tables of a SkyjoVecEnv")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """`action_masks` of the tables; there are no other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"a SkyjoVecEnv has no method {method_name!r} at its tables, only 'action_masks'")
        masks = self.action_masks()
        return list(masks) if indices is None else [masks[number] for number in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """No table is wrapped."""
        return [False] * len(list(self._get_indices(indices)))


def _seed(seed: Any) -> int:
    return seed_number("seed", seed)
