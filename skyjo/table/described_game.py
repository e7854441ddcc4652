"""A game whose decisions are described as they are made: the public effects of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cardtable.table.game.table_game import TableGame
from skyjo.interfaces import find_interface
from skyjo.table.game_text import RoundEnd

# How a game ended, in words
RESULTS = {
    "over": "over, won by {winners}",
    "stopped": "stopped after too many turns, won by {winners}",
    "conceded": "{name} gave up",
    "and": " and ",
    "nobody": "nobody",
}


@dataclass(frozen=True)
class Decision:
    """One decision that was carried out."""

    number: int  # of the decision, from 1
    round: int
    seat: int
    action: int
    words: str
    ends_turn: bool
    end: Any  # the event by which it ended a round, or None
    events: Sequence[Any]  # with what only its seat saw


class DescribedGame:
    """A game that describes the decisions it carries out."""

    def __init__(self, game: TableGame[Any]) -> None:
        self.game = game
        self.interface = find_interface(game.rules.game)
        self.number = 0  # of the last decision

    def apply(self, action: int) -> Decision:
        """Apply a decision; an illegal one raises IllegalActionError and leaves the game unchanged."""
        game = self.game
        number, seat = game.round, game.seat
        events = game.play(action)
        words, end = self.interface.phrases.describe(game.card_game.action_names(game.rules)[action], events)
        if end is None and (game.has_scored or game.is_truncated):
            end = RoundEnd(number, game.turns, game.is_truncated, game.round_scores, game.totals)
        self.number += 1
        begins_turn = game.phase in self.interface.first_phases or (game.round, game.seat) != (number, seat)
        ends_turn = game.is_over or begins_turn
        return Decision(self.number, number, seat, action, words, ends_turn, end, events)


def turn_lines(decisions: Sequence[Decision], names: Sequence[str]) -> list[str]:
    """Return a line for every turn, such as `seat 1: drew, placed 5 on cell 3 for a hidden 9`."""
    turns: list[tuple[str, list[str]]] = []
    goes_on = False
    for decision in decisions:
        if not goes_on:
            turns.append((names[decision.seat], []))
        turns[-1][1].append(decision.words)
        goes_on = not decision.ends_turn
    return [f"{name}: {', '.join(filter(None, words)) or 'not done yet'}" for name, words in turns]


def result_words(game: TableGame[Any], names: Sequence[str]) -> str:
    """Return the result in words: the winners, or that the game was stopped or is not over."""
    if not game.is_over:
        return f"not over: it is {names[game.seat]}'s decision"
    winners = RESULTS["and"].join(names[seat] for seat in game.winners) or RESULTS["nobody"]
    return RESULTS["stopped" if game.is_truncated else "over"].format(winners=winners)
