"""The options of the environments, checked in one place: the rules, those of a learner and of a reset."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import brief, code_of, seed_number, whole_number
from cardtable.table.envs.opponents import Opponents
from cardtable.table.envs.reward_functions import RewardFunction, penalty_of, reward_code
from cardtable.table.errors import RulesError, TableError
from cardtable.table.game.card_game import CardGame, find_game
from cardtable.table.game.slices import ENCODINGS, Encoding
from cardtable.table.game.table_game import Episode
from cardtable.table.kernel.game_kernel import EPISODES, NOBODY
from cardtable.table.kernel.seats import SEATING_DTYPE

WhenIllegal = Literal["error", "lose"]  # what an illegal action of the learner does
ILLEGAL: tuple[WhenIllegal, ...] = get_args(WhenIllegal)


def rules_for(kind: CardGame, rules: Any, players: int | None) -> Any:
    """The rules, given as such or as their text, for this many players if a number is given.

    RulesError if the rules themselves were changed to another number.
    """
    checked = kind.rules_type.check(rules)
    if players is None:
        return checked
    is_said = "players=" in rules if isinstance(rules, str) else "players" in checked.changes()
    if is_said and players != checked.players:
        raise RulesError(
            f"players={brief(players)}, but the rules are for players={checked.players}: change one of them"
        )
    return checked.replace(players=players)


def chosen_deal(options: dict[str, Any] | None, known: tuple[str, ...] = ("deal",)) -> int | None:
    """The deal chosen by the options of a reset, or None; TableError for an option that is not known."""
    unknown = sorted(set(options or {}) - set(known))
    if unknown:
        allowed = f"option is {known[0]}" if len(known) == 1 else f"options are {', '.join(known)}"
        raise TableError(f"unknown reset option {', '.join(unknown)}; the only {allowed}")
    return seed_number("deal", options["deal"]) if options and "deal" in options else None


def chosen_tables(options: dict[str, Any] | None, n: int) -> NDArray[np.bool_] | None:
    """The tables chosen by the options of a reset, as Gymnasium's own vectors take them, or None for all."""
    if options is None or "reset_mask" not in options:
        return None
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.shape != (n,) or mask.dtype != np.bool_ or not mask.any():
        found = f"shape {mask.shape} and type {mask.dtype}" if isinstance(mask, np.ndarray) else brief(mask)
        raise TableError(
            f"reset_mask must be an array (bool) with one for each of {n} tables, some of them True: {found}"
        )
    return mask


@dataclass(frozen=True)
class SeatOptions:
    """The rules, the opponents, and the learner's observations and rewards; docs/environments.md explains each option.

    TableError for a value that an option does not have. The opponents are checked where they sit down (`opponents.py`).
    """

    rules: Any
    opponents: Opponents = ("random",)
    seat: int | Literal["random"] = "random"
    episode: Episode = "round"
    reward: str | RewardFunction | None = None  # the usual one of the game; 1 is 100 points, or a win
    shaping: str | None = None
    encoding: Encoding = "compact"
    illegal: WhenIllegal = "error"

    def __post_init__(self) -> None:
        code_of("encoding", self.encoding, ENCODINGS)
        code_of("episode", self.episode, EPISODES)
        if self.reward is None:
            object.__setattr__(self, "reward", self.kind.rewards[0])
        reward_code(self.kind, self.reward)
        code_of("shaping", self.shaping, self.kind.shapings)
        code_of("illegal", self.illegal, ILLEGAL)
        if self.seat != "random":
            try:
                whole_number("seat", self.seat, 0, self.rules.players - 1)
            except TableError as error:
                raise TableError(f'{error}, or "random"') from None
        if self.kind.stops_too_soon(self.rules):
            raise TableError(
                f"max_turns={self.rules.max_turns} is too small: with players={self.rules.players} a round could be "
                "stopped before every seat has decided"
            )

    @property
    def kind(self) -> CardGame:
        """The game with these rules."""
        return find_game(self.rules.game)

    def seating(self, restarts: bool) -> NDArray[np.void]:
        """The options as the compiled loop reads them, but for who sits at each place after the learner."""
        kind, seating = self.kind, np.zeros(1, SEATING_DTYPE)
        seating["episode"], seating["restarts"] = EPISODES.index(self.episode), restarts
        seating["reward"], seating["shaping"] = reward_code(kind, self.reward), kind.shapings.index(self.shaping)
        seating["seat"] = NOBODY if self.seat == "random" else self.seat
        seating["forfeits"] = ILLEGAL.index(self.illegal)
        seating["penalty"] = penalty_of(kind, self.rules, self.reward)
        return seating
