"""The opponents of a policy that learns: what is remembered of them, who is chosen, and who leaves."""

from typing import Any

import numpy as np
import pytest

from cardtable.table.agents.agents import Agent
from skyjo_training.opponent_pool import MEMORY, Member, OpponentPool
from tests.games.players import Nth

HARDNESS = 10.0


class Marked:
    """Always answers the same."""

    def __init__(self, number: int) -> None:
        self.number = number

    def act(self, observations: Any, *_: Any) -> Any:
        return np.full(len(observations), self.number)


def member(name: str, margin: float | None = None, agent: Agent | None = None) -> Member:
    """A member against which the policy has this margin so far."""
    made = Member(name, Nth() if agent is None else agent)
    if margin is not None:
        made.note(np.full(100, margin))
    return made


def pool_of(*margins: float | None, snapshots: int = 3, seed: int = 1) -> OpponentPool:
    """Named members a, b, c, ..."""
    named = [member("abcdefgh"[number], margin) for number, margin in enumerate(margins)]
    return OpponentPool(named, snapshots, HARDNESS, np.random.default_rng(seed))


def names(pool: OpponentPool) -> str:
    return "".join(each.name for each in pool.members)


def chosen(pool: OpponentPool, times: int) -> list[int]:
    found = []
    for _ in range(times):
        pool.choose()
        found.append(pool.now)
    return found


def test_the_pool_asks_for_what_the_member_at_the_table_asks_for() -> None:
    pool = pool_of(None, None)
    pool.members[1].agent.encoding = "onehot"  # type: ignore[attr-defined]
    pool.now = 0
    assert pool.encoding == "compact"
    pool.now = 1
    assert pool.encoding == "onehot"


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


def test_margins_of_a_hundred_points_leave_the_choice_possible() -> None:
    pool = pool_of(120.0, -150.0)
    assert chosen(pool, 50) == [1] * 50


def test_the_same_generator_chooses_the_same() -> None:
    many = [chosen(pool_of(1, 2, 3, seed=seed), 60) for seed in (5, 5, 6)]
    assert many[0] == many[1] != many[2]


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


def test_it_plays_as_the_member_at_the_table() -> None:
    pool = OpponentPool(
        [member("a", agent=Marked(7)), member("b", agent=Marked(9))], 0, HARDNESS, np.random.default_rng(1)
    )
    seen = np.zeros((4, 88), np.int16), np.zeros((4, 26), np.int8), np.zeros(4, np.uint64)
    for _ in range(10):
        pool.choose()
        assert pool.act(*seen).tolist() == [(7, 9)[pool.now]] * 4


def test_the_easiest_snapshot_leaves_but_never_a_named_member_nor_the_newest() -> None:
    pool = pool_of(90.0, -1.0)
    for name, margin in zip("xyz", (4.0, 20.0, -3.0), strict=True):
        pool.add(member(name, margin))
    assert names(pool) == "abxyz"
    pool.add(member("p", 50.0))
    assert names(pool) == "abxzp"
    pool.add(member("q"))
    assert names(pool) == "abxzq"
    assert [each.name for each in pool.snapshots] == ["x", "z", "q"]


def test_of_snapshots_as_easy_the_oldest_leaves() -> None:
    pool = pool_of(snapshots=2)
    for name in "xyz":
        pool.add(member(name))
    assert names(pool) == "yz"


def test_a_pool_of_one_snapshot_keeps_the_newest() -> None:
    pool = pool_of(1.0, snapshots=1)
    for name in "xyz":
        pool.add(member(name, -5.0))
        assert names(pool) == f"a{name}"


def test_a_pool_without_snapshots_keeps_its_named_members() -> None:
    pool = pool_of(1.0, 2.0, snapshots=0)
    pool.add(member("x"))
    assert names(pool) == "ab"


def test_whoever_is_at_the_table_stays_unless_it_leaves() -> None:
    pool = pool_of(1.0, snapshots=2)
    for name, margin in (("x", 9.0), ("y", 0.0)):
        pool.add(member(name, margin))
    pool.now = 2
    pool.add(member("z"))
    assert names(pool) == "ayz"
    assert pool.members[pool.now].name == "y"
    pool.members[1].note(np.full(1000, 60.0))
    pool.add(member("w"))
    assert names(pool) == "azw"
    assert pool.members[pool.now].name == "a"
