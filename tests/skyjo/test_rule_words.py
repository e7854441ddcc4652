"""Every rule has words, and the clause that is named is about it."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from cardtable.card_game import find_game
from skyjo.programs import find_program
from skyjo.web.table_routes import rule_documents

ROOT = Path(__file__).parents[2]
FILES = {"skyjo": "RULES.md", "skipbo": "SKIPBO_RULES.md"}


@pytest.mark.parametrize("name", FILES)
def test_every_rule_but_the_number_of_players_is_told_with_its_clause(name: str) -> None:
    rules, text = find_game(name).rules(), (ROOT / FILES[name]).read_text()
    told = [*rule_documents(find_program(name), rules)]
    assert [rule["name"] for rule in told] == [field.name for field in fields(rules) if field.name != "players"]
    assert {rule["name"] for rule in told} == find_program(name).rule_words.keys()
    for rule in told:
        start = text.index(f"\n{rule['clause']} ")
        clause = text[start : re.compile(r"\n\n|\n\d+\.\d+ ").search(text, start + 1).start()]  # type: ignore[union-attr]
        assert f"`{rule['name']}" in clause


@pytest.mark.parametrize("name", FILES)
def test_every_choice_and_both_ends_of_a_range_are_rules(name: str) -> None:
    game = find_game(name)
    for rule in rule_documents(find_program(name), game.rules()):
        for value in [*rule.get("choices", []), *rule.get("range", [])]:
            if (rule["name"], value) != ("opening_flips", 23):  # more than the cells of the official board
                game.rules(f"{rule['name']}={value}")
        assert str(rule["usual"]) in map(str, [*rule.get("choices", []), rule["usual"]])
