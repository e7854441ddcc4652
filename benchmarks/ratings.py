"""How long it takes to read and rate 84,000 games of three: Elo with its parts, Plackett-Luce with its intervals.

.venv/bin/python benchmarks/ratings.py
"""

from collections.abc import Iterator

import numpy as np
from figures import Figure, parser_for, report, seconds

from cardtable.ratings.bradley_terry import fit, intransitivity
from cardtable.ratings.elo import NEWCOMERS, rate, subtract_luck
from cardtable.ratings.results import Results, align, in_series
from cardtable.ratings.results_files import read_results

GAMES, SERIES, SEATS = 84_000, 36, 3
CROWD, FIELD = 700, 12  # the players of a server, and the agents of a tournament
RESAMPLES = 400


def tables(players: int, rng: np.random.Generator) -> Results:
    """Tables of three that stay together for a series, with scores of about 20 points a game."""
    strengths = rng.normal(20, 2, players)
    seated = np.array([rng.choice(players, SEATS, replace=False) for _ in range(GAMES // SERIES)]).repeat(
        SERIES, axis=0
    )
    names = [str(each) for each in range(players)]
    return Results.of(names, seated, np.round(strengths[seated] + rng.normal(0, 15, seated.shape)))


def written(results: Results) -> str:
    """The games as a CSV."""
    lines = ["game,deal,seat,player,score"]
    for game, (table, scores) in enumerate(zip(results.seated.tolist(), results.scores.tolist(), strict=True)):
        lines += [f"{game},{game},{seat},{table[seat]},{scores[seat]:g}" for seat in range(SEATS)]
    return "\n".join(lines)


def figures(runs: int) -> Iterator[Figure]:
    """All figures."""
    rng = np.random.default_rng(0)
    crowd, field = tables(CROWD, rng), tables(FIELD, rng)
    text = written(crowd)
    luck = rng.normal(0, 9, crowd.scores.shape)
    aligned = align(in_series(crowd, SERIES), SERIES)
    each = align(crowd, 1)

    def all_parts() -> None:
        corrected = subtract_luck(crowd, luck, mean=0.0)
        rate(align(in_series(corrected, SERIES), SERIES), k=NEWCOMERS)

    works = {
        "reading a CSV": lambda: read_results(text, "games.csv"),
        "Elo: every game a series": lambda: rate(each, form="difference"),
        f"Elo: series of {SERIES}": lambda: rate(aligned),
        "Elo: luck, series, alignment, newcomers": all_parts,
        f"Plackett-Luce: {CROWD} players": lambda: fit(crowd, "0", prior=1.0, resamples=0),
        f"Plackett-Luce: {FIELD} players, {RESAMPLES} resamples": lambda: fit(field, "0", resamples=RESAMPLES),
        f"intransitivity: {FIELD} players, {RESAMPLES} resamples": lambda: intransitivity(field, resamples=RESAMPLES),
    }
    for name, work in works.items():
        target = None if "resamples" in name or "CSV" in name else 1.0
        yield Figure(name, SEATS, seconds(work, runs), f"s / {GAMES} games", target, at_most=True)


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    report(figures(1 if options.quick else options.runs), options.json)


if __name__ == "__main__":
    main()
