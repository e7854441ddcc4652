"""Runs the study of the paper, and puts the results together as one `PaperDocument`."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cardtable.errors import TableError
from cardtable.play.decisions import Pool, ThreadsOrPool
from skyjo_env.rules import OFFICIAL
from studies.paper.claims import Claim
from studies.paper.claims_columns import check_completion, check_order_of_changes, check_smaller_is_better
from studies.paper.claims_hidden import check_addition, check_hidden_cards
from studies.paper.claims_last import check_discarding
from studies.paper.claims_play import check_program, check_rising
from studies.paper.claims_replace import check_hidden_replacement, check_largest, check_taking
from studies.paper.duels import (
    ALONE,
    BASE,
    BOARDS,
    DECKS,
    DUEL,
    REFUSAL,
    VARIED_THRESHOLDS,
    DealSettings,
    Variant,
    refusals,
    threshold_duels,
    variant,
)
from studies.paper.paper_document import (
    PARTS,
    ClaimDocument,
    ComparisonDocument,
    DuelsDocument,
    PaperDocument,
    Table1Document,
    VariantDocument,
    VariantsDocument,
)
from studies.paper.printed import SAMPLES, TABLE_1
from studies.paper.sampling_error import bound_of
from studies.paper.sweeps import SOURCES, THRESHOLDS, Job, Point, Report, cost, jobs_of, sweep
from studies.paper.table1 import BOUND, Comparison, compare, fitting_sources

FULL, QUICK, LEAST = 1_000_000, 15_000, 15_000  # games a threshold; the least gives ten samples of the paper's size

PAPERS = [source for source in SOURCES if source.rules != OFFICIAL]  # whose scores table 1 may show

EXACT = (
    check_hidden_cards,
    check_addition,
    check_hidden_replacement,
    check_taking,
    check_largest,
    check_completion,
    check_smaller_is_better,
    check_order_of_changes,
    check_discarding,
)


@dataclass(frozen=True)
class Settings:
    """Which parts of the study to run, and on how many games."""

    games: int = FULL
    seed: int = 1
    threads: int = 2
    parts: tuple[str, ...] = PARTS
    cluster: Pool | None = None

    def __post_init__(self) -> None:
        unknown = [part for part in self.parts if part not in PARTS]
        if unknown or not self.parts:
            raise TableError(f"{', '.join(unknown) or 'nothing'} is not a part of the report: {', '.join(PARTS)} are")
        for name, least in (("games", LEAST), ("seed", 0), ("threads", 1)):
            if getattr(self, name) < least:
                raise TableError(f"{name}={getattr(self, name)} must be at least {least}")

    @property
    def threads_or_pool(self) -> ThreadsOrPool:
        """Who plays: the cluster, if there is one."""
        return self.cluster or self.threads

    @property
    def command(self) -> str:
        """The command that gives the same numbers again."""
        return f"python -m studies paper --games {self.games} --seed {self.seed}"

    @property
    def duels(self) -> int:
        """Deals for every pair of thresholds."""
        return self.games // 10

    @property
    def refusals(self) -> int:
        """Deals for every test of confirmation."""
        return max(300, self.games // 50)

    @property
    def variants(self) -> int:
        """Deals for every threshold on other boards and with other decks."""
        return self.games // 100

    @property
    def jobs(self) -> list[Job]:
        """The games of self-play that the chosen parts need."""
        if "thresholds" in self.parts or "claims" in self.parts:
            return jobs_of(SOURCES, THRESHOLDS, self.games)
        if "table1" in self.parts:
            return jobs_of(PAPERS, (0, 1, 2), self.games)
        return []

    @property
    def work(self) -> float:
        """The amount of work, for the progress bar."""
        total = sum(len(games) * cost(source, threshold) for source, threshold, games in self.jobs)
        if "thresholds" in self.parts:
            total += 2 * len(THRESHOLDS) * DUEL * self.duels
        if "variants" in self.parts:
            kinds = (len(BOARDS) + len(DECKS)) * len(VARIED_THRESHOLDS)
            total += 4 * REFUSAL * self.refusals + kinds * (ALONE + DUEL) * self.variants
        return total


def run_study(settings: Settings, report: Report) -> PaperDocument:
    """Play and check whatever the chosen parts need; `report` is called with the work done since its last call."""
    points = sweep(settings.jobs, settings.seed, settings.threads_or_pool, report)
    document: PaperDocument = {
        "games": settings.games,
        "seed": settings.seed,
        "command": settings.command,
        "parts": list(settings.parts),
        "sources": {source.name: source.words for source in SOURCES},
        "printed": [{"threshold": row.threshold, "mean": row.mean, "deviation": row.deviation} for row in TABLE_1],
        "points": [plain(point) for point in points],
    }
    if "table1" in settings.parts:
        document["table1"] = table_1(points)
    if "thresholds" in settings.parts:
        document["duels"] = duels(settings, report)
    if "claims" in settings.parts:
        claims = [*(check() for check in EXACT), check_rising(points), check_program(points)]
        document["claims"] = [claim_document(claim) for claim in in_order(claims)]
    if "variants" in settings.parts:
        document["variants"] = variants(settings, report)
    return document


def plain(row: Any) -> Any:
    """A result as a row of the document; a test compares the documents with their types."""
    return asdict(row)


def in_order(claims: Sequence[Claim]) -> list[Claim]:
    """Lemmas, propositions, corollaries, each by its lowest number."""
    kinds = ("Lemma", "Proposition", "Corollary")
    return sorted(claims, key=lambda claim: (kinds.index(claim.labels[0].split()[0]), int(claim.labels[0].split()[1])))


def claim_document(claim: Claim) -> ClaimDocument:
    """A claim with its verdict."""
    document: ClaimDocument = plain(claim) | {"verdict": claim.verdict, "conditions": list(claim.conditions)}
    return document


def table_1(points: Sequence[Point]) -> Table1Document:
    """The comparison with the printed table."""

    def judged(each: Comparison) -> ComparisonDocument:
        document: ComparisonDocument = plain(each) | {"errors": each.errors, "fits": each.fits, "verdict": each.verdict}
        return document

    names = [source.name for source in PAPERS]
    comparisons = compare([point for point in points if point.source in names])
    return {
        "bound": BOUND,
        "comparisons": [judged(each) for each in comparisons],
        "fitting": {reading: fitting_sources(comparisons, reading) for reading in SAMPLES},
    }


def duels(settings: Settings, report: Report) -> DuelsDocument:
    """Every threshold against the base under official rules."""
    comparisons = 2 * (len(THRESHOLDS) - 1)
    bound = bound_of(comparisons)
    deals = DealSettings(settings.duels, settings.seed, settings.threads_or_pool, report)
    plain_duels, with_columns = (
        [
            {"threshold": t} | plain(duel) | {"is_won": duel.is_won(bound)}
            for t, duel in zip(THRESHOLDS, threshold_duels(OFFICIAL, THRESHOLDS, deals, columns=columns), strict=True)
        ]
        for columns in (False, True)
    )
    return {
        "base": BASE,
        "deals": settings.duels,
        "comparisons": comparisons,
        "bound": bound,
        "plain": plain_duels,
        "columns": with_columns,
    }


def variants(settings: Settings, report: Report) -> VariantsDocument:
    """Confirmation of clears, other boards, other decks."""
    confirmed = DealSettings(settings.refusals, settings.seed, settings.threads_or_pool, report)
    varied = DealSettings(settings.variants, settings.seed, settings.threads_or_pool, report)
    return {
        "refusals": [plain(each) for each in refusals(confirmed)],
        "boards": variant_rows([variant(name, rules, varied) for name, rules in BOARDS.items()]),
        "decks": variant_rows([variant(name, rules, varied) for name, rules in DECKS.items()]),
    }


def variant_rows(found: Sequence[Variant]) -> list[VariantDocument]:
    """The rows of a table, with the thresholds that are best by more than chance in the table as a whole."""
    bound = bound_of(sum(len(each.thresholds) - 1 for each in found))
    return [plain(each) | {"lowest": each.lowest(bound), "winning": each.winning(bound)} for each in found]
