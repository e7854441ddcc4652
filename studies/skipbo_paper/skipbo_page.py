"""The pages about the paper: one in HTML with its pictures inside, and a summary in Markdown."""

import re
from collections import Counter
from typing import Any

from markupsafe import Markup, escape

from cardtable.pages.page import render
from cardtable.pages.svg import as_svg
from studies.skipbo_paper.claim import CONFIRMED, IMPRECISE, NOT_TESTABLE, REFUTED, Results
from studies.skipbo_paper.skipbo_document import SkipboPaperDocument
from studies.skipbo_paper.skipbo_figures import draw_figures
from studies.skipbo_paper.skipbo_sections import sections
from studies.skipbo_paper.skipbo_tables import verdicts

PACKAGE = "studies.skipbo_paper"


def render_page(document: SkipboPaperDocument) -> str:
    """The HTML page."""
    figures = {name: Markup(as_svg(figure)) for name, figure in draw_figures(document).items()}
    return render("skipbo_page.html.jinja", PACKAGE, **_values(document), figures=figures, names=names)


def render_summary(document: SkipboPaperDocument) -> str:
    """The Markdown page."""
    return render("skipbo_page.md.jinja", PACKAGE, **_values(document))


def _values(document: SkipboPaperDocument) -> dict[str, Any]:
    return {
        "d": document,
        "count": counted(document),
        "verdicts": verdicts(Results(document)),
        "sections": sections(document),
    }


def counted(document: SkipboPaperDocument) -> str:
    """How many claims have which verdict."""
    found = Counter(claim["verdict"] for claim in document["claims"])
    order = (CONFIRMED, REFUTED, IMPRECISE, NOT_TESTABLE)
    return f"Of {len(document['claims'])} claims: {', '.join(f'{found[verdict]} {verdict}' for verdict in order)}."


def names(text: str) -> Markup:
    """Text for HTML, with what stands between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))
