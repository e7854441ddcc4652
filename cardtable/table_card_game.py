"""A game whose tables are `TableGame`s, as everything that plays, stores, measures and reports takes it."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from cardtable.card_game import Setup
from cardtable.errors import IllegalActionError
from cardtable.records import RecordFormat
from cardtable.table_game import TableGame


class TableCardGame:
    """What of `cardtable.card_game.PlayableGame` follows from how a game is written; each game adds the rest."""

    name: str
    written: ClassVar[RecordFormat[Any]]

    def rules(self, text: str = "", players: int | None = None) -> Any:
        """The rules of a text, for this many players if a number is given."""
        rules = self.written.parse_rules(text)
        return rules if players is None else rules.replace(players=players)

    def record(self, setup: Setup, deal: int, actions: Sequence[int]) -> dict[str, Any]:
        """The written record of a game, as the game's own `replay` takes it."""
        game = self.new_game(setup.rules, setup.seed, deal, setup.episode)
        for number, action in enumerate(actions, 1):
            try:
                game.apply(action)
            except IllegalActionError as error:
                raise IllegalActionError(f"move {number}: {error}") from None
        return game.record()

    def events(self, record: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
        """What happened in a written game (docs/events.md)."""
        game = self.begin(record)
        for action in record["actions"]:
            yield game.play(action)

    def new_game(self, rules: Any, seed: int, deal: int, episode: str) -> TableGame[Any]:
        """A game from its deal on."""
        game: TableGame[Any] = self.written.game(rules, seed, deal, episode)
        return game

    def read_game(self, text: str) -> TableGame[Any]:
        """The game of a written record or position (docs/notation.md)."""
        game: TableGame[Any]
        if text.lstrip().startswith(f"{self.name}-position"):
            game = self.written.game.from_position(text)
        else:
            game = self.written.replay(text)
        return game

    def begin(self, record: dict[str, Any]) -> TableGame[Any]:
        """The game of a record, before its first action."""
        game: TableGame[Any] = self.written.begin(record)
        return game

    def format_record(self, record: dict[str, Any]) -> str:
        """A record as text, one turn a line."""
        return self.written.format_record(record)

    def action_names(self, rules: Any) -> Sequence[str]:
        """The name of every action, by number."""
        return self.written.action_names(rules)
