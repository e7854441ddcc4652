"""Lessons, puzzles and rules as browsers ask for them, and today's deal: once, the same cards for everybody."""

from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import agents_of
from skyjo.programs import find_program, program_names
from skyjo.table.played_game import PlayedGame
from skyjo.table.seating import seated_agents
from skyjo.web import daily_routes
from skyjo.web.learn_routes import rules_document
from skyjo.web.puzzles import SURE, puzzles_of
from tests.skyjo.web_client import ORIGIN, House, Houses, Visitor

GAMES = ("skyjo", "skipbo", "skyjo_action")
SOLUTIONS = {
    "skyjo": (("flip 0", "flip 5"), ("take", "place 1"), ("draw", "flip 0"), ("take", "place 2"), ("take", "place 7")),
    "skipbo": (
        ("hand 4 to 0",),
        ("stock to 0",),
        ("hand 6 to 0", "hand w to 0", "stock to 0"),
        ("discard 11 on 0",),
        ("pile 0 to 0", "hand 11 to 0", "stock to 0"),
    ),
    "skyjo_action": (("take", "place 3"), ("take", "place 6"), ("take", "place 2"), ("open 0",), ("play double",)),
}


def lesson(visitor: Visitor, number: int, actions: list[int]) -> Any:
    return visitor.post(f"/api/learn/lessons/{number}", json={"actions": actions}).json()


@pytest.mark.parametrize("game", GAMES)
def test_each_of_five_lessons_is_done_by_what_it_asks_for_and_not_before(game: str, houses: Houses) -> None:
    visitor = houses(game).visitor()
    assert len(visitor.get("/api/learn").json()["lessons"]) == len(SOLUTIONS[game]) == 5
    for number, names in enumerate(SOLUTIONS[game]):
        actions: list[int] = []
        found = lesson(visitor, number, actions)
        for name in names:
            assert not found["state"]["reached"]
            view = found["views"][-1]
            actions.append(next(int(action) for action, other in view["names"].items() if other == name))
            found = lesson(visitor, number, actions)
            assert found["views"][0]["told"][-1]["seat"] == 0
        assert found["state"]["reached"]
        assert found["views"][-1]["decider"] in (0, None)


def test_what_is_no_lesson_puzzle_or_answer_is_refused(houses: Houses) -> None:
    visitor = houses("skyjo").visitor()
    for body, words in (
        ({"actions": [99]}, "action"),
        ({"actions": [1] * 61}, "at most 60"),
        ({"actions": "1"}, "list"),
        ({}, "actions"),
    ):
        answer = visitor.post("/api/learn/lessons/0", json=body)
        assert answer.status_code == 400
        assert words in answer.json()["error"]
    count = visitor.get("/api/learn").json()["puzzles"]["count"]
    assert visitor.post("/api/learn/lessons/5", json={"actions": []}).status_code == 404
    assert visitor.get(f"/api/learn/puzzles/{count}").status_code == 404
    assert visitor.get("/api/learn/puzzles/x").status_code == 400
    assert visitor.post("/api/learn/puzzles/0", json={"answer": 1}).status_code == 400


@pytest.mark.parametrize("game", ["skyjo", "skipbo"])
def test_the_best_answer_of_a_puzzle_is_beyond_doubt(game: str) -> None:
    for puzzle in puzzles_of(game).all:
        others = np.delete(puzzle.worths, puzzle.best)
        lead = np.nanmax(puzzle.worths) - np.nanmax(others)
        assert lead == pytest.approx(puzzle.lead)
        assert lead >= SURE * puzzle.error > 0


@pytest.mark.parametrize("game", ["skyjo", "skipbo"])
def test_a_puzzle_is_answered_after_a_choice_and_shows_what_its_seat_sees(game: str, houses: Houses) -> None:
    visitor = houses(game).visitor()
    themes = visitor.get("/api/learn").json()["puzzles"]["themes"]
    assert len(themes) >= 3
    for theme in themes:
        number = theme["puzzles"][0]
        asked = visitor.get(f"/api/learn/puzzles/{number}").json()
        assert asked["question"]["theme"] == theme["name"]
        assert "worth" not in str(asked)
        view = asked["view"]
        assert view["decider"] == view["seat"]
        answer = visitor.post(f"/api/learn/puzzles/{number}", json={"action": view["actions"][0]}).json()
        assert {choice["action"] for choice in answer["choices"]} == {*view["actions"]}
        assert {*answer["best"]} <= {*view["actions"]}
        assert answer["choices"][0]["action"] in answer["best"]


@pytest.mark.parametrize("game", GAMES)
def test_rules_come_clause_by_clause_with_all_that_options_and_lessons_name(game: str, houses: Houses) -> None:
    program = find_program(game)
    found = houses(game).visitor().get("/api/rules").json()
    assert found == rules_document(program.rules_text)
    numbers = [clause["number"] for section in found["sections"] for clause in section["clauses"] if clause["number"]]
    assert len(numbers) == len({*numbers}) > 40
    assert {words.clause for words in program.rule_words.values()} <= {*numbers}
    assert {each.clause for each in program.learning.LESSONS} <= {*numbers}
    assert found["intro"]


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


def test_nothing_tells_the_cards_while_the_round_runs(house: House) -> None:
    visitor = house.visitor()
    number = opened(visitor)
    seed = str(house.room.find(number).setup.seed)
    told = [visitor.get(path).text for path in (f"/api/tables/{number}", "/api/daily", "/api/start", f"/t/{number}")]
    assert not any(seed in text for text in told)
    assert visitor.get(f"/api/tables/{number}/record").status_code == 400
    assert visitor.post("/api/games", json={"table": number}).status_code == 400


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


def test_a_deal_whose_table_was_deleted_is_not_dealt_again(visitor: Visitor) -> None:
    number = opened(visitor)
    assert opened(visitor) == number
    assert visitor.client.delete(f"/api/tables/{number}", headers=visitor.headers | ORIGIN).status_code == 200
    answer = visitor.post("/api/daily")
    assert answer.status_code == 400
    assert answer.json()["error"] == "you have deleted your table with today's deal; new cards come tomorrow"
