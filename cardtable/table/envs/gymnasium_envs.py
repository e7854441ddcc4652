"""One seat decides and opponents play the others, for Gymnasium: `SeatEnv`, and `SeatVectorEnv` for N tables.

The vector never loops over tables in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Unpack

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cardtable.table.checks import action_number, brief
from cardtable.table.envs.options import Opponents, SeatKeywords, SeatOptions, chosen_deal, chosen_tables, takes
from cardtable.table.envs.screen import FRAMES_A_SECOND, RENDER_MODES, Screen
from cardtable.table.envs.seat_batch import SeatBatch
from cardtable.table.errors import CallError
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.episode_lengths import EpisodeLengths
from cardtable.table.kernel.seats import FORFEITED, RUNNING, STOPPED

MANY_MODES = ("ansi", "rgb_array")  # one window cannot show many tables
Infos = dict[str, Any]


class SeatEnv(gymnasium.Env[NDArray[Any], Any]):
    """Every step is a decision of one seat, see docs/guides/gymnasium.md. Each game has a class with its `card_game`.

    `reset(seed=s)` deals deal 0 of the seed s, and every reset after it the next deal of that seed.
    """

    card_game: ClassVar[CardGame]
    metadata = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_A_SECOND}  # noqa: RUF012 (Gymnasium's way)

    @takes(SeatOptions)
    def __init__(self, rules: Any = "", **options: Unpack[SeatKeywords]) -> None:
        """Take the fields of `SeatOptions` by name; docs/reference/environments.md explains them."""
        chosen = SeatOptions(self.card_game, rules, **options)
        self._table = SeatBatch(1, chosen, restarts=False)
        self.rules, self.render_mode = chosen.rules, chosen.render_mode
        self.observation_space, self.action_space = self._table.observation_space, self._table.action_space
        self._screen = Screen(self.card_game, chosen.render_mode, chosen.render_size)
        self._is_running, self._actions = False, chosen.rules.actions
        self._action = np.zeros(1, np.int64)

    def __repr__(self) -> str:
        rules = f"rules {text}" if (text := self.rules.to_text()) else "official rules"
        return f"<{type(self).__name__}: {self.rules.players} players, {rules}>"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal and let the opponents play until the seat decides; `options={"deal": n}` chooses a deal of the seed."""
        deal = chosen_deal(options)
        super().reset(seed=seed)
        self._table.begin(seed, deal)
        self._is_running = True
        return self._seen()

    def _seen(self) -> tuple[NDArray[Any], dict[str, Any]]:
        seat, round_number = self._table.place(0)
        info = {"seat": seat, "round": round_number, "action_mask": self._table.masks[0].copy()}
        if self.render_mode == "human":
            self.render()
        return self._table.seen()[0], info

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Decide, and let the opponents play until the seat decides again or the episode ends."""
        if not self._is_running:
            raise CallError("the episode has ended, or none has begun: call reset() before step()")
        number = action_number(action)
        if not 0 <= number < self._actions:
            raise CallError(f"action {brief(action)} must be a whole number from 0 to {self._actions - 1}")
        self._action[0] = number
        self._table.step(self._action)
        table = self._table.tables[0]
        ending = int(table["ending"])
        self._is_running = ending == RUNNING
        observation, info = self._seen()
        if not self._is_running:
            info |= self._table.ends(0)
            info["turns"], info["stopped"] = int(info["turns"]), bool(info["stopped"])  # for Gymnasium's own vectors
            if ending == FORFEITED:
                info["illegal_action"] = number
        is_stopped = ending == STOPPED
        return observation, float(table["reward"]), not (self._is_running or is_stopped), is_stopped, info

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of the table, future draws included, and of the seat's observation, for `restore`."""
        return self._table.state()

    def restore(self, state: dict[str, NDArray[Any]]) -> tuple[NDArray[Any], dict[str, Any]]:
        """Go on from a state under the same options, and return what `reset` returns."""
        self._table.restore(state)
        self._is_running = not self._table.tables["is_due"][0]
        return self._seen()

    @property
    def lengths(self) -> EpisodeLengths:
        """The seat's mean decisions in the episodes that ended lately, and the share of them that was stopped."""
        return self._table.lengths

    def set_opponents(self, opponents: Opponents) -> None:
        """Let others play from now on, also in an episode that has begun; given as for the option."""
        self._table.set_opponents(opponents)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions, as sb3-contrib asks for it."""
        masks: NDArray[np.bool_] = self._table.action_masks()[0]
        return masks

    def render(self) -> Any:
        """Return the table in its `render_mode`: text, an array [height, width, 3], or None and a window."""
        return self._screen.show(self._table.game(0))

    def close(self) -> None:
        """Close the window, if one is open."""
        self._screen.close()


class SeatVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """The same, step by step, as N single environments. Each game has a class with its `card_game`.

    Table i plays the deals of seed + i. `autoreset_mode` is next-step, same-step or disabled; with same-step, the last
    observation and info of an episode are in `infos["final_obs"]` and `infos["final_info"]`.
    """

    card_game: ClassVar[CardGame]

    @takes(SeatOptions)
    def __init__(
        self,
        num_envs: int = 1,
        rules: Any = "",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Unpack[SeatKeywords],
    ) -> None:
        """Take the fields of `SeatOptions` by name; docs/reference/environments.md explains them."""
        chosen = SeatOptions(self.card_game, rules, **options)
        mode = self.autoreset_mode = AutoresetMode(autoreset_mode)
        self._restarts = mode is AutoresetMode.SAME_STEP
        self._shows_copies = mode is AutoresetMode.DISABLED and chosen.encoding == "compact"
        self._tables = SeatBatch(num_envs, chosen, restarts=self._restarts)
        self.rules, self.num_envs, self.render_mode = chosen.rules, len(self._tables), chosen.render_mode
        self._screen = Screen(self.card_game, chosen.render_mode, chosen.render_size, MANY_MODES)
        self.metadata = {"render_modes": [*MANY_MODES], "render_fps": FRAMES_A_SECOND, "autoreset_mode": mode}
        self.single_observation_space = self._tables.observation_space
        self.single_action_space = self._tables.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._everywhere = np.ones(self.num_envs, np.bool_)
        self._everywhere.flags.writeable = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], Infos]:
        """Deal at every table: `seed` + i at table i, or a seed for each; without one every table's next deal.

        `options={"reset_mask": mask}` deals only where the mask [N] is True: the other tables stay as they are, and
        have no infos. `options={"deal": n}` chooses the deal.
        """
        where = chosen_tables(options, self.num_envs)
        deal = chosen_deal(options, ("deal", "reset_mask"))
        if isinstance(seed, int):
            super().reset(seed=seed)
        self._tables.begin(seed, deal, where)
        return self._seen(), self._infos(where)

    def _seen(self) -> NDArray[Any]:
        """Return the seats' observations, copied where a reset of some tables may show them again."""
        seen = self._tables.seen()
        return seen.copy() if self._shows_copies else seen

    def _infos(self, where: NDArray[np.bool_] | None = None) -> Infos:
        """Return infos with the seat, round and mask of every table; an entry `_key` marks the tables at which `key` is
        given.
        """
        seats, rounds = self._tables.places()
        infos: Infos = {"seat": seats, "round": rounds, "action_mask": self._tables.masks.copy()}
        if where is None:
            return infos | {f"_{key}": self._everywhere for key in infos}
        for values in infos.values():
            values[~where] = 0
        return infos | {f"_{key}": where.copy() for key in infos}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Decide at every table, and let the opponents play until the seat decides again everywhere."""
        tables = self._tables
        if self.autoreset_mode is AutoresetMode.DISABLED:
            self._check_running()
        tables.step(actions)
        endings, infos = tables.tables["ending"], self._infos()
        has_ended, truncated = endings != RUNNING, endings == STOPPED
        if has_ended.any():
            self._tell_ends(infos, has_ended, endings == FORFEITED)
        return self._seen(), tables.tables["reward"].copy(), has_ended & ~truncated, truncated, infos

    def _check_running(self) -> None:
        ended = np.flatnonzero(self._tables.tables["is_due"])
        if len(ended) > 0:
            raise CallError(
                f"table {ended[0]}: its episode has ended: "
                'call reset(options={"reset_mask": mask}) for the tables that have ended before step()'
            )

    def _tell_ends(self, infos: Infos, has_ended: NDArray[np.bool_], has_forfeited: NDArray[np.bool_]) -> None:
        """Add how episodes ended; with same-step autoreset to the final infos."""
        numbers = np.flatnonzero(has_ended)
        ends: Infos = {}
        for key, values in self._tables.ends(numbers).items():
            ends[key] = self._spread(numbers, values)
            ends[f"_{key}"] = has_ended
        if has_forfeited.any():
            ends["illegal_action"] = np.where(has_forfeited, self._tables.last_actions, 0)
            ends["_illegal_action"] = has_forfeited
        if self._restarts:
            infos |= self._finals(numbers, has_ended, ends)
        else:
            infos |= ends

    def _spread(self, numbers: NDArray[np.int64], values: NDArray[Any]) -> NDArray[Any]:
        """Return the values of some tables among zeros for the others."""
        spread = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
        spread[numbers] = values
        return spread

    def _finals(self, numbers: NDArray[np.int64], has_ended: NDArray[np.bool_], ends: Infos) -> Infos:
        """Return the last observations and infos of ended episodes, next to the first ones of their successors."""
        final_obs = np.empty(self.num_envs, dtype=object)  # None, to begin with
        final_obs[numbers] = list(self._tables.seen_last(numbers))
        for key, values in zip(("seat", "round"), self._tables.places(numbers), strict=True):
            ends[key] = self._spread(numbers, values)
        ends["action_mask"] = np.zeros_like(self._tables.masks)
        ends |= {f"_{key}": has_ended for key in ("seat", "round", "action_mask")}
        return {"final_obs": final_obs, "_final_obs": has_ended, "final_info": ends, "_final_info": has_ended}

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of the tables, future draws included, and of the seats' observations, for `restore`."""
        return self._tables.state()

    def restore(self, state: dict[str, NDArray[Any]]) -> tuple[NDArray[Any], Infos]:
        """Go on from a state of as many tables under the same options, and return what `reset` returns."""
        self._tables.restore(state)
        return self._seen(), self._infos()

    @property
    def lengths(self) -> EpisodeLengths:
        """The same as `SeatEnv.lengths`, of all tables together."""
        return self._tables.lengths

    def set_opponents(self, opponents: Opponents) -> None:
        """Let others play from now on, also in episodes that have begun; given as for the option."""
        self._tables.set_opponents(opponents)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions at every table, [N, A]."""
        return self._tables.action_masks()

    def render(self) -> tuple[Any, ...] | None:
        """Return every table in its `render_mode`: texts, or arrays [height, width, 3]; without one None, with a
        warning.
        """
        if self.render_mode is None:
            self._screen.warn()
            return None
        return tuple(self._screen.show(self._tables.game(number)) for number in range(self.num_envs))

    def call(self, name: str) -> tuple[Any, ...]:
        """Return an attribute of every table: its action mask or picture, or one that all share, such as the rules.

        AttributeError if tables have no such attribute.
        """
        if name == "render":
            return self.render() or (None,) * self.num_envs
        if name == "action_masks":
            return tuple(self.action_masks())
        shared = getattr(self, f"single_{name}" if name in ("action_space", "observation_space") else name)
        if callable(shared):
            raise AttributeError(f"the tables of a {type(self).__name__} have no method {name!r}")
        return (shared,) * self.num_envs

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return the same as `call`."""
        return self.call(name)
