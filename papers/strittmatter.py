"""`python -m papers strittmatter`: carry out the evaluation that the Skip-Bo paper proposes, and test its claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from papers.paper import Paper, Report

if TYPE_CHECKING:
    from papers.strittmatter_evaluation import Result

FULL, QUICK = 5000, 300  # deals of every match-up, each played from both seats


@dataclass(frozen=True)
class Strittmatter(Paper):
    """Carry out the evaluation of Strittmatter's paper on Skip-Bo, and test its claims.

    Its players in every reading, a control and a stronger player play each other; each deal is played from both seats.
    Takes a few minutes. Parts: claims, games, changes (of the rules).
    """

    name: ClassVar[str] = "strittmatter"
    parts: ClassVar[tuple[str, ...]] = ("claims", "games", "changes")

    @property
    def deals(self) -> int:
        """The deals of every match-up."""
        return QUICK if self.quick else FULL

    @property
    def work(self) -> float:
        """The number of match-ups that are played."""
        from papers.strittmatter_evaluation import WORK

        return WORK

    def result(self, report: Report) -> Result:
        """Play, measure and judge."""
        from papers.strittmatter_evaluation import result

        return result(self.deals, self.seed, self.chosen, report)
