"""The game's random numbers (RULES.md, section 10) and random legal actions."""

from collections import Counter

import numpy as np
from scipy.stats import chisquare

from cardtable.kernel.chance import GAMMA, below, mix, random_actions
from skyjo_env import OFFICIAL, GameBatch
from skyjo_env.kernel.state import GAME_DTYPE

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


def test_a_random_action_is_legal_and_each_is_equally_likely() -> None:
    masks = np.zeros((50_000, OFFICIAL.actions), np.int8)
    legal = [1, 5, 25]
    masks[:, legal] = 1
    actions = np.zeros(len(masks), np.int64)
    random_actions(masks, np.arange(len(masks), dtype=np.uint64), actions)
    counts = Counter(actions.tolist())
    assert sorted(counts) == legal
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_random_actions_play_a_batch_and_leave_finished_tables_alone() -> None:
    batch = GameBatch(OFFICIAL, n=50, seed=1, episode="round", restart=False)
    chances, actions = np.arange(50, dtype=np.uint64), np.zeros(50, np.int64)
    dones = np.zeros(50, np.bool_)
    while not dones.all():
        random_actions(batch.masks, chances, actions)
        assert ((actions == -1) == dones).all()
        dones = batch.step(actions)[1]
