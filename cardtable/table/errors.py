"""Errors of this package, in a few narrow classes; all of them are ValueErrors."""

from collections.abc import Iterable
from difflib import get_close_matches

MAX_LETTERS = 1000  # of a message
MAX_WORD = 60  # letters of a mistyped word that are compared


class TableError(ValueError):
    """Base of every error that this package raises on purpose. Its message is one line that is safe to print, whatever
    text from a file or a stranger it contains.
    """

    def __init__(self, message: str = "") -> None:
        # Without what a terminal would act on, such as escape sequences and line breaks.
        printable = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in message)
        super().__init__(printable if len(printable) <= MAX_LETTERS else f"{printable[: MAX_LETTERS - 4]} ...")


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: the known one that is most like it, if any is.

    >>> did_you_mean("tornament", ["match", "tournament"]), did_you_mean("chess", ["match", "tournament"])
    ('; did you mean tournament?', '')
    """
    near = get_close_matches(word[:MAX_WORD].lower(), candidates, n=1)
    return f"; did you mean {near[0]}?" if near else ""


class RulesError(TableError):
    """Rules that cannot be played; the message names the fields."""


class IllegalActionError(TableError):
    """An action that is not legal now: names it, the seat, the phase and the legal actions. The table is unchanged."""


class PositionError(TableError):
    """A written position that cannot be read or cannot be on a table; the message names the line and the reason."""


class RecordError(TableError):
    """A written game that is damaged or cannot be replayed; the message names the line and the reason."""


class AgentError(TableError):
    """An agent that does not exist, cannot be created, or does not answer as an agent must."""


class CallError(TableError, AssertionError):
    """A call that an environment cannot answer: out of order, or outside the action space.

    It is also an AssertionError, because PettingZoo's own wrappers raise these.
    """
