"""What a game must offer to have its written games judged, a decision at a time, while somebody waits."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Judge(Protocol):
    """A written game that is judged decision by decision, and then checked where something seems given away."""

    total: int  # decisions of the game; 0 for a position

    @property
    def judged(self) -> int:
        """How many decisions have been judged."""

    def judge(self) -> Mapping[str, Any]:
        """Judge the next decision; it, ready for JSON."""

    def position(self) -> Mapping[str, Any]:
        """What every choice is worth where no decision is written, ready for JSON; TableError if there is none."""

    @property
    def doubtful(self) -> Sequence[int]:
        """The numbers, from 1, of the judged decisions that seem to give something away."""

    def check(self, move: int, is_stopped: Any) -> Mapping[str, Any] | None:
        """Check the decision of this number, unless that is done; it, ready for JSON. None if it was stopped."""

    def conduct(self, names: Sequence[str]) -> Mapping[str, Any]:
        """How all seats played, as far as is judged and checked, ready for JSON; `names` are those of the seats."""
