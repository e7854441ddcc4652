"""What a game must offer to have its recorded games judged, one decision at a time, while somebody waits."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol


class Judge(Protocol):
    """A recorded game that is judged decision by decision, and then checked where something seems given away.

    It is made of a record; TableError if nobody can judge by these rules. Results are ready for JSON, and decisions are
    numbered from 1.
    """

    total: int  # decisions of the game; 0 for a position

    @property
    def judged(self) -> int:
        """How many decisions have been judged."""

    def judge(self) -> None:
        """Judge the next decision."""

    def position(self) -> Mapping[str, Any]:
        """What every choice is worth before the first decision; TableError if the game is over."""

    @property
    def doubtful(self) -> Sequence[int]:
        """The judged decisions that seem to give something away, the worst first."""

    def check(self, move: int, is_stopped: Callable[[], bool]) -> bool:
        """Check a decision, unless that is done; False if it was stopped."""

    def move(self, move: int) -> Mapping[str, Any]:
        """A judged decision."""

    def conduct(self, names: Sequence[str]) -> Mapping[str, Any]:
        """How all seats played, as far as is judged and checked; `names` are those of the seats."""
