"""The lists of a browser's tables and games: names as people type them, dates and scores, and how they are deleted."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from cardtable.table.agents.agents import agents_of
from cardtable.table.errors import TableError
from skyjo.programs import Rival, program_names
from skyjo.web.person_names import MOST_LETTERS, read_name
from skyjo.web.rivals import ladder_of, rival_documents
from tests.skyjo.web_client import HOST, House, Houses, Visitor

SMALL = "rows=2 columns=2 opening_flips=1"


def tables_of(visitor: Visitor) -> list[Any]:
    listed: list[Any] = visitor.get("/api/start").json()["tables"]
    return listed


def finished(house: House, visitor: Visitor) -> str:
    """A table that is over."""
    number = visitor.open("you", "tempo", rules=SMALL)
    table = house.room.find(number)
    while table.decider is not None:
        table.act(table.played.game.legal_actions()[0])
    return number


def test_a_table_is_listed_with_names_its_date_and_the_score(house: House, visitor: Visitor) -> None:
    number = visitor.post("/api/tables", json={"seats": ["you", "tempo"], "names": ["", "Rosa"]}).json()["id"]
    over = finished(house, visitor)
    first, second = tables_of(visitor)
    assert (first["id"], first["over"], first["yours"]) == (over, True, False)
    assert first["scores"] == [*house.room.find(over).played.game.totals]
    assert (second["id"], second["names"], second["scores"], second["over"]) == (number, ["you", "Rosa"], None, False)
    assert second["yours"]
    assert datetime.now(UTC) - datetime.fromisoformat(second["when"]) < timedelta(minutes=5)
    assert [each["id"] for each in visitor.get("/api/games").json()["tables"]] == [over]


def test_a_table_that_is_deleted_is_gone_from_the_list_and_the_disk(visitor: Visitor, tmp_path: Path) -> None:
    number, other = visitor.open("you", "tempo"), visitor.open("you", "tempo")
    assert visitor.delete(f"/api/tables/{number}").status_code == 200
    assert [table["id"] for table in tables_of(visitor)] == [other]
    assert not (tmp_path / f"{number}.table").exists()
    assert visitor.get(f"/api/tables/{number}").status_code == 404
    assert visitor.get(f"/t/{number}").status_code == 404


def test_who_deletes_a_table_takes_it_from_nobody_else(houses: Houses) -> None:
    house = houses()
    anna, ben = house.visitor(), house.visitor()
    number = anna.open("you", "open")
    ben.join(number)
    assert anna.delete(f"/api/tables/{number}").status_code == 200
    assert tables_of(anna) == []
    assert [table["id"] for table in tables_of(ben)] == [number]
    again = Visitor(houses().client)
    again.headers = anna.headers
    assert tables_of(again) == []
    assert ben.delete(f"/api/tables/{number}").status_code == 200
    assert not house.room.has(number)


def test_whoever_sits_down_again_after_deleting_a_table_finds_it_in_the_list(houses: Houses) -> None:
    house = houses()
    anna, ben = house.visitor(), house.visitor()
    number = anna.open("you", "open", "open")
    ben.join(number)
    anna.delete(f"/api/tables/{number}")
    anna.join(number)
    again = Visitor(houses().client)
    again.headers = anna.headers
    for visitor in (anna, again):
        assert [table["id"] for table in tables_of(visitor)] == [number]


def test_only_whose_table_it_is_can_delete_it_and_only_from_a_page_of_the_server(house: House) -> None:
    visitor, stranger = house.visitor(), house.visitor()
    number = visitor.open("you", "tempo")
    answer = stranger.delete(f"/api/tables/{number}")
    assert (answer.status_code, answer.json()) == (400, {"error": "this table is not in your list"})
    assert visitor.client.delete(f"/api/tables/{number}", headers=visitor.headers).status_code == 403
    assert visitor.delete("/api/tables/abcabcabcabc").status_code == 404
    assert [table["id"] for table in tables_of(visitor)] == [number]


def test_whoever_is_at_a_table_that_is_deleted_is_told(visitor: Visitor) -> None:
    number = visitor.open("you", "tempo")
    with visitor.at(number) as seat:
        seat.receive()
        visitor.delete(f"/api/tables/{number}")
        with pytest.raises(WebSocketDisconnect) as closed:
            seat.receive()
    assert (closed.value.code, closed.value.reason) == (4404, "this table has been deleted")


def test_a_kept_game_is_deleted_from_the_list_of_one_browser_and_then_of_the_last(house: House, tmp_path: Path) -> None:
    anna, ben = house.visitor(), house.visitor()
    number = anna.post("/api/games", json={"table": finished(house, anna)}).json()["id"]
    ben.get(f"/api/games/{number}")
    assert anna.delete(f"/api/games/{number}").status_code == 200
    assert anna.get("/api/games").json()["kept"] == []
    assert [game["id"] for game in ben.get("/api/games").json()["kept"]] == [number]
    assert anna.delete(f"/api/games/{number}").status_code == 400
    assert ben.delete(f"/api/games/{number}").status_code == 200
    assert not (tmp_path / f"{number}.game").exists()


def test_an_invitation_says_how_many_seats_it_is_for_and_how_far_it_reaches(house: House, visitor: Visitor) -> None:
    number = visitor.open("you", "open", "open")
    assert visitor.get(f"/api/tables/{number}/link").json() == {
        "link": f"http://{HOST}/t/{number}", "free": 2, "local": True,
    }  # fmt: skip
    house.visitor().join(number)
    assert visitor.get(f"/api/tables/{number}/link").json()["free"] == 1
    house.visitor().join(number)
    assert visitor.get(f"/api/tables/{number}/link").json()["free"] == 0
    assert visitor.get("/api/start").json()["local"]


# Rivals


@pytest.mark.parametrize("game", program_names())
def test_four_rivals_with_names_are_offered_the_weakest_first(game: str, houses: Houses) -> None:
    house = houses(game)
    visitor = house.visitor()
    rivals = visitor.get("/api/start").json()["rivals"]
    assert [rival["level"] for rival in rivals] == ["easy", "medium", "hard", "expert"]
    assert len({rival["name"] for rival in rivals}) == 4
    ratings = [rival["rating"] for rival in rivals if rival["rating"] is not None]
    assert ratings == sorted(ratings)
    assert bool(ratings) == (ladder_of(house.room.program) is not None)
    for rival in rivals:
        assert visitor.open("you", rival["agent"])


def test_the_strongest_rival_of_skyjo_looks_ahead(visitor: Visitor) -> None:
    assert visitor.get("/api/start").json()["rivals"][-1]["agent"] == "look"


def test_a_rival_whose_agent_is_not_installed_cannot_be_played_against(house: House) -> None:
    program = replace(house.room.program, rivals=(Rival("Zoe", "easy", "nobody", "Sleeps"), *house.room.program.rivals))
    assert [rival["playable"] for rival in rival_documents(program, agents_of(house.room.game))] == [False, *[True] * 4]


def test_agents_that_cannot_play_are_named_with_the_reason(houses: Houses) -> None:
    visitor = houses("skipbo").visitor()
    assert visitor.get("/api/unable?players=2").json() == {"unable": {}}
    assert visitor.get("/api/unable?players=3").json() == {"unable": {"policy": "at a table of 3"}}
    assert visitor.get("/api/unable?players=2&rules=stock%3D7").json()["unable"] == {"policy": "by these rules"}


@pytest.mark.parametrize("query", ["", "players=1", "players=9", "players=x", "players=2&rules=nothing%3D1"])
def test_a_table_that_cannot_be_is_refused_in_one_line(query: str, visitor: Visitor) -> None:
    answer = visitor.get(f"/api/unable?{query}")
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


SEATS = ("you", "open", "tempo")
GOOD = ["Anna", "Zoë", "Jean-Luc O'Hara", "李小龍", "अमित", "Анна", "Ελένη", "Taro 太郎", "R2D2", "A. B."]
BAD: list[object] = [
    "<b>Anna</b>",
    "Anna\n",
    "An\x00na",
    "\u202eannA",
    "An\u200bna",
    "A\u00a0B",
    "&lt;",
    '"',
    "tempo:t=2",
    "a/b",
    "You",
    "open seat 2",
    "Seat 2",
    "-",
    "'",
    "a" * (MOST_LETTERS + 1),
    "a\u0300\u0301\u0302\u0303",
    "Anna\ufe0f",  # looks like Anna
    "\u3164",  # looks like nothing
    "you.",
    "-You",
    "y\u00f3u",
    "\uff59\uff4f\uff55",  # you, in wide letters
    "y\u043eu",  # you, with a Cyrillic letter
    "Ann\u03b1",  # Anna, with a Greek one
    "\ud800",
    7,
    None,
    ["Anna"],
]


def seated(visitor: Visitor, *names: object) -> str:
    answer = visitor.post("/api/tables", json={"seats": SEATS, "names": names, "episode": "round"})
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["id"]
    return number


def shown(visitor: Visitor, number: str) -> list[str]:
    return [seat["name"] for seat in visitor.view(number)["seats"]]


def test_everybody_else_sees_the_name_that_a_person_typed(houses: Houses) -> None:
    house = houses()
    anna, ben = house.visitor(), house.visitor()
    number = seated(anna, "Anna", "", "Rosa")
    assert shown(anna, number) == ["you", "open seat 2", "Rosa"]
    assert shown(ben, number) == ["Anna", "open seat 2", "Rosa"]
    assert ben.post(f"/api/tables/{number}/join", json={"name": " Ben "}).status_code == 200
    assert shown(anna, number) == ["you", "Ben", "Rosa"]
    assert shown(ben, number) == ["Anna", "you", "Rosa"]


def test_names_outlive_the_server(houses: Houses) -> None:
    first = houses()
    anna, ben = first.visitor(), first.visitor()
    number = seated(anna, "Anna")
    ben.post(f"/api/tables/{number}/join", json={"name": "Ben"})
    second = houses()
    assert shown(second.visitor(), number) == ["Anna", "Ben", "tempo"]


def test_a_seat_without_a_name_is_called_by_its_number(houses: Houses) -> None:
    house = houses()
    number = house.visitor().open("you", "tempo")
    assert shown(house.visitor(), number) == ["seat 1", "tempo"]


def test_equal_names_are_told_apart_by_their_seats(houses: Houses) -> None:
    house = houses()
    anna, ben = house.visitor(), house.visitor()
    number = seated(anna, "Anna", "", "rosa")
    ben.post(f"/api/tables/{number}/join", json={"name": "ROSA"})
    assert shown(anna, number) == ["you", "ROSA (seat 2)", "rosa (seat 3)"]


@pytest.mark.parametrize("name", GOOD)
def test_names_of_all_scripts_are_taken(name: str) -> None:
    assert read_name(f" {name} ") == name


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_plain_name_is_refused_in_one_line_and_opens_no_table(houses: Houses, name: object) -> None:
    with pytest.raises(TableError):
        read_name(name)
    visitor = houses().visitor()
    text = json.dumps({"seats": SEATS, "names": [name]})
    answer = visitor.post("/api/tables", content=text)
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]
    number = visitor.open(*SEATS)
    other = houses().visitor()
    assert other.post(f"/api/tables/{number}/join", content=json.dumps({"name": name})).status_code == 400
    assert shown(visitor, number)[1] == "open seat 2"


@pytest.mark.parametrize("names", ["Anna", {"0": "Anna"}, ["a", "b", "c", "d"]])
def test_names_are_a_list_no_longer_than_the_seats(houses: Houses, names: object) -> None:
    assert houses().visitor().post("/api/tables", json={"seats": SEATS, "names": names}).status_code == 400
