"""skyjo report: the page that it writes, what it prints, and what it refuses."""

from pathlib import Path

import pytest

from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo_play import play_paired


@pytest.fixture
def games(skyjo: Skyjo, tmp_path: Path) -> str:
    """A folder with a stored match."""
    folder = tmp_path / "my games"
    done = skyjo("match", "tempo", "naive", "--deals", "20", "--seed", "3", "--store", str(folder))
    assert done.status == 0, done.err
    return str(folder)


def test_it_writes_a_page_and_says_who_is_the_strongest(skyjo: Skyjo, games: str, tmp_path: Path) -> None:
    done = skyjo("report", games, "--out", str(tmp_path))
    margin = play_paired(["tempo", "naive"], seed=3, deals=range(20)).margins[:, 0].mean()
    first, *_, last = done.out.splitlines()
    assert first.startswith("tempo is the stronger of the two. It wins ")
    assert f"scores {margin:.1f} points less than the other" in first
    assert last == f"Written: {tmp_path / 'skyjo-report.html'}"
    page = (tmp_path / "skyjo-report.html").read_text()
    assert "skyjo games replay &#39;" in page  # a folder with a space in its name, in quotes
    assert "--seed 3 --deals 20 --store" in page


def test_the_ladder_alone_is_a_table_in_markdown(skyjo: Skyjo, games: str, tmp_path: Path) -> None:
    done = skyjo("report", games, "--out", str(tmp_path / "a.html"), "--summary", str(tmp_path / "ladder.md"))
    assert done.out.splitlines()[-1] == f"Written: {tmp_path / 'a.html'}, {tmp_path / 'ladder.md'}"
    played = play_paired(["tempo", "naive"], seed=3, deals=range(20))
    *_, head, _, first, last = (tmp_path / "ladder.md").read_text().rstrip().splitlines()
    assert head.startswith("|  | agent | rating |")
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in (first, last)]
    assert [row[1] for row in cells] == ["`tempo`", "`naive`"]
    for place, row in enumerate(cells):
        assert row[4].startswith(f"{played.scores[:, place].mean():.2f} ± ")
        assert row[5].startswith(f"{100 * played.wins[:, place].mean():.1f} ± ")
        assert row[6] == "40"
    assert cells[0][7] == cells[0][3]  # for two, the next is the only other
    assert cells[1][7] == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "a report needs games: name a folder"),
        (["/no/such"], "/no/such: no games are stored here"),
        (["{games}", "{games}"], "a folder is named twice"),
        (["{games}", "--anchor", "expected"], "expected does not play in {games}: --anchor can be naive, tempo"),
        (["{games}", "--out", "/no/such/page.html"], "/no/such: there is no such folder"),
    ],
)
def test_bad_input_is_one_line(skyjo: Skyjo, games: str, arguments: list[str], words: str) -> None:
    line = complaint(skyjo("report", *(argument.format(games=games) for argument in arguments)))
    assert words.format(games=games) in line
