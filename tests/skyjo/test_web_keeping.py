"""Tables on disk: what was answered is there after a kill, and what was cut off is gone."""

import json
import random
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from cardtable.table.errors import TableError
from skyjo.main import main
from skyjo.web.requests import TableRequest
from skyjo.web.table_files import locked, usual_folder
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import WebTable
from tests.documents import ROOT
from tests.skyjo.web_client import files_up_to

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
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
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
    with serving(tmp_path) as (process, host):
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
    with serving(tmp_path) as (process, host):
        again, _ = load(host, address, cookie)
        assert again["seq"] >= view["seq"]
        assert again["told"][: len(view["told"])] == view["told"]
        assert again["seat"] == 0
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stdout is not None
        assert "Stopped" in process.stdout.read()
