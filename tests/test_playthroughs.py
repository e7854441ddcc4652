"""Every preset's written game is played as it was when tests/golden/playthroughs/*.txt was written."""

import re

import pytest

from tests import playthroughs
from tests.playthroughs import DECIDED, FOLDER, PRESETS, played_again, written

AGAIN = "if that is meant: python -m tests.golden_numbers playthroughs"


def difference(name: str, was: str, now: str) -> str:
    """The first line that has changed, and in which decision; empty if none has."""
    old, new = was.splitlines(), now.splitlines()
    for number, (before, after) in enumerate(zip([*old, "(the end)"], [*new, "(the end)"], strict=False), 1):
        if before != after:
            heads = [line for line in old[:number] if re.match(r"\d+\. ", line)]
            where = heads[-1] if heads else "the beginning"
            return f"{name}.txt, line {number}, {where}:\n  was {before.strip()}\n  now {after.strip()}\n{AGAIN}"
    return ""


@pytest.mark.parametrize("name", PRESETS)
def test_the_written_game_is_played_as_it_was(name: str) -> None:
    was = written(name)
    changed = difference(name, was, played_again(name, was))
    assert not changed, changed


def test_every_preset_has_a_playthrough_that_a_person_can_read() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(PRESETS)
    for name in PRESETS:
        text = written(name)
        assert 5_000 < len(text) < 100_000
        assert max(map(len, text.splitlines())) < 700
        assert " done" in text
        assert len(DECIDED.findall(text)) == len(re.findall(r"^\d+\. Seat", text, re.MULTILINE))


def test_a_change_is_shown_with_its_line_and_its_decision() -> None:
    name, was = "skyjo_official", written("skyjo_official")
    changed = was.replace("2. Seat 0 decides", "2. Seat 1 decides")
    line = was[: was.index("2. Seat 0")].count("\n") + 1
    assert difference(name, was, was) == ""
    assert difference(name, was, changed).startswith(f"{name}.txt, line {line}, 2. Seat 0 decides")
    assert "now (the end)" in difference(name, was, was.rpartition("\n\n")[0])
    other_rewards = re.sub("rewards 0 0$", "rewards 0 1", was, count=1, flags=re.MULTILINE)
    assert "now rewards 0 1" in difference(name, was, other_rewards)
    assert AGAIN in difference(name, was, other_rewards)


def test_actions_in_a_row_are_written_as_one() -> None:
    names = ["draw", "place 0", "place 1", "place 2", "flip 2", "flip 4", "hand 0 to 1", "hand 0 to 2", "pass"]
    assert playthroughs._in_few_words(names) == "draw, place 0-2, flip 2, flip 4, hand 0 to 1-2, pass"
