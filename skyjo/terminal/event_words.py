"""What games share of their words in the terminal."""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

from skyjo.programs import DecisionWords


def decision_words(
    events: Sequence[Any], words: Callable[[Any], str], ends: tuple[type, ...], stops: tuple[type, ...] = ()
) -> DecisionWords:
    """What a decision did, up to the end of a round (one of `ends`) or to what is told elsewhere (one of `stops`)."""
    decided = takewhile(lambda event: not isinstance(event, ends + stops), events)
    end = next((event for event in events if isinstance(event, ends)), None)
    return DecisionWords(", ".join(filter(None, map(words, decided))), end)
