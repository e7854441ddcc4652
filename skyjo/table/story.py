"""A game told in words: what every decision did, as everybody saw it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from skyjo_env import Game
from skyjo_env.events import (
    CardDiscarded,
    CardDrawn,
    CardPlaced,
    CardTurnedUp,
    DiscardTaken,
    Event,
    LinesCleared,
    LinesKept,
    RoundEnded,
    RoundScored,
    RoundStopped,
)

RoundOver = RoundScored | RoundStopped


@dataclass(frozen=True)
class Decision:
    """One decision that was carried out."""

    number: int  # of the decision, from 1
    round: int
    seat: int
    action: int
    words: str
    ends_turn: bool
    end: RoundOver | None  # if it ended a round


class StoryTeller:
    """Carries out decisions of a game, and tells them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.number = 0  # of the last decision

    def apply(self, action: int) -> Decision:
        """Carry out a decision; an illegal one raises IllegalActionError and changes nothing."""
        game = self.game
        number, seat = game.round, game.seat
        events = game.play(action)
        self.number += 1
        ends_turn = game.is_over or game.phase == "turn" or (game.round, game.seat) != (number, seat)
        decided = list(takewhile(lambda event: not isinstance(event, RoundOver), events))
        words = ", ".join(filter(None, map(_words, decided)))
        end = next((event for event in events if isinstance(event, RoundOver)), None)
        return Decision(self.number, number, seat, action, words, ends_turn, end)


def turn_lines(told: Sequence[Decision], names: Sequence[str]) -> list[str]:
    """A line for every turn, such as `seat 1: drew, placed 5 on cell 3 for a hidden 9`."""
    lines: list[str] = []
    goes_on = False
    for one in told:
        if goes_on:
            lines[-1] += f", {one.words}"
        else:
            lines.append(f"{names[one.seat]}: {one.words}")
        goes_on = not one.ends_turn
    return lines


def result_words(game: Game, names: Sequence[str]) -> str:
    """Who has won; that the game was stopped; or that it is not over."""
    if not game.is_over:
        return f"not over: it is {names[game.seat]}'s decision"
    winners = " and ".join(names[seat] for seat in game.winners)
    return f"over, won by {winners}" if winners else "stopped after too many turns, won by nobody"


def _words(event: Event) -> str:
    """What a decision did. A drawn card is not named before it is placed or discarded: only then is it public."""
    match event:
        case CardDrawn():
            return "drew"
        case DiscardTaken():
            return f"took {event.card}"
        case CardPlaced():
            card = event.card if event.was_drawn else "it"
            hidden = "a hidden " if event.was_hidden else ""
            return f"placed {card} on cell {event.cell} for {hidden}{event.replaced}"
        case CardDiscarded():
            return f"discarded {event.card}"
        case CardTurnedUp():
            return f"turned up {event.card} on cell {event.cell}"
        case LinesKept():
            return "kept complete lines"
        case LinesCleared(is_reveal=False):
            return f"cleared {len(event.cards)} cards"
        case RoundEnded():
            return "ended the round"
        case _:  # what everybody at the table sees without being told
            return ""
