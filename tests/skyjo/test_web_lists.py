"""The lists of a browser's tables and games: names as people type them, dates and scores, and how they are deleted."""

import json
from pathlib import Path
from typing import Any

import pytest

from cardtable.table.errors import TableError
from skyjo.programs import program_names
from skyjo.web.person_names import MOST_LETTERS, read_name
from skyjo.web.rivals import ladder_of
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


def test_who_deletes_a_table_takes_it_from_nobody_else_and_it_leaves_the_disk_with_the_last(
    houses: Houses, tmp_path: Path
) -> None:
    house = houses()
    anna, ben = house.visitor(), house.visitor()
    number, other = anna.open("you", "open"), anna.open("you", "tempo")
    ben.join(number)
    assert anna.delete(f"/api/tables/{number}").status_code == 200
    again = Visitor(houses().client)
    again.headers = anna.headers
    for visitor, tables in ((anna, [other]), (again, [other]), (ben, [number])):
        assert [table["id"] for table in tables_of(visitor)] == tables
    assert ben.delete(f"/api/tables/{number}").status_code == 200
    assert not house.room.has(number)
    assert [path.name for path in tmp_path.iterdir()] == [f"{other}.table"]
    assert ben.get(f"/api/tables/{number}").status_code == 404


def test_only_whose_table_it_is_can_delete_it_and_only_from_a_page_of_the_server(house: House) -> None:
    visitor, stranger = house.visitor(), house.visitor()
    number = visitor.open("you", "tempo")
    answer = stranger.delete(f"/api/tables/{number}")
    assert (answer.status_code, answer.json()) == (400, {"error": "this table is not in your list"})
    assert visitor.client.delete(f"/api/tables/{number}", headers=visitor.headers).status_code == 403
    assert visitor.delete("/api/tables/abcabcabcabc").status_code == 404
    assert [table["id"] for table in tables_of(visitor)] == [number]


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


def test_agents_that_cannot_play_are_named_with_the_reason_and_other_tables_refused(houses: Houses) -> None:
    visitor = houses("skipbo").visitor()
    assert visitor.get("/api/unable?players=2").json() == {"unable": {}}
    assert visitor.get("/api/unable?players=3").json() == {"unable": {"policy": "at a table of 3"}}
    assert visitor.get("/api/unable?players=2&rules=stock%3D7").json()["unable"] == {"policy": "by these rules"}
    for query in ("", "players=1", "players=9", "players=x", "players=2&rules=nothing%3D1"):
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


def test_everybody_else_sees_the_name_that_a_person_typed_also_after_a_restart(houses: Houses) -> None:
    house = houses()
    anna, ben = house.visitor(), house.visitor()
    number = seated(anna, "Anna", "", "rosa")
    assert shown(anna, number) == ["you", "open seat 2", "rosa"]
    assert shown(ben, number) == ["Anna", "open seat 2", "rosa"]
    assert ben.post(f"/api/tables/{number}/join", json={"name": " ROSA "}).status_code == 200
    assert shown(anna, number) == ["you", "ROSA (seat 2)", "rosa (seat 3)"]  # equal names are told apart
    assert shown(ben, number) == ["Anna", "you", "rosa"]
    assert shown(houses().visitor(), number) == ["Anna", "ROSA (seat 2)", "rosa (seat 3)"]


def test_names_of_all_scripts_are_taken_and_what_is_no_plain_name_is_refused_in_one_line(houses: Houses) -> None:
    for good in GOOD:
        assert read_name(f" {good} ") == good
    visitor = houses().visitor()
    number, other = visitor.open(*SEATS), houses().visitor()
    for bad in BAD:
        with pytest.raises(TableError):
            read_name(bad)
        answer = visitor.post("/api/tables", content=json.dumps({"seats": SEATS, "names": [bad]}))
        assert answer.status_code == 400
        assert "\n" not in answer.json()["error"]
        assert other.post(f"/api/tables/{number}/join", content=json.dumps({"name": bad})).status_code == 400
    for names in ("Anna", {"0": "Anna"}, ["a", "b", "c", "d"]):
        assert visitor.post("/api/tables", json={"seats": SEATS, "names": names}).status_code == 400
    assert shown(visitor, number)[1] == "open seat 2"
