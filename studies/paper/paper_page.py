"""The report on the paper: one HTML page with its pictures inside, and a summary in Markdown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from cardtable.pages.page import render
from cardtable.pages.svg import as_svg
from studies.paper.duels import BASE
from studies.paper.paper_document import (
    SECTIONS,
    ClaimDocument,
    ComparisonDocument,
    DuelsDocument,
    PaperDocument,
    PointDocument,
    ThresholdDuel,
    VariantDocument,
)
from studies.paper.paper_figures import draw_figures
from studies.paper.printed import SAMPLES

READING = next(iter(SAMPLES))  # the reading of the paper's sample size that the tables show
NO_FIGURES: Mapping[str, str] = {}  # of the Markdown page
OFTEN = 0.01  # the share of stopped games above which a mean is marked


def render_page(document: PaperDocument) -> str:
    """The HTML page."""
    figures = {name: Markup(as_svg(figure)) for name, figure in draw_figures(document).items()}
    return _render("paper_page.html.jinja", document, figures=figures)


def render_summary(document: PaperDocument) -> str:
    """The Markdown page."""
    return re.sub(r" +\n", "\n", _render("paper_page.md.jinja", document))


def _render(template: str, document: PaperDocument, figures: Mapping[str, str] = NO_FIGURES) -> str:
    parts = dict.fromkeys(SECTIONS.values()) | document
    views = vars(_views(document))
    return render(template, "studies.paper", d=parts, verdict=verdict_words, figures=figures, **views)


def verdict_words(claim: ClaimDocument) -> str:
    """The verdict of a claim, with the conditions that it holds under."""
    return str(claim["verdict"]) + (": " + "; ".join(claim["conditions"]) if claim["conditions"] else "")


@dataclass(frozen=True)
class ThresholdRow:
    """A row of the table of thresholds: every source's point, and how many games were played by whose rules."""

    t: int
    points: Mapping[str, PointDocument | None]
    games: Mapping[str, int]


@dataclass(frozen=True)
class OffRow:
    """How far off a printed value is from every source, side by side."""

    threshold: int
    value: str
    comparisons: Sequence[ComparisonDocument]


@dataclass(frozen=True)
class Views:
    """The document's numbers as the tables of both templates show them."""

    at: Mapping[str, Mapping[int, PointDocument]]  # by source and threshold
    sources: Sequence[str]
    printed_sources: Sequence[str]  # those that table 1 is compared with
    thresholds: Sequence[ThresholdRow]
    best: Mapping[str, int]  # the threshold with each source's lowest mean
    often: float
    stopped_at: Sequence[int]
    stopped: Mapping[str, Mapping[int, float]]
    comparisons: Sequence[ComparisonDocument]
    off: Sequence[OffRow]
    duels: Sequence[tuple[ThresholdDuel, ThresholdDuel]]
    variants: Sequence[tuple[str, Sequence[VariantDocument]]]
    base: int
    summary: Mapping[str, str]  # the tables' results in words


def _views(document: PaperDocument) -> Views:
    at: dict[str, dict[int, PointDocument]] = {}
    for point in document["points"]:
        at.setdefault(point["source"], {})[point["threshold"]] = point
    all_thresholds = sorted({point["threshold"] for point in document["points"]})
    comparisons = _comparisons(document)
    variants, duels = document.get("variants"), document.get("duels")
    rows = [
        ThresholdRow(t, found := {source: at[source].get(t) for source in at}, _games(found)) for t in all_thresholds
    ]
    return Views(
        at=at,
        sources=list(at),
        printed_sources=list(dict.fromkeys(each["source"] for each in comparisons)),
        thresholds=rows if "thresholds" in document["parts"] else [],
        best={source: min(found, key=lambda t: found[t]["mean"]) for source, found in at.items()},
        often=OFTEN,
        stopped_at=[t for t in all_thresholds if t >= 3],
        stopped={source: {t: point["stopped"] for t, point in found.items()} for source, found in at.items()},
        comparisons=comparisons,
        off=_off(comparisons),
        duels=list(zip(duels["plain"], duels["columns"], strict=True)) if duels else [],
        variants=[("Larger boards", variants["boards"]), ("Other decks", variants["decks"])] if variants else [],
        base=BASE,
        summary={"table1": _on_table_1(document), "duels": _on_duels(duels) if duels else ""},
    )


def _comparisons(document: PaperDocument) -> list[ComparisonDocument]:
    """The comparisons for the reading that is shown, by source."""
    found = document["table1"]["comparisons"] if "table1" in document else []
    order = list(document["sources"])
    return sorted((each for each in found if each["reading"] == READING), key=lambda each: order.index(each["source"]))


def _games(points: Mapping[str, PointDocument | None]) -> dict[str, int]:
    """How many games were played at a threshold by the paper's and by the official rules."""
    found = {source: point for source, point in points.items() if point is not None}
    return {"official" if "official" in source else "paper": point["games"] for source, point in found.items()}


def _off(comparisons: Sequence[ComparisonDocument]) -> list[OffRow]:
    """The comparisons by threshold and value, sources side by side."""
    places = sorted({(each["threshold"], each["value"]) for each in comparisons})
    return [
        OffRow(*place, [each for each in comparisons if (each["threshold"], each["value"]) == place])
        for place in places
    ]


def _on_table_1(document: PaperDocument) -> str:
    """The result of the comparison, in words."""
    if "table1" not in document:
        return ""
    words, table1 = document["sources"], document["table1"]
    fitting = table1["fitting"][READING]
    wrong: dict[str, list[str]] = {}
    for each in table1["comparisons"]:
        if each["reading"] == READING and not each["fits"]:
            wrong.setdefault(each["source"], []).append(f"{each['value']} at t = {each['threshold']}")
    text = [_can_come_from(fitting, words)]
    text += [f"“{words[source]}” does not fit: {', '.join(values)}." for source, values in wrong.items()]
    readings = {each["reading"] for each in table1["comparisons"]}
    for reading, others in table1["fitting"].items():
        if reading in readings - {READING}:
            text.append(f"If the sample was one of {reading}: {_can_come_from(others, words)}")
    if fitting == ["program+columns"]:
        text.append(
            "So the table may well come from a program that also picks, among the hidden cards, one where the card "
            "completes a column: the last rule of section 14, which the printed program lacks. Other ways to "
            "add the rule are not tried here, so this is a lead, not a proof."
        )
    return f"{text[0].capitalize()} {' '.join(text[1:])}"


def _can_come_from(sources: Sequence[str], words: Mapping[str, str]) -> str:
    if not sources:
        return "no source fits all printed values."
    return f"all printed values can come from {' or '.join(f'“{words[source]}”' for source in sources)}."


def _on_duels(duels: DuelsDocument) -> str:
    """Which thresholds win, in words."""
    text = []
    for rows, words in ((duels["plain"], "as described"), (duels["columns"], "with columns")):
        winning = [f"t = {row['threshold']}" for row in rows if row["is_won"]]
        verb = "beat" if len(winning) > 1 else "beats"
        text.append(f"{words}, {' and '.join(winning) or 'none'} {verb} t = {duels['base']}")
    return (
        f"{'; '.join(text).capitalize()}, by more than {duels['bound']:.2f} standard errors, which chance "
        f"alone reaches among all {duels['comparisons']} numbers of one table in twenty."
    )
