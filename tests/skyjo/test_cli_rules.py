"""The command `rules`, and the words that forms have for every rule."""

import io
import re
import sys
from dataclasses import fields

import pytest

from cardtable.table.game.card_game import find_game
from skyjo.main import main
from skyjo.programs import find_program, program_names
from skyjo.web.table_routes import rule_documents
from tests.documents import ROOT
from tests.skyjo.cli import Skyjo


def page_of(game: str) -> str:
    return (ROOT / "docs" / "rules" / f"{game}.md").read_text()


@pytest.mark.parametrize("game", program_names())
def test_the_rules_are_those_of_the_game_as_markdown(game: str, command: Skyjo) -> None:
    assert command("rules").out == page_of(game)


@pytest.mark.parametrize("game", program_names())
def test_the_rules_begin_with_how_to_play(game: str) -> None:
    first = page_of(game).split("\n\n")[1]
    assert first.startswith(f"In {find_program(game).title} you want ")
    assert "On your turn you" in first
    assert re.findall(r"kernel|oracle|test|clause|`", first) == []


@pytest.mark.parametrize("game", program_names())
def test_on_a_terminal_every_clause_begins_a_line(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["rules"], game) == 0
    lines = screen.getvalue().splitlines()
    clauses = [line.split()[0] for line in page_of(game).splitlines() if line[:1].isdigit()]
    assert len(clauses) > 20
    assert [clause for clause in clauses if not any(line.startswith(f"{clause} ") for line in lines)] == []


class Screen(io.StringIO):
    """Where a terminal would print."""

    def isatty(self) -> bool:
        return True


# Every rule has words


@pytest.mark.parametrize("name", program_names())
def test_every_rule_but_the_number_of_players_is_told_with_its_clause(name: str) -> None:
    rules, text = find_game(name).rules(), page_of(name)
    told = [*rule_documents(find_program(name), rules)]
    assert [rule["name"] for rule in told] == [field.name for field in fields(rules) if field.name != "players"]
    assert {rule["name"] for rule in told} == find_program(name).rule_words.keys()
    for rule in told:
        start = text.index(f"\n{rule['clause']} ")
        clause = text[start : re.compile(r"\n\n|\n\d+\.\d+ ").search(text, start + 1).start()]  # type: ignore[union-attr]
        assert f"`{rule['name']}" in clause


@pytest.mark.parametrize("name", program_names())
def test_every_choice_and_both_ends_of_a_range_are_rules(name: str) -> None:
    game = find_game(name)
    for rule in rule_documents(find_program(name), game.rules()):
        for value in [*rule.get("choices", []), *rule.get("range", [])]:
            if (rule["name"], value) != ("opening_flips", 23):  # more than the cells of the official board
                game.rules(f"{rule['name']}={value}")
        if "choices" in rule:
            assert rule["usual"] in rule["choices"]
        if "range" in rule:
            assert rule["range"][0] <= rule["usual"] <= rule["range"][1]
