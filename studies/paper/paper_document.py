"""The report on the paper as data: what the study prints with --json, and what its pages are rendered from."""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict, TypeGuard

SECTIONS = {"table1": "table1", "thresholds": "duels", "claims": "claims", "variants": "variants"}
PARTS = tuple(SECTIONS)  # of the report, each with a section of its own in the document


class PrintedRow(TypedDict):
    """A row of table 1 as the paper prints it."""

    threshold: int
    mean: float
    deviation: float


class SpreadDocument(TypedDict):
    """A `sweeps.Spread`."""

    samples: int
    mean: float
    mean_error: float
    deviation: float
    deviation_error: float


class PointDocument(TypedDict):
    """A `sweeps.Point`."""

    source: str
    threshold: int
    games: int
    mean: float
    half: float
    deviation: float
    turns: float
    stopped: float
    crashed: float
    events: Mapping[str, float]
    spreads: Mapping[str, SpreadDocument]


class ComparisonDocument(TypedDict):
    """A `table1.Comparison` with its verdict."""

    source: str
    threshold: int
    value: str
    reading: str
    printed: float
    expected: float
    error: float
    errors: float
    fits: bool
    verdict: str


class Table1Document(TypedDict):
    """Table 1 compared with everything that was played."""

    bound: float  # standard errors within which all values together stay by chance
    comparisons: Sequence[ComparisonDocument]
    fitting: Mapping[str, Sequence[str]]  # by reading: the sources that fit all printed values


class DuelDocument(TypedDict):
    """A `duels.Duel`."""

    player: str
    against: str
    deals: int
    mean: float
    half: float
    differing: float


class ThresholdDuel(DuelDocument):
    """A threshold against the base."""

    threshold: int
    is_won: bool


class DuelsDocument(TypedDict):
    """All thresholds against the base under official rules."""

    base: int
    deals: int
    comparisons: int
    bound: float
    plain: Sequence[ThresholdDuel]
    columns: Sequence[ThresholdDuel]


class GroupDocument(TypedDict):
    """A `claims.Group`."""

    condition: str
    cases: int
    exceptions: int
    example: str


class TableDocument(TypedDict):
    """A `claims.Table`."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class ClaimDocument(TypedDict):
    """A `claims.Claim` with its verdict."""

    labels: Sequence[str]
    title: str
    says: str
    checked: str
    groups: Sequence[GroupDocument]
    remark: str
    tables: Sequence[TableDocument]
    beyond: Sequence[GroupDocument]
    is_whole: bool
    verdict: str
    conditions: Sequence[str]


class RefusalDocument(TypedDict):
    """A `duels.Refusal`."""

    rules: str
    threshold: int
    duel: DuelDocument


class VariantDocument(TypedDict):
    """A `duels.Variant`, with the thresholds that no other beats by more than chance."""

    name: str
    changes: str
    deals: int
    thresholds: Sequence[int]
    means: Sequence[float]
    halves: Sequence[float]
    turns: Sequence[float]
    stopped: Sequence[float]
    duels: Sequence[DuelDocument]
    lowest: Sequence[int]
    winning: Sequence[int]


class VariantsDocument(TypedDict):
    """The paper's variants of the game."""

    refusals: Sequence[RefusalDocument]
    boards: Sequence[VariantDocument]
    decks: Sequence[VariantDocument]


class PaperDocument(TypedDict):
    """All results; a section is there if its part was asked for."""

    games: int
    seed: int
    command: str
    parts: Sequence[str]
    sources: Mapping[str, str]  # what the pages call each source
    printed: Sequence[PrintedRow]
    points: Sequence[PointDocument]
    table1: NotRequired[Table1Document]
    duels: NotRequired[DuelsDocument]
    claims: NotRequired[Sequence[ClaimDocument]]
    variants: NotRequired[VariantsDocument]


def is_paper_document(document: Any) -> TypeGuard[PaperDocument]:
    """Does this look like the document? Its head and the sections of its parts are there; nothing inside is checked."""
    if not isinstance(document, dict) or any(name not in document for name in PaperDocument.__required_keys__):
        return False
    parts = document["parts"]
    if not isinstance(parts, list) or not parts or not all(part in PARTS for part in parts):
        return False
    return all(document.get(SECTIONS[part]) for part in parts)
