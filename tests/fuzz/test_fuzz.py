"""A few seconds of the fuzzer, and that it finds what is wrong and tells how to repeat it."""

import random
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest

from tests.fuzz import __main__ as interface
from tests.fuzz.inputs import READERS, TEXT_READERS, check_damaged
from tests.fuzz.tables import check_batches, check_leaks
from tests.games.listed import GAMES
from tests.games.under_test import GameUnderTest

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@every_game
def test_random_play_under_random_rules_breaks_no_table(game: GameUnderTest) -> None:
    assert check_batches(game, random.Random(1), 10_000) >= 10_000


@every_game
def test_nothing_unseen_shows_in_any_observation_or_in_ones_own_mask(game: GameUnderTest) -> None:
    assert check_leaks(game, random.Random(1), 400) >= 400


@pytest.mark.parametrize("name", READERS)
def test_damaged_inputs_are_read_or_refused(name: str) -> None:
    inputs = 200 if name in ("states", "checkpoints") else 10
    for game in GAMES if READERS[name] in TEXT_READERS else GAMES[:1]:
        assert check_damaged(game, random.Random(1), inputs, name) == inputs


@every_game
def test_a_table_that_play_cannot_reach_is_found(game: GameUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a step the first table has a turn too many."""
    step = game.api.GameBatch.step

    def miscounting(batch: Any, actions: Any) -> Any:
        told = step(batch, actions)
        batch._games["turns"][0] = batch.rules.max_turns + 100
        return told

    monkeypatch.setattr(game.api.GameBatch, "step", miscounting)
    with pytest.raises(AssertionError, match="after 1 steps"):
        check_batches(game, random.Random(1), 10_000)


@every_game
def test_a_leak_is_found(game: GameUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    see = game.api.Game.observation

    def peeking(table: Any, seat: int | None = None) -> Any:
        return see(table, seat) + int(table.state["key"][0] % 2)

    monkeypatch.setattr(game.api.Game, "observation", peeking)
    with pytest.raises(AssertionError, match="seen by seat"):
        check_leaks(game, random.Random(1), 400)


def test_any_other_error_of_a_reader_is_a_failure_that_shows_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(*_: object) -> Any:
        yield b"fine", lambda: None
        yield b"odd", lambda: dict[str, int]()["seat"]

    monkeypatch.setitem(READERS, "odd", odd)
    with pytest.raises(KeyError) as caught:
        check_damaged(GAMES[0], random.Random(1), 2, "odd")
    assert caught.value.__notes__ == ["odd, input 1, which begins with b'odd'"]


def test_a_failed_round_is_told_with_the_command_that_repeats_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(interface, "run_round", lambda _, number: number if number < 3 else 1 / 0)
    with ThreadPoolExecutor(2) as pool:
        assert interface.fuzz(pool, count(), interface.parser().parse_args(["--seed", "7", "--workers", "1"])) == 1
    assert capsys.readouterr().err.endswith("FAILED: python -m tests.fuzz --seed 7 --repeat 3\n")
