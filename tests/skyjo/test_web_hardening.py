"""What breaks servers of tables: strange cookies, silent connections, damaged files, browsers that want everything."""

import json
from pathlib import Path
from typing import Any

import pytest

from cardtable.table.errors import TableError
from skyjo.web import table_room
from skyjo.web.access import Reach
from skyjo.web.kept_games import KeptGames
from skyjo.web.own_results import OwnResults
from skyjo.web.requests import FullError, TableRequest
from skyjo.web.table_files import TableFile
from skyjo.web.table_room import TableRoom
from skyjo.web.tables import WebTable
from tests.skyjo.web_client import House, Visitor

ASKED = TableRequest(["you", "tempo"], "", "round")
FOREIGN = [
    'prefs={"dark":true}',
    "_a/b=1",
    "x y=1",
    'theme="dark',
    'a="' + "\\" * 20_000 + '"',
    "skyjo_browser=short",
    ";;=;",
]


@pytest.mark.parametrize("cookie", FOREIGN, ids=range(len(FOREIGN)))
def test_cookies_of_other_programs_take_no_seat_away(cookie: str, visitor: Visitor) -> None:
    number = visitor.open("you", "open")
    visitor.headers["cookie"] = f"{cookie}; {visitor.headers['cookie']}"
    if len(cookie) < 8000:
        answer = visitor.get(f"/api/tables/{number}")
        assert answer.json()["seat"] == 0
        assert "set-cookie" not in answer.headers
    assert visitor.get("/api/start").status_code == 200


def test_the_usual_port_need_not_be_named() -> None:
    assert Reach(80).answers_to("127.0.0.1")
    assert Reach(80).answers_to("127.0.0.1:80")
    assert not Reach(8765).answers_to("127.0.0.1")
    assert not Reach(80).answers_to("127.0.0.1:8765")


def test_a_browser_keeps_so_many_tables_and_others_are_not_locked_out(
    monkeypatch: pytest.MonkeyPatch, house: House
) -> None:
    monkeypatch.setattr(table_room, "MOST_KEPT_OF_ONE", 2)
    greedy, other = house.visitor(), house.visitor()
    for _ in range(2):
        greedy.open("you", "open")
    answer = greedy.post("/api/tables", json={"seats": ["you", "tempo"]})
    assert (answer.status_code, answer.json()) == (503, {"error": "this server keeps at most 2 tables of one browser"})
    other.open("you", "tempo")


def test_a_room_that_is_full_is_not_said_to_lack_a_table(tmp_path: Path) -> None:
    room = TableRoom("skyjo", tmp_path, most=1)
    numbers = [room.open(ASKED, "me").number for _ in range(2)]
    room.find(numbers[1]).browsers = 1
    with pytest.raises(FullError, match="too many tables"):
        room.find(numbers[0])


FIRST = {"table": 1, "game": "skyjo", "rules": "", "seed": 1, "episode": "round", "seats": ["you", "tempo"]}
FIRST |= {"owners": ["me", None], "is_practice": False, "opener": "me", "start": ""}
DAMAGED_FIRST: list[dict[str, Any]] = [
    {"owners": None}, {"owners": ""}, {"owners": ["me"]}, {"owners": [[], None]}, {"opener": {}}, {"seats": None},
    {"seats": [None, "tempo"]}, {"seats": ["you", "peek"]}, {"start": True}, {"start": "x"}, {"rules": 5},
    {"rules": "rows=99"}, {"seed": "1"}, {"is_practice": 1}, {"episode": "week"}, {"game": "chess"}, {"table": 2},
    {"more": 1},
]  # fmt: skip
DAMAGED_REST: list[Any] = [
    {"concede": 0.0}, {"concede": 9}, {"concede": "x"}, {"action": 0}, {"action": -1}, {"action": 300},
    {"action": 10**30}, {"action": "0"}, {"lent": None}, {"join": 0, "owner": []}, {"join": 9, "owner": "x"},
    {"join": [], "owner": "x"}, {"again": []}, {"undo": 5}, {"pace": 1, "paused": True}, {"pace": 0.0, "paused": 1},
    {"x": 1},
]  # fmt: skip
AGENTS = FIRST | {"seats": ["random", "random"], "owners": [None, None]}
DAMAGED: list[list[Any]] = [[], [[]], [AGENTS, {"pace": 0, "paused": True}], [AGENTS, {"pace": 2, "paused": 3}]]
DAMAGED += [[FIRST | change] for change in DAMAGED_FIRST] + [[FIRST, one] for one in DAMAGED_REST]


@pytest.fixture
def sound(tmp_path: Path) -> str:
    """A table beside the damaged one."""
    return TableRoom("skyjo", tmp_path).open(ASKED, "me").number


@pytest.mark.parametrize("lines", DAMAGED)
def test_a_damaged_file_is_no_table_stops_no_server_and_hides_no_other(
    lines: list[Any], sound: str, tmp_path: Path
) -> None:
    path = tmp_path / "damaged.table"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    room = TableRoom("skyjo", tmp_path)
    for find in (room.find, lambda number: WebTable.restored(number, TableFile(path))):
        with pytest.raises(TableError):
            find("damaged")
    assert [table.number for table in room.tables_of("me")] == [sound]
    assert OwnResults().document("me", room.files_of("me", 200))["games"] == []


@pytest.mark.parametrize("line", [{"concede": True}, {"undo": [None]}])
def test_what_can_be_read_of_a_strange_file_is_a_table(line: Any, tmp_path: Path) -> None:
    (tmp_path / "strange.table").write_text(f"{json.dumps(FIRST)}\n{json.dumps(line)}\n")
    assert TableRoom("skyjo", tmp_path).find("strange").setup.seats == ["you", "tempo"]


@pytest.mark.parametrize("suffix", ["table", "game"])
def test_strange_files_stop_no_server(suffix: str, sound: str, tmp_path: Path) -> None:
    (tmp_path / f"deep.{suffix}").write_text("[" * 100_000 + "\n")
    (tmp_path / f"bytes.{suffix}").write_bytes(bytes(range(256)) + b"\n")
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
