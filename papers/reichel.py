"""`python -m papers reichel`: Reichel (2026), repeated and every claim tested."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from papers.paper import Paper, Report
from papers.reichel_claims import Claim, exact_claims
from papers.reichel_duels import PLAYERS, VARIANTS, VARIED, Duels, duels
from papers.reichel_sweeps import THRESHOLDS, Point, Table1, compare, jobs_of, played_claims, sweep

FULL, QUICK = 500_000, 15_000  # games for each threshold of table 1, by the strategies as described


@dataclass(frozen=True)
class ReichelResult:
    """All tables; a part that was not asked for is None."""

    points: Mapping[str, Sequence[Point]]  # by source
    table1: Table1 | None
    thresholds: Duels | None
    claims: Mapping[str, Claim] | None  # by the paper's labels
    variants: Duels | None


@dataclass(frozen=True)
class Reichel(Paper):
    """Reproduce Reichel (2026): run its program and strategies again, and test every claim.

    Takes some minutes.
    """

    name = "reichel"
    parts = ("table1", "thresholds", "claims", "variants")

    def result(self, report: Report) -> ReichelResult:
        """Play and judge."""
        games, seed, parts = QUICK if self.quick else FULL, self.seed, self.chosen
        jobs = jobs_of(games, only_printed=parts == ("table1",)) if parts != ("variants",) else []
        points = sweep(jobs, seed, report)
        return ReichelResult(
            points=points,
            table1=compare(points) if "table1" in parts else None,
            thresholds=duels(PLAYERS, THRESHOLDS, seed, games // 10) if "thresholds" in parts else None,
            claims={**exact_claims(), **played_claims(points)} if "claims" in parts else None,
            variants=duels(VARIANTS, VARIED, seed, games // 100) if "variants" in parts else None,
        )
