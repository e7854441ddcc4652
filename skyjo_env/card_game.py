"""Skyjo as everything that plays, stores, measures and reports takes it: the one place where they meet."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Luck, Setup, Trace
from cardtable.errors import IllegalActionError
from cardtable.rounds import Rounds
from skyjo_env import kernel, measuring
from skyjo_env.actions import action_names
from skyjo_env.agents import REGISTRY
from skyjo_env.events import Event
from skyjo_env.game import Game
from skyjo_env.kernel.state import EPISODES
from skyjo_env.measuring.luck_terms import WEIGHTS
from skyjo_env.measuring.replaying import replayed
from skyjo_env.measuring.tables import SkyjoTables
from skyjo_env.record import begin, format_record, replay
from skyjo_env.rules import Rules

LUCK_EXPLAINED = (
    "Whenever a card is drawn or turned up, it is noted how much better it was than the mean of all cards "
    "that it could have been."
)


class SkyjoGame:
    """See `cardtable.card_game.CardGame`."""

    name, title = "skyjo", "Skyjo"
    episodes: tuple[str, ...] = EPISODES
    lower_is_better = True
    yardstick = "threshold:t=2,columns=true"  # the best player of Reichel (2026)
    agents = REGISTRY
    luck: Luck | None = Luck(("turned_up", "drew", "given"), WEIGHTS, LUCK_EXPLAINED)
    action_type: np.dtype[Any] = np.dtype(np.uint8)
    sources: tuple[Path, ...] = (Path(kernel.__file__).parent, Path(measuring.__file__).parent)

    def rules(self, text: str = "", players: int | None = None) -> Rules:
        """The rules of a text, for this many players if a number is given."""
        rules = Rules.from_text(text)
        return rules if players is None else rules.replace(players=players)

    def traces(self, rules: Rules) -> tuple[Trace, ...]:
        """The cells that were cleared: whole columns, unless rows are cleared too."""
        if rules.row_clear:
            explained = "Cells are cleared where a column or a row is of equal cards; these count nothing at the end."
            return (Trace("cleared", "cells cleared", "cells cleared", 1.0, False, explained),)
        explained = "A column is cleared when it is of equal cards; these count nothing at the end."
        return (Trace("cleared", "cells cleared", "columns cleared", 1 / rules.rows, True, explained),)

    def stopped(self, rules: Rules) -> str:
        """When a round is stopped (7.8)."""
        return f"after {rules.max_turns:,} turns"

    def deal(self, setup: Setup, deals: range) -> SkyjoTables:
        """Tables with these deals."""
        return SkyjoTables(setup, deals)

    def replay(self, setup: Setup, deals: range, lengths: NDArray[np.int64], actions: NDArray[np.uint8]) -> Rounds:
        """What comes of stored actions."""
        return replayed(setup, deals, lengths, actions)

    def record(self, setup: Setup, deal: int, actions: Sequence[int]) -> dict[str, Any]:
        """The written record of a game, as `skyjo_env.replay` takes it."""
        rules: Any = setup.rules
        game = Game(rules, setup.seed, deal, setup.episode)
        for number, action in enumerate(actions, 1):
            try:
                game.apply(action)
            except IllegalActionError as error:
                raise IllegalActionError(f"move {number}: {error}") from None
        return game.record()

    def events(self, record: dict[str, Any]) -> Iterator[tuple[Event, ...]]:
        """What happened in a written game (docs/events.md)."""
        game = begin(record)
        for action in record["actions"]:
            yield game.play(action)

    def new_game(self, rules: Rules, seed: int, deal: int, episode: str) -> Game:
        """A game from its deal on."""
        return Game(rules, seed, deal, episode)

    def read_game(self, text: str) -> Game:
        """The game of a written record or position (docs/notation.md)."""
        return Game.from_position(text) if text.lstrip().startswith("skyjo-position") else replay(text)

    def begin(self, record: dict[str, Any]) -> Game:
        """The game of a record, before its first action."""
        return begin(record)

    def format_record(self, record: dict[str, Any]) -> str:
        """A record as text, one turn a line."""
        return format_record(record)

    def action_names(self, rules: Rules) -> tuple[str, ...]:
        """The name of every action, by number."""
        return action_names(rules)


SKYJO = SkyjoGame()
