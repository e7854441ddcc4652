"""Skyjo in words: what each of its events was to everybody at the table."""

from collections.abc import Sequence
from itertools import takewhile

from skyjo.table.game_terminal import DecisionWords
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


def tell(events: Sequence[Event]) -> DecisionWords:
    """What a decision did; what the end of the round reveals is not part of it."""
    decided = takewhile(lambda event: not isinstance(event, RoundOver), events)
    end = next((event for event in events if isinstance(event, RoundOver)), None)
    return DecisionWords(", ".join(filter(None, map(_words, decided))), end)


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
