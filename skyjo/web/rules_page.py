"""The rules of a game clause by clause, for the pages: read from the Markdown of its rules page."""

import re
from typing import Any

HEADING = re.compile(r"^## (?:\d+\. )?(.+)$")
CLAUSE = re.compile(r"^(\d+\.\d+) (.+)", re.DOTALL)


def rules_document(text: str) -> dict[str, Any]:
    """The introduction, and sections with clauses that have a number and a text with marks for code and emphasis."""
    title, *parts = re.split(r"\n\s*\n", text.strip())
    intro: list[str] = []
    sections: list[dict[str, Any]] = []
    for part in parts:
        heading, clause = HEADING.match(part), CLAUSE.match(part)
        if heading:
            sections.append({"title": heading[1], "clauses": []})
        elif clause and sections:
            sections[-1]["clauses"].append({"number": clause[1], "text": _joined(clause[2])})
        elif not sections:
            intro.append(_joined(part))
        elif not part.startswith("|"):
            sections[-1]["clauses"].append({"number": "", "text": _joined(part)})
    return {"title": title.lstrip("# "), "intro": intro, "sections": [one for one in sections if one["clauses"]]}


def _joined(text: str) -> str:
    """The lines of a paragraph as one."""
    return " ".join(line.strip() for line in text.splitlines())
