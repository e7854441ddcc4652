"""The files of the pages: modules without their comments."""

from pathlib import Path

import pytest

pytest.importorskip("starlette")

from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from skyjo.programs import find_program, program_names
from skyjo.web.server import PAGES, PageFiles, without_comments

BOARDS = [find_program(game).path / "board.js" for game in program_names()]
MODULES = [*sorted(PAGES.rglob("*.js")), *BOARDS]


def test_comments_with_lines_of_their_own_go_and_code_stays() -> None:
    code = 'const a = 1; // one\n/** @type {any} */ (b).c();\nconst d = "/* no comment */";\n'
    assert (
        without_comments(f"/** What it is. */\n/**\n * A sum.\n * @param {{number}} one\n */\n{code}  /* two */\n")
        == code
    )


@pytest.mark.parametrize("module", MODULES, ids=lambda module: f"{module.parent.name}/{module.stem}")
def test_a_module_keeps_every_line_of_its_code(module: Path) -> None:
    lines = [line.strip() for line in module.read_text().splitlines()]
    code = [line for line in lines if line and not _is_comment(line)]
    assert [line.strip() for line in without_comments(module.read_text()).splitlines() if line.strip()] == code


def _is_comment(line: str) -> bool:
    """Is all of it a comment, or part of one?"""
    return line.startswith("*") or (line.startswith("/*") and line.find("*/") in (-1, len(line) - 2))


def test_a_browser_that_has_a_file_is_not_sent_it_again() -> None:
    client = TestClient(PageFiles(find_program("skyjo")))
    first = client.get("/nodes.js")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.text == without_comments((PAGES / "nodes.js").read_text())
    again = client.get("/nodes.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/app.css").text == (PAGES / "app.css").read_text()


@pytest.mark.parametrize("game", program_names())
def test_the_board_is_that_of_the_game_that_is_served(game: str) -> None:
    client, program = TestClient(PageFiles(find_program(game))), find_program(game)
    assert client.get(f"/boards/{game}.js").text == without_comments((program.path / "board.js").read_text())
    with pytest.raises(HTTPException, match="404"):
        client.get("/boards/other.js")
