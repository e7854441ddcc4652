"""What servers of tables withstand: strangers, strange cookies, damaged files, too much work, and an early start."""

import json
import stat
from collections.abc import Callable
from ipaddress import IPv4Address
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from cardtable.table.errors import AgentError, TableError
from skyjo.main import main
from skyjo.programs import Program, find_program, program_names
from skyjo.web import serving, site
from skyjo.web.access import FILE, Reach, address_of, reach_of
from skyjo.web.kept_games import KeptGames
from skyjo.web.own_results import OwnResults
from skyjo.web.page_files import JOINED, PAGES, PageFiles, without_comments
from skyjo.web.requests import TableRequest
from skyjo.web.server import Server
from skyjo.web.site import Starting
from skyjo.web.table_files import TableFile
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import WebTable
from tests.skyjo.web_client import HOST, PORT, Visitor

ASKED = TableRequest(["you", "tempo"], "", "round")
FOREIGN = ['prefs={"dark":true}', "_a/b=1", "x y=1", 'theme="dark', "skyjo_browser=short", ";;=;"]


def test_cookies_of_other_programs_take_no_seat_away(visitor: Visitor) -> None:
    number, own = visitor.open("you", "open"), visitor.headers["cookie"]
    for cookie in FOREIGN:
        visitor.headers["cookie"] = f"{cookie}; {own}"
        answer = visitor.get(f"/api/tables/{number}")
        assert answer.json()["seat"] == 0
        assert "set-cookie" not in answer.headers
    visitor.headers["cookie"] = "a=" + 20_000 * "x" + own
    assert visitor.get("/api/start").status_code == 200


def test_the_usual_port_need_not_be_named() -> None:
    assert Reach(80).answers_to("127.0.0.1")
    assert Reach(80).answers_to("127.0.0.1:80")
    assert not Reach(8765).answers_to("127.0.0.1")
    assert not Reach(80).answers_to("127.0.0.1:8765")


FIRST = {"table": 1, "game": "skyjo", "rules": "", "seed": 1, "episode": "round", "seats": ["you", "tempo"]}
FIRST |= {"owners": ["me", None], "is_practice": False, "opener": "me", "start": ""}
DAMAGED_FIRST: list[dict[str, Any]] = [
    {"owners": None}, {"owners": ["me"]}, {"owners": [[], None]}, {"opener": {}}, {"seats": [None, "tempo"]},
    {"seats": ["you", "peek"]}, {"start": "x"}, {"rules": 5}, {"rules": "rows=99"}, {"seed": "1"}, {"is_practice": 1},
    {"episode": "week"}, {"game": "chess"}, {"table": 2}, {"more": 1},
]  # fmt: skip
DAMAGED_REST: list[Any] = [
    {"concede": 0.0}, {"concede": 9}, {"action": 0}, {"action": -1}, {"action": 10**30}, {"action": "0"},
    {"lent": None}, {"join": 0, "owner": []}, {"join": 9, "owner": "x"}, {"again": []}, {"undo": 5},
    {"pace": 1, "paused": True}, {"x": 1},
]  # fmt: skip
AGENTS = FIRST | {"seats": ["random", "random"], "owners": [None, None]}
DAMAGED: list[list[Any]] = [[], [[]], [AGENTS, {"pace": 0, "paused": True}], [AGENTS, {"pace": 2, "paused": 3}]]
DAMAGED += [[FIRST | change] for change in DAMAGED_FIRST] + [[FIRST, one] for one in DAMAGED_REST]


@pytest.fixture
def sound(tmp_path: Path) -> str:
    """A table beside the damaged one."""
    return TableRoom("skyjo", tmp_path).open(ASKED, "me").number


def test_a_damaged_file_is_no_table_stops_no_server_and_hides_no_other(sound: str, tmp_path: Path) -> None:
    path = tmp_path / "damaged.table"
    for lines in DAMAGED:
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        room = TableRoom("skyjo", tmp_path)
        for find in (room.find, lambda number: WebTable.restored(number, TableFile(path))):
            with pytest.raises(TableError):
                find("damaged")
        assert [table.number for table in room.tables_of("me")] == [sound], lines
        assert OwnResults().document("me", room.files_of("me", 200))["games"] == []


def test_strange_files_stop_no_server(sound: str, tmp_path: Path) -> None:
    for suffix in ("table", "game"):
        (tmp_path / f"deep.{suffix}").write_text("[" * 100_000 + "\n")
        (tmp_path / f"bytes.{suffix}").write_bytes(bytes(range(256)) + b"\n")
        (tmp_path / f"version.{suffix}").write_text('{"kept":2}\n')
        (tmp_path / f".#abc.{suffix}").symlink_to("nobody@nowhere.1234")
        (tmp_path / f"lost.{suffix}").symlink_to("nowhere")
    assert [table.number for table in TableRoom("skyjo", tmp_path).tables_of("me")] == [sound]
    assert KeptGames("skyjo", tmp_path).opened_by("me") == {}


def test_a_table_whose_file_was_removed_is_not_begun_anew(tmp_path: Path) -> None:
    room = TableRoom("skyjo", tmp_path)
    table = room.open(ASKED, "me")
    (file,) = tmp_path.glob("*.table")
    file.unlink()
    with pytest.raises(OSError, match="No such file"):
        table.act(table.played.game.legal_actions()[0])
    assert table.seq == 0
    assert [*tmp_path.glob("*.table")] == []


NAMED = f"192.168.7.20:{PORT}"
FROM_THERE = {"origin": f"http://{NAMED}"}
OPEN_SEATS = {"seats": ["you", "open"]}


def test_this_machine_alone_needs_no_token(tmp_path: Path) -> None:
    reach = reach_of(IPv4Address("127.0.0.1"), PORT, tmp_path)
    assert reach == Reach(PORT)
    assert reach.link("/t/abc") == f"http://127.0.0.1:{PORT}/t/abc"
    assert [*tmp_path.iterdir()] == []


def test_only_an_address_can_be_listened_at() -> None:
    for host in ("example.com", "localhost", "1.2.3", "127.0.0.1:80", "::1", "", "0x7f.1"):
        with pytest.raises(TableError, match="is not an IPv4 address such as"):
            address_of(host)


def test_the_token_is_kept_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    reach = reach_of(IPv4Address("0.0.0.0"), PORT, tmp_path)
    assert reach.token is not None
    assert reach.link("/").endswith(f":{PORT}/?token={reach.token}")
    assert reach_of(IPv4Address("10.0.0.5"), PORT, tmp_path).token == reach.token
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_damaged_token_is_never_taken_for_none(tmp_path: Path) -> None:
    for text in ("", "short", "x" * 31 + "/"):
        (tmp_path / FILE).write_text(text)
        with pytest.raises(TableError, match="does not hold a valid access token"):
            reach_of(IPv4Address("0.0.0.0"), PORT, tmp_path)


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    reach = reach_of(IPv4Address("0.0.0.0"), PORT, tmp_path)
    client = TestClient(Server(TableRoom("skyjo", tmp_path), 0).app(reach), base_url=f"http://{NAMED}")
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
    assert client.post("/api/tables", json=OPEN_SEATS, headers=FROM_THERE).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://{NAMED}/api/tables/x/socket", headers=FROM_THERE),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_the_link_lets_a_browser_in_which_then_needs_it_no_more(client: TestClient, tmp_path: Path) -> None:
    token = token_of(tmp_path)
    answer = client.get(f"/?token={token}")
    assert answer.status_code == 200
    assert all(cookie.endswith("; HttpOnly; SameSite=Lax") for cookie in answer.headers.get_list("set-cookie"))
    assert len(answer.headers.get_list("set-cookie")) == 2
    number = client.post("/api/tables", json=OPEN_SEATS, headers=FROM_THERE).json()["id"]
    assert client.get(f"/api/tables/{number}/link").json()["link"].endswith(f"/t/{number}?token={token}")
    with client.websocket_connect(f"ws://{NAMED}/api/tables/{number}/socket", headers=FROM_THERE) as socket:
        assert token not in socket.receive_text()


def test_a_foreign_name_is_refused_even_with_the_token(client: TestClient, tmp_path: Path) -> None:
    token = token_of(tmp_path)
    for host in ("example.com:8765", "192.168.7.20", "192.168.7.20:80", "192.168.7.20.example.com:8765"):
        assert client.get(f"/?token={token}", headers={"host": host}).status_code == 403
    assert (
        client.post(
            f"/api/tables?token={token}", json=OPEN_SEATS, headers={"origin": "http://10.0.0.1:8765"}
        ).status_code
        == 403
    )


PATIENCE = 60  # seconds


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
        if path.name in JOINED:
            assert without_comments(path.read_text()) in client.get(f"/{path.name}").text
            continue
        name = program.game + ("" if path.stem == "board" else f"_{path.stem}")
        assert client.get(f"/boards/{name}{path.suffix}").text == without_comments(path.read_text())
    with pytest.raises(HTTPException, match="404"):
        client.get("/boards/other.js")
