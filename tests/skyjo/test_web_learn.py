"""Lessons, puzzles and rules as browsers ask for them."""

from typing import Any

import numpy as np
import pytest

from skyjo.programs import find_program
from skyjo.web.learn_routes import rules_document
from skyjo.web.puzzles import SURE, puzzles_of
from tests.skyjo.web_client import Houses, Visitor

GAMES = ("skyjo", "skipbo", "skyjo_action")
SOLUTIONS = {
    "skyjo": (
        ("flip 0", "flip 5"),
        ("take", "place 1"),
        ("draw", "flip 0"),
        ("take", "place 2"),
        ("take", "place 7"),
    ),
    "skipbo": (
        ("hand 4 to 0",),
        ("stock to 0",),
        ("hand 6 to 0", "hand w to 0", "stock to 0"),
        ("discard 11 on 0",),
        ("pile 0 to 0", "hand 11 to 0", "stock to 0"),
    ),
    "skyjo_action": (
        ("take", "place 3"),
        ("take", "place 6"),
        ("take", "place 2"),
        ("open 0",),
        ("play double",),
    ),
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


def test_a_rival_answers_in_a_lesson_always_alike(houses: Houses) -> None:
    visitor = houses("skyjo").visitor()
    once, again = (lesson(visitor, 1, [1, 3]) for _ in range(2))
    assert once == again
    assert len(once["views"]) > 1
    assert {one["seat"] for one in once["views"][-1]["told"]} == {0, 1}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"actions": [99]}, "action"),
        ({"actions": [1] * 61}, "at most 60"),
        ({"actions": "1"}, "list"),
        ({"actions": [-1]}, "whole number"),
        ({}, "actions"),
    ],
)
def test_what_is_no_decision_of_a_lesson_is_refused(body: Any, words: str, houses: Houses) -> None:
    answer = houses("skyjo").visitor().post("/api/learn/lessons/0", json=body)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_there_is_no_sixth_lesson_and_no_puzzle_beyond_the_last(houses: Houses) -> None:
    visitor = houses("skyjo").visitor()
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


def test_when_to_end_a_round_is_a_theme_with_puzzles_of_its_own(houses: Houses) -> None:
    themes = houses("skyjo").visitor().get("/api/learn").json()["puzzles"]["themes"]
    sizes = {theme["name"]: len(theme["puzzles"]) for theme in themes}
    assert min(sizes["end"], sizes["take"], sizes["columns"]) > 40


def test_a_game_without_examination_has_no_puzzles(houses: Houses) -> None:
    assert houses("skyjo_action").visitor().get("/api/learn").json()["puzzles"] == {"themes": [], "count": 0}


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
