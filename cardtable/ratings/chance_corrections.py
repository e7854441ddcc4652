"""Scores corrected for chance before they are rated: for the luck of the cards, and for games that count for more.

Subtracting luck of mean 0 leaves every player's mean score as it was, whatever the strategy. Dividing, as the paper
does, does not, and needs positive scores.
"""

from dataclasses import replace

import numpy as np

from cardtable.ratings.results import Floats, RatingError, Results

LEAST, MOST = 0.5, 2.0  # the limits of a hand's strength over the mean strength


def subtract_luck(results: Results, luck: Floats, mean: float | None = None) -> Results:
    """The scores less the points that chance added to each, [G, n], good or bad for the player, about their mean.

    `mean` is the true mean of the luck if it is known; None takes the mean of these games.
    """
    values, middle = _checked(results, luck, mean)
    return replace(results, scores=results.scores - np.where(results.is_taken, values - middle, 0.0))


def divide_by_hands(results: Results, hands: Floats, mean: float | None = None) -> Results:
    """The scores divided by the strength of each hand, [G, n], over the mean strength, limited to 1/2 and 2.

    A hand of strength 0 counts as the weakest. `mean` is as for `subtract_luck`.
    """
    values, middle = _checked(results, hands, mean)
    if middle <= 0:
        raise RatingError(f"hands with a mean strength of {middle:g} cannot divide scores; subtract luck instead")
    quotient = np.where(results.is_taken, np.clip(values / middle, LEAST, MOST), 1.0)
    return replace(results, scores=results.scores / quotient)


def level_values(games: Results, values: Results) -> Results:
    """The scores as if every game had been worth the mean value; `values` are the same games, their values as scores.

    RatingError unless a game's value is above 0 and the same at all its seats.
    """
    worth = values.scores[:, 0]
    if (values.is_taken & ((values.scores != worth[:, None]) | (values.scores <= 0))).any():
        raise RatingError("the value of a game must be above 0 and the same for all its seats")
    return replace(games, scores=games.scores * float(np.mean(worth)) / worth[:, None])


def _checked(results: Results, values: Floats, mean: float | None) -> tuple[Floats, float]:
    """The values as floats, and their known mean or the mean at taken seats."""
    values = np.asarray(values, np.float64)
    if values.shape != results.scores.shape:
        raise RatingError(f"the games are {results.scores.shape} and the values that correct them {values.shape}")
    if not np.isfinite(values[results.is_taken]).all():
        raise RatingError("a value that corrects a score is not a finite number")
    return values, float(values[results.is_taken].mean()) if mean is None else mean
