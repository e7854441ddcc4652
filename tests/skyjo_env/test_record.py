"""Written games: a record plays the same game again, as dict, text or JSON, and a damaged one says what is wrong."""

import json
import random
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_env import Game, RecordError, Rules, format_record, replay
from tests.helpers import SEEDED, many_rules, play, play_at_random, random_game, seeds, seen

SMALL = Rules(rows=2, columns=2, opening_flips=1, clear="confirm", max_rounds=2)


def small_game(decisions: int = 30) -> Game:
    """A short game on small boards."""
    return random_game(SMALL, seed=4, decisions=decisions)


def from_a_position() -> Game:
    """A game that began in the middle of another one."""
    game = Game.from_position(small_game(12).position())
    play_at_random(game, random.Random(5), 9)
    return game


def written_forms(game: Game) -> list[str | dict[str, Any]]:
    record = game.record()
    return [record, format_record(record), json.dumps(record), json.dumps(record, indent=2)]


def record_text(game: Game | None = None) -> str:
    return format_record((game or small_game()).record())


@settings(SEEDED, max_examples=40)
@given(many_rules, seeds, st.integers(0, 150))
def test_every_written_form_plays_the_same_game_again(rules: Rules, seed: int, decisions: int) -> None:
    game = random_game(rules, seed, decisions)
    for written in written_forms(game):
        twin = replay(written)
        assert seen(twin) == seen(game)
        assert (twin.seed, twin.deal, twin.episode, twin.record()) == (seed, 0, game.episode, game.record())


@settings(SEEDED, max_examples=30)
@given(many_rules, seeds, st.integers(0, 80), st.integers(0, 80))
def test_a_game_from_a_position_is_replayed_from_there(rules: Rules, seed: int, before: int, after: int) -> None:
    game = Game.from_position(random_game(rules, seed, before).position())
    made = play_at_random(game, random.Random(seed), after)
    assert game.record()["actions"] == made
    for written in written_forms(game):
        assert seen(replay(written)) == seen(game)
        assert replay(written).record() == game.record()


def test_a_game_that_was_picked_up_from_a_table_is_replayed() -> None:
    game = Game.from_state(SMALL, small_game().state, seed=5, deal=7)
    assert (game.seed, game.deal) == (5, 7)
    assert replay(game.record()).position() == game.position()


def test_finished_and_stopped_games_are_replayed_to_their_end() -> None:
    phases = set()
    for seed in range(12):
        game = random_game(SMALL.replace(max_turns=6), seed, 10_000)
        phases.add(game.phase)
        for written in written_forms(game):
            assert (replay(written).phase, replay(written).winners) == (game.phase, game.winners)
    assert phases == {"over", "truncated"}


def test_a_record_says_how_the_game_began_and_what_was_done() -> None:
    game = Game(SMALL, seed=4, deal=2**64 - 1, episode="round")
    assert game.record()["actions"] == []
    actions = play_at_random(game, random.Random(1), 10)
    expected = {"rules": SMALL.to_text(), "seed": 4, "deal": 2**64 - 1, "episode": "round", "start": None}
    record = game.record()
    assert record == expected | {"skyjo_record": 1, "actions": actions, "totals": [0, 0], "check": record["check"]}
    record["actions"].clear()
    assert game.record()["actions"] == actions


def test_a_record_is_written_turn_by_turn() -> None:
    """Seat 1 opens last and also has the first turn: these are two lines."""
    game = Game(SMALL.replace(clear="automatic"), seed=0)
    names = ["flip 0", "flip 0", "take", "place 0", "draw", "flip 2", "draw"]
    play(game, *names)
    assert (game.starter, game.seat) == (1, 1)
    *body, end = format_record(game.record()).splitlines()
    assert body == [
        "skyjo-record 1",
        "rules rows=2 columns=2 opening_flips=1 max_rounds=2",
        "seed 0",
        "deal 0",
        "episode game",
        "seat 0: flip 0",
        "seat 1: flip 0",
        "seat 1: take, place 0",
        "seat 0: draw, flip 2",
        "seat 1: draw",
    ]
    assert end == f"end moves=7 check={game.record()['check']} totals 0 0"


def test_a_text_may_leave_out_what_is_as_usual() -> None:
    game = play(Game(), "flip 0", "flip 1")
    text = record_text(game)
    assert text.count("seed 0\ndeal 0\nepisode game\n") == 1
    assert replay(text.replace("seed 0\ndeal 0\nepisode game\n", "")).record() == game.record()


def test_the_check_tells_positions_apart() -> None:
    checks = {random_game(SMALL, 4, decisions).record()["check"] for decisions in range(20)}
    assert len(checks) == 20
    assert all(re.fullmatch("[0-9a-f]{8}", check) for check in checks)


def test_the_lines_of_a_turn_may_be_written_in_any_layout() -> None:
    game = small_game()
    text = "\n\n" + record_text(game).replace(", ", " ,  ").replace("\n", "  \n\n")
    assert seen(replay(text)) == seen(game)


def assert_damaged(written: Any, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        replay(written)


FIELD_DAMAGES = [
    ({"skyjo_record": 2}, "skyjo_record: version 2"),
    ({"skyjo_record": None}, "skyjo_record: version None"),
    ({"rules": None}, "rules: None is not of type str"),
    ({"rules": "players=99"}, "players=99"),
    ({"rules": "colour=red"}, "unknown colour"),
    ({"rules": ""}, "move|check"),
    ({"seed": "4"}, "seed: '4' is not of type int"),
    ({"seed": -1}, "seed=-1"),
    ({"seed": 2**64}, "seed="),
    ({"seed": True}, "seed=True"),
    ({"seed": 5}, "move|check"),
    ({"deal": 1.0}, "deal: 1.0 is not of type int"),
    ({"episode": "match"}, "episode='match'"),
    ({"episode": "round"}, "move|check"),
    ({"start": 7}, r"start: 7 is not of type str \| None"),
    ({"start": "skyjo-position 1"}, "boards are written"),
    ({"actions": "14"}, "actions: '14' is not of type list"),
    ({"actions": None}, "actions: None is not of type list"),
    ({"actions": []}, "totals|check"),
    ({"totals": 0}, "totals: 0 is not of type list"),
    ({"totals": [1, 2]}, r"totals: \[1, 2\] is recorded, but the moves give \[0, 0\]"),
    ({"totals": [0.0, 0.0]}, "totals: "),
    ({"totals": [False, False]}, "totals: "),
    ({"skyjo_record": True}, "skyjo_record: "),
    ({"totals": ["a"]}, "totals"),
    ({"check": "00000000"}, "check"),
    ({"check": 5}, "check: 5 is not of type str"),
]


@pytest.mark.parametrize(("change", "reason"), FIELD_DAMAGES)
def test_a_damaged_field_is_named(change: dict[str, Any], reason: str) -> None:
    record = small_game(12).record()
    assert record["totals"] == [0, 0]
    assert_damaged(record | change, reason)
    assert_damaged(json.dumps(record | change), reason)


@pytest.mark.parametrize("name", list(Game().record()))
def test_a_missing_field_is_named(name: str) -> None:
    record = small_game(12).record()
    del record[name]
    assert_damaged(record, name)


WRONG_ACTIONS: list[Any] = [-1, 99, 2**70, None, True, 1.0, float("nan"), "take", [0], {}, {"a": 1}, b"0"]


@pytest.mark.parametrize("action", WRONG_ACTIONS, ids=repr)
def test_an_action_that_is_none_is_named_with_its_move(action: Any) -> None:
    record = small_game().record()
    record["actions"][6] = action
    with pytest.raises(RecordError) as caught:
        replay(record)
    assert str(caught.value).startswith(f"move 7: action {action!r}")


def test_every_changed_missing_or_added_move_is_noticed() -> None:
    record = small_game(30).record()
    actions = record["actions"]
    for at, action in enumerate(actions):
        assert_damaged(record | {"actions": [*actions[:at], (action + 1) % 10, *actions[at + 1 :]]}, "move|end: check")
        assert_damaged(record | {"actions": [*actions[:at], *actions[at + 1 :]]}, "move|end: check")
        assert_damaged(record | {"actions": [*actions[: at + 1], *actions[at:]]}, "move|end: check")


@pytest.mark.parametrize("written", [None, 5, b"skyjo-record 1", [], (), small_game])
def test_only_text_and_dicts_are_records(written: Any) -> None:
    assert_damaged(written, f"not {type(written).__name__}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: .*'skyjo-record 1'"),
        ("skyjo-record 2\n", "line 1: .*'skyjo-record 1'"),
        ("skyjo-record 1\n", "line 1: the end line is missing"),
        ("\n\nskyjo-record 1\nseed 1\n\n", "line 4: the end line is missing"),
        ("{", "line 1"),
        ('{"skyjo_record": 1,\n "rules": ]}', "line 2"),
        ("{}", "skyjo_record: missing"),
        ("[]", "line 1"),
        ('{"skyjo_record": ' + "1" * 5000 + "}", "."),
        ('{"a":' * 100_000, "."),
    ],
)
def test_text_that_is_no_record_is_refused(text: str, reason: str) -> None:
    assert_damaged(text, reason)


TEXT_DAMAGES = [
    ("seed 4", "seed four", "line 3: 'seed four'"),
    ("seed 4", "seed -4", "'-4' is not a whole number"),
    ("rules rows=2", "rules rows=9", "line 2: .*rows=9"),
    ("rules rows=2", "colour red", "line 2: 'colour red.*lines begin with"),
    ("episode game", "episode match", "episode='match'"),
    ("seat 0: flip", "seat 1: flip", "line 6: seat 1 cannot move: it is seat 0's decision"),
    ("seat 0: flip", "seat 0 flip", "line 6: .*a turn looks like"),
    ("seat 0: flip", "seat x: flip", "line 6: "),
    ("seat 0: flip", "seat 0: turn", "line 6: .*unknown action 'turn"),
    ("seat 0: flip 1", "seat 0: draw", r"line 6: action 0 \(draw\) of seat 0 is illegal in phase opening"),
    ("seat 0: flip", "seat 0: , flip", "line 6: .*unknown action ''"),
    ("seat 0: flip 1", "seat 0: flip 4", "line 6: .*unknown action 'flip 4'"),
    ("end moves=30", "end moves=31", "line 22: 31 moves are expected, 30 are written"),
    ("end moves=30", "end moves=x", "line .*: 'end moves=x"),
    ("end moves=30", "end", "line .*: 'end check"),
    (" check=", " check=x", "line .*it looks like 'end moves="),
    (" totals ", " totals 7 ", r"totals: \[7, .*\] is recorded, but the moves give "),
    ("\nend ", "\nend moves=0 check=01234567 totals 0 0\nend ", "nothing may follow the end line"),
]


@pytest.mark.parametrize(("old", "new", "reason"), TEXT_DAMAGES)
def test_a_damaged_line_is_named_with_the_reason(old: str, new: str, reason: str) -> None:
    text = record_text()
    assert old in text
    assert_damaged(text.replace(old, new, 1), reason)


def test_a_text_that_is_cut_off_anywhere_is_refused() -> None:
    text = record_text().rstrip()
    lines = text.splitlines(keepends=True)
    for count in range(1, len(lines)):
        assert_damaged("".join(lines[:count]), f"line {count}: the end line is missing: the record is cut off")
    for end in range(len(text)):
        assert_damaged(text[:end], "line|totals|check")


def test_two_exchanged_lines_are_noticed() -> None:
    lines = record_text().splitlines()
    turns = [number for number, line in enumerate(lines) if line.startswith("seat ")]
    for first, second in pairwise(turns):
        swapped = lines.copy()
        swapped[first], swapped[second] = lines[second], lines[first]
        assert_damaged("\n".join(swapped), f"^line {first + 1}: ")


@pytest.mark.parametrize("game", [small_game(), from_a_position()], ids=["dealt", "from a position"])
def test_no_damage_of_a_line_or_a_character_gives_another_error_or_another_game(game: Game) -> None:
    """One line left out, or one character exchanged, anywhere in a written game."""
    text, chance = record_text(game), random.Random(1)
    lines = text.splitlines()
    changed = ["\n".join(lines[:at] + lines[at + 1 :]) for at in range(len(lines))]
    for at in range(len(text)):
        changed += [text[:at] + character + text[at + 1 :] for character in chance.sample("-90 .|,:;#=x\n", 2)]
    refused = 0
    for written in changed:
        try:
            assert replay(written).position() == game.position()
        except RecordError:
            refused += 1
    assert refused > len(changed) * 0.9


@pytest.mark.parametrize("record", [{}, None, {"rules": ""}, Game().record() | {"actions": [99]}])
def test_a_damaged_record_cannot_be_written_as_text(record: Any) -> None:
    with pytest.raises(RecordError):
        format_record(record)


@pytest.mark.parametrize(
    "change", [{"rules": "garbage"}, {"rules": "players=8"}, {"seed": 5}, {"deal": 1}, {"episode": "round"}]
)
def test_a_record_with_a_start_says_nothing_else_about_it(change: dict[str, Any]) -> None:
    record = Game.from_position(Game(seed=4).position()).record()
    assert replay(record).position() == Game(seed=4).position()
    assert_damaged(record | change, f"{next(iter(change))}: ")


NOT_FOR_JSON: list[tuple[dict[str, Any], str]] = [
    ({"totals": [object(), 0]}, "totals: "),
    ({"totals": [10**5000, 0]}, "totals: "),
    ({"seed": 10**5000}, "seed=a number of 16610 bits"),
    ({"actions": [10**5000]}, "move 1: action a number of 16610 bits"),
]


@pytest.mark.parametrize(("change", "reason"), NOT_FOR_JSON, ids=["object", "total", "seed", "action"])
def test_what_json_cannot_hold_is_refused_too(change: dict[str, Any], reason: str) -> None:
    assert_damaged(Game(seed=4).record() | change, reason)
