"""One result as text, JSON, Markdown and a page, and results read from CSV files."""

import json
from dataclasses import dataclass
from math import nan
from xml.etree import ElementTree

import numpy as np
import pytest

from cardtable.arena.ratings.results import NOBODY, RatingError, read_results
from cardtable.arena.results.page import page_of, render
from cardtable.arena.results.result_document import (
    Column,
    Document,
    Kind,
    Plot,
    Section,
    Series,
    Table,
    markdown,
)
from cardtable.arena.results.svg import drawn
from cardtable.arena.statistics import Estimate, Range
from tests.outputs import Page

TEXT = """\ufeffplayer, game, score, luck, deal
ann, 2, 5, 0.5, x
"bob, junior", 2, 7, 1, x
ann, 1, 3, 0, y
cy, 2, 9, 2, x
"bob, junior", 1, 4, 1, y
"""


def test_games_come_in_the_order_of_their_first_rows() -> None:
    games, luck = read_results(TEXT, "a.csv", ["luck"])
    assert games.players == ("ann", "bob, junior", "cy")
    assert games.seated.tolist() == [[0, 1, 2], [0, 1, NOBODY]]
    assert games.scores.tolist() == [[5, 7, 9], [3, 4, 0]]
    assert luck.scores.tolist() == [[0.5, 1, 2], [0, 1, 0]]
    assert games.deals.tolist() == [0, 1]
    assert games.lower_is_better


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no column game: there is nothing; required: game, player, score"),
        ("game,player,points\n1,a,2", "no column score: there is game, player, points"),
        ("game,player,score\n", "there are no games under the header"),
        ("game,player,score\n1,a,2\n1,b,x\n", "line 3: score must be a finite number, not 'x'"),
        ("game,player,score\n1,a,2\n1,b\n", "line 3: score must be a finite number, not None"),
        ("game,player,score\n1,a,2\n", "row 0: fewer than two players sit at the table"),
        ("game,player,score\n1,a,2\n1,a,3\n", "row 0: a player sits there twice"),
        ('game,player,score\n1,"a,2\n', "line 2: unexpected end of data"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(text: str, words: str) -> None:
    with pytest.raises(RatingError, match=r"^a\.csv: ") as caught:
        read_results(text, "a.csv")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("value", "kind", "digits", "words"),
    [
        (None, "points", 2, "–"),
        ("a,b", "name", 2, "a,b"),
        ("", "points", 2, ""),
        (12345, "count", 2, "12,345"),
        (0, "count", 2, "0"),
        (1.256, "number", 2, "1.26"),
        (Estimate(-1.256, 0.5), "points", 1, "-1.3 ± 0.5"),
        ({"mean": 3, "half": 1}, "estimate", 2, "3.00 ± 1.00"),
        ({"mean": 3, "half": 1}, "half", 2, "± 1.00"),
        (0.425, "percent", 1, "42.5 %"),
        (Range(0.5, 0.4, 0.6), "percent", 1, "50.0 ± 10.0 %"),
        (Range(1100.4, 1090, 1120), "range", 0, "1100 (1090 to 1120)"),
        (Range(1000, 1000, 1000), "range", 0, "1000"),
        (Range(1000, nan, nan), "range", 0, "1000"),
    ],
)
def test_cells_are_shown_by_their_kind(value: object, kind: Kind, digits: int, words: str) -> None:
    assert Column("a", "", kind, digits).shown({"a": value}) == words


@dataclass(frozen=True)
class Row:
    agent: str
    margin: Estimate


TABLE = Table(
    [Column("agent", "agent", "name"), Column("margin", "points", "points")],
    [Row("<b>,x", Estimate(-2, 0.25)), Row("c", Estimate(nan, nan))],
    key="rows",
)
PLOTS = [
    Plot("lines", [Series("a", [1.0, 2], [0.0, 1], [0.0, 1], [2.0, 3])], "x", line_at=0),
    Plot("intervals", [Series("a", [1.0, nan], low=[0.0, nan], high=[2.0, nan])], "x", names=["n <1>", "m" * 99]),
]
DOCUMENT = Document(
    "A < B",
    "**Two** of `a,b`",
    ["`<i>` is ahead"],
    [Section("Part", ["text", ["first", "second"], TABLE, *PLOTS])],
    {"games": np.int64(3), "none": nan},
    "skyjo match a 'b c'",
)


def test_json_holds_facts_and_rows_and_no_number_that_json_lacks() -> None:
    told = json.loads(json.dumps(DOCUMENT.to_dict(), allow_nan=False))
    assert told == {
        "games": 3,
        "none": None,
        "rows": [
            {"agent": "<b>,x", "margin": {"mean": -2, "half": 0.25}},
            {"agent": "c", "margin": {"mean": None, "half": None}},
        ],
    }


def test_a_table_in_markdown_has_names_as_code_and_a_true_minus() -> None:
    assert markdown(TABLE).splitlines()[:3] == ["| agent | points |", "| --- | --- |", "| `<b>,x` | −2.00 ± 0.25 |"]


def test_the_page_escapes_everything_and_needs_nothing_but_itself() -> None:
    text = page_of(DOCUMENT)
    page = Page(text)
    assert text == page_of(DOCUMENT)
    tags = [tag for tag, _ in page.found]
    assert not {"script", "link", "img", "iframe", "i"} & set(tags)
    assert tags.count("svg") == 2
    assert "<title>A &lt; B</title>" in text
    assert "<strong>Two</strong> of <code>a,b</code>" in text
    assert "<code>&lt;i&gt;</code> is ahead" in text
    assert '<td class="words">&lt;b&gt;,<wbr>x</td>' in text
    assert "<td>−2.00<small> ± 0.25</small></td>" in text
    assert "To repeat: skyjo match a 'b c'" in page.words
    assert "url(http" not in text


@pytest.mark.parametrize("plot", PLOTS, ids=[plot.kind for plot in PLOTS])
def test_plots_take_their_colours_from_the_page_and_are_always_the_same(plot: Plot) -> None:
    text = drawn(plot)
    assert text == drawn(plot)
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert all(name in text for name in ("var(--ink)", "var(--grid)", "var(--ahead)"))
    assert all(name in text for name in ("n &lt;1&gt;", f"{'m' * 30}…{'m' * 29}")) == (plot.kind == "intervals")


def test_other_templates_stand_in_the_same_layout() -> None:
    assert "<h1>A &lt; B</h1>" in render("result_page.html.jinja", "cardtable.arena.results", document=DOCUMENT)
