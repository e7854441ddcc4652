"""The same seeds give the same numbers, and every preset's round is played, as when tests/golden was written.

If a change is meant: python -m tests.golden_numbers
"""

import re

import pytest

from tests import golden_numbers
from tests.golden_numbers import FOLDER, PRESETS, golden_matches, matches, played_again, written


@pytest.mark.statistical
def test_matches_with_the_same_seeds_give_the_same_numbers() -> None:
    assert matches() == golden_matches()


@pytest.mark.parametrize("name", PRESETS)
def test_the_written_round_is_played_as_it_was(name: str) -> None:
    was = written(name)
    assert played_again(name, was).splitlines() == was.splitlines()
    assert re.search(r"rewards .* done$", was, re.MULTILINE)


def test_every_preset_has_a_playthrough() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(PRESETS)


def test_actions_in_a_row_are_written_as_one() -> None:
    names = ["draw", "place 0", "place 1", "place 2", "flip 2", "flip 4", "hand 0 to 1", "hand 0 to 2", "pass"]
    assert golden_numbers._in_few_words(names) == "draw, place 0-2, flip 2, flip 4, hand 0 to 1-2, pass"
