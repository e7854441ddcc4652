"""A claim of the paper with its verdict, and the results that verdicts are drawn from."""

from dataclasses import dataclass

from cardtable.statistics import EstimateDocument
from studies.skipbo_paper.skipbo_document import (
    AloneDocument,
    ChangeDocument,
    PairDocument,
    SkipboPaperDocument,
    TestDocument,
)

CONFIRMED, REFUTED, IMPRECISE, NOT_TESTABLE = "confirmed", "refuted", "imprecise", "not testable"
LEVEL = 0.05  # of adjusted p-values
MEASURED, READ = True, False


@dataclass(frozen=True)
class Claim:
    """What the paper says, and the result."""

    section: str
    title: str
    says: str
    verdict: str
    evidence: str
    is_measured: bool  # or read, here or elsewhere


class Results:
    """The numbers of a document, by who played."""

    def __init__(self, document: SkipboPaperDocument) -> None:
        self.document = document
        self.pairs = document["pairs"]
        self.alone = document["alone"]
        self._pairs = {tuple(pair["players"]): pair for pair in self.pairs}
        self._alone = {each["player"]: each for each in self.alone}

    def pair(self, player: str, other: str) -> PairDocument:
        """Two players, whoever is named first."""
        return self._pairs.get((player, other)) or self._pairs[other, player]

    def share(self, player: str, other: str) -> EstimateDocument:
        """The share of games that a player takes from another, nobody's game as half."""
        found = self.pair(player, other)
        return found["share"] if found["players"][0] == player else turned(found["share"])

    def won(self, player: str, other: str) -> float:
        """The share of all games that a player has won against another."""
        found = self.pair(player, other)
        return found["wins"][found["players"].index(player)] / (2 * found["deals"])

    def at_both_seats(self, player: str) -> AloneDocument:
        """A player at both seats."""
        return self._alone[player]

    def is_better(self, player: str, other: str) -> bool:
        """Does a player take more than half from another, beyond chance?"""
        return is_significant(self.pair(player, other)["test"]) and self.share(player, other)["mean"] > 0.5

    def taken(self, player: str, other: str) -> str:
        """The same share in words."""
        return estimated(self.share(player, other))

    def changes(self, *, faults: bool) -> list[ChangeDocument]:
        """The pairs under the rules of the published programme, or under variants."""
        return [each for each in self.document["changes"] if each["is_fault"] == faults]


def against(found: PairDocument | ChangeDocument) -> str:
    """A matchup in words."""
    return " against ".join(f"`{player}`" for player in found["players"])


def is_significant(test: TestDocument) -> bool:
    """Beyond chance, among all tests of the report?"""
    return test["adjusted"] <= LEVEL


def turned(share: EstimateDocument) -> EstimateDocument:
    """The other player's share."""
    return {"mean": 1 - share["mean"], "half": share["half"]}


def percent(share: float, digits: int = 1) -> str:
    """A share in words; only all of it is 100 %."""
    words = f"{100 * share:.{digits}f} %"
    return f"> {100 - 10**-digits:.{digits}f} %" if share < 1 and words.startswith("100") else words


def estimated(found: EstimateDocument, digits: int = 1) -> str:
    """A share with half its interval."""
    return f"{100 * found['mean']:.{digits}f} ± {100 * found['half']:.{digits}f} %"


def joined(words: list[str]) -> str:
    """A list in words."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
