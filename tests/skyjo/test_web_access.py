"""Who can come to the table: this machine alone, or others with the access token."""

import stat
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cardtable.table.errors import TableError
from skyjo.web.access import FILE, Reach, address_of, reach_of
from skyjo.web.server import Server
from skyjo.web.table_room import TableRoom

PORT = 8765
HOST = f"192.168.7.20:{PORT}"
ORIGIN = {"origin": f"http://{HOST}"}
ASKED = {"seats": ["you", "open"]}


def test_this_machine_alone_needs_no_token(tmp_path: Path) -> None:
    reach = reach_of(IPv4Address("127.0.0.1"), PORT, tmp_path)
    assert reach == Reach(PORT)
    assert reach.link("/t/abc") == f"http://127.0.0.1:{PORT}/t/abc"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("host", ["example.com", "localhost", "1.2.3", "127.0.0.1:80", "::1", "", "0x7f.1"])
def test_only_an_address_can_be_listened_at(host: str) -> None:
    with pytest.raises(TableError, match="is not an IPv4 address such as"):
        address_of(host)


def test_the_token_is_kept_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    reach = reach_of(IPv4Address("0.0.0.0"), PORT, tmp_path)
    assert reach.token is not None
    assert reach.link("/").endswith(f":{PORT}/?token={reach.token}")
    assert reach_of(IPv4Address("10.0.0.5"), PORT, tmp_path).token == reach.token
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "short", "x" * 31 + "/"])
def test_a_damaged_token_is_never_taken_for_none(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(TableError, match="does not hold a valid access token"):
        reach_of(IPv4Address("0.0.0.0"), PORT, tmp_path)


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    reach = reach_of(IPv4Address("0.0.0.0"), PORT, tmp_path)
    client = TestClient(Server(TableRoom("skyjo", tmp_path), 0).app(reach), base_url=f"http://{HOST}")
    client.params = {}
    return client


def token_of(folder: Path) -> str:
    return (folder / FILE).read_text().strip()


def test_without_the_token_nothing_is_shown_and_nothing_done(client: TestClient, tmp_path: Path) -> None:
    for address in (
        "/",
        "/t/abcdefghijkl",
        "/pages/app.css",
        "/api/start",
        "/?token=",
        f"/?token={'0' * 32}",
        "/?token=é",
    ):
        answer = client.get(address)
        assert answer.status_code == 403
        assert "access token" in answer.text
        assert token_of(tmp_path) not in answer.text
    assert client.post("/api/tables", json=ASKED, headers=ORIGIN).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://{HOST}/api/tables/x/socket", headers=ORIGIN),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_the_link_lets_a_browser_in_which_then_needs_it_no_more(client: TestClient, tmp_path: Path) -> None:
    token = token_of(tmp_path)
    answer = client.get(f"/?token={token}")
    assert answer.status_code == 200
    assert all(cookie.endswith("; HttpOnly; SameSite=Lax") for cookie in answer.headers.get_list("set-cookie"))
    assert len(answer.headers.get_list("set-cookie")) == 2
    number = client.post("/api/tables", json=ASKED, headers=ORIGIN).json()["id"]
    assert client.get(f"/api/tables/{number}/link").json()["link"].endswith(f"/t/{number}?token={token}")
    with client.websocket_connect(f"ws://{HOST}/api/tables/{number}/socket", headers=ORIGIN) as socket:
        assert token not in socket.receive_text()


def test_a_foreign_name_is_refused_even_with_the_token(client: TestClient, tmp_path: Path) -> None:
    token = token_of(tmp_path)
    for host in ("example.com:8765", "192.168.7.20", "192.168.7.20:80", "192.168.7.20.example.com:8765"):
        assert client.get(f"/?token={token}", headers={"host": host}).status_code == 403
    assert (
        client.post(f"/api/tables?token={token}", json=ASKED, headers={"origin": "http://10.0.0.1:8765"}).status_code
        == 403
    )
