"""Bradley-Terry and Plackett-Luce: the greatest likelihood, intervals by deal, what cannot be rated, intransitivity."""

from collections.abc import Callable
from itertools import chain, permutations, product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from cardtable.arena.ratings.bradley_terry import ELO, fit
from cardtable.arena.ratings.results import NOBODY, Floats, RatingError, Results, joined


def ranked(strengths: Floats, games: int, seats: int, seed: int = 0, copies: int = 1) -> Results:
    """Rankings of Plackett-Luce, less being better; each game is counted `copies` times under its own deal."""
    rng = np.random.default_rng(seed)
    seated = rng.permuted(np.tile(np.arange(len(strengths)), (games, 1)), axis=1)[:, :seats]
    scores = -(strengths[seated] + rng.gumbel(size=seated.shape))
    names = [chr(97 + player) for player in range(len(strengths))]
    seated, scores, deals = (np.repeat(each, copies, axis=0) for each in (seated, scores, np.arange(games)))
    return Results.of(names, seated, scores, deals)


def test_two_players_differ_by_the_logarithm_of_their_wins() -> None:
    games = Results.of(("a", "b"), [[0, 1]] * 5, [[1, 2], [1, 2], [1, 2], [2, 1], [3, 3]])
    told = fit(games, "b", resamples=0)
    np.testing.assert_allclose(told.ratings, [1000 + 400 * np.log10(3.5 / 1.5), 1000])
    assert np.isnan(told.low).all()


def worst_first(strengths: Any, results: Results) -> float:
    """The log-likelihood with the sign turned, from its definition; a tie is the mean over all orders of the tied."""
    total = 0.0
    for seated, scores in zip(results.seated, results.scores, strict=True):
        table = [(score, player) for score, player in zip(scores, seated, strict=True) if player != NOBODY]
        groups = [[p for s, p in table if s == score] for score in sorted({score for score, _ in table})]
        orders = [list(chain(*order)) for order in product(*map(permutations, groups))]
        logs = [sum(strengths[o[i]] - np.log(np.exp(strengths[o[i:]]).sum()) for i in range(len(o))) for o in orders]
        total -= float(np.mean(logs))
    return total


def test_tables_of_all_sizes_with_ties_have_the_greatest_likelihood() -> None:
    rng = np.random.default_rng(3)
    seated = np.array([rng.permutation(5)[:4] for _ in range(60)])
    seated[:20, 3] = NOBODY
    seated[:10, 1] = NOBODY
    results = Results.of(tuple("abcde"), seated, rng.integers(0, 4, seated.shape) - (seated == 2))
    best = minimize(worst_first, np.zeros(5), args=(results,), tol=1e-9).x
    told = fit(results, "a", resamples=0)
    np.testing.assert_allclose(told.ratings, 1000 + ELO * (best - best[0]), atol=0.01)


@pytest.mark.slow
def test_intervals_cover_at_their_level() -> None:
    strengths = np.array([0.0, 0.4, -0.3])
    true = 1000 + ELO * (strengths - strengths[0])
    runs = [fit(ranked(strengths, 80, 2, seed), "a", resamples=100, seed=seed) for seed in range(60)]
    inside = np.array([(told.low <= true) & (true <= told.high) for told in runs])[:, 1:]
    assert 0.88 < inside.mean() < 0.995  # of 120, not all independent


def test_games_of_one_deal_are_one_piece_of_evidence() -> None:
    strengths = np.array([0.0, 0.3, -0.3])
    once, often = (fit(ranked(strengths, 300, 3, copies=copies), "a", resamples=300) for copies in (1, 4))
    np.testing.assert_allclose(once.ratings, often.ratings)
    np.testing.assert_allclose(once.low, often.low, atol=0.1)
    games = ranked(strengths, 300, 3, copies=4)
    apart = fit(Results.of(games.players, games.seated, games.scores), "a", resamples=300)
    assert (often.high - often.low)[1:] == pytest.approx(2 * (apart.high - apart.low)[1:], rel=0.2)


def test_lopsided_results_are_fitted_too() -> None:
    """Full Newton steps never settle on these."""
    wins = np.array([[0, 7450, 988, 5588], [2, 0, 4132, 0], [1, 0, 0, 4], [0, 1, 4, 0]])
    pairs = np.array([(winner, loser) for winner in range(4) for loser in range(4)])
    seated = pairs.repeat(wins.ravel(), axis=0)
    told = fit(Results.of("abcd", seated, np.tile([1, 2], (len(seated), 1))), "a", resamples=0)
    gaps = told.ratings[:, None] - told.ratings
    due = (wins + wins.T) / (1 + 10 ** (-gaps / 400))
    np.testing.assert_allclose(due.sum(axis=1), wins.sum(axis=1), atol=1e-3)


def test_a_prior_makes_every_rating_finite_and_weighs_as_many_games_as_it_says() -> None:
    games = Results.of(("a", "b"), [[0, 1]] * 10, [[1, 2]] * 10)
    told = fit(games, "b", prior=2.0)
    # The players stand at x and -x about the fictive one; a is due 10 wins, and half of the two drawn games.
    x = (told.ratings[0] - told.ratings[1]) / 2 / ELO
    assert 10 / (1 + np.exp(-2 * x)) + 2 / (1 + np.exp(-x)) == pytest.approx(11)
    many = ranked(np.array([0.0, 1.0]), 5000, 2)
    np.testing.assert_allclose(
        fit(many, "a", prior=1, resamples=0).ratings, fit(many, "a", resamples=0).ratings, atol=0.5
    )


PAIR: Any = ("a", "b")
TWO_DEALS = Results.of(PAIR, [[0, 1]] * 2, [[1, 2], [2, 1]])
ONE_DEAL = Results.of(PAIR, [[0, 1]] * 2, [[1, 2], [2, 1]], [7, 7])
TWO_ISLANDS = Results.of("abcd", [[0, 1], [1, 0], [2, 3], [3, 2]], [[1, 2]] * 4)
ALONE = Results.of("abc", [[1, 2]] * 2, [[1, 2], [2, 1]])
UNBEATEN = Results.of("abcd", [[2, 3, 0], [3, 2, 1], [2, 0, 1], [3, 1, 0]], [[1, 2, 3]] * 4)
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: fit(Results.of("abcdefghijklm", [range(13)], [[5] * 13]), prior=1), "13 players tie in one game: .* 12"),
    (lambda: fit(TWO_ISLANDS, "a", resamples=0), "no finite ratings fit: .* give a prior"),
    (lambda: fit(ALONE, "b", resamples=0), "fit: a and the others never met"),
    (lambda: fit(UNBEATEN, "a", resamples=0), "no finite ratings fit"),
    (lambda: fit(TWO_DEALS, "a", prior=-1), "prior must be a number of games"),
    (lambda: fit(ONE_DEAL, "a"), "one deal alone has no interval"),
    (lambda: fit(ONE_DEAL, "z", resamples=0), "unknown player 'z'; the players are a, b"),
    (lambda: fit(ONE_DEAL, "a", resamples=-1), "resamples=-1 must be"),
    (lambda: Results.of(PAIR, [[0, NOBODY]], [[1, 2]]), "row 0: fewer than two"),
    (lambda: Results.of(PAIR, [[0, 1]], [[1, np.nan]]), "row 0: a score is not"),
    (lambda: Results.of(PAIR, [[0, 0]], [[1, 2]]), "row 0: a player sits there twice"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_cannot_be_rated_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(RatingError, match=message):
        call()


def test_joined_results_have_the_players_of_all_parts() -> None:
    one = Results.of(("a", "b"), [[0, 1]], [[1, 2]])
    both = joined([one, Results.of(("c", "b"), [[0, 1]], [[3, 4]]), one])
    assert both.players == ("a", "b", "c")
    assert both.seated.tolist() == [[0, 1], [2, 1], [0, 1]]
    with pytest.raises(RatingError, match="one kind of score"):
        joined([one, Results.of(("a", "b"), [[0, 1]], [[1, 2]], lower_is_better=False)])
