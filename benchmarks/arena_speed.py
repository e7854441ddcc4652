"""How fast matches are, and how much less their margins scatter on paired deals and without luck.

.venv/bin/python benchmarks/arena_speed.py
"""

from collections.abc import Iterator

from figures import Figure, parser_for, report, seconds

from arena.paired import play_paired
from arena.rounds import YARDSTICK, play_rounds
from skyjo_env import OFFICIAL, Rules, make_agent

NEAR = ("threshold:t=2", YARDSTICK)


def speeds(deals: int, runs: int) -> Iterator[Figure]:
    """Rounds a second of a match between compiled agents."""

    def rate(threads: int, with_luck: bool) -> float:
        arguments = OFFICIAL, 0, range(deals), threads, False, "round", with_luck
        return 2 * deals / seconds(lambda: play_paired(NEAR, *arguments), runs)

    one, two = rate(1, False), rate(2, False)
    yield Figure("a match, one core", 2, one, "rounds/s", 90_000)
    yield Figure("with luck", 2, rate(1, True), "rounds/s", 50_000)
    yield Figure("two threads, times as fast", 2, two / one, "", 1.8)


def ratios(deals: int) -> Iterator[Figure]:
    """The variance of a margin, compared with that of as many unpaired rounds."""
    unpaired = play_rounds([make_agent(name) for name in NEAR], seed=1, deals=range(2 * deals)).margins[:, 0].var()
    for words, rules in (("paired", OFFICIAL), ("paired, draw streams", Rules(draw_streams=True))):
        played = play_paired(NEAR, rules, deals=range(deals), with_luck=True)
        yield Figure(f"variance, {words}", 2, 2 * played.margins[:, 0].var() / unpaired, "of unpaired")
        limit = 0.45 if rules.draw_streams else None
        left = 2 * played.without_luck[:, 0].var() / unpaired
        yield Figure(f"variance, {words}, without luck", 2, left, "of unpaired", limit, at_most=True)


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    deals = 2000 if options.quick else 20_000
    report((figure for part in (speeds(deals, options.runs), ratios(deals)) for figure in part), options.json)


if __name__ == "__main__":
    main()
