"""Edelkamp, *ELO System for Skat and Other Games of Chance*: its numbers, its open question, and Skyjo's luck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from papers.paper import Paper, Report

if TYPE_CHECKING:
    from papers.elo_results import EloResult


@dataclass(frozen=True)
class EloPaper(Paper):
    """Check Edelkamp's Elo for games of chance, and fit the weights of luck that --luck uses.

    The page says which printed numbers come out again; whether ratings find the true strengths sooner without luck, in
    simulations where strengths are known; and how many points of margin each term of a round's luck explains in Skyjo.
    """

    name = "elo"
    parts = ("printed", "convergence", "weights")

    @property
    def work(self) -> float:
        """The number of parts that take time."""
        return float(len({"convergence", "weights"} & set(self.chosen)))

    def result(self, report: Report) -> EloResult:
        """Compute the parts that were asked for."""
        from papers.elo_results import check

        return check(self, report)
