"""Names: typed by people, plain text only, and shown to everybody else at the table."""

import json

import pytest

from cardtable.table.errors import TableError
from skyjo.web.person_names import MOST_LETTERS, read_name
from tests.skyjo.web_client import Houses, Visitor

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
