"""One seat decides and opponents play the others, at N tables of any game, for stable-baselines3: `SeatVecEnv`."""

from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from cardtable.table.envs.options import Opponents, SeatKeywords, SeatOptions, game_with_rules, takes
from cardtable.table.envs.screen import Screen
from cardtable.table.envs.seat_batch import SeatBatch
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.episode_lengths import EpisodeLengths
from cardtable.table.game.table_rules import TableRules
from cardtable.table.kernel.seats import FORFEITED, RUNNING


class SeatVecEnv(VecEnv):
    """N tables of any game for the algorithms of stable-baselines3 and sb3-contrib: `SeatVecEnv("skyjo", 64)`.

    `action_masks` answers MaskablePPO. Learners that cannot mask need `illegal="lose"`. A new episode begins in the
    step that ends one; the info of that table has `terminal_observation`, `TimeLimit.truncated`, `round_scores`,
    `totals`, `turns`, `stopped`, and `illegal_action` if the episode was lost by one. All other infos are empty.
    """

    _actions: NDArray[Any] | None = None
    _nothing_to_tell: list[dict[str, Any]] | None = None

    @takes(SeatOptions)
    def __init__(
        self, game: CardGame | TableRules | str, num_envs: int, rules: Any = "", **options: Unpack[SeatKeywords]
    ) -> None:
        """Take a game, as such, by its name or by its rules; the options are the fields of `SeatOptions`, by name."""
        chosen = SeatOptions(*game_with_rules(game, rules), **options)
        self._tables = tables = SeatBatch(num_envs, chosen, restarts=True)
        self.rules, self.render_mode = chosen.rules, chosen.render_mode
        self._screen = Screen(chosen.card_game, chosen.render_mode, chosen.render_size, ("rgb_array",))
        super().__init__(len(tables), tables.observation_space, tables.action_space)

    def reset(self) -> VecEnvObs:
        """Deal at every table: with the seeds of `seed`, else every table's next deal."""
        if any(self._options):
            raise TableError(f"{type(self).__name__} has no options for reset; seed(...) chooses the deals")
        self._tables.begin(self._seeds)
        self._reset_seeds()
        return self._tables.seen()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the decisions; `step_wait` carries them out."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Decide at every table, and let the opponents play until the seat decides again everywhere."""
        tables = self._tables
        tables.step(self._actions)
        endings = tables.tables["ending"]
        dones = endings != RUNNING
        infos = self._empty_infos()
        self._tell_ends(infos, np.flatnonzero(dones), endings)
        return tables.seen(), tables.tables["reward"].astype(np.float32), dones, infos

    def _empty_infos(self) -> list[dict[str, Any]]:
        """Empty dictionaries, the same ones until somebody writes into them: new ones cost a tenth of a step."""
        if self._nothing_to_tell is None or any(self._nothing_to_tell):
            self._nothing_to_tell = [{} for _ in range(self.num_envs)]
        return self._nothing_to_tell.copy()

    def _tell_ends(self, infos: list[dict[str, Any]], numbers: NDArray[np.int64], endings: NDArray[np.int64]) -> None:
        ends = (values.tolist() for values in self._tables.ends(numbers).values())
        rows = zip(numbers.tolist(), self._tables.seen_last(numbers), *ends, strict=True)
        for number, final, round_scores, totals, turns, stopped in rows:
            infos[number] = {
                "terminal_observation": final,
                "TimeLimit.truncated": stopped,
                "round_scores": round_scores,
                "totals": totals,
                "turns": turns,
                "stopped": stopped,
            }
        for number in numbers[endings[numbers] == FORFEITED].tolist():
            infos[number]["illegal_action"] = int(self._tables.last_actions[number])

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of the tables, future draws included, and of the seats' observations, for `restore`."""
        return self._tables.state()

    def restore(self, state: dict[str, NDArray[Any]]) -> VecEnvObs:
        """Go on from a state of as many tables under the same options, and return the observations."""
        self._tables.restore(state)
        return self._tables.seen()

    @property
    def lengths(self) -> EpisodeLengths:
        """The learner's mean decisions in the episodes that ended lately, and the share of them that was stopped."""
        return self._tables.lengths

    def set_opponents(self, opponents: Opponents) -> None:
        """Let others play from now on, also in episodes that have begun; given as for the option."""
        self._tables.set_opponents(opponents)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """Call `action_masks` of the tables, or `set_opponents`, which is for all of them."""
        if method_name == "action_masks":
            masks = self.action_masks()
            return [masks[number] for number in self._get_indices(indices)]
        if method_name != "set_opponents":
            raise AttributeError(
                f"a SeatVecEnv has no method {method_name!r} at its tables, only 'action_masks' and 'set_opponents'"
            )
        if indices is not None:
            raise AttributeError("set_opponents is for all tables: call it without indices")
        self.set_opponents(*method_args, **method_kwargs)
        return [None] * self.num_envs

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute, the same for all tables."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Raise AttributeError: tables have no attributes that could be set."""
        raise AttributeError(f"{attr_name} cannot be set at single tables of a SeatVecEnv")

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Return False for every table: none is wrapped."""
        return [False] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        """Close nothing: nothing is open."""

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the masks of legal actions at every table, [N, A]."""
        return self._tables.action_masks()

    def get_images(self) -> Sequence[NDArray[Any] | None]:
        """Return a picture of every table, if `render_mode` is rgb_array."""
        return [self._screen.show(self._tables.game(number)) for number in range(self.num_envs)]  # type: ignore[misc]
