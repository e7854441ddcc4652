"""The table in the browser refuses what is not right, and a refusal changes nothing."""

import json
import random
import stat
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args
from unittest.mock import ANY

import pytest
from skyjo.web.requests import MAX_BYTES, Ask
from starlette.websockets import WebSocketDisconnect

from skyjo.interfaces import interface_names
from skyjo.table.played_game import PlayedGame
from skyjo.web import live_tables
from skyjo.web.table_files import TableFile
from tests.skyjo.web_client import HOST, ORIGIN, House, Houses, Seat, Visitor, full

FUZZED = 100  # messages at a table
ACTIONS = 999  # none of any game
KEYS = ["seq", "action", "ask", "pace", "agent", "seat", "", "kind"]
ANYTHING: list[Any] = [0, 1, 3, 14, 15, -1, 10**30, 1.5, None, True, "0", [], {}, "\ud800", "é"]
ANYTHING += [*get_args(Ask), "tempo"]
SEATS = (["you", "you"], ["you"], ["you", "open"])  # of people; an agent plays, too


WRONG = {
    "stale": '{"seq":7,"action":14}',
    "illegal": '{"seq":0,"action":0}',
    "unknown": '{"seq":0,"action":999}',
    "without seq": '{"action":14}',
    "more": '{"seq":0,"action":14,"seat":1}',
    "ask": '{"seq":0,"ask":"seed"}',
    "list in ask": '{"seq":0,"ask":["hint"]}',
    "pace without a number": '{"seq":0,"ask":"pace"}',
    "pace too fast": '{"seq":0,"ask":"pace","pace":21}',
    "pace nan": '{"seq":0,"ask":"pace","pace":NaN}',
    "no JSON": "{",
    "deep": "[" * 3000,
    "long": '{"seq":0,"action":' + "1" * 4000 + "}",
    "oversized": json.dumps({"seq": 0, "action": 14, "x": "y" * MAX_BYTES}),
    "nan": '{"seq":NaN,"action":14}',
    "surrogate": '"\\ud800"',
    "empty": "",
}


def test_a_wrong_message_is_refused_in_a_line_and_changes_nothing(visitor: Visitor, tmp_path: Path) -> None:
    number = visitor.open("you", "open")
    with visitor.at(number) as seat:
        seat.receive()
        before = visitor.view(number), _files(tmp_path)
        for name, text in WRONG.items():
            seat.socket.send_text(text)
            answer = seat.receive()
            assert (answer["kind"], answer["seq"]) == ("refused", 0), name
            assert "\n" not in answer["words"]
            if name == "stale":
                assert answer["words"] == "the table has moved on; here is how it stands now"
                assert seat.receive() == before[0] | {"seats": ANY}
            assert (visitor.view(number), _files(tmp_path)) == before
        seat.socket.send_bytes(b'{"seq":0,"action":14}')
        assert seat.receive()["words"] == "a message is text"


def test_only_who_holds_the_seat_that_decides_can_act(house: House) -> None:
    host, guest, stranger = (house.visitor() for _ in range(3))
    number = host.open("you", "open")
    guest.join(number)
    decider = host.view(number)["decider"]
    for visitor in (guest if decider == 0 else host, stranger):
        with visitor.at(number) as seat:
            seat.receive()
            for message in ({"action": 14}, {"ask": "hint"}):
                assert seat.ask(seq=0, **message)["words"] == "it is not your turn"
            assert seat.ask(seq=0, ask="undo")["kind"] == "refused"
    assert host.view(number)["seq"] == 0


FOREIGN = {
    "no origin": {},
    "another site": {"origin": "http://example.com"},
    "another port": {"origin": "http://127.0.0.1:9999"},
    "a prefix": {"origin": f"http://{HOST}.example.com"},
    "null": {"origin": "null"},
    "another host": {**ORIGIN, "host": "example.com"},
    "a host without the port": {**ORIGIN, "host": "127.0.0.1"},
}


def test_a_foreign_page_opens_no_table_and_no_socket(visitor: Visitor, tmp_path: Path) -> None:
    number = visitor.open("you", "open")
    before, socket = _files(tmp_path), f"ws://{HOST}/api/tables/{number}/socket"
    for name, foreign in FOREIGN.items():
        headers = visitor.headers | foreign
        for address in ("/api/tables", f"/api/tables/{number}/join", "/api/games"):
            answer = visitor.client.post(address, headers=headers, json={"seats": ["you", "tempo"]})
            assert (answer.status_code, answer.json()) == (403, {"error": "not from this page"}), name
        with pytest.raises(WebSocketDisconnect), visitor.client.websocket_connect(socket, headers=headers):
            pass
    assert _files(tmp_path) == before


def test_pages_are_for_this_host_alone_with_a_policy_and_a_cookie_that_scripts_cannot_read(house: House) -> None:
    client = house.client
    assert client.get("/", headers={"host": "example.com"}).status_code == 403
    assert client.get("/api/start", headers={"origin": "http://example.com"}).status_code == 403
    answer = client.get("/")
    assert answer.headers["content-security-policy"].startswith("default-src 'self';")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["set-cookie"].endswith("; HttpOnly; SameSite=Lax")
    assert "set-cookie" not in client.get("/").headers


BAD_TABLES: dict[str, Any] = {
    "nobody": {"seats": []},
    "too many": {"seats": ["you"] * 9},
    "no agent": {"seats": ["you", "nobody"]},
    "sees all": {"seats": ["you", "oracle"]},
    "asks the terminal": {"seats": ["you", "human"]},
    "a file": {"seats": ["you", "policy:path=/etc/passwd"]},
    "for ever": {"seats": ["you", "rollout:n=1000000000"]},
    "for ever in groups": {"seats": ["you", "rollout:n=1_000_000"]},
    "seconds": {"seats": ["you", "rollout:seconds=60"]},
    "players": {"seats": ["you", "tempo"], "rules": "players=5"},
    "episode": {"seats": ["you", "tempo"], "episode": "week"},
    "numbers": {"seats": [1, 2]},
    "more": {"seats": ["you", "tempo"], "seed": 5},
    "no object": ["you", "tempo"],
    "oversized": {"seats": ["you", "tempo"], "rules": "x" * MAX_BYTES},
}


def test_a_table_that_cannot_be_is_refused_in_a_line(visitor: Visitor, tmp_path: Path) -> None:
    for name, asked in BAD_TABLES.items():
        answer = visitor.post("/api/tables", json=asked)
        assert answer.status_code == 400, name
        assert [*answer.json()] == ["error"]
        assert "\n" not in answer.json()["error"]
    assert _files(tmp_path) == {}


LENT: list[Any] = [{"agent": agent} for agent in ("nobody", "oracle", "human", "you", "policy:path=/etc/passwd", 5)]
LENT += [{"agent": "rollout:n=1000000000"}, {"agent": "tempo\n"}, {}, {"agent": "tempo", "action": 3}]


def test_an_agent_that_may_not_sit_down_does_not_act(visitor: Visitor, tmp_path: Path) -> None:
    number = visitor.open("you", "random")
    before = _files(tmp_path)
    with visitor.at(number) as seat:
        seat.receive()
        for asked in LENT:
            answer = seat.ask(seq=0, ask="lend", **asked)
            assert answer["kind"] == "refused"
            assert "\n" not in answer["words"]
    assert _files(tmp_path) == before


def test_a_disk_that_fails_is_told_in_a_line(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TableFile, "append", full)
    answer = visitor.post("/api/tables", json={"seats": ["you", "tempo"]})
    assert (answer.status_code, answer.json()) == (500, {"error": "tables cannot be read or written"})


def test_a_table_that_is_not_there_is_not_found(visitor: Visitor) -> None:
    for number in ("abcdefghijkl", "x", "..%2F..%2Fetc", "%00", "a" * 300):
        for address in (f"/api/tables/{number}", f"/api/tables/{number}/record"):
            answer = visitor.get(address)
            assert answer.status_code == 404
            assert [*answer.json()] == ["error"]


def test_files_and_names_tell_no_seed_and_nobody_else_reads_them(visitor: Visitor, tmp_path: Path) -> None:
    number = visitor.open("you", "tempo")
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    seed = json.loads(file.read_text().splitlines()[0])["seed"]
    assert file.name == f"{number}.table"
    assert number.isalpha()
    assert len(number) == 12
    pages = visitor.get(f"/api/tables/{number}").text + visitor.get("/api/start").text
    assert str(seed) not in pages
    assert visitor.headers["cookie"].partition("=")[2] not in file.read_text()


@pytest.mark.parametrize("tables", [5, pytest.param(340, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", interface_names())
def test_fuzzed_messages_are_answered_one_by_one(
    game: str, tables: int, houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_tables, "GRACE", 0)
    monkeypatch.setattr(PlayedGame, "adviser", lambda self: self.interface.opponents[0])  # which is quick
    house, chance, kinds = houses(game), random.Random(5), Counter[str]()
    visitor, guest = house.visitor(), house.visitor()
    agent = house.room.interface.opponents[0]
    for table in range(tables):
        number = visitor.open(*SEATS[table % len(SEATS)], agent)
        if house.room.find(number).free_seats and chance.random() < 0.5:
            guest.join(number)
        with visitor.at(number) as seat:
            view = seat.receive()
            for _ in range(FUZZED):
                seat.socket.send_text(text := _fuzzed(chance, view["seq"], view["actions"], agent))
                answers = _answers(seat)
                assert answers or '"hint"' in text  # which comes when it is ready
                kinds.update(answer["kind"] for answer in answers)
                view = next((answer for answer in reversed(answers) if answer["kind"] == "view"), view)
    assert kinds.keys() - {"hint"} == {"refused", "view", "moved", "inspected"}  # no hint may be ready in time
    assert min(kinds["refused"], kinds["view"]) > tables * FUZZED / 10  # it is neither all nonsense nor all in order


def _answers(seat: Seat) -> list[Any]:
    """What has been answered so far, views of agents' decisions included; a last message marks the end."""
    seat.socket.send_bytes(b"")
    return [*iter(seat.receive, {"kind": "refused", "seq": ANY, "words": "a message is text"})]


def _fuzzed(chance: random.Random, seq: int, actions: Sequence[int] = (), agent: str = "tempo") -> str:
    """A message in order, one with anything in its fields, or one with a damaged letter."""
    message: dict[str, Any] = {"seq": seq, "action": chance.choice([*actions, 0, ACTIONS])}
    if chance.random() < 0.3:
        message = {"seq": seq, "ask": chance.choice([*get_args(Ask), *8 * ["hint"]])}  # some asks end the game
        more: dict[str, dict[str, Any]] = {"pace": {"pace": 20}, "lend": {"agent": agent}, "hint": {"after": 1}}
        message |= more.get(message["ask"], {}) if chance.random() < 0.5 else {}
    elif chance.random() < 0.5:
        message = {chance.choice(KEYS): chance.choice(ANYTHING) for _ in range(chance.randrange(4))}
    text = json.dumps(message)
    if chance.random() < 0.3:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", "{", '"', "\x00", "9" * 50, "NaN"]) + text[at + 1 :]
    return text


def _files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


BODIES: list[Any] = [*ANYTHING, "you", "open", "<b>", "\u202e", "a\u200bb", ["you", "open"], ["you"] * 3, [0, 1]]
FIELDS = ["seats", "names", "name", "rules", "episode", "game", "after", "text", "table", "store", "number", "actions"]
QUERIES = [
    "",
    "?players=2",
    "?players=3&rules=x",
    "?first=0&count=5",
    "?seat=9",
    "?open=1&seat=0",
    "?first=-1",
    "?game=x",
]


@pytest.mark.parametrize("game", interface_names())
def test_fuzzed_requests_are_answered_or_refused_in_a_line(game: str, houses: Houses) -> None:
    house, chance, answers = houses(game), random.Random(7), Counter[int]()
    visitors = [house.visitor() for _ in range(3)]
    numbers = [*"0x", "%00", visitors[0].open("you", "open"), visitors[1].post("/api/daily").json()["id"]]
    for _ in range(200):
        number = chance.choice(numbers)
        paths = ["start", "tables", "daily", "games", "own", "ladder", "learn", "rules", "unable", "games/stores/0"]
        paths += [f"tables/{number}{end}" for end in ("", "/join", "/link", "/record")]
        paths += [f"games/{number}{end}" for end in ("", "/views", "/record")]
        paths += [f"learn/{part}/{number}" for part in ("lessons", "puzzles")]
        method = chance.choice(["GET", "POST", "POST", "DELETE"])
        address = f"/api/{chance.choice(paths)}{chance.choice(QUERIES)}"
        fields = {chance.choice(FIELDS): chance.choice(BODIES) for _ in range(chance.randrange(4))}
        body = json.dumps(chance.choice([fields, fields, {}, {"seats": ["you", "open"]}, chance.choice(BODIES)]))
        visitor = chance.choice(visitors)
        answer = visitor.client.request(method, address, headers=visitor.headers | ORIGIN, content=body)
        answers[answer.status_code] += 1
        if answer.status_code != 200:
            assert [*answer.json()] == ["error"]
            assert "\n" not in answer.json()["error"]
        elif "id" in answer.text[:6]:
            numbers.append(answer.json()["id"])
    assert {200, 400, 404, 405} <= answers.keys() <= {200, 400, 404, 405, 503}
