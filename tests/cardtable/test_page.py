"""Pages from templates: what all of them share, and what becomes of the values."""

from pathlib import Path

import pytest
from jinja2 import DictLoader, UndefinedError
from markupsafe import Markup

from cardtable.pages import page

LAYOUT = (Path(page.__file__).parent / "page.html.jinja").read_text()
HEAD = "{% extends 'page.html.jinja' %}{% block title %}{{ name }}{% endblock %}"
CHILD = HEAD + "{% block body %}{{ svg }}{% endblock %}"


@pytest.fixture(autouse=True)
def templates(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"page.html.jinja": LAYOUT, "a.html.jinja": CHILD, "a.md.jinja": "{{ name }}\n"}
    monkeypatch.setattr(page, "LAYOUT", DictLoader(texts))


def test_a_page_escapes_all_but_markup() -> None:
    text = page.render("a.html.jinja", "cardtable.pages", name="1 < 2", svg=Markup("<svg></svg>"))
    assert text.startswith("<!DOCTYPE html>")
    assert "<title>1 &lt; 2</title>" in text
    assert "<svg></svg>" in text
    assert 'name="viewport"' in text


def test_markdown_takes_values_as_they_are_and_ends_with_a_line() -> None:
    assert page.render("a.md.jinja", "cardtable.pages", name="1 < 2") == "1 < 2\n"


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="svg"):
        page.render("a.html.jinja", "cardtable.pages", name="x")
