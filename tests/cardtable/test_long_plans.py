"""Plans of 10^8 rounds: planning, counting and finding stored pieces take no more memory as plans grow."""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from cardtable.play.pairing import Tally
from cardtable.play.plan import Plan
from cardtable.stored.store import Store
from cardtable.workers.local_workers import PlayedPiece
from cardtable.workers.plan_run import PlanProgress, _Counter
from tests.skyjo_play import a_plan

ROUNDS = 10**8
FLAT = 2**20  # bytes
PAIRS = (("naive", "tempo"), ("naive", "expected"))


@pytest.fixture
def endless() -> Plan:
    deals = ROUNDS // 2 // len(PAIRS)  # each is played from both seats
    return a_plan(PAIRS, (deals,) * len(PAIRS))


@contextmanager
def in_flat_memory() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < FLAT
    finally:
        tracemalloc.stop()


def test_a_plan_of_10_8_rounds_is_cut_into_pieces_in_flat_memory(endless: Plan) -> None:
    next(endless.pieces())  # loads the agents
    with in_flat_memory():
        deals = [0, 0]
        for number, piece in enumerate(endless.pieces()):
            assert piece.number == number
            deals[piece.table] += len(piece.deals)
    assert 2 * sum(deals) == ROUNDS
    assert number > 20_000


@pytest.mark.long
def test_10_8_rounds_are_counted_in_flat_memory(endless: Plan) -> None:
    numbers = np.zeros((4, 2))
    counter = _Counter(PlanProgress(endless), None, False, None, lambda _: None)
    counter.count()
    with in_flat_memory():
        for piece in counter.missing():
            tally = Tally(len(piece.deals), numbers, numbers, 0.0, 1.0, np.zeros(1), np.zeros(8))
            counter.take(piece, PlayedPiece(tally, None))
    assert counter.is_over
    assert 2 * counter.progress.deals == ROUNDS


def test_what_is_stored_is_found_in_a_few_bytes_a_piece(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "games", {})
    for number in range(3000):
        (store.folder / f"games-{number:06d}-{number + 2**63:016x}.parquet").touch()
    store.files()
    tracemalloc.start()
    found = store.files()
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < 40 * len(found)
    assert found[2999].name == f"games-002999-{2999 + 2**63:016x}.parquet"
    assert found[2999].is_file()
    assert (2999 in found, 3000 in found) == (True, False)
