"""Skip-Bo in words: what each of its events was to everybody at the table."""

from collections.abc import Sequence
from itertools import takewhile

from skipbo_env.actions import card_name
from skipbo_env.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    Event,
    PileCompleted,
    PileRecycled,
    RoundScored,
    RoundStopped,
    StockCardTurnedUp,
    TurnBegan,
    TurnPassed,
)
from skipbo_env.kernel.state import WILD
from skyjo.table.game_terminal import DecisionWords

RoundOver = RoundScored | RoundStopped


def tell(events: Sequence[Event]) -> DecisionWords:
    """What a decision did, up to where the next turn begins or the round is over."""
    decided = takewhile(lambda event: not isinstance(event, TurnBegan | RoundOver), events)
    end = next((event for event in events if isinstance(event, RoundOver)), None)
    return DecisionWords(", ".join(filter(None, map(_words, decided))), end)


def ending_words(end: RoundOver, names: Sequence[str]) -> str:
    """How a round ended, and who has won it."""
    if isinstance(end, RoundStopped):
        return f"round {end.round} was stopped after {end.turns} turns and is not scored"
    winner = "nobody" if end.winner is None else names[end.winner]
    why = {"blocked": ", blocked: nobody can move any more", "no_cards": ", as no card is left to draw"}
    return f"round {end.round} is over after {end.turns} turns{why.get(end.ending, '')}, won by {winner}"


def _words(event: Event) -> str:
    match event:
        case CardPlayed():
            where = {"stock": " from stock", "pile": f" from pile {event.pile}"}.get(event.source, "")
            rank = f" as {event.rank}" if event.card == WILD else ""
            return f"{card_name(event.card)}{where} to {event.place}{rank}"
        case StockCardTurnedUp():
            return f"turned up {card_name(event.card)}"
        case PileCompleted():
            return f"completed pile {event.place}"
        case PileRecycled():
            return f"{event.size} cards were shuffled and became the draw pile"
        case CardsDrawn():
            return f"drew {len(event.cards)}"
        case CardDiscarded():
            return f"discarded {card_name(event.card)} on {event.pile}"
        case TurnPassed():
            return "passed"
        case _:  # what everybody at the table sees without being told
            return ""
