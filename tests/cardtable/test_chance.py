"""Random numbers (docs/rules/skyjo.md, section 10), random legal actions, and what players' chances follow from."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from cardtable.table.agents.agents import rng_states_of
from cardtable.table.errors import AgentError
from cardtable.table.kernel.chance import GAMMA, PLAYERS, STIR, UNSET, below, mix, next_number, random_actions
from skyjo_env import OFFICIAL, GameBatch
from skyjo_env.kernel.state import GAME_DTYPE, OPENING
from skyjo_env.kernel.view import AT_DISCARD_TOP

# The first numbers of splitmix64 from the state 0, as its author published them.
PUBLISHED = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_the_generator_is_splitmix64() -> None:
    with np.errstate(over="ignore"):
        assert [int(mix(np.uint64(k) * GAMMA)) for k in range(1, 4)] == PUBLISHED


def test_a_bounded_number_takes_every_value_equally_often() -> None:
    games = np.zeros(1, GAME_DTYPE)
    game = games[0]
    counts = Counter(int(below(game, 7)) for _ in range(70_000))
    assert sorted(counts) == list(range(7))
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_random_actions_play_a_batch_and_leave_finished_tables_alone() -> None:
    batch = GameBatch(OFFICIAL, n=50, seed=1, episode="round", restart=False)
    rng_states, actions = np.arange(50, dtype=np.uint64), np.zeros(50, np.int64)
    dones = np.zeros(50, np.bool_)
    while not dones.all():
        random_actions(batch.masks, rng_states, actions)
        assert ((actions == -1) == dones).all()
        dones = batch.step(actions)[1]


# What players' chances follow from


def mixed(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def chance_by_hand(numbers: list[int]) -> int:
    """Four numbers at a time, as 16 bits each, by turns into one state and the other; the last ones one by one."""
    states, whole = [int(PLAYERS), int(PLAYERS)], len(numbers) - len(numbers) % 8
    fours = [numbers[k : k + 4] for k in range(0, whole, 4)] + [[number] for number in numbers[whole:]]
    for k, four in enumerate(fours):
        which = k % 2 if 4 * k < whole else 0
        packed = sum(number % 2**16 << 16 * place for place, number in enumerate(four))
        states[which] = (states[which] ^ packed) * int(STIR) % 2**64
        states[which] ^= states[which] >> 32
    return mixed((mixed(states[0]) + states[1]) % 2**64)


@pytest.mark.parametrize("size", [1, 3, 4, 7, 8, 9, 16, 88, 269])
def test_chances_follow_from_every_number_of_the_observation_and_from_nothing_else(size: int) -> None:
    rng = np.random.default_rng(size)
    seen = rng.integers(-(2**15), 2**15, (20, size)).astype(np.int16)
    by_hand = [chance_by_hand(numbers) for numbers in seen.tolist()]
    assert rng_states_of(seen).tolist() == by_hand
    assert rng_states_of(np.asfortranarray(seen)).tolist() == rng_states_of(seen.astype(np.int64)).tolist() == by_hand
    one = np.repeat(seen[:1], size, 0)
    one[np.arange(size), np.arange(size)] += 1
    assert len({*rng_states_of(one).tolist(), by_hand[0]}) == size + 1


@pytest.mark.parametrize("seen", [np.zeros(88, np.int16), np.zeros((2, 3, 4), np.int16)])
def test_chances_of_anything_but_rows_are_refused(seen: NDArray[Any]) -> None:
    with pytest.raises(AgentError, match=r"observations must be an array \[N, D\]"):
        rng_states_of(seen)


def test_a_player_draws_one_number_after_the_other_and_begins_with_what_it_sees() -> None:
    view, player = np.arange(88, dtype=np.int16), np.zeros(1, GAME_DTYPE)
    begin = int(rng_states_of(view[None])[0])
    player["chance"] = UNSET
    drawn = [int(next_number(view, player[0])) for _ in range(3)]
    assert drawn == [mixed((begin + k * int(GAMMA)) % 2**64) for k in range(1, 4)]
    player["chance"] = 5
    assert int(next_number(view, player[0])) == mixed(5 + int(GAMMA))


def test_random_actions_are_equally_likely_wherever_a_round_stands() -> None:
    """By what is decided, and by the card on the discard pile: positions that look alike have chances unlike."""
    batch, found = GameBatch(OFFICIAL, n=1000, seed=3, episode="round"), []
    for _ in range(60):
        actions = np.zeros(len(batch), np.int64)
        random_actions(batch.masks, rng_states_of(batch.observations), actions)
        nth = batch.masks.cumsum(1)[np.arange(len(batch)), actions] - 1
        tops = batch.observations[:, AT_DISCARD_TOP]
        found.append(np.stack([batch.phases, tops, batch.masks.sum(1), nth], 1).astype(np.int64))
        batch.step(actions)
    phases, tops, legal, nth = np.concatenate(found).T
    later = (phases != OPENING) & (legal > 1)  # the first decisions of rounds are among few positions
    for groups in (100 * phases + legal, 100 * tops + legal):
        for group in np.unique(groups[later]):
            among = later & (groups == group)
            if among.sum() > 500:
                assert chisquare(np.bincount(nth[among], minlength=legal[among][0])).pvalue > 1e-5
