"""Rules: official defaults, changes, text, and an error for everything that cannot be played."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyjo_env import HIDDEN, OFFICIAL, REICHEL, Game, Rules, RulesError, action_names
from skyjo_env.kernel.state import OPTIONS
from tests.helpers import SEEDED, board, cells, line, lines, many_rules, play, table

PRINTED = {
    "players": 2,
    "rows": 3,
    "columns": 4,
    "opening_flips": 2,
    "initial_flip": "choose",
    "first_starter": "highest_sum",
    "start_tie": "highest_card_then_lowest_seat",
    "next_starter": "previous_ender",
    "flip_after_discard": "mandatory",
    "clear": "automatic",
    "row_clear": False,
    "cleared_cards": "to_discard",
    "reshuffle": "keep_top",
    "draw_streams": False,
    "final_lap": "each_other_once",
    "reveal_clear": True,
    "ender_penalty_mode": "strict_lowest_required",
    "penalty_factor": 2,
    "penalty_on_negative": False,
    "target_score": 100,
    "max_turns": 1000,
    "max_rounds": 1000,
}
NUMBERS = {  # the limits that docs/rules/skyjo.md gives, or that keep a game finite
    "players": (2, 8),
    "rows": (2, 4),
    "columns": (2, 6),
    "penalty_factor": (1, 10),
    "target_score": (1, 10_000),
    "max_turns": (1, 30_000),
    "max_rounds": (1, 30_000),
}
FLAGS = ("row_clear", "draw_streams", "reveal_clear", "penalty_on_negative")
LARGE: Any = dict.fromkeys(range(15), 20)  # 300 cards: enough for every table


def test_the_defaults_are_the_printed_rules() -> None:
    """Every clause of docs/rules/skyjo.md that names an option names the official default first."""
    deck = {-2: 5, -1: 10, 0: 15} | dict.fromkeys(range(1, 13), 10)
    assert {field.name: getattr(OFFICIAL, field.name) for field in fields(Rules)} == PRINTED | {
        "deck": tuple(deck.items())
    }
    assert (OFFICIAL, OFFICIAL.changes(), OFFICIAL.to_text()) == (Rules(), {}, "")


def test_what_follows_from_the_fields() -> None:
    """Clauses 1.1, 1.3, 9.1 to 9.3."""
    assert (OFFICIAL.cells, OFFICIAL.deck_size, OFFICIAL.values, OFFICIAL.actions) == (12, 150, range(-2, 13), 26)
    small = Rules(rows=2, columns=3, deck=((-5, 4), (7, 12)), flip_after_discard="none", clear="confirm")
    assert (small.cells, small.deck_size, small.values, small.actions) == (6, 16, range(-5, 8), 17)


@settings(SEEDED, max_examples=100)
@given(many_rules)
def test_actions_are_named_one_by_one(rules: Rules) -> None:
    """Clauses 9.1 to 9.3."""
    names = action_names(rules)
    assert len(names) == len(set(names)) == rules.actions
    assert names[2 + rules.cells] == "flip 0"
    assert names[2 + 2 * rules.cells :] == (
        *(("discard",) if rules.flip_after_discard == "none" else ()),
        *(("clear", "keep") if rules.clear == "confirm" else ()),
    )


@settings(SEEDED, max_examples=300)
@given(many_rules, many_rules)
def test_text_and_changes_give_equal_rules_back_and_others_differ(rules: Rules, other: Rules) -> None:
    again = Rules.from_text(rules.to_text())
    assert again == Rules(**rules.changes()) == rules
    assert "\n" not in rules.to_text()
    assert all(getattr(rules, name) != getattr(OFFICIAL, name) for name in rules.changes())
    assert (rules == other) == (rules.to_text() == other.to_text())
    assert {rules: "rules", again: "again"} == {rules: "again"}


def test_text_reads_as_written() -> None:
    rules = Rules(players=3, clear="confirm", row_clear=True, deck=((5, 30), (-1, 10)))
    assert rules.to_text() == "players=3 deck=-1:10,5:30 clear=confirm row_clear=true"
    assert Rules.from_text("  row_clear=TRUE\nplayers=3 clear=confirm   deck=5:30,-1:10 ") == rules


@pytest.mark.parametrize("name", [*PRINTED, "deck"])
def test_replace_changes_one_field_and_nothing_else(name: str) -> None:
    other = another_value(name)
    rules = OFFICIAL.replace(**{name: other})
    assert rules.changes() == {name: other}
    assert Rules() == OFFICIAL
    assert rules.replace(**{name: getattr(OFFICIAL, name)}) == OFFICIAL


def another_value(name: str) -> Any:
    """A valid value that is not the official one."""
    if name == "deck":
        return ((0, 40),)
    if name in OPTIONS:
        return OPTIONS[name][1]
    value = PRINTED[name]
    return not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else None


def test_the_papers_model_changes_exactly_this() -> None:
    assert REICHEL.changes() == {
        "initial_flip": "random",
        "first_starter": "seat_0",
        "flip_after_discard": "none",
        "cleared_cards": "out_of_play",
        "reveal_clear": False,
        "ender_penalty_mode": "off",
        "max_turns": 500,
        "max_rounds": 1,
    }


def test_the_papers_model_deals_two_open_cards_each_and_lets_seat_0_start() -> None:
    """REICHEL; clauses 2.3, 3.1."""
    games = [Game(REICHEL, deal=deal) for deal in range(20)]
    assert {(game.phase, game.seat) for game in games} == {("turn", 0)}
    shown = [[game.board(seat)[game.board(seat) < HIDDEN].tolist() for seat in (0, 1)] for game in games]
    assert {len(cards) for pair in shown for cards in pair} == {2}
    assert len({str(game.board(0) < HIDDEN) for game in games}) > 10
    assert any(sum(first) < sum(second) for first, second in shown)


def test_the_papers_model_from_discard_to_score() -> None:
    """REICHEL; clauses 4.4, 5.6, 7.4, 7.6, 8.3: no forced flip, cleared cards gone, no penalty, one round."""
    boards = f"{board('4 4 9 ?6')}; {board('?3 ?3 ?3 ?5')}"
    game = table(f"rules {REICHEL.to_text()}; {boards}; discard 1; draw 2 4 7 12 8 ...; seat 0 turn")
    play(game, "draw", "discard", "take", "place 3")
    assert (lines(game, "board"), line(game, "discard")) == ([cells("4 4 9 ?6"), cells("?3 ?3 ?3 2")], "1 5")
    play(game, "draw", "place 2", "draw", "discard", "draw", "place 3", "draw", "discard")
    assert (game.phase, line(game, "discard"), game.round_scores) == ("over", "1 5 9 7 6 8", (12, 11))


NO_NUMBERS: list[Any] = [True, 2.0, "2", None, float("nan")]
NO_OPTIONS: list[Any] = ["", "Choose", None, 0, ["choose"], {}]
NO_FLAGS: list[Any] = [0, 1, "true", None]
WRONG_FIELDS = [
    *((name, value) for name, (least, greatest) in NUMBERS.items() for value in (least - 1, greatest + 1)),
    ("opening_flips", -1),
    *((name, value) for name in (*NUMBERS, "opening_flips") for value in NO_NUMBERS),
    *((name, value) for name in OPTIONS for value in NO_OPTIONS),
    *((name, value) for name in FLAGS for value in NO_FLAGS),
]


@pytest.mark.parametrize(("name", "value"), WRONG_FIELDS, ids=repr)
def test_a_wrong_value_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(RulesError) as caught:
        OFFICIAL.replace(**{name: value})
    assert f"{name}={value!r}" in str(caught.value)


@pytest.mark.parametrize("name", NUMBERS)
def test_both_ends_of_a_range_can_be_played(name: str) -> None:
    for value in NUMBERS[name]:
        rules = OFFICIAL.replace(**{"deck": LARGE, name: value})
        game = Game(rules)
        assert (getattr(rules, name), len(game.totals)) == (value, rules.players)
        assert game.board(rules.players - 1).shape == (rules.rows, rules.columns)


TOGETHER = [
    ({"opening_flips": 12}, ("opening_flips", "rows", "columns")),
    ({"opening_flips": 4, "rows": 2, "columns": 2}, ("opening_flips", "rows", "columns")),
    ({"opening_flips": 24, "rows": 4, "columns": 6}, ("opening_flips",)),
    ({"players": 7, "rows": 4, "columns": 6}, ("deck", "players", "rows", "columns")),
    ({"deck": {0: 25}}, ("deck", "players", "rows", "columns")),
    ({"deck": {}}, ("deck", "players")),
]


@pytest.mark.parametrize(("changes", "named"), TOGETHER)
def test_fields_that_do_not_fit_together_are_refused_by_name(changes: dict[str, Any], named: tuple[str, ...]) -> None:
    """Clauses 1.5 and 2.2."""
    with pytest.raises(RulesError) as caught:
        Rules(**changes)
    assert [name for name in named if name not in str(caught.value)] == []


def test_the_least_deck_and_the_most_opening_flips_can_be_played() -> None:
    """Clauses 1.5 and 2.2: two cards are left beside the boards, one cell is left hidden."""
    game = Game(Rules(deck=((0, 26),), opening_flips=11, initial_flip="random", clear="confirm"))
    assert (game.draw_pile_size, game.discard_top, game.phase) == (1, 0, "turn")
    assert [(game.board(seat) == 21).sum() for seat in (0, 1)] == [1, 1]


@pytest.mark.parametrize(
    "deck", [{5: 30, -20: 10, 20: 1}, [(20, 1), (5, 30), (-20, 10)], ((-20, 10), (5, 30), (20, 1))]
)
def test_a_deck_may_be_a_mapping_or_pairs_in_any_order(deck: Any) -> None:
    """Clause 1.1."""
    rules = Rules(deck=deck)
    assert rules.deck == ((-20, 10), (5, 30), (20, 1))
    assert rules == OFFICIAL.replace(deck=MappingProxyType(dict(deck)))


WRONG_DECKS = [
    *(5, None, "abc", [1, 2], [(1, 2, 3)], {1.5: 30}, {"a": 30}, {True: 30}, {None: 30, 1: 30}),
    *({1: 0}, {1: -3}, {1: 2.0}, {1: "30"}, {21: 30}, {-21: 30}, {0: 301}, {0: 200, 1: 101}, [(1, 20), (1, 20)]),
]


@pytest.mark.parametrize("deck", WRONG_DECKS, ids=repr)
def test_a_wrong_deck_is_refused(deck: Any) -> None:
    """Clause 1.1."""
    with pytest.raises(RulesError, match=r"^deck"):
        Rules(deck=deck)


WRONG_TEXTS = [
    ("players", "name=value"),
    ("players=", "players"),
    ("players=three", "players"),
    ("players=9", "players=9"),
    ("row_clear=maybe", "row_clear"),
    ("clear=never", "clear='never'"),
    ("deck=1:2:3", "deck"),
    ("deck=", "deck"),
    ("deck=5", "deck"),
    ("colour=red", "unknown colour"),
    ("cells=5", "unknown cells"),
    ("players=3 players=4", "players"),
]


@pytest.mark.parametrize(("text", "reason"), WRONG_TEXTS)
def test_wrong_text_is_refused_by_name(text: str, reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        Rules.from_text(text)


@settings(SEEDED, max_examples=50)
@given(many_rules, st.booleans())
def test_copies_are_the_rules_themselves_and_pickles_are_equal_and_as_frozen(rules: Rules, used: bool) -> None:
    """Numba takes a writable array for another type: a copy that can be written compiles the kernel once more."""
    if used:
        Game(rules)
    assert copy.copy(rules) is copy.deepcopy([rules])[0] is rules
    twin = pickle.loads(pickle.dumps(rules))
    assert (twin, hash(twin), twin.to_text()) == (rules, hash(rules), rules.to_text())
    assert not rules.params.flags.writeable | twin.params.flags.writeable
    assert Game(twin, seed=1).position() == Game(rules, seed=1).position()


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        OFFICIAL.players = 3  # type: ignore[misc]
