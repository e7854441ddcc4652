"""Outcomes: what a decision may bring to light, as its seat knows it, and the table on which given cards lie."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from cardtable.table.errors import IllegalActionError, TableError
from tests.games.under_test import GameUnderTest, illegal_at

STEPS = 100


def seeing_game(game: GameUnderTest, chance: random.Random) -> Any:
    """A game under random rules by which a seat sees enough."""
    rules = game.random_rules(chance).replace(**game.seeing)
    return game.api.Game(rules, seed=chance.randrange(2**64), episode=chance.choice(("game", "round")))


def cards_to_come(table: Any, action: int, chance: random.Random) -> Iterator[int]:
    """Cards that an action may bring to light one after the other, to the last."""
    cards: list[int] = []
    while outcomes := table.outcomes(action, *cards):
        assert sum(outcomes.values()) == 1
        assert min(outcomes.values()) > 0
        cards.append(chance.choice(list(outcomes)))
        yield cards[-1]


@pytest.mark.parametrize("seed", range(15))
def test_given_cards_come_to_light_and_nothing_else_that_was_seen_changes(game: GameUnderTest, seed: int) -> None:
    chance = random.Random(seed)
    table = seeing_game(game, chance)
    for _ in range(STEPS):
        if table.is_over:
            break
        action = game.choose(table, chance)
        cards = list(cards_to_come(table, action, chance))[: chance.randrange(1, 4)]
        played, applied = table.copy(), table.copy()
        events = played.play(action, *cards)
        assert game.to_light(table, action, events)[: len(cards)] == tuple(cards)
        game.check(played)
        applied.apply(action, *cards)
        assert applied.state.tobytes() == played.state.tobytes()
        assert applied.state["key"] == table.state["key"]
        table.apply(action)


def test_what_cannot_come_is_refused_and_changes_nothing(game: GameUnderTest) -> None:
    chance = random.Random(2)
    table = seeing_game(game, chance)
    while not (cards := list(cards_to_come(table, action := game.choose(table, chance), chance))):
        table.apply(action)
    before, illegal = table.record(), illegal_at(table)
    for decide in (table.apply, table.play, table.outcomes):
        for given, reason in (
            ([99], "card=99"),
            ([True], "card=True"),
            (["1"], "card='1'"),
            ([*cards, cards[0]], f"{len(cards) + 1} cards are given, but this action reveals only {len(cards)}"),
        ):
            with pytest.raises(TableError, match=reason):
                decide(action, *given)
        for wrong in (illegal, 1000, -1, "draw", None):
            with pytest.raises(IllegalActionError):
                decide(wrong, *cards)
    with pytest.raises(IllegalActionError):
        table.outcomes(illegal)
    assert table.record() == before


@pytest.mark.parametrize("is_text", [False, True])
def test_the_record_of_a_game_that_was_given_cards_begins_after_them(game: GameUnderTest, is_text: bool) -> None:
    chance = random.Random(3)
    table = game.api.Game(seed=3)
    while not (cards := list(cards_to_come(table, action := game.choose(table, chance), chance))):
        table.apply(action)
    before = table.position()
    table.copy().apply(action, *cards)
    assert table.position() == before
    table.apply(action, *cards)
    start = table.position()
    assert (table.record()["start"], table.record()["actions"]) == (start, [])
    made = game.play(table, chance, 3)
    record = table.record()
    again = game.api.replay(game.api.format_record(record) if is_text else record)
    assert (again.position(), again.record(), record["actions"]) == (table.position(), record, made)
    assert table.copy().record() == record
