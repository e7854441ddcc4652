"""Judges of recorded games, and the lines for a player after a round."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from cardtable.arena.exam.analysis import Analyst, Judged, conduct_of
from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import AgentError, TableError
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import RecordFormat
from skyjo.analysis.analysed_game import marked, marks_in_words
from skyjo.interfaces import GameInterface, loaded
from skyjo.table.described_game import DescribedGame

MAX_MISTAKES = 3  # that are shown of a round


def analyst_for(interface: GameInterface, rules: Any, judge: str = "") -> tuple[str, Analyst]:
    """Return the agent that judges, and its analyst: this agent, or the first of the game's judges that can by these
    rules. TableError if there is none.
    """
    agents = agents_of(find_game(interface.game))
    if judge:
        try:
            return judge, loaded(interface.analyst)(agents.make(judge, rules))
        except AgentError as error:
            raise AgentError(f"judge {judge}: {error}") from None
    for name in interface.judges:
        with suppress(AgentError):  # whose words may name a file of the server
            return name, loaded(interface.analyst)(agents.make(name, rules))
    raise TableError(f"no agent can judge games of {interface.title} under these rules with {rules.players} players")


def mistakes(interface: GameInterface, record: dict[str, Any], seat: int, number: int) -> list[str]:
    """Return lines on the losses of a seat's decisions in a round, and on the worst decisions; TableError without a
    judge.
    """
    game = find_game(interface.game)
    start = RecordFormat(game).begin(record)
    names, (_, analyst) = game.action_names(start.rules), analyst_for(interface, start.rules)
    own = list(analyst.decisions(record, lambda *of: of == (number, seat)))
    conduct = conduct_of(seat, own)
    described = DescribedGame(start)
    words = [described.apply(action).words for action in record["actions"]]
    first = f"Your decisions gave away {conduct.lost:.1f} points in this round: {marks_in_words(conduct.marks)}."
    return [first, *(_mistake(judged, words[judged.number - 1], names) for judged in marked(own)[:MAX_MISTAKES])]


def _mistake(judged: Judged, words: str, names: Sequence[str]) -> str:
    best = names[judged.best]
    return f"  move {judged.number}: {words}; {best} was worth {judged.lost:.1f} points more"
