"""Figures about Skip-Bo that somebody else has published, found again."""

import numpy as np
import pytest
from numpy.typing import NDArray

from skipbo_env import NONE, WILD, GameBatch, ObservationSpec, Rules

DISCARD, PASS = 72, 124  # the first discarding, and to pass (7.1)
FULL_STOCKS, GAMES = 474, 100_000  # github.com/sebLocal/Skip-bo-Simulation


def first_card_that_fits(rules: Rules, observations: NDArray[np.int16]) -> NDArray[np.int64]:
    """That program's player: stock pile, hand, discard piles; the first card that fits, on the first place.

    Otherwise it lays its highest hand card on the first empty discard pile, or on the one with the highest top.
    """
    seen = ObservationSpec(rules).view(observations.astype(np.int64))
    hand, tops = seen.hand, seen.discard_tops[:, 0]
    rows = np.arange(len(hand))
    cards = np.concatenate([seen.stock_tops[:, :1], hand, tops], axis=1)  # [N, 10]
    ranks = seen.building[:, None] + 1
    fits = (cards[:, :, None] == WILD) | ((cards[:, :, None] == ranks) & (cards != NONE)[..., None])
    source, place = np.divmod(fits.reshape(len(hand), -1).argmax(1), 4)
    from_hand, from_pile = 4 * cards[rows, source] + place, 56 + 4 * (source - 6) + place
    plays = np.select([source == 0, source < 6], [place, from_hand], from_pile)
    pile = np.where(tops == NONE, WILD + 1, tops).argmax(1)
    discards = np.where(hand.max(1) == NONE, PASS, DISCARD + 4 * (hand.max(1) - 1) + pile)
    return np.where(fits.any((1, 2)), plays, discards)


@pytest.mark.long
@pytest.mark.statistical
def test_how_often_somebody_has_played_no_stock_card_at_the_end() -> None:
    """474 of 100,000 games there; the oracle has 517 of 100,000 (seed 7), which is as near as chance allows."""
    rules = Rules(players=4, stock=20, recycle="on_completion")
    batch = GameBatch(rules, n=40_000, seed=1, episode="round", restart=False)
    while (running := np.flatnonzero(batch.phases == 0)).size > 0:
        actions = np.zeros(len(batch), np.int64)
        actions[running] = first_card_that_fits(rules, batch.observations[running])
        batch.step(actions)
    found = int((batch.state()["games"]["stock_left"][:, :4] == 20).any(1).sum())
    share = (found + FULL_STOCKS) / (len(batch) + GAMES)
    error = np.sqrt(share * (1 - share) * (1 / len(batch) + 1 / GAMES))
    assert abs(found / len(batch) - FULL_STOCKS / GAMES) < 4 * error
