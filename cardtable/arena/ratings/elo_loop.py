"""The loop of the Elo rating over all series, compiled: a player's next series needs the ratings of the one before."""

from cardtable.table.compiling.compiler import compiler_of

compiled = compiler_of(__file__)

RATIO, DIFFERENCE = 0, 1
DONE = -1
NEWCOMER_SHARE, NEWCOMER_OFFSET, NEWCOMER_LEAST, NEWCOMER_MOST = 4.0, 8.0, 0.02, 0.35


@compiled
def newcomer_k(played):
    """The share of a surprise by which a rating moves after this many series: large at first, small later."""
    return min(max(NEWCOMER_SHARE / (played + NEWCOMER_OFFSET), NEWCOMER_LEAST), NEWCOMER_MOST)


@compiled
def replay(seated, scores, form, k, ratings, played, expected, after):
    """Rate all series in order: fill `expected` and `after`, [T, n], and bring `ratings` and `played`, [P], up to date.

    A k below 0 stands for the newcomers' k. Returns DONE, or the series whose sums the ratio form cannot take.
    """
    for series in range(len(seated)):
        total_score, total_rating, size = 0.0, 0.0, 0
        for seat in range(seated.shape[1]):
            player = seated[series, seat]
            if player >= 0:
                total_score += scores[series, seat]
                total_rating += ratings[player]
                size += 1
        if form == RATIO and (total_score < 0 or total_rating <= 0):
            return series
        for seat in range(seated.shape[1]):
            player = seated[series, seat]
            if player < 0:
                continue
            rating = ratings[player]
            if form == RATIO:
                expects = rating * total_score / total_rating
            else:
                expects = total_score / size + rating - total_rating / size
            weight = k if k >= 0 else newcomer_k(played[player])
            ratings[player] = rating + weight * (scores[series, seat] - expects)
            played[player] += 1
            expected[series, seat] = expects
            after[series, seat] = ratings[player]
    return DONE
