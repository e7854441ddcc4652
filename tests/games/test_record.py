"""Written games: a record plays the same game again, as dict, text or JSON, and a damaged one says what is wrong."""

import json
import random
from typing import Any

import pytest

from cardtable.table.errors import RecordError
from tests.games.under_test import GameUnderTest, Options, illegal_at
from tests.helpers import seen

BEGUN = 12  # decisions, after which no game has been scored


def begun(game: GameUnderTest) -> Any:
    """A game with some decisions."""
    return game.played(game.quick, seed=4, decisions=BEGUN)


def record_text(game: GameUnderTest, table: Any = None) -> str:
    text: str = game.api.format_record((table or begun(game)).record())
    return text


# Replaying


def test_a_record_says_how_the_game_began_and_what_was_done(game: GameUnderTest) -> None:
    table = game.api.Game(game.quick, seed=4, deal=2**64 - 1, episode="round")
    assert table.record()["actions"] == []
    actions = game.play(table, random.Random(1), BEGUN)
    expected = {"rules": game.quick.to_text(), "seed": 4, "deal": 2**64 - 1, "episode": "round", "start": None}
    expected |= {f"{game.name}_record": 1, "actions": actions, "totals": list(table.totals)}
    record = table.record()
    assert record == expected | {"check": record["check"]}
    record["actions"].clear()
    assert table.record()["actions"] == actions


def test_a_text_may_leave_out_what_is_as_usual_and_have_any_layout(game: GameUnderTest) -> None:
    table = game.api.Game()
    game.play(table, random.Random(1), 9)
    text = record_text(game, table)
    assert text.count("seed 0\ndeal 0\nepisode game\n") == 1
    assert game.api.replay(text.replace("seed 0\ndeal 0\nepisode game\n", "")).record() == table.record()
    spread = "\n\n" + text.replace(", ", " ,  ").replace("\n", "  \n\n")
    assert seen(game.api.replay(spread)) == seen(table)


# Damaged records


def assert_damaged(game: GameUnderTest, written: Any, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        game.api.replay(written)


HUGE = 10**5000
FIELD_DAMAGES: list[tuple[Options, str]] = [
    ({"record": 2}, "record: version 2 cannot be read, only 1"),
    ({"rules": None}, "rules: None is not of type str"),
    ({"rules": "players=99"}, "players=99"),
    ({"rules": ""}, "move|check|totals"),
    ({"seed": "4"}, "seed: '4' is not of type int"),
    ({"seed": 2**64}, "seed="),
    ({"seed": HUGE}, "seed=a number of 16610 bits"),
    ({"seed": 5}, "move|check"),
    ({"deal": 1.0}, "deal: 1.0 is not of type int"),
    ({"episode": "match"}, "episode='match'"),
    ({"start": 7}, r"start: 7 is not of type str \| None"),
    ({"start": "a-position 1"}, "start: |line 1"),
    ({"actions": "14"}, "actions: '14' is not of type list"),
    ({"actions": []}, "totals|check"),
    *(({"actions": [action]}, "move 1: action ") for action in (-1, 999, HUGE, None, True, 1.0, "take", [0])),
    ({"totals": [1, 2, 3]}, r"totals: \[1, 2, 3\] is recorded, but the moves give \[0, 0, 0\]"),
    *(({"totals": totals}, "totals: ") for totals in (0, [0.0] * 3, [False] * 3, ["a"], [HUGE, 0])),
    ({"check": "00000000"}, "check"),
    ({"check": 5}, "check: 5 is not of type str"),
]


@pytest.mark.parametrize(("change", "reason"), FIELD_DAMAGES)
def test_a_damaged_field_is_named(game: GameUnderTest, change: Options, reason: str) -> None:
    record = begun(game).record()
    assert record["totals"] == [0, 0, 0]
    damaged = record | {f"{game.name}_record" if name == "record" else name: value for name, value in change.items()}
    assert_damaged(game, damaged, reason)
    if change not in ({"seed": HUGE}, {"actions": [HUGE]}, {"totals": [HUGE, 0]}):  # JSON does not write these
        assert_damaged(game, json.dumps(damaged), reason)


def test_only_text_and_dicts_are_records(game: GameUnderTest) -> None:
    wrong: tuple[Any, ...] = (None, 5, b"skyjo-record 1", [], ())
    for written in wrong:
        assert_damaged(game, written, f"not {type(written).__name__}")


# Damaged text


TEXT_DAMAGES = [  # a whole text, or a part of one that was written and what stands there instead
    ("", None, "line 1: .*'{name}-record 1'"),
    ("chess-record 1\n", None, "line 1: a written game begins with '{name}-record 1'"),
    ("\n\n{name}-record 1\nseed 1\n\n", None, "line 4: the end line is missing"),
    ('{{"{name}_record": 1,\n "rules": ]}}', None, "line 2"),
    ("{{}}", None, "{name}_record: missing"),
    ("[]", None, "line 1"),
    ('{{"a":' * 100_000, None, "."),
    ("seed 4", "seed four", "line 3: 'seed four'"),
    ("rules players=3", "rules players=99", "line 2: .*players=99"),
    ("rules ", "colour ", "line 2: 'colour .*lines begin with"),
    ("{seat}: ", "seat 2: ", "line 6: seat 2 cannot move: it is {seat}'s decision"),
    ("{seat}: ", "{seat} ", "line 6: .*a turn looks like 'seat "),
    ("{seat}: ", "{seat}: turn, ", "line 6: .*unknown action 'turn"),
    ("{seat}: {first}", "{seat}: {illegal}", r"line 6: action \d+ \({illegal}\) of {seat} is illegal"),
    ("end moves=12", "end moves=13", "line {last}: 13 moves are expected, 12 are"),
    ("end moves=12", "end", "line .*: 'end check"),
    (" check=", " check=x", "line .*it looks like 'end moves="),
    (" totals ", " totals 7 ", r"totals: \[7, .*\] is recorded, but the moves give "),
    ("\nend ", "\nend moves=0 check=01234567 totals 0 0\nend ", "nothing may follow the end line"),
]


@pytest.mark.parametrize(("old", "new", "reason"), TEXT_DAMAGES, ids=range(len(TEXT_DAMAGES)))
def test_damaged_text_is_refused_with_its_line(game: GameUnderTest, old: str, new: str | None, reason: str) -> None:
    text, table = record_text(game), game.api.Game(game.quick, seed=4)
    names, first = game.api.action_names(table.rules), begun(game).record()["actions"][0]
    told: dict[str, Any] = {"name": game.name, "seat": f"seat {table.seat}", "last": len(text.splitlines())}
    told |= {"first": names[first], "illegal": names[illegal_at(table)]}
    old, reason = old.format(**told), reason.format(**told)
    assert new is None or old in text
    assert_damaged(game, old if new is None else text.replace(old, new.format(**told), 1), reason)


def test_a_record_with_a_start_says_nothing_else_about_it(game: GameUnderTest) -> None:
    start = game.api.Game(seed=4).position()
    record = game.api.Game.from_position(start).record()
    assert game.api.replay(record).position() == start
    for name, value in {"rules": "players=6", "seed": 5, "deal": 1, "episode": "round"}.items():
        assert_damaged(game, record | {name: value}, f"{name}: ")
