"""One seat at a table as a Gymnasium environment; opponents play the others."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import action_number, brief, names_options
from cardtable.table.envs.opponents import Opponents
from cardtable.table.envs.options import SeatOptions, WhenIllegal, chosen_deal, rules_for
from cardtable.table.envs.reward_functions import RewardFunction
from cardtable.table.envs.screen import FRAMES_A_SECOND, RENDER_MODES, RenderMode, Screen
from cardtable.table.envs.seat_batch import SeatBatch
from cardtable.table.errors import CallError
from cardtable.table.game.card_game import CardGame
from cardtable.table.game.slices import Encoding
from cardtable.table.game.table_game import Episode
from cardtable.table.kernel.seats import FORFEITED, RUNNING, STOPPED
from cardtable.table.render.rects import USUAL_SIZE


class SingleEnv(gymnasium.Env[NDArray[Any], Any]):
    """Every step is a decision of one seat, see `docs/environments.md`. Each game has a class with its `kind`.

    `reset(seed=s)` deals deal 0 of the seed s, and every reset after it the next deal of that seed.
    """

    kind: ClassVar[CardGame]
    metadata = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_A_SECOND}  # noqa: RUF012 (Gymnasium's way)

    @names_options
    def __init__(
        self,
        rules: Any = "",
        players: int | None = None,
        opponents: Opponents = ("random",),
        seat: int | Literal["random"] = "random",
        episode: Episode = "round",
        reward: str | RewardFunction | None = None,
        shaping: str | None = None,
        encoding: Encoding = "compact",
        illegal: WhenIllegal = "error",
        render_mode: RenderMode | None = None,
        render_size: tuple[int, int] = USUAL_SIZE,
    ) -> None:
        """The official rules and the game's usual reward (1 is 100 points, or a win), unless others are chosen."""
        chosen = rules_for(self.kind, rules, players)
        options = SeatOptions(chosen, opponents, seat, episode, reward, shaping, encoding, illegal)
        self._table = SeatBatch(1, options, restarts=False)
        self.rules = options.rules
        self.observation_space, self.action_space = self._table.observation_space, self._table.action_space
        self.render_mode = render_mode
        self._screen = Screen(options.kind, render_mode, render_size)
        self._is_running = False
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
        if not 0 <= number < self.rules.actions:
            raise CallError(f"action {brief(action)} must be a whole number from 0 to {self.rules.actions - 1}")
        self._action[0] = number
        self._table.step(self._action)
        table = self._table.tables[0]
        ending = int(table["ending"])
        self._is_running = ending == RUNNING
        observation, info = self._seen()
        if not self._is_running:
            info["round_scores"], info["totals"] = self._table.scores(0)
            if ending == FORFEITED:
                info["illegal_action"] = number
        is_stopped = ending == STOPPED
        return observation, float(table["reward"]), not (self._is_running or is_stopped), is_stopped, info

    def set_opponents(self, opponents: Opponents) -> None:
        """Let others play from now on, also in an episode that has begun; given as for the option."""
        self._table.set_opponents(opponents)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as sb3-contrib asks for it."""
        masks: NDArray[np.bool_] = self._table.action_masks()[0]
        return masks

    def render(self) -> Any:
        """The table in its `render_mode`: text, an array [height, width, 3], or None and a window."""
        return self._screen.show(self._table.game(0))

    def close(self) -> None:
        """Close the window, if one is open."""
        self._screen.close()
