"""The opponents of a policy that learns: what is remembered of them, who is chosen, and who leaves."""

import numpy as np
import pytest

from cardtable.table.agents.agents import Agent
from skyjo_training.opponent_pool import MEMORY, Member, OpponentPool
from tests.games.players import Broken, Nth

HARDNESS = 10.0


def member(name: str, margin: float | None = None, agent: Agent | None = None) -> Member:
    """A member against which the policy has this margin so far."""
    made = Member(name, Nth() if agent is None else agent)
    if margin is not None:
        made.note(np.full(100, margin))
    return made


def pool_of(*margins: float | None, snapshots: int = 3) -> OpponentPool:
    """Named members a, b, c, ..."""
    named = [member("abcdefgh"[number], margin) for number, margin in enumerate(margins)]
    return OpponentPool(named, snapshots, HARDNESS, np.random.default_rng(1))


def names(pool: OpponentPool) -> str:
    return "".join(each.name for each in pool.members)


def chosen(pool: OpponentPool, times: int) -> list[int]:
    found = []
    for _ in range(times):
        pool.choose()
        found.append(pool.now)
    return found


def test_a_margin_is_the_mean_of_what_was_noted_and_even_before() -> None:
    one = member("a")
    assert one.margin == 0
    one.note(np.array([3.0, -1.0]))
    assert one.margin == 1
    one.note(np.zeros(0))
    assert (one.rounds, one.margin) == (2, 1)


def test_what_was_noted_counts_half_after_so_many_rounds() -> None:
    one = member("a")
    one.note(np.full(500, 8.0))
    one.note(np.full(int(MEMORY), -2.0))
    assert one.rounds == pytest.approx(250 + MEMORY)
    assert one.margin == pytest.approx((250 * 8 - MEMORY * 2) / (250 + MEMORY))
    in_parts = member("b")
    for part in np.split(np.full(int(MEMORY), 5.0), 50):
        in_parts.note(part)
    assert in_parts.margin == pytest.approx(5)
    for _ in range(50):
        in_parts.note(np.full(int(MEMORY), -7.0))
    assert in_parts.margin == pytest.approx(-7)
    assert in_parts.rounds == pytest.approx(2 * MEMORY)


def test_the_harder_an_opponent_the_likelier_it_is_chosen() -> None:
    pool = pool_of(HARDNESS, 0, -HARDNESS, None)
    found = np.bincount(chosen(pool, 4000), minlength=4) / 4000
    weights = np.exp([-1, 0, 1, 0])
    assert found == pytest.approx(weights / weights.sum(), abs=0.03)  # four standard deviations
    assert found[2] > 2 * found[1] > 3 * found[0]
    assert chosen(pool_of(120.0, -150.0), 50) == [1] * 50  # no overflow


def test_rounds_count_for_whoever_is_at_the_table() -> None:
    pool = pool_of(None, None, None)
    noted = [0.0] * 3
    for number in range(30):
        pool.choose()
        pool.note(np.array([float(number)]))
        noted[pool.now] += number
    pool.note(np.zeros(0))
    assert [each.margin * each.rounds for each in pool.members] == pytest.approx(noted, rel=0.05)
    assert min(noted) > 0


@pytest.mark.parametrize(
    ("named", "snapshots", "added", "left"),
    [
        ((90.0, -1.0), 3, [("x", 4.0), ("y", 20.0), ("z", -3.0)], "abxyz"),  # there is room for all
        ((90.0, -1.0), 3, [("x", 4.0), ("y", 20.0), ("z", -3.0), ("p", 50.0)], "abxzp"),  # the newest stays
        ((90.0, -1.0), 3, [("x", 4.0), ("y", 20.0), ("z", -3.0), ("p", 50.0), ("q", None)], "abxzq"),
        ((), 2, [("x", None), ("y", None), ("z", None)], "yz"),  # of two as easy the oldest leaves
        ((1.0,), 1, [("x", -5.0), ("y", -5.0)], "ay"),
        ((1.0, 2.0), 0, [("x", None)], "ab"),
    ],
)
def test_the_easiest_snapshot_leaves_but_never_a_named_member_nor_the_newest(
    named: tuple[float, ...], snapshots: int, added: list[tuple[str, float | None]], left: str
) -> None:
    pool = pool_of(*named, snapshots=snapshots)
    for name, margin in added:
        pool.add(member(name, margin))
    assert names(pool) == left
    assert names(pool)[len(named) :] == "".join(each.name for each in pool.snapshots)


def test_the_member_at_the_table_plays_with_its_encoding_and_stays_unless_it_leaves() -> None:
    pool = pool_of(1.0, snapshots=2)
    for name, margin in (("x", 9.0), ("y", 0.0)):
        pool.add(member(name, margin, Broken(name)))
    pool.members[2].agent.encoding = "onehot"  # type: ignore[attr-defined]
    seen = np.zeros((4, 88), np.int16), np.zeros((4, 26), np.int8), np.zeros(4, np.uint64)
    for pool.now, encoding in ((1, "compact"), (2, "onehot")):
        assert [pool.act(*seen), pool.encoding] == [pool.members[pool.now].name, encoding]
    pool.add(member("z"))
    assert names(pool) == "ayz"
    assert pool.members[pool.now].name == "y"
    pool.members[1].note(np.full(1000, 60.0))
    pool.add(member("w"))
    assert names(pool) == "azw"
    assert pool.members[pool.now].name == "a"
