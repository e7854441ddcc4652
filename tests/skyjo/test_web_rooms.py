"""Rooms: friends in several browsers with agents between them, and what is kept of them."""

import json
import random
import sqlite3
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from starlette.websockets import WebSocketDisconnect
from websockets import Origin
from websockets.sync.client import ClientConnection, connect

from skyjo.web import live_rooms, room_store, rooms
from skyjo.web.room_store import RoomStore
from tests.skyjo.web_client import GAMES, Browser, Seat, Servers
from tests.web.page_server import served

FIRST_MOVES = 4


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let agents decide at once."""
    monkeypatch.setattr(rooms, "PAUSE", 0)


def play(seats: list[Seat]) -> None:
    """Let the seat to move decide, and everybody hear of it."""
    decider = next(seat for seat in seats if seat.view["legal"])
    seq = decider.view["seq"]
    decider.ask(action=random.Random(seq).choice(decider.view["legal"]))
    for seat in seats:
        if seat is not decider:
            seat.receive()
        assert (seat.view["seq"], seat.view["first"]) == (seq + 1, seq)
        assert [told["action"] for told in seat.view["decisions"]] == [decider.view["decisions"][0]["action"]]


def over(browser: Browser) -> str:
    """Return a room whose game is over."""
    number = browser.open("you", "random", game="skipbo", rules="stock=1")
    with browser.at(number) as seat:
        view = seat.view
        while view["decider"] is not None:
            view = seat.ask(action=view["legal"][0]) if view["legal"] else seat.receive()
    return number


@pytest.mark.parametrize("game", GAMES)
def test_two_browsers_play_to_the_end(game: str, browser: Browser) -> None:
    guest, stranger = browser.another(), browser.another()
    number = browser.open("you", "open", game=game, rules="stock=2" * (game == "skipbo"), names=["Ada"])
    with browser.at(number) as first:
        assert first.view["names"] == ["you", "open seat 2"]
        assert (first.view["people"], first.view["here"]) == ([True, True], [True, False])
        assert browser.get(f"/api/rooms/{number}/record").status_code == 400
        assert guest.join(number, name="Bea") == {"seat": 1}
        assert first.receive()["names"] == ["you", "Bea"]
        with guest.at(number) as second:
            assert (second.view["names"], second.view["own"]) == (["Ada", "you"], [1])
            assert first.receive()["here"] == [True, True]
            while first.view["decider"] is not None:
                play([first, second])
            assert first.view["winners"] == second.view["winners"] is not None
    assert [len(each.rooms(game)) for each in (browser, guest, stranger)] == [1, 1, 0]
    (row,) = guest.rooms(game)
    assert (row["id"], row["over"], row["scores"]) == (number, True, first.view["totals"])
    assert browser.get(f"/api/rooms/{number}/record").text.startswith(f"{game}-record 1\n")


def test_a_room_has_no_more_seats_than_it_began_with(browser: Browser) -> None:
    number, guest, late = browser.open("you", "open"), browser.another(), browser.another()
    link = browser.get(f"/api/rooms/{number}/link").json()
    assert link == {"link": f"http://127.0.0.1:8765/skyjo/table.html?{number}", "free": 1, "local": True}
    guest.join(number)
    assert late.join(number) == {"error": "no seat is free in this room"}
    assert browser.get(f"/api/rooms/{number}/link").json()["free"] == 0
    with late.at(number) as seat:
        assert (seat.view["own"], seat.view["is_own"], seat.view["legal"]) == ([], False, [])
        for asked in ({"action": 0}, {"ask": "rematch"}):
            assert seat.ask(**asked)["words"] == "only players in this room can do that"


def test_a_seat_that_is_left_is_played_on_by_an_agent_until_its_player_is_back(
    browser: Browser,
) -> None:
    number, guest = browser.open("you", "open"), browser.another()
    guest.join(number)
    with browser.at(number) as first:
        decider = guest if first.view["decider"] == 1 else None
        if decider is None:  # the other seat is to begin
            first.ask(action=first.view["legal"][0])
            first.ask(action=first.view["legal"][0])
        assert first.view["decider"] == 1
        assert first.ask(ask="substitute")["substituted"] == [1]
        assert first.until(lambda view: view["legal"])["decisions"][-1]["seat"] == 1
        with guest.at(number) as second:
            assert (second.view["substituted"], second.view["first"]) == ([], 0)
            assert first.receive()["here"] == [True, True]
            while not second.view["legal"]:
                play([first, second])
            assert first.ask(ask="substitute")["words"] == "the player to move has not left"


def test_players_go_on_with_new_cards_in_one_room(browser: Browser) -> None:
    number = over(browser)
    with browser.at(number) as seat:
        moved, same = seat.ask(ask="rematch"), seat.ask(ask="rematch")
        assert moved["kind"] == "moved"
        assert moved["id"] == same["id"] != number
    with browser.at(moved["id"]) as seat:
        assert (seat.view["seq"], len(seat.view["people"]), seat.view["own"]) == (0, 2, [0])
    assert browser.delete(f"/api/rooms/{moved['id']}").json() == {}
    with browser.at(number) as seat:
        assert seat.ask(ask="rematch")["id"] != moved["id"]


def test_a_seat_that_is_given_up_is_free_and_a_room_without_people_is_deleted(browser: Browser) -> None:
    number, guest, friend = browser.open("you", "open"), browser.another(), browser.another()
    guest.join(number)
    with guest.at(number) as seat:
        assert browser.delete(f"/api/rooms/{number}").json() == {}
        assert (browser.rooms(), seat.receive()["names"]) == ([], ["open seat 1", "you"])
        assert friend.join(number, name="Ada") == {"seat": 0}
        assert seat.receive()["names"] == ["Ada", "you"]
        assert friend.delete(f"/api/rooms/{number}").json() == {}
        assert seat.receive()["own"] == [1]
        assert friend.delete(f"/api/rooms/{number}").json() == {"error": "you have no seat in this room"}
        assert guest.delete(f"/api/rooms/{number}").json() == {}
        with pytest.raises(WebSocketDisconnect) as closed:
            seat.receive()
        assert (closed.value.code, closed.value.reason) == (4404, "this room has been deleted")
    with pytest.raises(WebSocketDisconnect) as closed, browser.at(number):
        pass
    assert (closed.value.code, closed.value.reason) == (4404, "there is no such room")
    assert browser.get(f"/api/rooms/{number}/link").status_code == 404


def test_what_cannot_be_written_has_not_happened(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    number = browser.open("you", "you")

    def full(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with browser.at(number) as seat:
        monkeypatch.setattr(RoomStore, "write", full)
        with pytest.raises(WebSocketDisconnect) as closed:
            seat.ask(action=seat.view["legal"][0])
        assert (closed.value.code, closed.value.reason) == (4503, live_rooms.LOST)
    monkeypatch.undo()
    with browser.at(number) as seat:
        assert seat.view["seq"] == 0


def test_caps_are_for_all_together(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    first, number = over(browser), browser.open("you", "you")
    monkeypatch.setattr(room_store, "MOST", 2)
    monkeypatch.setattr(live_rooms, "MAX_BROWSERS", 1)
    second = browser.open("you", "you")
    assert browser.get(f"/api/rooms/{first}/link").status_code == 404, "the room whose game is over gives way"
    answer = browser.post("/api/rooms", json={"game": "skyjo", "seats": ["you", "you"]})
    assert answer.status_code == 503
    assert answer.json()["error"].startswith("2 rooms are in play, and this server keeps no more")
    assert browser.get(f"/api/rooms/{second}/link").status_code == 200
    with browser.at(number):
        with pytest.raises(WebSocketDisconnect) as closed, browser.at(number):
            pass
        assert closed.value.code == 4503


def test_rooms_are_found_again_after_a_restart_by_one_server_at_a_time(servers: Servers, tmp_path: Path) -> None:
    browser = Browser(servers())
    number = browser.open("you", "you", names=["Ada", "Bob"])
    with browser.at(number) as seat:
        for _ in range(FIRST_MOVES):
            seat.ask(action=seat.view["legal"][0])
        assert len(seat.view["decisions"]) == 1
        with pytest.raises(Exception, match="stop the other server that uses it"):
            RoomStore(tmp_path / "rooms")
    assert (tmp_path / "rooms" / room_store.FILE).stat().st_mode & 0o077 == 0
    browser.client = servers()
    with browser.at(number) as seat:
        assert len(seat.view["decisions"]) == seat.view["seq"] == FIRST_MOVES


def test_nothing_that_was_sent_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    site, folder = tmp_path / "site", tmp_path / "rooms"
    site.mkdir()
    headers = {"cookie": f"skyjo_browser={'a' * 32}"}
    with served(site, folder) as address:
        body = json.dumps({"game": "skyjo", "seats": ["you", "you"]}).encode()
        with urlopen(Request(f"{address}/api/rooms", body, headers | {"origin": address}), timeout=60) as answer:
            number = json.loads(answer.read())["id"]
        with line_to(address, number, headers) as line:
            view = json.loads(line.recv())
            for _ in range(FIRST_MOVES):
                line.send(json.dumps({"seq": view["seq"], "action": view["legal"][0]}))
                view = json.loads(line.recv())
    with served(site, folder) as address, line_to(address, number, headers) as line:
        again = json.loads(line.recv())
    assert len(again["decisions"]) == FIRST_MOVES
    assert again | {"first": view["first"], "decisions": again["decisions"][-1:]} == view


def line_to(address: str, number: str, headers: dict[str, str]) -> ClientConnection:
    """Return a connection to a room."""
    socket = f"ws{address.removeprefix('http')}/api/rooms/{number}/socket"
    return connect(socket, origin=Origin(address), additional_headers=headers)
