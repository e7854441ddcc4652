"""Rankings counted as choices, with a row for every deal: all that the likelihood of Plackett-Luce depends on.

The first place is chosen among all players of a table, the second among the others, and so on. What matters is how
often every set of players was chosen from, and how often every player was chosen. Tied players count as all orders
among them in equal shares.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from cardtable.ratings.results import Ints, RatingError, Results

MOST_TIED = 12  # every subset of them is a choice
LARGEST = 2**27  # numbers that fit in memory: for every set of players the pairs in it


@dataclass(frozen=True)
class Choices:
    """The sets that were chosen from, and the counts."""

    members: Ints  # [U, n] the players of every set; the number of players fills the row
    counts: Any  # sparse [deals, U + P]: how often every set was chosen from, then every player chosen


def choices_of(results: Results) -> Choices:
    """All choices that the rankings consist of, counted for every deal.

    RatingError for tables, or ties, that are too large to be counted in this way.
    """
    players, seats = len(results.players), results.seated.shape[1]
    deal = _deal_numbers(results)
    sets, held, won = [], [], []
    for games, ranked, leaders, behind, weight in _stages(results):
        members = np.full((len(games), seats), players)
        members[:, : len(leaders) + len(behind)] = np.sort(ranked[:, leaders + behind], axis=1)
        sets.append(members)
        held.append((deal[games], np.full(len(games), weight)))
        won += [(deal[games], ranked[:, place], np.full(len(games), weight / len(leaders))) for place in leaders]
    distinct, which = _distinct(np.concatenate(sets), players)
    if distinct.size * seats > LARGEST:
        raise RatingError(f"tables of {seats} are too large for these ratings: split them, or take Elo")
    deals, weights = (np.concatenate(each) for each in zip(*held, strict=True))
    win_deals, winners, shares = (np.concatenate(each) for each in zip(*won, strict=True))
    places = np.concatenate([deals, win_deals]), np.concatenate([which, len(distinct) + winners])
    return Choices(
        distinct, _counted(np.concatenate([weights, shares]), *places, (deal.max() + 1, len(distinct) + players))
    )


def _counted(values: NDArray[np.float64], rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    return sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()


def _deal_numbers(results: Results) -> Ints:
    return np.unique(results.deals, return_inverse=True)[1].reshape(-1)


def _distinct(sets: Ints, players: int) -> tuple[Ints, Ints]:
    """The different rows, and which of them every row is; by one number for a row where 64 bits hold it."""
    if (players + 1) ** sets.shape[1] >= 2**63:
        distinct, which = np.unique(sets, axis=0, return_inverse=True)
        return distinct, which.reshape(-1)
    powers = (players + 1) ** np.arange(sets.shape[1])
    keys, which = np.unique(sets @ powers, return_inverse=True)
    return keys[:, None] // powers % (players + 1), which.reshape(-1)


def _stages(results: Results) -> Iterator[tuple[Ints, Ints, list[int], list[int], float]]:
    """For games of one size and pattern of ties: their rows, the players by rank, and the choices.

    A choice is given by the places of those tied in front, who are equally likely to be chosen, by the places behind
    them, and by its weight: of several tied players, every subset may be what is left of them.
    """
    better = np.where(results.is_taken, results.better, -np.inf)
    order = np.argsort(-better, axis=1, kind="stable")
    ranked, better = (np.take_along_axis(each, order, axis=1) for each in (results.seated, better))
    sizes, differs = results.is_taken.sum(axis=1), better[:, 1:] != better[:, :-1]
    patterns, which = np.unique(np.column_stack([sizes, differs]), axis=0, return_inverse=True)
    for number, (size, *begins) in enumerate(patterns.tolist()):
        games = np.flatnonzero(which.reshape(-1) == number)
        bounds = [0, *(place for place in range(1, size) if begins[place - 1]), size]
        for begin, end in pairwise(bounds):
            tied, behind = range(begin, end), list(range(end, size))
            if len(tied) > MOST_TIED:
                raise RatingError(f"{len(tied)} players tie in one game: these ratings allow at most {MOST_TIED}")
            for many in range(1 if behind else 2, len(tied) + 1):
                for leaders in combinations(tied, many):
                    yield games, ranked[games], list(leaders), behind, 1 / comb(len(tied), many)


def meetings_of(results: Results) -> Any:
    """How often each player finished ahead of each other, ties by halves, sparse [deals, P·P]."""
    players, seats, deal = len(results.players), results.seated.shape[1], _deal_numbers(results)
    rows, columns, values = [], [], []
    for seat, other in ((seat, other) for seat in range(seats) for other in range(seats) if seat != other):
        both = results.is_taken[:, seat] & results.is_taken[:, other]
        rows.append(deal[both])
        columns.append(results.seated[both, seat] * players + results.seated[both, other])
        values.append(0.5 + 0.5 * np.sign(results.better[both, seat] - results.better[both, other]))
    shape = (deal.max() + 1, players**2)
    return _counted(np.concatenate(values), np.concatenate(rows), np.concatenate(columns), shape)


def check_comparable(results: Results) -> None:
    """Raise RatingError unless everybody finished ahead of everybody else, at least by way of others."""
    players = len(results.players)
    ahead = sparse.coo_array(meetings_of(results).sum(axis=0).reshape(players, players))
    hint = "; let them play more, leave them out, or give a prior"
    parts, part = csgraph.connected_components(ahead, connection="weak")
    if parts > 1:
        raise RatingError(f"no games connect {_names(results, part == part[0])} with the others{hint}")
    groups, group = csgraph.connected_components(ahead, connection="strong")
    if groups > 1:
        beaten = {int(to) for of, to in zip(group[ahead.row], group[ahead.col], strict=True) if of != to}
        unbeaten = min(set(range(groups)) - beaten)
        who = _names(results, group == unbeaten)
        raise RatingError(f"nobody else ever finished ahead of {who}, so no finite rating fits{hint}")


def _names(results: Results, chosen: NDArray[np.bool_]) -> str:
    names = [results.players[each] for each in np.flatnonzero(chosen)]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
