"""N tables, one seat at each, as one Gymnasium vector environment that never loops over tables in Python."""

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from skyjo_env.agents import Agent
from skyjo_env.checks import brief, seed_number, whole_number
from skyjo_env.encoding import ENCODINGS, encoded, observation_box
from skyjo_env.envs.options import code_of, names_options, rules_for
from skyjo_env.envs.screen import FRAMES_A_SECOND, Screen
from skyjo_env.envs.seats import SeatBatch
from skyjo_env.errors import SkyjoError
from skyjo_env.games import MOST_TABLES
from skyjo_env.kernel.seats import FORFEITED, RUNNING, STOPPED
from skyjo_env.kernel.view import AT_ROUND, AT_SEAT
from skyjo_env.rules import OFFICIAL, Rules

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
Infos = dict[str, Any]


class SkyjoVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """`gymnasium.make_vec("skyjo_env:skyjo/Skyjo-v0", num_envs=N)`: the same, step by step, as N single environments.

    Table i plays the deals of seed + i. `autoreset_mode` is next-step or same-step; with same-step, the last
    observation and info of an episode are in `infos["final_obs"]` and `infos["final_info"]`.
    """

    @names_options
    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = OFFICIAL,
        players: int | None = None,
        opponents: Iterable[str | Agent] = ("random",),
        seat: str | int = "random",
        episode: str = "round",
        reward: str = "margin",
        shaping: str | None = None,
        encoding: str = "compact",
        illegal: str = "error",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        render_size: tuple[int, int] = (960, 640),
    ) -> None:
        self.rules = rules_for(rules, players)
        self.num_envs = whole_number("num_envs", num_envs, 1, MOST_TABLES)
        mode = self.autoreset_mode = _mode(autoreset_mode)
        self._restarts = mode is AutoresetMode.SAME_STEP
        modes = ["ansi", "rgb_array"]
        self.metadata = {"render_modes": modes, "render_fps": FRAMES_A_SECOND, "autoreset_mode": mode}
        code_of("render_mode", render_mode, (None, *modes))
        self._tables = SeatBatch(
            self.rules, self.num_envs, opponents, seat, episode, reward, shaping, illegal, self._restarts
        )
        self._encoding = ENCODINGS[code_of("encoding", encoding, ENCODINGS)]
        self.single_observation_space = observation_box(self.rules, encoding)
        self.single_action_space = gymnasium.spaces.Discrete(self.rules.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.render_mode = render_mode
        self._screen = Screen(render_mode, render_size)
        self._everywhere = np.ones(self.num_envs, np.bool_)
        self._everywhere.flags.writeable = False
        self._is_begun = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], Infos]:
        """Deal at every table: `seed` + i at table i, or a seed for each; without one every table's next deal."""
        is_first = self._np_random is None
        if isinstance(seed, int | np.integer):
            seed = seed_number("seed", seed)
            super().reset(seed=seed)
        deal = None if not options or "deal" not in options else seed_number("deal", options["deal"])
        if seed is None and is_first:
            seed = (self.np_random_seed or 0) % 2**64
        self._tables.begin(None if seed is None else self._seeds(seed), deal)
        self._is_begun = True
        return self._encoded(self._tables.observations), self._infos()

    def _seeds(self, seed: Any) -> NDArray[np.uint64]:
        if isinstance(seed, int):
            return np.uint64(seed) + np.arange(self.num_envs, dtype=np.uint64)
        seeds = [seed_number("seed", one) for one in seed]
        if len(seeds) != self.num_envs:
            raise SkyjoError(f"{len(seeds)} seeds given, but there are {self.num_envs} environments")
        self._np_random = self._np_random or np.random.default_rng(seeds)
        return np.array(seeds, np.uint64)

    def _encoded(self, observations: NDArray[np.int16]) -> NDArray[Any]:
        return encoded(self.rules, self._encoding, observations)

    def _infos(self) -> Infos:
        """Who sits where, and what is legal; an entry `_key` tells where `key` is given."""
        tables = self._tables
        infos: Infos = {
            "seat": tables.observations[:, AT_SEAT].astype(np.int64),
            "round": tables.observations[:, AT_ROUND].astype(np.int64),
            "action_mask": tables.masks,
        }
        return infos | {f"_{key}": self._everywhere for key in infos}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Decide at every table, and let the opponents play until the seat decides again everywhere."""
        if not self._is_begun:
            raise SkyjoError("no episode has begun: call reset() before step()")
        tables = self._tables
        tables.step(actions)
        outcomes, infos = tables.outcomes, self._infos()
        has_ended, truncated = outcomes != RUNNING, outcomes == STOPPED
        if has_ended.any():
            self._tell_ends(infos, has_ended, outcomes == FORFEITED)
        return self._encoded(tables.observations), tables.rewards, has_ended & ~truncated, truncated, infos

    def _tell_ends(self, infos: Infos, has_ended: NDArray[np.bool_], has_forfeited: NDArray[np.bool_]) -> None:
        """Add the scores where an episode ended; with same-step autoreset to the final infos."""
        numbers = np.flatnonzero(has_ended)
        ends: Infos = {}
        for key, scores in zip(("round_scores", "totals"), self._tables.scores(numbers), strict=True):
            ends[key] = self._spread(numbers, scores)
            ends[f"_{key}"] = has_ended
        if has_forfeited.any():
            ends["illegal_action"] = np.where(has_forfeited, self._tables.last_actions, 0)
            ends["_illegal_action"] = has_forfeited
        if self._restarts:
            infos |= self._finals(numbers, has_ended, ends)
        else:
            infos |= ends

    def _spread(self, numbers: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
        """The values of some tables among zeros for the others."""
        spread = np.zeros((self.num_envs, *values.shape[1:]), np.int64)
        spread[numbers] = values
        return spread

    def _finals(self, numbers: NDArray[np.int64], has_ended: NDArray[np.bool_], ends: Infos) -> Infos:
        """What ended episodes showed last, beside what the next ones show first."""
        finals = self._tables.finals[numbers]
        final_obs = np.full(self.num_envs, None, dtype=object)
        final_obs[numbers] = list(self._encoded(finals))
        ends["seat"] = self._spread(numbers, finals[:, AT_SEAT].astype(np.int64))
        ends["round"] = self._spread(numbers, finals[:, AT_ROUND].astype(np.int64))
        ends["action_mask"] = np.zeros_like(self._tables.masks)
        ends |= {f"_{key}": has_ended for key in ("seat", "round", "action_mask")}
        return {"final_obs": final_obs, "_final_obs": has_ended, "final_info": ends, "_final_info": has_ended}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now at every table, [N, A]."""
        masks: NDArray[np.bool_] = self._tables.masks.astype(np.bool_)
        return masks

    def render(self) -> tuple[Any, ...]:
        """Every table as `render_mode` says: texts, or arrays [height, width, 3]."""
        return tuple(self._screen.show(self._tables.game(number)) for number in range(self.num_envs))


def _mode(mode: Any) -> AutoresetMode:
    for one in MODES:
        if mode is one or (isinstance(mode, str) and mode == one.value):
            return one
    raise SkyjoError(f"autoreset_mode={brief(mode)} is not one of {', '.join(repr(one.value) for one in MODES)}")
