"""The command `rules`."""

import io
import re
import sys

import pytest

from skyjo.programs import find_program, program_names
from tests.documents import ROOT
from tests.skyjo.cli import Skyjo


def test_the_rules_are_those_of_the_game_as_markdown(skyjo: Skyjo, skipbo: Skyjo) -> None:
    assert skyjo("rules").out == (ROOT / "RULES.md").read_text()
    assert skipbo("rules").out == (ROOT / "SKIPBO_RULES.md").read_text()


@pytest.mark.parametrize("game", program_names())
def test_the_rules_begin_with_how_to_play(game: str) -> None:
    first = (ROOT / find_program(game).rules_page).read_text().split("\n\n")[1]
    assert first.startswith(f"In {find_program(game).title} you want ")
    assert "On your turn you" in first
    assert re.findall(r"kernel|oracle|test|clause|`", first) == []


@pytest.mark.parametrize("game", program_names())
def test_on_a_terminal_every_clause_begins_a_line(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from skyjo.main import main

    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["rules"], game) == 0
    lines = screen.getvalue().splitlines()
    clauses = [
        line.split()[0]
        for line in (ROOT / find_program(game).rules_page).read_text().splitlines()
        if line[:1].isdigit()
    ]
    assert len(clauses) > 20
    assert [clause for clause in clauses if not any(line.startswith(f"{clause} ") for line in lines)] == []


class Screen(io.StringIO):
    """Where a terminal would print."""

    def isatty(self) -> bool:
        return True
