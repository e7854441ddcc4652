"""Rules: official defaults, changes, text, and an error for everything that cannot be played."""

from dataclasses import fields
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings

from skyjo_env import OFFICIAL, REICHEL, Rules, RulesError, action_names
from skyjo_env.kernel.state import OPTIONS
from tests.helpers import SEEDED, many_rules

PRINTED = (
    "players=2 rows=3 columns=4 deck=-2:5,-1:10,0:15,"
    + ",".join(f"{card}:10" for card in range(1, 13))
    + " opening_flips=2 initial_flip=choose first_starter=highest_sum start_tie=highest_card_then_lowest_seat"
    " next_starter=previous_ender flip_after_discard=mandatory clear=automatic row_clear=false cleared_cards=to_discard"
    " reshuffle=keep_top draw_streams=false final_lap=each_other_once reveal_clear=true"
    " ender_penalty_mode=strict_lowest_required penalty_factor=2 penalty_on_negative=false target_score=100"
    " max_turns=1000 max_rounds=1000"
)


def test_the_defaults_are_the_printed_rules() -> None:
    """Every clause of docs/rules/skyjo.md that names an option names the official default first."""
    assert {word.partition("=")[0] for word in PRINTED.split()} == {field.name for field in fields(Rules)}
    assert Rules.from_text(PRINTED) == OFFICIAL == Rules()
    assert (OFFICIAL.changes(), OFFICIAL.to_text()) == ({}, "")


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


def test_the_papers_model_changes_exactly_this() -> None:
    assert REICHEL.to_text() == (
        "initial_flip=random first_starter=seat_0 flip_after_discard=none cleared_cards=out_of_play"
        " reveal_clear=false ender_penalty_mode=off max_turns=500 max_rounds=1"
    )
    assert Rules.from_text("players=3 reichel") == REICHEL.replace(players=3)


@pytest.mark.parametrize(
    "deck", [{5: 30, -20: 10, 20: 1}, [(20, 1), (5, 30), (-20, 10)], ((-20, 10), (5, 30), (20, 1))]
)
def test_a_deck_may_be_a_mapping_or_pairs_in_any_order(deck: Any) -> None:
    """Clause 1.1."""
    rules = Rules(deck=deck)
    assert rules.deck == ((-20, 10), (5, 30), (20, 1))
    assert rules == OFFICIAL.replace(deck=MappingProxyType(dict(deck)))


WRONG: list[tuple[dict[str, Any], str]] = [
    *(({name: value}, f"{name}={value}") for name, value in (("players", 9), ("rows", 1), ("columns", 7))),
    *(({name: 0}, f"{name}=0") for name in ("penalty_factor", "target_score", "max_turns", "max_rounds")),
    *(({"players": value}, f"players={value!r}") for value in (True, 2.0, "2", None)),
    *(({name: value}, f"{name}={value!r}") for name in OPTIONS for value in ("", None, 0, ["choose"])),
    *(({"row_clear": value}, f"row_clear={value!r}") for value in (0, "true", None)),
    *(({"opening_flips": value}, "opening_flips") for value in (-1, 12)),  # 2.2
    ({"players": 7, "rows": 4, "columns": 6}, "players"),  # 1.5
    *(({"deck": deck}, "deck") for deck in (5, "abc", [1, 2], {1.5: 30}, {True: 30}, {1: 0}, {1: "30"}, {})),  # 1.1
    *(({"deck": deck}, "deck") for deck in ({21: 30}, {0: 301}, {0: 25}, [(1, 20), (1, 20)])),
]


@pytest.mark.parametrize(("changes", "reason"), WRONG, ids=repr)
def test_what_cannot_be_played_is_refused_by_name(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**changes)
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *(("players", "name=value"), ("players=", "players"), ("players=three", "players"), ("players=9", "players=9")),
        *(("row_clear=maybe", "row_clear"), ("clear=never", "clear='never'"), ("players=3 players=4", "players")),
        *(("deck=1:2:3", "deck"), ("deck=", "deck"), ("deck=5", "deck"), ("cells=5", "unknown cells")),
    ],
)
def test_wrong_text_is_refused_by_name(text: str, reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        Rules.from_text(text)
