"""A player's mistakes in a round, shown after it."""

from typing import Any

from cardtable.errors import AgentError
from skyjo.analysis.analysed_game import AnalysedDecision, analyse, marks_in_words
from skyjo_agents.analysis import conduct_of
from skyjo_agents.policy import LookAgent
from skyjo_env.card_game import SKYJO

SHOWN = 3


def mistakes(record: dict[str, Any], seat: int, number: int) -> list[str]:
    """What a seat gave away in a round, and its worst decisions; empty if no shipped policy knows the rules."""
    try:
        look = LookAgent(SKYJO.records.begin(record).rules)
    except AgentError:
        return []
    game = analyse(record, look, "look")
    own = [decision for decision in game.decisions if decision.judged.seat == seat and decision.judged.round == number]
    conduct = conduct_of(seat, [decision.judged for decision in own])
    marked = sorted((decision for decision in own if decision.judged.mark), key=lambda decision: -decision.judged.lost)
    words = marks_in_words(conduct.marks)
    first = f"Your decisions gave away {conduct.lost:.1f} points in this round: {words}."
    return [first, *map(_line, marked[:SHOWN])]


def _line(decision: AnalysedDecision) -> str:
    better = f"{decision.choices[0].name} was worth {decision.judged.lost:.1f} points more"
    return f"  move {decision.story.number}: {decision.story.words}; {better}"
