"""Taking chance out of scores before they are rated: the luck of the cards, and games that count for more than others.

Both come in two forms. The ratio form divides, which suits positive scores. The difference form subtracts: if the luck
has mean 0 under every strategy, the corrected score has the mean of the raw one, which no quotient has.
"""

from dataclasses import replace

import numpy as np

from cardtable.ratings.elo import Form
from cardtable.ratings.results import Floats, RatingError, Results

LEAST, MOST = 0.5, 2.0  # the quotients that a hand may have


def without_hands(results: Results, hands: Floats, form: Form, mean: float | None = None) -> Results:
    """Chance factor 1: scores corrected for the cards, [G, n].

    In the ratio form a score is divided by the hand's strength over the mean strength, between 1/2 and 2; a hand of 0
    counts as the weakest. In the difference form hands are in points: how much chance added to a score, be that good or
    bad for the player. `mean` is the known mean; None takes that of these hands.
    """
    values = _checked(results, hands)
    middle = float(values[results.is_taken].mean()) if mean is None else mean
    if form == "difference":
        return replace(results, scores=results.scores - np.where(results.is_taken, values - middle, 0.0))
    if middle <= 0:
        raise RatingError(f"hands of mean strength {middle:g} have no quotients; take the difference form")
    quotient = np.where(results.is_taken, np.clip(values / middle, LEAST, MOST), 1.0)
    return replace(results, scores=results.scores / quotient)


def with_level_values(results: Results, values: Floats, form: Form, mean: float | None = None) -> Results:
    """Chance factor 2: scores as if every game had had the mean value, whatever its own value was, [G].

    The value is what a game was worth to the whole table. In the difference form the whole table moves together; only a
    ratio form of the rating notices.
    """
    worth = _checked(results, np.broadcast_to(np.asarray(values)[:, None], results.scores.shape))
    middle = float(np.mean(values)) if mean is None else mean
    if form == "difference":
        return replace(results, scores=results.scores - np.where(results.is_taken, worth - middle, 0.0))
    if not (worth > 0).all() or middle <= 0:
        raise RatingError("games have quotients only if their values are positive; take the difference form")
    return replace(results, scores=results.scores * middle / worth)


def _checked(results: Results, values: Floats) -> Floats:
    values = np.asarray(values, np.float64)
    if values.shape != results.scores.shape:
        raise RatingError(f"the games are {results.scores.shape} and the values that correct them {values.shape}")
    if not np.isfinite(values[results.is_taken]).all():
        raise RatingError("a value that corrects a score is not a finite number")
    return values
