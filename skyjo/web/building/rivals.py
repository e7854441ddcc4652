"""Whom people can play against: agents that have a name, their ratings, and which agents cannot play at a table."""

import json
from typing import Any

from cardtable.table.agents.agents import AgentRegistry, agents_of
from cardtable.table.errors import TableError
from cardtable.table.game.card_game import CardGame
from skyjo.interfaces import GameInterface
from skyjo.table.seating import allowed_agents, may_sit_down

OF_TWO = 2  # players at the tables at which rivals are rated


def ladder_of(interface: GameInterface) -> Any:
    """The ladder that comes with a game; None if there is none."""
    file = interface.path / "ladder.json"  # written by `make ladder`
    return json.loads(file.read_text("utf-8")) if file.is_file() else None


def _ratings(interface: GameInterface) -> dict[str, float]:
    ladder = ladder_of(interface) or {"tables": []}
    return {
        row["agent"]: row["rating"] for table in ladder["tables"] if table["players"] == OF_TWO for row in table["rows"]
    }


def rival_documents(interface: GameInterface, registry: AgentRegistry) -> list[dict[str, Any]]:
    """The rivals, the weakest first: with their ratings, None where nobody has measured it, and if they can play."""
    ratings = _ratings(interface)
    return [
        {
            **rival._asdict(),
            "card": rival.card._asdict(),
            "rating": round(ratings[rival.agent]) if rival.agent in ratings else None,
            "playable": may_sit_down(registry, rival.agent),
        }
        for rival in interface.rivals
    ]


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
