"""Today's deal: the same cards for everybody, once, and a result without luck when it is over."""

from typing import Any

import pytest

from cardtable.table.agents.agents import agents_of
from skyjo.programs import find_program, program_names
from skyjo.table.played_game import PlayedGame
from skyjo.table.seating import seated_agents
from skyjo.web import daily_routes
from tests.skyjo.web_client import ORIGIN, House, Houses, Visitor


def opened(visitor: Visitor, **body: Any) -> str:
    answer = visitor.post("/api/daily", json=body)
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["id"]
    return number


def played(house: House, number: str) -> None:
    """Play a table to its end, as scripted agents would."""
    table = house.room.find(number)
    seats = [house.room.program.opponents[0]] * 2
    scripted = PlayedGame(table.setup.dealt(), seated_agents(agents_of(house.room.game), table.played.rules, seats))
    while not scripted.game.is_over:
        scripted.decide()
    for action in scripted.actions:
        table.act(action)


@pytest.mark.parametrize("game", program_names())
def test_everybody_has_the_same_cards_on_a_day_and_other_cards_on_another(
    game: str, houses: Houses, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = houses(game)
    seeds = []
    for day in ("2026-11-26", "2026-11-26", "2026-11-27"):
        monkeypatch.setattr(daily_routes, "today", lambda day=day: day)
        number = opened(house.visitor())
        seeds.append(house.room.find(number).setup.seed)
    assert seeds[0] == seeds[1] != seeds[2]


@pytest.mark.parametrize("game", program_names())
def test_it_is_one_round_by_the_official_rules_against_the_strongest_rival(game: str, houses: Houses) -> None:
    house = houses(game)
    visitor = house.visitor()
    view = visitor.view(opened(visitor, name="Anna"))
    assert [seat["name"] for seat in view["seats"]] == ["you", find_program(game).rivals[-1].name]
    assert view["episode"] == "round"
    assert not view["practice"]
    assert house.visitor().get("/api/daily").json()["table"] is None


def test_whoever_comes_back_finds_the_same_table_also_after_a_restart(houses: Houses) -> None:
    house = houses()
    visitor = house.visitor()
    number = opened(visitor)
    assert opened(visitor) == number
    again = Visitor(houses().client)
    again.headers = visitor.headers
    assert opened(again) == number
    assert again.get("/api/daily").json() | {"day": ""} == {
        "version": 1, "day": "", "rival": "Ada", "table": number, "over": False, "result": None,
    }  # fmt: skip


def test_nothing_tells_the_cards_while_the_round_runs(house: House) -> None:
    visitor = house.visitor()
    number = opened(visitor)
    seed = str(house.room.find(number).setup.seed)
    told = [visitor.get(path).text for path in (f"/api/tables/{number}", "/api/daily", "/api/start", f"/t/{number}")]
    assert not any(seed in text for text in told)
    assert visitor.get(f"/api/tables/{number}/record").status_code == 400
    assert visitor.post("/api/games", json={"table": number}).status_code == 400


@pytest.mark.parametrize("game", ["skyjo", "skipbo"])
def test_a_round_that_is_over_is_compared_with_the_rival_in_the_same_seat(game: str, houses: Houses) -> None:
    house = houses(game)
    visitor = house.visitor()
    number = opened(visitor)
    played(house, number)
    found = visitor.get("/api/daily").json()
    table = house.room.find(number)
    own, other = table.played.game.totals
    margin = other - own if house.room.game.lower_is_better else own - other
    assert found["over"]
    assert found["result"]["margin"] == margin
    assert abs(found["result"]["luck"]) > 0
    assert {"margin", "luck"} == found["result"]["rival"].keys()


def test_a_round_in_which_a_move_was_taken_back_or_that_was_given_up_has_no_result(house: House) -> None:
    visitor = house.visitor()
    number = opened(visitor)
    table = house.room.find(number)
    table.act(table.played.game.legal_actions()[0])
    table.undo(str(table.owners[0]))
    played(house, number)
    found = visitor.get("/api/daily").json()
    assert (found["over"], found["result"]) == (True, None)
    other = house.visitor()
    table = house.room.find(opened(other))
    table.concede(str(table.owners[0]))
    assert other.get("/api/daily").json()["result"] is None


def test_no_hints_are_given_at_a_deal_that_counts(house: House) -> None:
    visitor = house.visitor()
    number = opened(visitor)
    table = house.room.find(number)
    with visitor.at(number) as seat:
        view = seat.until_asked()
        refused = seat.ask(seq=view["seq"], ask="hint")
        assert refused["words"] == "there are no hints at today's deal, so that its results can be compared"
        assert not table.is_practice
        seat.send(seq=view["seq"], action=view["actions"][0])
        seat.send(seq=seat.until_asked()["seq"], ask="undo")
        view = seat.until_asked()
        assert view["practice"]
        assert seat.ask(seq=view["seq"], ask="hint")["kind"] == "hint"


def test_the_same_cards_again_are_for_practice_and_not_todays_deal(house: House) -> None:
    visitor = house.visitor()
    number = opened(visitor)
    played(house, number)
    again = house.room.open_again(house.room.find(number), "anna")
    assert again.is_practice
    assert opened(visitor) == number


def test_a_deal_whose_table_was_deleted_is_not_dealt_again(visitor: Visitor) -> None:
    number = opened(visitor)
    assert visitor.client.delete(f"/api/tables/{number}", headers=visitor.headers | ORIGIN).status_code == 200
    answer = visitor.post("/api/daily")
    assert answer.status_code == 400
    assert answer.json()["error"] == "you have deleted your table with today's deal; new cards come tomorrow"
