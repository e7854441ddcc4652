"""The table as text for a language model: what one seat sees, the names of its legal actions, and an answer read."""

from __future__ import annotations

import string
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardtable.table.checks import brief
from cardtable.table.envs.gymnasium_envs import SeatEnv
from cardtable.table.envs.options import SeatOptions, takes
from cardtable.table.errors import CallError, IllegalActionError
from cardtable.table.game.card_game import find_game
from cardtable.table.render.text import in_few_words

MAX_TEXT, MAX_ANSWER = 20_000, 40  # letters of a table and of an action's name, more than any rules need
LETTERS = frozenset(string.ascii_letters + string.digits + string.punctuation + " \n")


def table_text(rules: Any, observation: NDArray[Any], mask: NDArray[Any]) -> str:
    """Return the view of a seat as text, from its observation alone; the last line names its legal actions, if any."""
    card_game = find_game(rules.game)
    seat = int(observation[card_game.at("seat")])
    names = [f"seat {other} (place {(other - seat) % rules.players})" for other in range(rules.players)]
    names[seat] = f"you (seat {seat})"
    text, legal = card_game.seat_text_of(rules, observation, names), legal_names(rules, mask)
    return f"{text}\nlegal actions: {', '.join(legal)}" if legal else text


def legal_names(rules: Any, mask: NDArray[Any]) -> list[str]:
    """Return the names of the legal actions, in the order of their numbers."""
    names = find_game(rules.game).action_names(rules)
    return [names[action] for action in np.flatnonzero(mask).tolist()]


def read_answer(rules: Any, mask: NDArray[Any], answer: Any) -> int:
    """Return the number of the legal action that an answer names; spaces around it and capital letters do not matter.

    Anything else is an IllegalActionError, one line that says what is legal.
    """
    card_game, legal = find_game(rules.game), legal_names(rules, mask)
    name = answer.strip().lower() if isinstance(answer, str) else ""
    if name in legal:
        return card_game.action_names(rules).index(name)
    if not legal:
        raise IllegalActionError(f"{brief(answer)}: there is nothing to decide")
    why = "is not legal now" if name in card_game.action_names(rules) else "is not the name of an action"
    raise IllegalActionError(f"{brief(answer)} {why}; answer with one of: {in_few_words(legal)}")


class TextEnv(gymnasium.Env[str, str]):
    """The environment for one seat in words, see docs/guides/language_models.md.

    Each game has a class with its `single`.

    A seed gives the same games as there. An answer that is not the name of a legal action is an IllegalActionError and
    changes nothing, so that it can be given again.
    """

    single: ClassVar[type[SeatEnv]]

    @takes(SeatOptions, "encoding", "illegal", "render_mode", "render_size")
    def __init__(self, rules: Any = "", **options: Any) -> None:
        """Take the options of the environment for one seat, except those of arrays and pictures."""
        self._env = self.single(rules, encoding="compact", illegal="error", render_mode=None, **options)
        self._episode = options.get("episode", "round")
        self.rules = self._env.rules
        self.observation_space = spaces.Text(MAX_TEXT, charset=LETTERS)
        self.action_space = spaces.Text(MAX_ANSWER, charset=LETTERS)
        self._mask = np.zeros(self.rules.actions, np.int8)  # nothing is legal before the first reset

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Deal and let the opponents play until the seat decides; `options={"deal": n}` chooses a deal of the seed."""
        super().reset(seed=seed)
        observation, info = self._env.reset(seed=seed, options=options)
        return self._told(observation, info), info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Decide, and let the opponents play until the seat decides again or the episode ends."""
        if not self._mask.any():
            raise CallError("the episode has ended, or none has begun: call reset() before step()")
        observation, reward, is_over, is_stopped, info = self._env.step(read_answer(self.rules, self._mask, action))
        text = self._told(observation, info)
        if "totals" in info:
            scores, totals = (", ".join(map(str, info[name].tolist())) for name in ("round_scores", "totals"))
            how = "stopped after too many turns" if is_stopped else "over"
            text += f"\nthe {self._episode} is {how}; scores by seat: {scores}; totals: {totals}"
        return text, reward, is_over, is_stopped, info

    def _told(self, observation: NDArray[Any], info: dict[str, Any]) -> str:
        self._mask = info["action_mask"]
        return table_text(self.rules, observation, self._mask)
