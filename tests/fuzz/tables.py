"""Random play under random rules, held to the game's own checks, to the oracle, and to what a seat may not see."""

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.table.errors import IllegalActionError
from tests.games.lockstep import play_in_lockstep
from tests.games.under_test import GameUnderTest

LIMITS = 300, 3000  # decisions of a game


def check_lockstep(game: GameUnderTest, chance: random.Random, amount: int) -> int:
    """Play games under random rules until this many decisions have been compared with the oracle's."""
    made = 0
    while made < amount:
        rules, episode = game.random_rules(chance), chance.choice(("game", "round"))
        limit = min(chance.choice(LIMITS), amount - made)
        made += max(1, play_in_lockstep(game, rules, key(chance), key(chance), episode, chance, limit))
    return made


def key(chance: random.Random) -> int:
    """Return a seed or the number of a deal."""
    return chance.randrange(2**64)


def check_batches(game: GameUnderTest, chance: random.Random, amount: int) -> int:
    """Play many tables at once under random rules, and check all of them after every step."""
    made = 0
    while made < amount:
        rules, n, episode = game.random_rules(chance), chance.choice((1, 30, 300)), chance.choice(("game", "round"))
        batch = game.api.GameBatch(rules, n, key(chance), episode, restart=chance.random() < 0.8)
        numbers, eagerness = np.random.default_rng(key(chance)), chance.choice((0, 0.5, 0.9, 0.97, 1))
        for step in range(chance.choice((100, 500))):
            where = f"after {step} steps of {n} tables, seed {batch.seed}, {episode}, {rules.to_text()!r}"
            check_tables(game, batch, where)
            if made >= amount or not batch.masks.any():
                break
            if step % 16 == 0:
                check_one(game, batch, chance.randrange(n), where)
            batch.step(random_actions(batch.masks, numbers, game.plays, eagerness))
            made += n
    return made


def random_actions(masks: NDArray[Any], numbers: Any, plays: int, eagerness: float) -> NDArray[np.int64]:
    """Return a legal action for every table, 0 where there is none; eager ones below `plays` where there are any."""
    likes = numbers.random(masks.shape) * masks
    likes[:, :plays] *= 1 + (numbers.random((len(masks), 1)) < eagerness)
    return np.asarray(likes.argmax(1), np.int64)


def check_tables(game: GameUnderTest, batch: Any, where: str) -> None:
    """Fail if a table is none that play can reach, or if its arrays say what cannot be."""
    card_game, spec = game.card_game, game.api.ObservationSpec(batch.rules)
    assert [*card_game.checks.invalid_tables(batch.rules, batch.state()["games"])] == [], where
    assert (batch.masks.any(1) == (batch.phases < card_game.over)).all(), f"not a mask with legal actions: {where}"
    assert ((spec.low <= batch.observations) & (batch.observations <= spec.high)).all(), f"out of bounds: {where}"


def check_one(game: GameUnderTest, batch: Any, number: int, where: str) -> None:
    """Fail if one table and its row in the batch differ, or if its mask does not mark exactly what is accepted."""
    state = batch.state()
    table = game.api.Game.standing(batch.rules, state["games"][[number]])
    assert (table.seat, table.phase) == (batch.seats[number], game.card_game.phases[batch.phases[number]]), where
    assert np.array_equal(table.mask(), batch.masks[number]), f"another mask: {where}"
    assert np.array_equal(table.observation(), batch.observations[number]), f"another observation: {where}"
    assert game.is_as_written(batch.rules, state["games"][[number]]), f"not as its position says: {where}"
    for action in range(-1, batch.rules.actions + 2):
        if action in table.legal_actions():
            table.copy().apply(action)
            continue
        actions = batch.masks.argmax(1)
        actions[number] = action
        if batch.phases[number] < game.card_game.over:
            with pytest.raises(IllegalActionError, match=f"table {number}: "):
                batch.step(actions)
    for name, before in state.items():
        assert np.array_equal(before, batch.state()[name]), f"an illegal action changed {name}: {where}"


MAX_WAIT = 60  # decisions between two looks at a table


def check_leaks(game: GameUnderTest, chance: random.Random, amount: int) -> int:
    """Exchange what each seat does not see at some moments of games under random rules, and compare what it sees."""
    compared = 0
    while compared < amount:
        table = game.api.Game(game.random_rules(chance), chance.randrange(2**64), chance.randrange(2**64))
        while not table.is_over and compared < amount:
            for seat in range(table.rules.players):
                compare(game, table, seat, chance)
            compared += table.rules.players
            game.play(table, chance, chance.randrange(1, MAX_WAIT))
    return compared


def compare(game: GameUnderTest, table: Any, seat: int, chance: random.Random) -> None:
    """Fail if a seat sees or may do something else once the cards that it does not see are exchanged."""
    other = game.unseen_changed(table, chance, seat)
    where = f"seat {seat} in phase {table.phase} under {table.rules.to_text()!r}:\n{table.position()}"
    np.testing.assert_array_equal(table.observation(seat), other.observation(seat), f"seen by {where}")
    if seat == table.seat:
        np.testing.assert_array_equal(table.mask(), other.mask(), f"legal for {where}")
