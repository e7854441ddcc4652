"""Propositions 11 and 12: do scores rise with the threshold, and does the program play the model? By simulation."""

from collections.abc import Sequence
from itertools import pairwise

from studies.paper.claims import Claim, Group, Table, tried
from studies.paper.sampling_error import standard_error
from studies.paper.sweeps import DESCRIBED, DESCRIBED_COLUMNS, OFFICIAL_COLUMNS, OFFICIALLY, PROGRAM, Point

CERTAIN = 3.0  # standard errors from which a difference counts
SHOWN = {
    "turns": "turns",
    "taken": "discards taken",
    "laid_back": "laid back",
    "cleared": "columns removed",
    "could": "completions possible",
    "missed": "completions missed",
    "by_the_mean": "decided by a mean",
    "by_the_pile": "decided otherwise by the pile's mean",
    "needless": "open card replaced, hidden worth more",
}
RANGES = ((-2, 0), (0, 2), (2, 12))


def points_of(points: Sequence[Point], source: str) -> dict[int, Point]:
    """One source's points by threshold."""
    found = {point.threshold: point for point in points if point.source == source}
    return dict(sorted(found.items()))


def standard_errors(first: Point, second: Point) -> float:
    """By how many standard errors the second mean is above the first."""
    return (second.mean - first.mean) / standard_error(first.half, second.half)


def steps_group(points: Sequence[Point], source: str, words: str, least: int, greatest: int) -> Group:
    """Every step of the threshold by one: does the mean score not fall?"""
    by_threshold = points_of(points, source)
    steps = pairwise([by_threshold[t] for t in range(least, greatest + 1) if t in by_threshold])
    cases = (
        (
            standard_errors(first, second) > -CERTAIN,
            f"t = {first.threshold}: {first.mean:.2f}, t = {second.threshold}: {second.mean:.2f}",
        )
        for first, second in steps
    )
    return tried(f"{words}, t from {least} to {greatest}", cases)


def best_threshold(points: Sequence[Point], source: str) -> int:
    """Where the mean score is lowest."""
    return min(points_of(points, source).values(), key=lambda point: point.mean).threshold


def check_rising(points: Sequence[Point]) -> Claim:
    """Proposition 11."""
    sources = (PROGRAM, DESCRIBED, DESCRIBED_COLUMNS, OFFICIALLY, OFFICIAL_COLUMNS)
    lowest = ", ".join(f"t = {best_threshold(points, source.name)} ({source.words})" for source in sources)
    program = points_of(points, PROGRAM.name)
    low, high = program[0], program[2]
    shares = [each.events["taken"] / each.events["turns"] for each in (low, high)]
    groups = (
        steps_group(points, source.name, source.words, least, greatest)
        for source in sources
        for least, greatest in RANGES
    )
    return Claim(
        ("Proposition 11",),
        "Scores and thresholds",
        "The expected final score never falls when the discard threshold t rises.",
        f"Self-play of two equal players for every t from -2 to 12. A fall counts if it exceeds {CERTAIN:.0f} "
        "standard errors. Games that never end count all cards as they lie.",
        tuple(groups),
        f"The lowest mean score is at {lowest}. The proof says that a larger threshold takes fewer discards; by its "
        f"own rule it takes more: {shares[0]:.0%} of all turns at t = 0, {shares[1]:.0%} at t = 2.",
    )


def counted(condition: str, cases: float, exceptions: float, example: str) -> Group:
    """Cases that were counted during play."""
    return Group(condition, round(cases), round(exceptions), example if exceptions > 0 else "")


def alike_group(points: Sequence[Point]) -> Group:
    """Does the program score what the described player does, at every threshold?"""
    program, described = points_of(points, PROGRAM.name), points_of(points, DESCRIBED.name)
    cases = (
        (
            abs(standard_errors(program[t], described[t])) < CERTAIN,
            f"t = {t}: program {program[t].mean:.2f}, described {described[t].mean:.2f}",
        )
        for t in program
    )
    return tried("the mean score is that of the described player, t from -2 to 12", cases)


def choice_groups(usual: Point) -> tuple[Group, Group]:
    """How often its choices differ from those of the text, among the turns in which they can differ."""
    events, games = usual.events, usual.games
    return (
        counted(
            f"section 8: the mean is that of all unseen cards (turns at t = {usual.threshold} in which it decides)",
            events["by_the_mean"] * games,
            events["by_the_pile"] * games,
            "the program averages the draw pile alone, which nobody can see; another choice "
            f"{events['by_the_pile']:.2f} times a game",
        ),
        counted(
            "section 14: a column of two of a kind is completed if possible "
            f"(turns at t = {usual.threshold} in which the card in hand can)",
            events["could"] * games,
            events["missed"] * games,
            f"the program has no such rule: {events['missed']:.2f} times a game it lays a card elsewhere that would "
            "complete a column with points",
        ),
    )


def end_groups(points: Sequence[Point], usual: Point) -> tuple[Group, Group]:
    """How often its games do not end as the text says: stopped, or failed."""
    longest = next((point for point in points if point.stopped > 0.01), usual)
    emptiest = max(points, key=lambda point: point.crashed)
    return (
        counted(
            f"section 2.4: a round ends when a player has no hidden card (games at t = {longest.threshold})",
            longest.games,
            longest.stopped * longest.games,
            f"{longest.stopped:.1%} of the games are stopped after 500 turns and scored as they stand",
        ),
        counted(
            f"the discards refill an empty draw pile (games at t = {emptiest.threshold})",
            emptiest.games,
            emptiest.crashed * emptiest.games,
            f"{emptiest.crashed:.3%} of the games fail on the mean of an empty pile; the lines that reshuffle are "
            "never reached",
        ),
    )


def events_table(points: Sequence[Point]) -> Table:
    """What happens in a game of the program, at every threshold."""
    rows = ((str(point.threshold), *(f"{point.events[name]:.2f}" for name in SHOWN)) for point in points)
    return Table("What happens in a game of the program", ("t", *SHOWN.values()), tuple(rows))


def check_program(points: Sequence[Point]) -> Claim:
    """Proposition 12."""
    by_threshold = points_of(points, PROGRAM.name)
    program, usual = list(by_threshold.values()), by_threshold[2]
    returned = max(program, key=lambda point: point.events["laid_back"])
    return Claim(
        ("Proposition 12",),
        "The program and the model",
        "The program in the appendix is a correct implementation of the model and its strategy.",
        "The program compiled, game for game as a line-by-line transcription plays it; where it departs from the text "
        f"is counted while it plays. Mean scores differ if they do by more than {CERTAIN:.0f} standard errors.",
        (alike_group(points), *choice_groups(usual), *end_groups(program, usual)),
        "The text lets a taken discard be discarded again and so does the program (the official rules do not): "
        f"{returned.events['laid_back']:.0f} times a game at t = {returned.threshold}, where both players see the "
        "same card forever. The described player has to place it, and scores otherwise. Cards of removed columns leave "
        "play, which the model does not say. The program prints no table and sets no seed, so as it stands it cannot "
        "produce table 1.",
        (events_table(program),),
        is_whole=True,
    )
