"""The server answers before everything is compiled, and serves modules without their comments."""

from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from cardtable.table.errors import AgentError
from skyjo.main import main
from skyjo.programs import Program, find_program, program_names
from skyjo.web import serving, site
from skyjo.web.access import Reach
from skyjo.web.page_files import PAGES, PageFiles, without_comments
from skyjo.web.server import Server
from skyjo.web.site import Starting
from skyjo.web.table_room import TableRoom
from tests.skyjo.web_client import HOST, PORT

GAMES = [find_program(game) for game in program_names()]


def later(seconds: float, client: TestClient, call: Callable[[], Any]) -> None:
    """Call something in the server's event loop."""
    assert client.portal is not None
    Timer(seconds, client.portal.call, [call]).start()


def test_pages_say_that_the_table_is_starting_and_requests_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "SOON", 0.05)
    app = Starting(Server(TableRoom("skyjo", tmp_path), 0).app(Reach(PORT)), "Skyjo")
    with TestClient(app, base_url=f"http://{HOST}") as client:
        page = client.get("/")
        assert page.status_code == 503
        assert "Skyjo is starting" in page.text
        assert "It has been starting for 0 s." in page.text
        assert 'http-equiv="refresh"' in page.text
        assert client.get("/pages/app.css").status_code == 200
        later(0.2, client, app.is_ready.set)
        assert client.get("/api/start").status_code == 200
        assert client.get("/").status_code == 200


def test_a_page_that_is_asked_for_shortly_before_all_is_ready_waits(tmp_path: Path) -> None:
    app = Starting(Server(TableRoom("skyjo", tmp_path), 0).app(Reach(PORT)), "Skyjo")
    with TestClient(app, base_url=f"http://{HOST}") as client:
        later(0.1, client, app.is_ready.set)
        assert client.get("/").status_code == 200


def test_what_fails_while_warming_up_ends_the_server_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: TableRoom) -> None:
        raise AgentError("agent tempo cannot be created")

    monkeypatch.setattr(serving, "warm_up", fail)
    assert main(["web", "--no-browser", "--port", "0", "--folder", str(tmp_path)], "skyjo") != 0
    printed = capsys.readouterr()
    assert printed.err == "skyjo: agent tempo cannot be created\n"
    assert "the tables are kept" not in printed.out


# Files of the pages


def test_a_browser_that_has_a_file_is_not_sent_it_again() -> None:
    client = TestClient(PageFiles(find_program("skyjo")))
    first = client.get("/nodes.js")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.text == without_comments((PAGES / "nodes.js").read_text())
    again = client.get("/nodes.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/app.css").text == without_comments((PAGES / "app.css").read_text())


@pytest.mark.parametrize("program", GAMES, ids=lambda program: program.game)
def test_modules_and_styles_of_a_game_lie_beside_those_of_the_pages(program: Program) -> None:
    client = TestClient(PageFiles(program))
    assert client.get(f"/boards/{program.game}.js").status_code == 200
    for path in [*program.path.glob("*.js"), *program.path.glob("*.css")]:
        name = program.game + ("" if path.stem == "board" else f"_{path.stem}")
        assert client.get(f"/boards/{name}{path.suffix}").text == without_comments(path.read_text())
    with pytest.raises(HTTPException, match="404"):
        client.get("/boards/other.js")
