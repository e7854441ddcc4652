"""What servers of tables withstand: strangers, strange cookies, damaged files, a full disk, a kill, an early start."""

import json
import random
import re
import signal
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import pytest
from skyjo.web.kept_games import KeptGames
from skyjo.web.own_results import OwnResults
from skyjo.web.requests import TableRequest
from skyjo.web.server import Server
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import WebTable
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect

from cardtable.table.errors import AgentError, TableError
from skyjo.interfaces import find_interface, interface_names
from skyjo.main import main
from skyjo.web import serving
from skyjo.web.access import FILE, Reach, address_of, reach_of
from skyjo.web.table_files import TableFile, locked, usual_folder
from tests.documents import ROOT
from tests.skyjo.web_client import PORT, Visitor, files_up_to

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


FIRST = {"table": 1, "game": "skyjo", "rules": "", "seed": 1, "episode": "round", "seats": ["you", "tempo"]}
FIRST |= {"owners": ["me", None], "is_practice": False, "opener": "me", "start": ""}
DAMAGED_FIRST: list[dict[str, Any]] = [
    {"owners": None}, {"owners": ["me"]}, {"owners": [[], None]}, {"opener": {}}, {"seats": [None, "tempo"]},
    {"seats": ["you", "oracle"]}, {"start": "x"}, {"rules": 5}, {"rules": "rows=99"}, {"seed": "1"}, {"is_practice": 1},
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


GAMES = [find_interface(game) for game in interface_names()]


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


PATIENCE = 120  # seconds: something may have to be compiled first


def room_with_a_table(folder: Path, decisions: int = 20, game: str = "skyjo") -> tuple[TableRoom, WebTable]:
    room, chance = TableRoom(game, folder), random.Random(1)
    table = room.open(TableRequest(("you", "open"), "", "game"), "me")
    room.join(table, "them")
    for _ in range(decisions):
        table.act(chance.choice(table.played.game.legal_actions()))
    return room, table


@pytest.mark.parametrize("game", ["skyjo", "skipbo", "skyjo_action"])
def test_a_table_stands_again(game: str, tmp_path: Path) -> None:
    _, table = room_with_a_table(tmp_path, game=game)
    again = TableRoom(game, tmp_path).find(table.number)
    assert again.played.game.position() == table.played.game.position()
    assert again.played.decisions == table.played.decisions
    assert again.owners == ["me", "them"]
    other = "skipbo" if game == "skyjo" else "skyjo"
    with pytest.raises(TableError, match="no such table"):
        TableRoom(other, tmp_path).find(table.number)


def test_a_last_line_that_is_cut_off_is_dropped_and_the_file_goes_on_after_it(tmp_path: Path) -> None:
    _, table = room_with_a_table(tmp_path, decisions=5)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    for size in range(last, len(whole)):
        path.write_bytes(whole[:size])
        again = TableRoom("skyjo", tmp_path).find(table.number)
        assert again.played.actions == table.played.actions[:-1]
    again.act(table.played.actions[-1])
    assert path.read_bytes() == whole


def test_an_undo_and_giving_up_are_kept(tmp_path: Path) -> None:
    room = TableRoom("skyjo", tmp_path)
    table = room.open(TableRequest(("you", "tempo"), "", "round"), "me")
    while table.decider is not None and table.seq < 9:
        if table.agent_decides:
            table.act(table.played.question_to_agent()())
        else:
            table.act(table.played.game.legal_actions()[0])
    table.undo("me")
    table.concede("me")
    again = TableRoom("skyjo", tmp_path).find(table.number)
    assert again.played.actions == table.played.actions
    assert (again.is_practice, again.decider, again.conceded) == (True, None, 0)
    assert not again.played.game.is_over


def test_nothing_happens_that_cannot_be_written(tmp_path: Path) -> None:
    _, table = room_with_a_table(tmp_path, decisions=3)
    (path,) = tmp_path.iterdir()
    before, position = path.read_bytes(), table.played.game.position()
    with files_up_to(len(before) + 5), pytest.raises(OSError, match="full"):  # a part of the line can be written
        table.act(table.played.game.legal_actions()[0])
    assert path.read_bytes() == before
    assert table.played.game.position() == position


def test_a_table_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    with files_up_to(5), pytest.raises(OSError, match="full"):
        TableRoom("skyjo", tmp_path).open(TableRequest(("you", "tempo"), "", "game"), "me")
    assert list(tmp_path.iterdir()) == []


def test_the_usual_folder_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert usual_folder("skipbo") == tmp_path / "skyjo-env" / "tables" / "skipbo"


def test_one_server_at_a_time_uses_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with locked(tmp_path):
        assert main(["web", "--no-browser", "--port", "0", "--folder", str(tmp_path)], "skyjo") != 0
        line = capsys.readouterr().err
        assert "another server is using" in line
        assert line.count("\n") == 1
    with locked(tmp_path):
        pass


@contextmanager
def running(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process, and where it is."""
    command = [sys.executable, "-m", "skyjo", "web", "--no-browser", "--port", "0", "--folder", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://([\d.:]+)/", process.stdout.readline())
        assert found
        try:
            yield process, found[1]
        finally:
            process.kill()


def load(host: str, address: str, cookie: str = "", body: Any = None) -> tuple[Any, str]:
    """An answer, and the cookie that came with it."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://{host}{address}", data, {"cookie": cookie, "origin": f"http://{host}"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer), (answer.headers["set-cookie"] or "").partition(";")[0]


@pytest.mark.slow
def test_a_table_stands_again_after_a_kill_in_the_middle_of_a_game(tmp_path: Path) -> None:
    with running(tmp_path) as (process, host):
        _, cookie = load(host, "/api/start")
        opened, _ = load(host, "/api/tables", cookie, {"seats": ["you", "expected"]})
        address = f"/api/tables/{opened['id']}"
        headers = {"cookie": cookie, "origin": f"http://{host}"}
        with connect(f"ws://{host}{address}/socket", additional_headers=headers) as socket:
            view = json.loads(socket.recv(timeout=PATIENCE))
            for _ in range(4):
                while not view["actions"]:
                    view = json.loads(socket.recv(timeout=PATIENCE))
                socket.send(json.dumps({"seq": view["seq"], "action": view["actions"][0]}))
                view = json.loads(socket.recv(timeout=PATIENCE))
            process.send_signal(signal.SIGKILL)
        process.wait()
    with running(tmp_path) as (process, host):
        again, _ = load(host, address, cookie)
        assert again["seq"] >= view["seq"]
        assert again["told"][: len(view["told"])] == view["told"]
        assert again["seat"] == 0
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stdout is not None
        assert "Stopped" in process.stdout.read()
