"""The campaign finds what is wrong, keeps count, and goes on where it stopped."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from campaign import intervals
from campaign.batch import GAMES as NAMES
from campaign.batch import Batch, Failure, Result
from campaign.children import killed_until_done
from campaign.compiled import skipbo_checks
from campaign.damage import DAMAGES, damaged
from campaign.loaders import GAMES as PACKAGES
from campaign.loaders import Loader
from campaign.parts import PARTS, decisions, kills, leaks, loaders, lockstep
from campaign.parts.intervals import run as run_intervals
from campaign.totals import Totals, TotalsError, keep_failure
from cardtable.errors import TableError
from skipbo_env.kernel.state import OVER
from tests.skipbo_env.written import table

GAMES = {name: number for number, name in enumerate(NAMES)}  # the first batch of each


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_few_batches_of_every_part_find_nothing(game: str) -> None:
    number = GAMES[game]
    for result in (
        decisions.run(Batch("decisions", 1, number), 20_000),
        lockstep.run(Batch("lockstep", 1, number), 500),
        leaks.run(Batch("leaks", 1, number), 200),
        *(loaders.run(Batch("loaders", 1, number), loader.name, 30) for loader in loaders.LOADERS),
    ):
        assert result.failures == []
        assert result.done >= 30


CHANGES = {
    "skyjo": {
        "cards": 5,
        "shown": 5,
        "pile_left": 1,
        "hidden_pool": 3,
        "open_sum": 1,
        "hand": 5,
        "discard_counts": 2,
    },
    "skyjo_action": {
        "cards": 5,
        "shown": 5,
        "pile_left": 1,
        "unseen": 3,
        "known_draws": 1,
        "open_sum": 1,
        "hand": 5,
        "discards": 2,
        "held": 1,
        "open_actions": 2,
        "knowers": 8,
    },
    "skipbo": {"stocks": 5, "hands": 0, "laid": 1, "older": 1, "heights": 3, "completed": 1, "starts": 3, "sizes": 1},
}


@pytest.mark.parametrize(("game", "field"), [(game, field) for game, fields in CHANGES.items() for field in fields])
@pytest.mark.slow
def test_the_checks_find_a_changed_field(game: str, field: str) -> None:
    table = PACKAGES[game].Game(seed=1)
    assert fault_after(table, decisions.CHECKS[game], field, CHANGES[game][field]) > 0


@pytest.mark.slow
def test_the_checks_find_a_blocked_round_in_which_somebody_could_move() -> None:
    """Clause 5.2: seat 0 holds cards."""
    game = table("ending blocked; stock ? 9; stock ? 9; hand 2; hand; seat 0 turn")
    assert fault_after(game, skipbo_checks, "phase", OVER) == skipbo_checks.PHASES


def fault_after(game: object, checks: object, field: str, number: int) -> int:
    """What the checks find wrong at a new table once a field holds another number; at first they find nothing."""
    table = game.state.copy()  # type: ignore[attr-defined]
    params = game.rules.params  # type: ignore[attr-defined]
    work = np.zeros((2, 1000), np.int16)
    assert checks.find_fault(table[0], params[0], 0, *work) == 0  # type: ignore[attr-defined]
    cells = table[field].reshape(-1)
    cells[0] = number if cells[0] != number else number + 1
    return int(checks.find_fault(table[0], params[0], 0, *work))  # type: ignore[attr-defined]


@pytest.mark.long
def test_the_same_batch_is_the_same_work() -> None:
    one, other = (run_intervals(Batch("intervals", 1, 3)) for _ in range(2))
    assert one == other
    assert one != run_intervals(Batch("intervals", 1, 4))


def test_a_loader_that_raises_anything_else_fails_and_its_input_is_kept() -> None:
    def odd(_: bytes) -> None:
        raise KeyError("seat")

    result = Result()
    loader = Loader("odd", 1, lambda *_: lambda _: (b"", lambda: None))
    loaders.read_once(loader, lambda _: (b"\xff1", lambda: odd(b"")), random.Random(1), result)
    loaders.read_once(loader, lambda _: (b"fine", lambda: None), random.Random(1), result)
    loaders.read_once(loader, lambda _: (b"no", lambda: refuse("plain")), random.Random(1), result)
    (failure,) = result.failures
    assert failure.words == "odd: KeyError: 'seat'"
    assert failure.inputs["input"] == "ff31"
    assert result.done == 3


def refuse(words: str) -> None:
    raise TableError(words)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_ends_on_any_data(damage: object) -> None:
    chance = random.Random(1)
    for data in (b"", b"x", b"seat 0: draw, place 3\n" * 20, bytes(range(256))):
        assert isinstance(damage(chance, data), bytes)  # type: ignore[operator]
        assert isinstance(damaged(chance, data), bytes)


def test_killed_work_is_started_again_until_it_is_done(tmp_path: Path) -> None:
    def count() -> None:
        while len(list(tmp_path.glob("*.mark"))) < 40:
            (tmp_path / f"{len(list(tmp_path.glob('*.mark')))}.mark").touch()

    assert killed_until_done(count, tmp_path / "log", 0.001, 3, random.Random(1)) <= 3
    assert len(list(tmp_path.glob("*.mark"))) == 40
    with pytest.raises(RuntimeError, match=r"ended with 1: (?s:.*)ZeroDivisionError"):
        killed_until_done(lambda: 1 / 0, tmp_path / "log", 0.0, 0, random.Random(1))


@pytest.mark.slow
def test_kills_of_a_store_lose_nothing(tmp_path: Path) -> None:
    result = Result()
    kills.store(Batch("kills", 1, 2), tmp_path, result)
    assert result.done == 3 * kills.KILLS
    assert result.failures == []


@pytest.mark.parametrize(
    ("told", "seq", "holds"),
    [
        ("cde", 5, True),
        ("bcde", 5, True),  # a view that shows less else has room to tell more
        ("def", 6, True),
        ("cd", 4, False),
        ("cdx", 5, False),
    ],
)
def test_a_server_must_hold_what_it_confirmed(told: str, seq: int, holds: bool) -> None:
    client = kills.Client()
    client.view = view_of("cde", 5)
    if holds:
        kills.check_confirmed(client, view_of(told, seq))
    else:
        with pytest.raises(RuntimeError, match="was confirmed, but after the kill"):
            kills.check_confirmed(client, view_of(told, seq))


def view_of(told: str, seq: int) -> dict[str, object]:
    """What a server sends after so many decisions, telling the last ones as letters."""
    first = seq - len(told)
    return {"seq": seq, "told": [{"seq": first + place, "words": letter} for place, letter in enumerate(told)]}


def test_totals_add_up_from_run_to_run(tmp_path: Path) -> None:
    path = tmp_path / "totals.json"
    totals = Totals.open(path, 7)
    totals.of("leaks").done += 5
    totals.save()
    again = Totals.open(path, None)
    assert (again.seed, again.of("leaks").done) == (7, 5)
    with pytest.raises(TotalsError, match="these totals are of seed 7"):
        Totals.open(path, 8)
    path.write_text(json.dumps([]))
    with pytest.raises(TotalsError, match="not a file of a campaign's totals"):
        Totals.open(path, 7)


def test_failures_are_kept_with_the_command_that_repeats_them(tmp_path: Path) -> None:
    failure = Failure("it broke", {"input": "ff"})
    places = [keep_failure(tmp_path, "loaders", 3, failure, "python -m campaign --repeat loaders 3") for _ in range(2)]
    assert places[0] != places[1]
    assert "--repeat loaders 3" in (places[0] / "failure.txt").read_text()
    assert (places[0] / "input.txt").read_text() == "ff"


def test_a_claim_that_counts_contradict_is_named() -> None:
    name = "t interval of 10 deals"
    fine = {f"{name} trials": 10_000, f"{name} hits": 9500}
    assert intervals.wrong(fine) == []
    (line,) = intervals.wrong(fine | {f"{name} hits": 9300})
    assert line.startswith(f"{name}: 9,300 of 10,000; accepted are 9,3")
    assert intervals.wrong(fine | {f"{name} hits": 9640})
    assert intervals.wrong({"Clopper-Pearson trials": 1000, "Clopper-Pearson hits": 1000}) == []


@pytest.mark.slow
def test_every_part_has_a_module_and_every_claim_is_simulated() -> None:
    assert {*PARTS} >= {"decisions", "lockstep", "leaks", "loaders", "kills", "bounds", "intervals"}
    counted = run_intervals(Batch("intervals", 1, 0)).counts
    assert {name.removesuffix(" trials") for name in counted if name.endswith(" trials")} == {*intervals.CLAIMS}
