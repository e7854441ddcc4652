"""Everything that is found out about the paper, as one document of plain values, to be written as JSON or rendered."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cardtable.errors import TableError
from skyjo.studies.paper.claims import Claim
from skyjo.studies.paper.claims_columns import check_completion, check_order_of_changes, check_smaller_is_better
from skyjo.studies.paper.claims_hidden import check_addition, check_hidden_cards
from skyjo.studies.paper.claims_last import check_discarding
from skyjo.studies.paper.claims_play import check_program, check_rising
from skyjo.studies.paper.claims_replace import check_hidden_replacement, check_largest, check_taking
from skyjo.studies.paper.duels import (
    ALONE,
    BASE,
    BOARDS,
    DECKS,
    DUEL,
    REFUSAL,
    VARIED_THRESHOLDS,
    Variant,
    refusals,
    threshold_duels,
    variant,
)
from skyjo.studies.paper.printed import SAMPLES, TABLE_1
from skyjo.studies.paper.sampling_error import bound_of
from skyjo.studies.paper.sweeps import SOURCES, THRESHOLDS, Job, Point, Report, cost, jobs_of, sweep
from skyjo.studies.paper.table1 import BOUND, Comparison, compare, fitting_sources
from skyjo_env.rules import OFFICIAL

SECTIONS = {"table1": "table1", "thresholds": "duels", "claims": "claims", "variants": "variants"}
PARTS = tuple(SECTIONS)  # of the report, each with its own section of the document
HEAD = ("games", "seed", "command", "parts", "sources", "printed", "points")  # what every document has
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
    """What is to be found out, and how thoroughly."""

    games: int = FULL
    seed: int = 1
    threads: int = 2
    parts: tuple[str, ...] = PARTS

    def __post_init__(self) -> None:
        unknown = [part for part in self.parts if part not in PARTS]
        if unknown or not self.parts:
            raise TableError(f"{', '.join(unknown) or 'nothing'} is no part of the report: {', '.join(PARTS)} are")
        for name, least in (("games", LEAST), ("seed", 0), ("threads", 1)):
            if getattr(self, name) < least:
                raise TableError(f"{name}={getattr(self, name)} must be at least {least}")

    @property
    def command(self) -> str:
        """What brings these numbers again."""
        return f"skyjo paper --games {self.games} --seed {self.seed}"

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
        """How much there is to do, as told to the progress bar."""
        total = sum(len(games) * cost(source, threshold) for source, threshold, games in self.jobs)
        if "thresholds" in self.parts:
            total += 2 * len(THRESHOLDS) * DUEL * self.duels
        if "variants" in self.parts:
            kinds = (len(BOARDS) + len(DECKS)) * len(VARIED_THRESHOLDS)
            total += 4 * REFUSAL * self.refusals + kinds * (ALONE + DUEL) * self.variants
        return total


def find_out(settings: Settings, report: Report) -> dict[str, Any]:
    """Do it all; `report` is told of the work done."""
    points = sweep(settings.jobs, settings.seed, settings.threads, report)
    document: dict[str, Any] = {
        "games": settings.games,
        "seed": settings.seed,
        "command": settings.command,
        "parts": list(settings.parts),
        "sources": {source.name: source.words for source in SOURCES},
        "printed": [row._asdict() for row in TABLE_1],
        "points": [asdict(point) for point in points],
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


def is_whole(document: Any) -> bool:
    """Might this be a document, with parts of the report and their sections?"""
    if not isinstance(document, dict) or any(name not in document for name in HEAD):
        return False
    parts = document["parts"]
    if not isinstance(parts, list) or not parts or not all(part in PARTS for part in parts):
        return False
    return all(document.get(SECTIONS[part]) for part in parts)


def in_order(claims: Sequence[Claim]) -> list[Claim]:
    """Lemmas, propositions, corollaries, each by its lowest number."""
    kinds = ("Lemma", "Proposition", "Corollary")
    return sorted(claims, key=lambda claim: (kinds.index(claim.labels[0].split()[0]), int(claim.labels[0].split()[1])))


def claim_document(claim: Claim) -> dict[str, Any]:
    """A claim with its verdict."""
    return {**asdict(claim), "verdict": claim.verdict, "conditions": list(claim.conditions)}


def table_1(points: Sequence[Point]) -> dict[str, Any]:
    """The comparison with the printed table."""

    def plain(each: Comparison) -> dict[str, Any]:
        return {**asdict(each), "errors": each.errors, "fits": each.fits, "verdict": each.verdict}

    names = [source.name for source in PAPERS]
    comparisons = compare([point for point in points if point.source in names])
    return {
        "bound": BOUND,
        "comparisons": [plain(each) for each in comparisons],
        "fitting": {reading: fitting_sources(comparisons, reading) for reading in SAMPLES},
    }


def duels(settings: Settings, report: Report) -> dict[str, Any]:
    """Every threshold against the base under official rules."""
    comparisons = 2 * (len(THRESHOLDS) - 1)
    bound = bound_of(comparisons)
    found: dict[str, Any] = {"base": BASE, "deals": settings.duels, "comparisons": comparisons, "bound": bound}
    for name, columns in (("plain", False), ("columns", True)):
        rows = threshold_duels(
            OFFICIAL,
            columns=columns,
            thresholds=THRESHOLDS,
            deals=settings.duels,
            seed=settings.seed,
            threads=settings.threads,
            report=report,
        )
        found[name] = [
            {"threshold": t, **asdict(duel), "is_won": duel.is_won(bound)}
            for t, duel in zip(THRESHOLDS, rows, strict=True)
        ]
    return found


def variants(settings: Settings, report: Report) -> dict[str, Any]:
    """Confirmation of clears, other boards, other decks."""
    options = settings.seed, settings.threads, report
    return {
        "refusals": [asdict(each) for each in refusals(settings.refusals, *options)],
        "boards": kinds([variant(name, rules, settings.variants, *options) for name, rules in BOARDS.items()]),
        "decks": kinds([variant(name, rules, settings.variants, *options) for name, rules in DECKS.items()]),
    }


def kinds(found: Sequence[Variant]) -> list[dict[str, Any]]:
    """The rows of a table, with the thresholds that are best by more than chance in the table as a whole."""
    bound = bound_of(sum(len(each.thresholds) - 1 for each in found))
    return [{**asdict(each), "lowest": each.lowest(bound), "winning": each.winning(bound)} for each in found]
