"""What all games whose tables are `TableGame`s offer to everything that plays, stores, measures and reports."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from cardtable.card_game import Setup
from cardtable.errors import IllegalActionError
from cardtable.records import RecordFormat
from cardtable.table_game import TableGame


class TableCardGame:
    """The methods of `cardtable.card_game.PlayableGame` that need only the `RecordFormat`; each game adds the rest."""

    name: str
    record_format: ClassVar[RecordFormat[Any]]

    def rules(self, text: str = "", players: int | None = None) -> Any:
        """The rules of a text, for this many players if a number is given."""
        rules = self.record_format.parse_rules(text)
        return rules if players is None else rules.replace(players=players)

    def record(self, setup: Setup, deal: int, actions: Sequence[int]) -> dict[str, Any]:
        """The written record of a game, which the package's own `replay` reads."""
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
        game: TableGame[Any] = self.record_format.game(rules, seed, deal, episode)
        return game

    def read_game(self, text: str) -> TableGame[Any]:
        """The game of a written record or position (docs/notation.md)."""
        game: TableGame[Any]
        if text.lstrip().startswith(f"{self.name}-position"):
            game = self.record_format.game.from_position(text)
        else:
            game = self.record_format.replay(text)
        return game

    def begin(self, record: dict[str, Any]) -> TableGame[Any]:
        """The game of a record, before its first action."""
        game: TableGame[Any] = self.record_format.begin(record)
        return game

    def format_record(self, record: dict[str, Any]) -> str:
        """A record as text, one turn a line."""
        return self.record_format.format_record(record)

    def action_names(self, rules: Any) -> Sequence[str]:
        """The name of every action, by number."""
        return self.record_format.action_names(rules)
