"""Skill against chance: games of known shares, populations of known strengths, intervals that cover what they say."""

from itertools import combinations
from math import log10
from typing import Any

import numpy as np
import pytest
from scipy import stats

from cardtable.card_game import Setup
from cardtable.ratings.results import RatingError, Results
from skyjo_env import OFFICIAL, SkyjoError
from studies.skill.population import RoundRobin, play_pair, play_round_robin
from studies.skill.skill_measures import (
    NEARLY_ALL,
    Variances,
    coin_ratings,
    coin_share,
    coin_spread,
    elo_spread,
    lead_among,
    observed_lead,
    relative_skill,
    rounds_among,
    rounds_to_lead,
    variances,
)
from tests.skyjo_play import play_paired

PLAYERS = ("naive", "threshold:t=2", "tempo")


def ranked(won: int, lost: int, players: int = 5) -> Results:
    """Everybody has met everybody so often, and won so many of the games against each worse player."""
    pairs = list(combinations(range(players), 2)) * (won + lost)
    ahead = [[1, 0]] * (won * len(pairs) // (won + lost))
    names = [f"player {k}" for k in range(players)]
    return Results.of(names, pairs, ahead + [[0, 1]] * (len(pairs) - len(ahead)), lower_is_better=False)


def margins_of(strengths: np.ndarray, chance: float, deals: int, rng: np.random.Generator) -> np.ndarray:
    """Margins of all pairs, whose variance is twice `chance`², [deals, seatings, pairs]."""
    one, other = np.triu_indices(len(strengths), 1)
    noise = rng.normal(0, 2**0.5 * chance, (deals, 2, len(one)))
    return np.asarray(strengths[one] - strengths[other] + noise)


def normal(players: int, sd: float) -> np.ndarray:
    """As many strengths that are spread like a normal distribution."""
    return np.asarray(sd * stats.norm.ppf((np.arange(players) + 0.5) / players))


# Elo spread


def test_a_coin_spreads_nobody() -> None:
    found = elo_spread(ranked(3, 3), resamples=20)
    assert found.spread.value == pytest.approx(0, abs=1e-9)
    assert found.spread.low > 0  # resamples differ by chance
    assert coin_share(0, 5) == 0
    assert coin_ratings(0, 5).tolist() == [0] * 5


@pytest.mark.parametrize(("won", "lost", "share"), [(3, 1, 0.5), (9, 1, 0.8), (101, 99, 0.01)])
def test_a_game_of_known_share_is_recognised(won: int, lost: int, share: float) -> None:
    found = elo_spread(ranked(won, lost), resamples=2)
    assert [rating.value for rating in found.ratings] == pytest.approx(coin_ratings(share, 5).tolist(), abs=1e-4)
    assert coin_share(found.spread.value, 5) == pytest.approx(share, abs=1e-6)


def test_where_rank_decides_all_no_rating_is_wide_enough() -> None:
    with pytest.raises(RatingError, match="player 0"):
        elo_spread(ranked(4, 0))
    assert coin_share(float("inf"), 5) == NEARLY_ALL


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99, NEARLY_ALL])
def test_the_ratings_of_two_follow_from_their_odds(share: float) -> None:
    gap = 400 * log10((1 + share) / (1 - share))
    assert coin_ratings(share, 2) == pytest.approx([gap / 2, -gap / 2])
    assert coin_spread(share, 2) == pytest.approx(gap / 2**0.5)


@pytest.mark.parametrize("players", [2, 6, 8, 30])
def test_more_rank_spreads_wider(players: int) -> None:
    shares = [0, 0.001, 0.1, 0.5, 0.9, 0.99, 0.9999, NEARLY_ALL]
    spreads = [coin_spread(share, players) for share in shares]
    assert spreads == sorted(spreads)
    assert [coin_share(spread, players) for spread in spreads[:-1]] == pytest.approx(shares[:-1], abs=1e-6)


@pytest.mark.long
def test_the_interval_of_the_spread_covers_it() -> None:
    rng = np.random.default_rng(1)
    pairs = np.array(list(combinations(range(3), 2)) * 60)
    covered = 0
    widths = []
    for _ in range(80):
        wins = rng.random(len(pairs)) < 0.75
        results = Results.of("abc", pairs, np.stack([wins, ~wins], axis=1), lower_is_better=False)
        found = elo_spread(results, resamples=100).spread
        covered += found.low < coin_spread(0.5, 3) < found.high
        widths.append(found.high - found.low)
    assert 70 <= covered <= 80
    assert np.median(widths) < coin_spread(0.5, 3)  # so wide that it covers anything is no interval


# Relative skill


def test_the_fictive_player_has_all_skill_and_the_beginner_none() -> None:
    beginner, fictive = np.array([-30.0, -10, -20]), np.array([5.0, 15])
    assert relative_skill(beginner, beginner, fictive).mean == 0
    assert relative_skill(beginner, beginner, fictive).half == 0
    assert relative_skill([10, 10, 10], beginner, fictive).mean == 1
    assert relative_skill([-5, -5, -5], beginner, fictive).mean == 0.5


@pytest.mark.parametrize(("deals", "peeked"), [(2000, 10), (12, 2000), (50, 50)])
@pytest.mark.long
def test_its_interval_covers_what_it_says(deals: int, peeked: int) -> None:
    """Player and beginner share the luck of their deals, so their errors cancel in part."""
    rng, covered, halves = np.random.default_rng(2), 0, []
    for _ in range(1000):
        luck = rng.normal(0, 30, deals)
        player, beginner = -10 + luck + rng.normal(0, 5, deals), -100 + luck
        found = relative_skill(player, beginner, rng.normal(50, 20, peeked))
        covered += abs(found.mean - 0.6) < found.half
        halves.append(found.half)
    assert 930 <= covered <= 972
    assert np.mean(halves) < 0.1


@pytest.mark.parametrize(
    ("gains", "words"),
    [
        (([0, 0], [1, 2], [1, 1]), r"the fictive player gains -0.50 on the beginner"),
        (([0, 0, 0], [1, 2], [5, 6]), "must have played the same deals"),
        (([0, 0], [1, 2], [5]), "everybody at least 2"),
    ],
)
def test_nothing_is_measured_by_a_fictive_player_that_is_no_better(gains: tuple[Any, Any, Any], words: str) -> None:
    with pytest.raises(SkyjoError, match=words):
        relative_skill(*gains)


# Reliability


def test_the_better_of_two_leads_with_75_percent_where_half_of_the_variance_is_skill() -> None:
    parts = Variances(skill=4, chance=36)
    assert [parts.reliability(k) for k in (1, 9, 36)] == pytest.approx([0.1, 0.5, 0.8])
    assert parts.lead(9) == pytest.approx(0.75)
    assert parts.rounds_to_lead() == pytest.approx(9)
    assert parts.lead(parts.rounds_to_lead()) == pytest.approx(0.75)
    assert Variances(0, 36).lead(100) == 0.5
    assert Variances(0, 36).rounds_to_lead() == float("inf")


def test_leading_is_what_it_is_in_a_simulated_normal_population() -> None:
    rng = np.random.default_rng(3)
    strengths, sums = rng.normal(0, 2, (2, 200_000)), rng.normal(0, 6 * 5**0.5, (2, 200_000))
    totals = 5 * strengths + sums  # five rounds of each player
    leads = np.mean((totals[0] > totals[1]) == (strengths[0] > strengths[1]))
    assert Variances(4, 36).lead(5) == pytest.approx(leads, abs=0.004)


def test_variances_are_those_that_the_margins_were_made_with() -> None:
    strengths = normal(40, 3.0)
    margins = margins_of(strengths, 12.0, 40, np.random.default_rng(4))
    found = variances(margins)
    assert found.skill == pytest.approx(strengths.var(ddof=1), rel=0.05)
    assert found.chance == pytest.approx(144, rel=0.05)
    assert rounds_to_lead(margins, resamples=100).value == found.rounds_to_lead()


def test_in_a_normal_population_both_ways_to_count_rounds_agree_with_what_was_played() -> None:
    margins = margins_of(normal(40, 3.0), 12.0, 400, np.random.default_rng(5))
    needed = rounds_to_lead(margins, resamples=100)
    assert rounds_among(margins, resamples=100).value == pytest.approx(needed.value, rel=0.08)
    for k in (1, 5, 16):
        assert lead_among(margins, k) == pytest.approx(variances(margins).lead(k), abs=0.01)
        assert observed_lead(margins, k) == pytest.approx(lead_among(margins, k), abs=0.01)


def test_among_very_different_players_only_the_count_of_pairs_is_right() -> None:
    """Twins, and one who always loses: of the three pairs one is never decided, two are at once."""
    margins = margins_of(np.array([0.0, 1e-3, -1e4]), 1.0, 50, np.random.default_rng(6))
    assert observed_lead(margins, 1) == pytest.approx(lead_among(margins, 1), abs=0.05)
    assert lead_among(margins, 1) == pytest.approx(5 / 6, abs=0.04)
    assert variances(margins).lead(1) > 0.99
    near = margins_of(np.array([0.0, 1, 2, 3, -1e4]), 1.0, 50, np.random.default_rng(6))
    assert lead_among(near, rounds_among(near, resamples=100).value) == pytest.approx(0.75)


@pytest.mark.parametrize("measure", [rounds_to_lead, rounds_among])
@pytest.mark.long
def test_the_intervals_of_rounds_cover_them(measure: type) -> None:
    strengths, rng, covered = np.array([-4.0, -1, 2, 3]), np.random.default_rng(7), 0
    truth = {
        rounds_to_lead: 100 / strengths.var(ddof=1),
        rounds_among: exact_rounds(strengths, 10.0),
    }[measure]
    for _ in range(200):
        found = measure(margins_of(strengths, 10.0, 300, rng), resamples=200)
        covered += found.low < truth < found.high
    assert 180 <= covered <= 199


def exact_rounds(strengths: np.ndarray, chance: float) -> float:
    """Where the mean over pairs of Φ(√k d / (√2 σ)) is 75 %, from a fine grid."""
    one, other = np.triu_indices(len(strengths), 1)
    gaps = np.abs(strengths[one] - strengths[other]) / (2**0.5 * chance)
    grid = np.linspace(1, 100, 100_000)
    leads = stats.norm.cdf(np.sqrt(grid)[:, None] * gaps).mean(axis=1)
    return float(grid[np.searchsorted(leads, 0.75)])


def test_rounds_are_taken_from_both_seats_in_turn() -> None:
    """The first player always wins by 1 from seat 0 and loses by 2 from seat 1, so loses any two rounds by 1."""
    margins = np.broadcast_to([[[1.0], [-2.0]]], (6, 2, 1))
    assert observed_lead(margins, 2) == 1
    assert observed_lead(margins, 1) == 0.5
    assert observed_lead(np.zeros((6, 2, 1)), 3) == 0.5
    with pytest.raises(SkyjoError, match="rounds=7"):
        observed_lead(margins, 7)


# Who is compared


@pytest.mark.parametrize("episode", ["round", "game"])
def test_everybody_meets_everybody_from_both_seats(episode: str) -> None:
    told: list[float] = []
    played = play_round_robin(PLAYERS, range(5, 25), Setup(OFFICIAL, 3, episode), 1, told.append)
    assert told == [20] * 3
    for one, other in combinations(range(3), 2):
        paired = play_paired([PLAYERS[one], PLAYERS[other]], seed=3, deals=range(5, 25), episode=episode)
        assert np.array_equal(played.against(PLAYERS[other])[:, one], paired.margins[:, 0])
        assert np.array_equal(played.against(PLAYERS[one])[:, other], paired.margins[:, 1])
    assert (played.against("tempo")[:, 2] == 0).all()
    assert np.array_equal(play_pair(PLAYERS[:2], range(5, 25), Setup(OFFICIAL, 3, episode), 1), played.margins[:, :, 0])


def test_some_of_them_did_among_themselves_what_all_did() -> None:
    margins = np.arange(2 * 2 * 6.0).reshape(2, 2, 6)  # pairs ab ac ad bc bd cd
    some = RoundRobin(tuple("abcd"), margins).among(("d", "b", "a"))
    assert some.players == ("a", "b", "d")
    assert some.margins[0, 0].tolist() == [0, 2, 4]


def test_the_results_to_be_rated_are_the_margins() -> None:
    margins = np.array([[[3.0, -1, 0], [2, 2, -5]]])
    results = RoundRobin(PLAYERS, margins).results
    assert results.seated.tolist() == [[0, 1], [0, 2], [1, 2]] * 2
    assert (results.better[:, 0] - results.better[:, 1]).tolist() == [3, -1, 0, 2, 2, -5]
    assert results.deals.tolist() == [0] * 6


def test_what_was_stopped_is_a_draw() -> None:
    assert play_pair(("naive", "tempo"), range(10), Setup(OFFICIAL, 1), 1).any()
    assert not play_pair(("naive", "tempo"), range(10), Setup(OFFICIAL.replace(max_turns=3), 1), 1).any()
