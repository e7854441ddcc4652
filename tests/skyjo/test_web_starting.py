"""The server answers before everything is compiled."""

from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from starlette.testclient import TestClient

from cardtable.errors import AgentError
from skyjo.main import main
from skyjo.web import server, serving
from skyjo.web.access import Reach
from skyjo.web.server import Server, Starting
from skyjo.web.table_room import TableRoom
from tests.skyjo.web_client import HOST, PORT


def later(seconds: float, client: TestClient, call: Callable[[], Any]) -> None:
    """Call something in the server's event loop."""
    assert client.portal is not None
    Timer(seconds, client.portal.call, [call]).start()


def test_pages_say_that_the_table_is_starting_and_requests_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SOON", 0.05)
    app = Starting(Server(TableRoom("skyjo", tmp_path), 0).app(Reach(PORT)))
    with TestClient(app, base_url=f"http://{HOST}") as client:
        page = client.get("/")
        assert page.status_code == 503
        assert "The table is starting" in page.text
        assert 'http-equiv="refresh"' in page.text
        assert client.get("/pages/app.css").status_code == 200
        later(0.2, client, app.is_ready.set)
        assert client.get("/api/start").status_code == 200
        assert client.get("/").status_code == 200


def test_a_page_that_is_asked_for_shortly_before_all_is_ready_waits(tmp_path: Path) -> None:
    app = Starting(Server(TableRoom("skyjo", tmp_path), 0).app(Reach(PORT)))
    with TestClient(app, base_url=f"http://{HOST}") as client:
        later(0.1, client, app.is_ready.set)
        assert client.get("/").status_code == 200


def test_what_fails_while_warming_up_ends_the_server_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: TableRoom) -> None:
        raise AgentError("agent tempo cannot be created")

    monkeypatch.setattr(serving, "warm_up", fail)
    assert main(["web", "--no-browser", "--port", "0", "--folder", str(tmp_path)]) != 0
    printed = capsys.readouterr()
    assert printed.err == "skyjo: agent tempo cannot be created\n"
    assert "the tables are kept" not in printed.out
