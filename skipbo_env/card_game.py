"""Skip-Bo as everything that plays, stores, measures and reports takes it: the one place where they meet."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.card_game import Luck, Setup, Trace
from cardtable.errors import IllegalActionError
from cardtable.rounds import Rounds
from skipbo_env import kernel, measuring
from skipbo_env.actions import action_names
from skipbo_env.agents import REGISTRY
from skipbo_env.events import Event
from skipbo_env.game import Game
from skipbo_env.kernel.state import EPISODES
from skipbo_env.measuring.luck_terms import WEIGHTS
from skipbo_env.measuring.replaying import replayed
from skipbo_env.measuring.tables import SkipboTables
from skipbo_env.record import begin, format_record, replay
from skipbo_env.rules import Rules

LUCK_EXPLAINED = (
    "Whenever a stock card is turned up or a card is drawn, it is noted how much sooner it could be played than the "
    "mean of all cards that it could have been, and whether it was a wild card."
)
TRACES = (
    Trace("completed", "piles", "piles completed", 1.0, False, "The player of its 12 completes a pile."),
    Trace("wilds", "wilds laid", "wild cards discarded", 1.0, True, "A discarded wild card stays wild."),
    Trace("stock_left", "stock left", "stock cards left", 1.0, False, "Cards left in the stock at the end."),
    Trace("turns_taken", "own turns", "turns taken", 1.0, False, "Turns of this player, the last one included."),
    Trace("blocked", "blocked", "blocked", 1.0, True, "A round is blocked when nobody can ever move again.", True),
)


class SkipboGame:
    """See `cardtable.card_game.CardGame`."""

    name, title = "skipbo", "Skip-Bo"
    episodes: tuple[str, ...] = EPISODES
    lower_is_better = False
    yardstick = "greedy:pile=smallest"  # the simplest player that uses all four discard piles
    agents = REGISTRY
    luck: Luck | None = Luck(("turned_up", "drew", "wilds"), WEIGHTS, LUCK_EXPLAINED)
    action_type: np.dtype[Any] = np.dtype(np.uint8)
    sources: tuple[Path, ...] = (Path(kernel.__file__).parent, Path(measuring.__file__).parent)

    def rules(self, text: str = "", players: int | None = None) -> Rules:
        """The rules of a text, for this many players if a number is given."""
        rules = Rules.from_text(text)
        return rules if players is None else rules.replace(players=players)

    def traces(self, rules: Rules) -> tuple[Trace, ...]:
        """What the rounds leave behind, under all rules."""
        del rules
        return TRACES

    def stopped(self, rules: Rules) -> str:
        """When a round is stopped (5.5)."""
        return f"after {rules.max_turns:,} turns"

    def deal(self, setup: Setup, deals: range) -> SkipboTables:
        """Tables with these deals."""
        return SkipboTables(setup, deals)

    def replay(self, setup: Setup, deals: range, lengths: NDArray[np.int64], actions: NDArray[np.uint8]) -> Rounds:
        """What comes of stored actions."""
        return replayed(setup, deals, lengths, actions)

    def record(self, setup: Setup, deal: int, actions: Sequence[int]) -> dict[str, Any]:
        """The written record of a game, as `skipbo_env.replay` takes it."""
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
        return Game.from_position(text) if text.lstrip().startswith("skipbo-position") else replay(text)

    def begin(self, record: dict[str, Any]) -> Game:
        """The game of a record, before its first action."""
        return begin(record)

    def format_record(self, record: dict[str, Any]) -> str:
        """A record as text, one turn a line."""
        return format_record(record)

    def action_names(self, rules: Rules) -> tuple[str, ...]:
        """The name of every action, by number."""
        return action_names(rules)


SKIPBO = SkipboGame()
