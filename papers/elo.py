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

    The page tells which printed numbers come out again, and whether ratings find the true strengths sooner without
    luck, in simulations where strengths are known. It also gives the points of margin that each term of a round's luck
    explains in Skyjo.
    """

    name = "elo"
    parts = ("printed", "convergence", "weights")

    @property
    def work(self) -> float:
        """The number of parts that take time."""
        return float(len({"convergence", "weights"} & set(self.chosen)))

    def result(self, report: Report) -> EloResult:
        """Compute the parts that were asked for."""
        from papers import elo_results as parts
        from skyjo_env.kernel.chance import WEIGHTS

        world, deals = parts.World(replicates=300 if self.quick else 3000), 1000 if self.quick else 20_000
        has_convergence, has_weights = "convergence" in self.chosen, "weights" in self.chosen
        return parts.EloResult(
            printed=parts.reproduced() if "printed" in self.chosen else None,
            world=world,
            convergence=parts.convergence(world, parts.SERIES, self.seed, report) if has_convergence else None,
            weights=[parts.weights_row(n, deals, report) for n in parts.PLAYERS] if has_weights else None,
            weights_deals=deals,
            shipped=WEIGHTS.tolist(),
        )
