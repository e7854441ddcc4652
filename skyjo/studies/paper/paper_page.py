"""The report on the paper: one HTML page with its pictures inside, and a summary in Markdown."""

import re
from typing import Any

from markupsafe import Markup

from cardtable.report.page import render
from cardtable.report.svg import as_svg
from skyjo.studies.paper.duels import BASE
from skyjo.studies.paper.paper_figures import draw_figures
from skyjo.studies.paper.printed import SAMPLES

READING = next(iter(SAMPLES))  # the reading of the paper's sample size that the tables show
OFTEN = 0.01  # the share of stopped games above which a mean is marked


def render_page(document: dict[str, Any]) -> str:
    """The HTML page."""
    figures = {name: Markup(as_svg(figure)) for name, figure in draw_figures(document).items()}
    return _render("paper_page.html.jinja", document, figures=figures)


def render_summary(document: dict[str, Any]) -> str:
    """The Markdown page."""
    return re.sub(r" +\n", "\n", _render("paper_page.md.jinja", document))


def _render(template: str, document: dict[str, Any], **more: Any) -> str:
    parts = {"table1": None, "duels": None, "claims": None, "variants": None, **document}
    return render(template, "skyjo.studies.paper", d=parts, verdict=verdict_words, **_views(parts), **more)


def verdict_words(claim: dict[str, Any]) -> str:
    """The verdict of a claim, with what it holds under."""
    return str(claim["verdict"]) + (": " + "; ".join(claim["conditions"]) if claim["conditions"] else "")


def _views(document: dict[str, Any]) -> dict[str, Any]:
    """The document's numbers as the tables want them."""
    at: dict[str, dict[int, Any]] = {}
    for point in document["points"]:
        at.setdefault(point["source"], {})[point["threshold"]] = point
    all_thresholds = sorted({point["threshold"] for point in document["points"]})
    comparisons = [each for each in (document["table1"] or {}).get("comparisons", []) if each["reading"] == READING]
    by_source = sorted(comparisons, key=lambda each: list(document["sources"]).index(each["source"]))
    variants, duels = document["variants"] or {}, document["duels"] or {}
    best = {source: min(found, key=lambda t: found[t]["mean"]) for source, found in at.items()}
    rows = [
        {"t": t, "points": (found := {source: at[source].get(t) for source in at}), "games": _games(found)}
        for t in all_thresholds
    ]
    return {
        "at": at,
        "sources": list(at),
        "printed_sources": list(dict.fromkeys(each["source"] for each in by_source)),
        "thresholds": rows if "thresholds" in document["parts"] else [],
        "best": best,
        "often": OFTEN,
        "stopped_at": [t for t in all_thresholds if t >= 3],
        "stopped": {source: {t: point["stopped"] for t, point in found.items()} for source, found in at.items()},
        "comparisons": by_source,
        "off": _off(by_source),
        "duels": list(zip(duels["plain"], duels["columns"], strict=True)) if duels else [],
        "variants": [("Larger boards", variants["boards"]), ("Other decks", variants["decks"])] if variants else [],
        "base": BASE,
        "summary": {"table1": _on_table_1(document), "duels": _on_duels(duels)},
    }


def _games(points: dict[str, Any]) -> dict[str, int]:
    """How many games there were at a threshold, by whose rules they were played."""
    found = {source: point for source, point in points.items() if point is not None}
    return {"official" if "official" in source else "paper": point["games"] for source, point in found.items()}


def _off(comparisons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The comparisons by threshold and value, sources side by side."""
    rows = dict.fromkeys((each["threshold"], each["value"]) for each in comparisons)
    return [
        {
            "threshold": threshold,
            "value": value,
            "comparisons": [each for each in comparisons if (each["threshold"], each["value"]) == (threshold, value)],
        }
        for threshold, value in sorted(rows)
    ]


def _on_table_1(document: dict[str, Any]) -> str:
    """What the comparison comes to, in words."""
    if not document["table1"]:
        return ""
    words = document["sources"]
    fitting = document["table1"]["fitting"][READING]
    wrong: dict[str, list[str]] = {}
    for each in document["table1"]["comparisons"]:
        if each["reading"] == READING and not each["fits"]:
            wrong.setdefault(each["source"], []).append(f"{each['value']} at t = {each['threshold']}")
    text = [_can_come_from(fitting, words)]
    text += [f"“{words[source]}” does not fit: {', '.join(values)}." for source, values in wrong.items()]
    readings = {each["reading"] for each in document["table1"]["comparisons"]}
    for reading, others in document["table1"]["fitting"].items():
        if reading in readings - {READING}:
            text.append(f"If the sample was one of {reading}: {_can_come_from(others, words)}")
    if fitting == ["program+columns"]:
        text.append(
            "So the table may well come from a program that also picks, among the hidden cards, one where the card "
            "completes a column: the last rule of section 14, which the printed program lacks. Other ways to "
            "add the rule are not tried here, so this is a lead, no proof."
        )
    return f"{text[0].capitalize()} {' '.join(text[1:])}"


def _can_come_from(sources: list[str], words: dict[str, str]) -> str:
    if not sources:
        return "no source fits all printed values."
    return f"all printed values can come from {' or '.join(f'“{words[source]}”' for source in sources)}."


def _on_duels(duels: dict[str, Any]) -> str:
    """Which thresholds win, in words."""
    if not duels:
        return ""
    text = []
    for kind, words in (("plain", "as described"), ("columns", "with columns")):
        winning = [f"t = {row['threshold']}" for row in duels[kind] if row["is_won"]]
        verb = "beat" if len(winning) > 1 else "beats"
        text.append(f"{words}, {' and '.join(winning) or 'none'} {verb} t = {duels['base']}")
    return (
        f"{'; '.join(text).capitalize()}, by more than {duels['bound']:.2f} standard errors, which chance "
        f"alone reaches among all {duels['comparisons']} numbers of one table in twenty."
    )
