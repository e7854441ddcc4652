"""Which agents cannot play at which tables."""

from typing import Any

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame
from skyjo.table.seating import allowed_agents


class UnableAgents:
    """Which agents cannot play at which tables. What has been found out is remembered."""

    def __init__(self, game: CardGame) -> None:
        self._game = game
        self._found: dict[tuple[str, int], bool] = {}  # by agent and number of players, can it play by official rules?

    def of(self, players: int, rules: str) -> dict[str, str]:
        """By agent, what keeps it from playing, such as "at a table of 3"; TableError for rules that do not exist."""
        wanted = self._game.rules(rules, players)
        names = allowed_agents(agents_of(self._game))
        few = {name: f"at a table of {players}" for name in names if not self._plays_officially(name, players)}
        odd = {name: "by these rules" for name in names if rules and name not in few and not self._can(name, wanted)}
        return few | odd

    def _plays_officially(self, name: str, players: int) -> bool:
        key = name, players
        if key not in self._found:
            self._found[key] = self._can(name, self._game.rules("", players))
        return self._found[key]

    def _can(self, name: str, rules: Any) -> bool:
        try:
            agents_of(self._game).make(name, rules)
        except TableError:
            return False
        return True
