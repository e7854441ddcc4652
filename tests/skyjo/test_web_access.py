"""Who may come to the server, and what it says to those who may not."""

import stat
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from cardtable.table.errors import TableError
from skyjo.web.access import FILE, POLICY, Reach, reach_of
from skyjo.web.requests import read_name
from skyjo.web.serving import bound
from tests.skyjo.web_client import HOST, ORIGIN, PORT, Browser, Servers

FOREIGN: dict[str, dict[str, str]] = {
    "no origin": {},
    "another site": {"origin": "http://example.com"},
    "another port": {"origin": "http://127.0.0.1:9999"},
    "a prefix": {"origin": f"http://{HOST}.example.com"},
    "null": {"origin": "null"},
    "another host": {**ORIGIN, "host": "example.com"},
    "another host and origin": {"origin": "http://example.com", "host": "example.com"},
    "a host without the port": {**ORIGIN, "host": "127.0.0.1"},
}
TOKEN = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_page_changes_nothing_and_hears_nothing(name: str, browser: Browser) -> None:
    number = browser.open("you", "open")
    headers = browser.headers | FOREIGN[name]
    for address in ("/api/rooms", f"/api/rooms/{number}/join", "/api/agents/skyjo"):
        answer = browser.client.post(address, headers=headers, json={})
        assert (answer.status_code, answer.json()) == (403, {"error": "not from this page"})
    socket = f"ws://{HOST}/api/rooms/{number}/socket"
    with pytest.raises(WebSocketDisconnect), browser.client.websocket_connect(socket, headers=headers):
        pass
    assert browser.get(f"/api/rooms/{number}/link").json()["free"] == 1


def test_everything_has_one_policy_and_a_cookie_that_scripts_cannot_read(servers: Servers) -> None:
    client = servers()
    for address, status in (("/", 200), ("/data/server.json", 200), ("/nowhere", 404), ("/api/nowhere", 404)):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["content-security-policy"]) == (status, POLICY)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert client.get("/").text == "the first page"
    assert "set-cookie" not in client.get("/").headers
    client.cookies.clear()
    assert client.get("/data/server.json").headers["set-cookie"].endswith("; HttpOnly; SameSite=Lax")
    assert client.get("/", headers={"host": "example.com"}).status_code == 403
    assert client.get("/../../secret").status_code == 404


def test_other_machines_need_the_token_which_a_cookie_holds_from_then_on(servers: Servers) -> None:
    client = servers(Reach(PORT, "192.168.1.20", TOKEN))
    host = {"host": "table.example.org"}  # of a proxy, or a name of this machine
    for address in ("/", "/api/rooms?game=skyjo", f"/?token={TOKEN[:-1]}", "/?token=é"):
        answer = client.get(address, headers=host)
        assert answer.status_code == 403
        assert "this server needs an access token" in answer.text
        assert "set-cookie" not in answer.headers
    answer = client.get(f"/x/y?room-abc&token={TOKEN}", headers=host, follow_redirects=False)
    assert answer.headers["location"] == "/x/y?room-abc"
    assert client.get("/data/server.json", headers=host).json()["local"] is False
    room = {"game": "skyjo", "seats": ["you", "open"]}
    assert client.post("/api/rooms", json=room, headers=host | ORIGIN).status_code == 403
    opened = client.post("/api/rooms", json=room, headers=host | {"origin": "https://table.example.org"}).json()
    link = client.get(f"/api/rooms/{opened['id']}/link", headers=host).json()["link"]
    assert link == f"http://192.168.1.20:{PORT}/skyjo/table.html?{opened['id']}&token={TOKEN}"


def test_a_token_is_kept_so_that_links_stay_valid_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    with bound(0, "localhost") as sock:
        assert reach_of(sock, tmp_path) == Reach(sock.getsockname()[1])
    assert not [*tmp_path.iterdir()]
    with bound(0, "0.0.0.0") as sock:
        first, second = (reach_of(sock, tmp_path) for _ in range(2))
        (tmp_path / FILE).rename(tmp_path / "kept")
        (tmp_path / FILE).write_text("short")
        with pytest.raises(TableError, match="does not hold a valid access token"):
            reach_of(sock, tmp_path)
    assert first == second
    assert first.token is not None
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["", "Ada", "Žofia B.", "李雷", "O’Neil-Smith", "आदित्य", "<b>"])
def test_names_are_characters_of_any_alphabet(name: str) -> None:
    assert read_name(f" {name}  ") == name


@pytest.mark.parametrize("name", ["x" * 21, "a\nb", "a\u202eb", "a\u2028b", 5, None])
def test_other_names_are_refused(name: Any) -> None:
    with pytest.raises(TableError, match="name"):
        read_name(name)
