"""HTML pages: that of any result, and the layout for pages with separate templates."""

import re
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from cardtable.arena.results.result_document import Column, Document, Plot
from cardtable.arena.results.svg import drawn

LAYOUT = PackageLoader("cardtable.arena.results", ".")
MARKS = {r"`([^`]+)`": r"<code>\1</code>", r"\*\*([^*]+)\*\*": r"<strong>\1</strong>"}


def page_of(document: Document) -> str:
    """Return a result as one HTML page, plots included."""
    return render("result_page.html.jinja", "cardtable.arena.results", document=document)


def render(template: str, package: str, **values: Any) -> str:
    """Return a template of a package with these values; jinja2's UndefinedError if one is missing.

    In `.html.jinja` values are escaped unless they are markup; a template of Markdown takes them as they are.
    """
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package, "."), LAYOUT]),
        autoescape=template.endswith(".html.jinja"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {"marked": marked, "cell": _cell, "drawn": lambda plot: Markup(drawn(plot))}
    environment.tests |= {"plot": lambda part: isinstance(part, Plot)}
    return environment.get_template(template).render(**values)


def marked(text: str) -> Markup:
    """Return a text of a document as HTML, with its names and commands as code."""
    html = str(escape(text))
    for mark, element in MARKS.items():
        html = re.sub(mark, element, html)
    return Markup(html)


def _cell(row: Any, column: Column) -> Markup:
    """Return a cell, with long names broken after commas, and intervals in small letters."""
    html = str(escape(column.shown(row)))
    if column.kind in ("name", "text"):
        return Markup(html if column.kind == "text" else html.replace(",", ",<wbr>"))
    html = str(marked(Markup(html))).replace("-", "−").replace(" %", "&nbsp;%")
    middle, mark, rest = html.partition(" ±" if "±" in html else " (")
    return Markup(f"{middle}<small>{mark}{rest}</small>" if mark else middle)
