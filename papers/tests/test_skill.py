"""Skill against chance: games of known shares, populations of known strengths, and the page."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from cardtable.table.errors import TableError
from cardtable.table.game.card_game import Setup
from papers import skill
from papers.skill import PLAYERS, Players, Skill
from papers.skill_measures import (
    coin_share,
    elo_spread,
    lead_among,
    observed_lead,
    relative_skill,
    rounds_among,
    variances,
)
from papers.skill_results import against, among, play_pair
from skyjo_env import OFFICIAL
from tests.skyjo_play import play_paired


def margins_of(strengths: np.ndarray, chance: float, deals: int, seed: int) -> np.ndarray:
    """Margins of all pairs, whose variance is twice `chance`², [deals, seatings, pairs]."""
    one, other = np.triu_indices(len(strengths), 1)
    noise = np.random.default_rng(seed).normal(0, 2**0.5 * chance, (deals, 2, len(one)))
    return np.asarray(strengths[one] - strengths[other] + noise)


def normal(players: int, sd: float) -> np.ndarray:
    """As many strengths that are spread like a normal distribution."""
    return np.asarray(sd * stats.norm.ppf((np.arange(players) + 0.5) / players))


@pytest.mark.parametrize(("won", "lost", "share"), [(3, 3, 0.0), (3, 1, 0.5), (9, 1, 0.8), (101, 99, 0.01)])
def test_a_game_of_known_share_is_recognised(won: int, lost: int, share: float) -> None:
    deals = np.repeat([1.0, -1.0], [won, lost])[:, None, None] * np.ones(10)
    ratings, spread = elo_spread(deals, tuple("abcde"), resamples=2)
    assert ratings[0].value == pytest.approx(-ratings[4].value, abs=1e-4)
    assert coin_share(spread.value, 5) == pytest.approx(share, abs=1e-6)


def test_the_fictive_player_has_all_skill_and_the_beginner_none() -> None:
    beginner, fictive = np.array([-30.0, -10, -20]), np.array([5.0, 15])
    assert relative_skill(beginner, beginner, fictive).half == 0
    assert [relative_skill(np.full(3, gain), beginner, fictive).mean for gain in (-20, -5, 10)] == [0, 0.5, 1]
    with pytest.raises(TableError, match=r"the fictive player gains -30.00 on the beginner"):
        relative_skill(beginner, fictive, beginner)


@pytest.mark.parametrize(("deals", "peeked"), [(2000, 10), (12, 2000), (50, 50)])
def test_the_interval_of_relative_skill_covers_what_it_says(deals: int, peeked: int) -> None:
    """Player and beginner share the luck of their deals, so their errors cancel in part."""
    rng, covered = np.random.default_rng(2), 0
    for _ in range(400):
        luck = rng.normal(0, 30, deals)
        player, beginner = -10 + luck + rng.normal(0, 5, deals), -100 + luck
        found = relative_skill(player, beginner, rng.normal(50, 20, peeked))
        covered += abs(found.mean - 0.6) < found.half
    assert 365 <= covered <= 393


def test_in_a_normal_population_the_rounds_that_are_needed_agree_with_what_was_played() -> None:
    margins = margins_of(normal(40, 3.0), 12.0, 400, seed=5)
    skill_variance, chance = variances(margins)
    assert (skill_variance, chance) == pytest.approx((9, 144), rel=0.08)
    needed = rounds_among(margins, resamples=100)
    assert needed.value == pytest.approx(chance / skill_variance, rel=0.08)
    assert needed.low < needed.value < needed.high
    for k in (1, 5, 16):
        assert observed_lead(margins, k) == pytest.approx(lead_among(margins, k), abs=0.01)
    assert lead_among(margins, needed.value) == pytest.approx(0.75)


def test_rounds_are_taken_from_both_seats_in_turn() -> None:
    """The first player always wins by 1 from seat 0 and loses by 2 from seat 1, so loses any two rounds by 1."""
    margins = np.broadcast_to([[[1.0], [-2.0]]], (6, 2, 1))
    assert (observed_lead(margins, 2), observed_lead(margins, 1)) == (1, 0.5)


@pytest.mark.parametrize("episode", ["round", "game"])
def test_all_players_meet_from_both_seats(episode: str) -> None:
    names, setup = ("naive", "threshold:t=2", "tempo"), Setup(OFFICIAL, 3, episode)
    played = {pair: play_pair(pair, range(5, 25), setup) for pair in combinations(names, 2)}
    for opponent in names:
        for name, gains in against(played, opponent).items():
            paired = play_paired([name, opponent], seed=3, deals=range(5, 25), episode=episode)
            assert np.array_equal(gains, paired.margins[:, 0] * (name != opponent))
    assert np.array_equal(among(played, ("tempo", "naive"))[:, :, 0], played["naive", "tempo"])
    assert not play_pair(names[::2], range(10), Setup(OFFICIAL.replace(max_turns=3), 1)).any()  # stopped: a draw


def test_the_page_has_the_measures_that_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = {"all four": ("threshold:t=0", "threshold:t=4", "expected", "tempo"), "two": ("expected", "tempo")}
    monkeypatch.setitem(PLAYERS, "skyjo", Players(groups, "threshold:t=4", "expected", "oracle:base=naive,n=1"))
    monkeypatch.setattr(skill, "QUICK", 120)
    done: list[float] = []
    study = Skill(quick=True, only="spread,relative")
    result = study.result(done.append)
    assert sum(done) == pytest.approx(study.work)
    assert result.reliability is None
    assert result.relative
    rows = {row.player: row for row in result.relative.rows}
    assert (rows["threshold:t=4"].round_skill.mean, rows["expected"].game_gain.mean) == (0, 0)
    page = study.page(result)
    assert "## Elo spread" in page
    assert f"| {rows['tempo'].round_gain.mean:+.1f} ± " in page
    assert "## Reliability" not in page
