"""Margins without luck: the same on average, far less scattered."""

import numpy as np
import pytest

from cardtable.arena.play.luck import advantage, without_luck
from cardtable.table.game.card_game import Setup
from skyjo_env import OFFICIAL, Rules, make_agent
from skyjo_env.kernel.chance import WEIGHTS
from tests.skyjo_play import play_paired, play_rounds

NEAR = ("threshold:t=2", "threshold:t=2,columns=true")


def test_an_advantage_is_the_own_luck_less_the_mean_of_the_others() -> None:
    luck = np.array([[[3.0, 0, 1], [1.0, 2, 1], [2.0, 4, 1]]])
    assert advantage(luck).tolist() == [[[1.5, -3, 0], [-1.5, 0, 0], [0, 3, 0]]]
    corrected = without_luck(Setup(OFFICIAL.replace(players=3)), np.array([[5.0, -2, -3]]), luck)
    assert corrected[0, 0] == pytest.approx(5 - (1.5 * WEIGHTS[0] - 3 * WEIGHTS[1]))
    assert corrected.sum() == pytest.approx(0)


@pytest.mark.parametrize("names", [NEAR, ("tempo", "naive"), ("threshold:t=5", "expected")])
def test_the_mean_stays_and_the_scatter_shrinks(names: tuple[str, str]) -> None:
    played = play_paired(names, deals=range(6000), with_luck=True)
    off = (played.without_luck - played.margins)[:, 0]
    assert abs(off.mean()) < 4 * off.std() / 6000**0.5
    assert off.std() > 1
    assert played.without_luck[:, 0].var() < played.margins[:, 0].var()


def test_a_margin_is_known_sooner_without_luck() -> None:
    """Paired, each seat with draws of its own, and without luck: less than 0.45 of the variance of unpaired rounds."""
    played = play_paired(NEAR, Rules(draw_streams=True), deals=range(5000), with_luck=True)
    unpaired = play_rounds([make_agent(name) for name in NEAR], seed=1, deals=range(10_000))
    ratio = 2 * played.without_luck[:, 0].var() / unpaired.margins[:, 0].var()  # a deal is two rounds
    assert ratio < 0.45
