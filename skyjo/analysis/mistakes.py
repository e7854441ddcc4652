"""A player's mistakes in a round, told after it."""

from typing import Any

from cardtable.errors import AgentError
from skyjo.analysis.analysed_game import Told, analyse, marks_in_words
from skyjo_agents.analysis import conduct_of
from skyjo_agents.policy import LookAgent
from skyjo_env.record import begin

SHOWN = 3


def mistakes(record: dict[str, Any], seat: int, number: int) -> list[str]:
    """What a seat gave away in a round, and its worst decisions; nothing if no shipped policy knows the rules."""
    try:
        look = LookAgent(begin(record).rules)
    except AgentError:
        return []
    game = analyse(record, look, "look")
    own = [told for told in game.decisions if told.judged.seat == seat and told.judged.round == number]
    conduct = conduct_of(seat, [told.judged for told in own])
    marked = sorted((told for told in own if told.judged.mark), key=lambda told: -told.judged.lost)
    words = marks_in_words(conduct.marks)
    first = f"Your decisions gave away {conduct.lost:.1f} points in this round: {words}."
    return [first, *map(_line, marked[:SHOWN])]


def _line(told: Told) -> str:
    better = f"{told.choices[0].name} was worth {told.judged.lost:.1f} points more"
    return f"  move {told.story.number}: {told.story.words}; {better}"
