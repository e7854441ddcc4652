"""Written games: a record plays the same game again, as dict, text or JSON, and a damaged one says what is wrong."""

import json
import random
import re
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


def test_a_game_that_was_picked_up_from_a_table_is_replayed(game: GameUnderTest) -> None:
    table = game.api.Game.from_state(game.quick, begun(game).state, seed=5, deal=7)
    assert (table.seed, table.deal) == (5, 7)
    assert game.api.replay(table.record()).position() == table.position()


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


def test_the_check_tells_positions_apart(game: GameUnderTest) -> None:
    checks = {game.played(game.api.OFFICIAL, 4, decisions).record()["check"] for decisions in range(20)}
    assert len(checks) == 20
    assert all(re.fullmatch("[0-9a-f]{8}", check) for check in checks)


# Damaged records


def assert_damaged(game: GameUnderTest, written: Any, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        game.api.replay(written)


FIELD_DAMAGES: list[tuple[Options, str]] = [
    ({"record": 2}, "record: version 2 cannot be read, only 1"),
    ({"record": None}, "record: version None"),
    ({"record": True}, "record: "),
    ({"rules": None}, "rules: None is not of type str"),
    ({"rules": "players=99"}, "players=99"),
    ({"rules": "colour=red"}, "unknown colour"),
    ({"rules": ""}, "move|check|totals"),
    ({"seed": "4"}, "seed: '4' is not of type int"),
    ({"seed": -1}, "seed=-1"),
    ({"seed": 2**64}, "seed="),
    ({"seed": True}, "seed=True"),
    ({"seed": 5}, "move|check"),
    ({"deal": 1.0}, "deal: 1.0 is not of type int"),
    ({"episode": "match"}, "episode='match'"),
    ({"episode": "round"}, "move|check"),
    ({"start": 7}, r"start: 7 is not of type str \| None"),
    ({"start": "a-position 1"}, "start: |line 1"),
    ({"actions": "14"}, "actions: '14' is not of type list"),
    ({"actions": None}, "actions: None is not of type list"),
    ({"actions": []}, "totals|check"),
    ({"actions": [999]}, "move 1: action 999"),
    ({"totals": 0}, "totals: 0 is not of type list"),
    ({"totals": [1, 2, 3]}, r"totals: \[1, 2, 3\] is recorded, but the moves give \[0, 0, 0\]"),
    ({"totals": [0.0, 0.0, 0.0]}, "totals: "),
    ({"totals": [False, False, False]}, "totals: "),
    ({"totals": ["a"]}, "totals"),
    ({"check": "00000000"}, "check"),
    ({"check": 5}, "check: 5 is not of type str"),
]


@pytest.mark.parametrize(("change", "reason"), FIELD_DAMAGES)
def test_a_damaged_field_is_named(game: GameUnderTest, change: Options, reason: str) -> None:
    record = begun(game).record()
    assert record["totals"] == [0, 0, 0]
    damaged = record | {f"{game.name}_record" if name == "record" else name: value for name, value in change.items()}
    assert_damaged(game, damaged, reason)
    assert_damaged(game, json.dumps(damaged), reason)


WRONG_ACTIONS: list[Any] = [-1, 999, 2**70, None, True, 1.0, float("nan"), "take", [0], {}, {"a": 1}, b"0"]


@pytest.mark.parametrize("action", WRONG_ACTIONS, ids=repr)
def test_an_action_that_is_none_is_named_with_its_move(game: GameUnderTest, action: Any) -> None:
    record = begun(game).record()
    record["actions"][6] = action
    with pytest.raises(RecordError) as caught:
        game.api.replay(record)
    assert str(caught.value).startswith(f"move 7: action {action!r}")


@pytest.mark.parametrize("written", [None, 5, b"skyjo-record 1", [], (), begun])
def test_only_text_and_dicts_are_records(game: GameUnderTest, written: Any) -> None:
    assert_damaged(game, written, f"not {type(written).__name__}")


def test_a_record_of_another_game_is_refused(game: GameUnderTest) -> None:
    record = begun(game).record()
    del record[f"{game.name}_record"]
    assert_damaged(game, record | {"chess_record": 1}, f"{game.name}_record: missing")


# Damaged text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: .*'{name}-record 1'"),
        ("{name}-record 2\n", "line 1: .*'{name}-record 1'"),
        ("chess-record 1\n", "line 1: a written game begins with '{name}-record 1'"),
        ("{name}-record 1\n", "line 1: the end line is missing"),
        ("\n\n{name}-record 1\nseed 1\n\n", "line 4: the end line is missing"),
        ("{{", "line 1"),
        ('{{"{name}_record": 1,\n "rules": ]}}', "line 2"),
        ("{{}}", "{name}_record: missing"),
        ("[]", "line 1"),
        ('{{"{name}_record": ' + "1" * 5000 + "}}", "."),
        ('{{"a":' * 100_000, "."),
    ],
    ids=range(11),
)
def test_text_that_is_no_record_is_refused(game: GameUnderTest, text: str, reason: str) -> None:
    assert_damaged(game, text.format(name=game.name), reason.format(name=game.name))


def test_a_damaged_line_is_named_with_the_reason(game: GameUnderTest) -> None:
    text, table = record_text(game), game.api.Game(game.quick, seed=4)
    moves, last = len(begun(game).record()["actions"]), len(text.splitlines())
    seat, illegal = f"seat {table.seat}", illegal_at(table)
    names = game.api.action_names(table.rules)
    name, first = names[illegal], names[begun(game).record()["actions"][0]]
    for old, new, reason in [
        ("seed 4", "seed four", "line 3: 'seed four'"),
        ("seed 4", "seed -4", "'-4' is not a whole number"),
        ("rules players=3", "rules players=99", "line 2: .*players=99"),
        ("rules ", "colour ", "line 2: 'colour .*lines begin with"),
        ("episode game", "episode match", "episode='match'"),
        (f"{seat}: ", "seat 2: ", f"line 6: seat 2 cannot move: it is {seat}'s decision"),
        (f"{seat}: ", f"{seat} ", "line 6: .*a turn looks like 'seat "),
        (f"{seat}: ", "seat x: ", "line 6: "),
        (f"{seat}: ", f"{seat}: turn, ", "line 6: .*unknown action 'turn"),
        (
            f"{seat}: {first}",
            f"{seat}: {name}",
            rf"line 6: action {illegal} \({re.escape(name)}\) of {seat} is illegal",
        ),
        (f"{seat}: ", f"{seat}: , ", "line 6: .*unknown action ''"),
        (f"end moves={moves}", f"end moves={moves + 1}", f"line {last}: {moves + 1} moves are expected, {moves} are"),
        (f"end moves={moves}", "end moves=x", "line .*: 'end moves=x"),
        (f"end moves={moves}", "end", "line .*: 'end check"),
        (" check=", " check=x", "line .*it looks like 'end moves="),
        (" totals ", " totals 7 ", r"totals: \[7, .*\] is recorded, but the moves give "),
        ("\nend ", "\nend moves=0 check=01234567 totals 0 0\nend ", "nothing may follow the end line"),
    ]:
        assert old in text
        assert_damaged(game, text.replace(old, new, 1), reason)


# What cannot be written


def test_a_damaged_record_cannot_be_written_as_text(game: GameUnderTest) -> None:
    for record in ({}, None, {"rules": ""}, game.api.Game().record() | {"actions": [999]}):
        with pytest.raises(RecordError):
            game.api.format_record(record)


@pytest.mark.parametrize(
    "change", [{"rules": "garbage"}, {"rules": "players=6"}, {"seed": 5}, {"deal": 1}, {"episode": "round"}]
)
def test_a_record_with_a_start_says_nothing_else_about_it(game: GameUnderTest, change: Options) -> None:
    start = game.api.Game(seed=4).position()
    record = game.api.Game.from_position(start).record()
    assert game.api.replay(record).position() == start
    assert_damaged(game, record | change, f"{next(iter(change))}: ")


NOT_FOR_JSON: list[tuple[Options, str]] = [
    ({"totals": [object(), 0]}, "totals: "),
    ({"totals": [10**5000, 0]}, "totals: "),
    ({"seed": 10**5000}, "seed=a number of 16610 bits"),
    ({"actions": [10**5000]}, "move 1: action a number of 16610 bits"),
]


@pytest.mark.parametrize(("change", "reason"), NOT_FOR_JSON, ids=["object", "total", "seed", "action"])
def test_what_json_cannot_hold_is_refused_too(game: GameUnderTest, change: Options, reason: str) -> None:
    assert_damaged(game, game.api.Game(seed=4).record() | change, reason)
