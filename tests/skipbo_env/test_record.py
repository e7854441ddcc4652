"""Written games of Skip-Bo; what they share with Skyjo's is tested in `tests/skyjo_env/test_record.py`."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skipbo_env import Game, RecordError, Rules, format_record, parse_action, replay
from skipbo_env.actions import ACTION_NAMES
from tests.helpers import SEEDED
from tests.skipbo_env.tables import many_rules, random_game, seeds

# Seat 0 wins by its first card and starts the second round, in which it discards.
START = """\
skipbo-position 1
rules stock=1 next_starter=winner
stock w
stock 5
hand 4 w
hand 2
piles 9 | | |
piles | | |
draw 7 ...
seat 0 turn
"""


def play(game: Game, *names: str) -> Game:
    for name in names:
        game.apply(parse_action(game.rules, name))
    return game


def two_rounds() -> tuple[Game, str]:
    """The game from there to the first discard of its second round, and the name of that decision."""
    game = play(Game.from_position(START), "hand w to 2", "stock to 2")
    discard = next(name for name in map(ACTION_NAMES.__getitem__, game.legal_actions()) if name.startswith("discard"))
    return play(game, discard), discard


@settings(SEEDED, max_examples=30)
@given(many_rules, seeds, st.integers(0, 300))
def test_every_written_form_plays_the_same_game_again(rules: Rules, seed: int, decisions: int) -> None:
    game = random_game(rules, seed, decisions)
    record = game.record()
    for written in (record, format_record(record), json.dumps(record)):
        twin = replay(written)
        assert (twin.position(), twin.record(), twin.seed) == (game.position(), record, seed)
        assert twin.winners == game.winners


def test_a_game_from_a_position_is_replayed_from_there() -> None:
    game, _ = two_rounds()
    assert game.round == 2
    for written in (game.record(), format_record(game.record())):
        assert replay(written).record() == game.record()


def test_a_record_is_written_turn_by_turn_and_round_by_round() -> None:
    game, discard = two_rounds()
    *start, first, second, end = format_record(game.record()).splitlines()
    assert start[0] == "skipbo-record 1"
    assert all(line.startswith("start ") for line in start[1:])
    assert first == "seat 0: hand w to 2, stock to 2"
    assert second == f"seat 0: {discard}"
    assert end == f"end moves=3 check={game.record()['check']} totals 30 0"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"skipbo_record": 2}, "skipbo_record: version 2 is not known"),
        ({"rules": "players=7"}, "players=7"),
        ({"actions": [125]}, "move 1: action 125"),
        ({"actions": []}, "totals|check"),
        ({"totals": [1, 0]}, "totals: "),
        ({"check": "00000000"}, "check: "),
    ],
)
def test_a_damaged_field_is_named(change: dict[str, Any], reason: str) -> None:
    record = random_game(Rules(), 3, 40).record()
    with pytest.raises(RecordError, match=reason):
        replay(record | change)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("skipbo-record 1", "skyjo-record 1", "line 1: a written game begins with 'skipbo-record 1'"),
        ("seat 0: ", "seat 1: ", "seat 1 cannot move: it is seat 0's decision"),
        ("seat 0: ", "seat 0 ", "a turn looks like 'seat 0: stock to 1, discard 3 on 0'"),
        ("seat 0: ", "seat 0: sleep, ", "unknown action 'sleep'"),
    ],
)
def test_a_damaged_line_is_named_with_the_reason(old: str, new: str, reason: str) -> None:
    text = format_record(random_game(Rules(), 3, 40).record())
    with pytest.raises(RecordError, match=reason):
        replay(text.replace(old, new, 1))


def test_a_record_of_another_game_is_refused() -> None:
    record = random_game(Rules(), 3, 5).record()
    del record["skipbo_record"]
    with pytest.raises(RecordError, match="skipbo_record: missing"):
        replay(record | {"skyjo_record": 1})


def test_a_long_random_game_ends_as_recorded() -> None:
    game = Game(Rules(stock=2, max_rounds=3), seed=8)
    chance = random.Random(8)
    while not game.is_over:
        plays = [action for action in game.legal_actions() if action < 72]
        game.apply(chance.choice(plays or game.legal_actions()))
    assert replay(format_record(game.record())).totals == game.totals
