"""The report in words: its sections, with the tables and pictures that belong to each."""

from dataclasses import dataclass

from studies.skipbo_paper import skipbo_tables as tables
from studies.skipbo_paper.claim import Results, estimated
from studies.skipbo_paper.players import FIRST, FOUR_PILES, GREEDY, LITERAL, PLANNER
from studies.skipbo_paper.skipbo_document import SkipboPaperDocument
from studies.skipbo_paper.skipbo_tables import Table


@dataclass(frozen=True)
class Figure:
    """A picture by its name, and what it shows."""

    name: str
    caption: str


@dataclass(frozen=True)
class Section:
    """A part of the report; words between backticks are names and commands."""

    title: str
    text: str
    parts: tuple[Table | Figure, ...] = ()


def sections(document: SkipboPaperDocument) -> list[Section]:
    """All sections after the verdicts."""
    results = Results(document)
    return [
        who(results),
        rates(results),
        turns(results),
        starters(results),
        pairing(results),
        priority(results),
        details(results),
        lengths(results),
        choices(results),
        sample(results),
        states(results),
        faults(results),
        statistics(results),
        variants(results),
    ]


def who(results: Results) -> Section:
    """The players."""
    return Section(
        "Who plays",
        "Two seats, stock piles of 30, one round, and nobody sees more than the paper says "
        f"(`{results.document['rules']}`). What it leaves open about its players is an option of each.",
        (tables.players(results),),
    )


def rates(results: Results) -> Section:
    """Section 5.3, win rates."""
    deals = results.document["deals"]
    return Section(
        "Win rates",
        f"Every matchup on {deals:,} deals, each played twice with the starter swapped. A share counts a win as 1 "
        "and a game that nobody wins as ½ for both; ± is half a 95 % interval over deals. Beside it, the games that "
        "somebody has won with the two binomial intervals, which take games for independent. All numbers in per "
        f"cent; p-values are of a share of one half, adjusted by Holm's method for all {results.document['tests']} "
        "tests of this report.",
        (
            Figure("matrix", "What the player of each row takes from that of each column, in per cent."),
            tables.matrix(results),
            tables.win_rates(results.pairs),
        ),
    )


def turns(results: Results) -> Section:
    """Section 5.3, turn length and rounds to win."""
    return Section(
        "Turns of the winner",
        "Median and quartiles of the winner's turns L, by who has won; how often a win of the first takes longer "
        "than one of the second, in per cent, ties as half (the common-language effect size); p by Mann and "
        "Whitney, adjusted. A game has one winner, so these compare the games that each has won, not the players. "
        "The rounds to win are L − 1 in every game, so quartiles are those shown less 1 and tests are the same. "
        "Matchups in which both have won at least 20 games.",
        (Figure("turns", "The winner's turns in games of a player against itself."), tables.winners_turns(results)),
    )


def starters(results: Results) -> Section:
    """Section 5.2, turn order."""
    return Section(
        "Who starts",
        "What the starter takes, whoever it is, in per cent; a game without a winner is ½. Averaged over players "
        "against "
        f"themselves, deal by deal: {estimated(results.document['starters']['share'], 2)}.",
        (Figure("starters", "What the starter takes in games of a player against itself."), tables.starters(results)),
    )


def pairing(results: Results) -> Section:
    """Section 5.2, paired games."""
    return Section(
        "What pairing is worth",
        "The first player's share if it always starts, if it never does, and paired: the difference is the bias of "
        "a programme in which the same player always starts. The variance left is that of a deal's mean over both "
        "games, divided by that of two independent games. On the right, how many paired games tell a share of 0.55 "
        "from one half (α = 0.05, power 80 %) with the variance measured here.",
        (tables.pairing(results),),
    )


def priority(results: Results) -> Section:
    """Priority 4, and what the hierarchy is worth."""
    found = results.document["literal"]
    return Section(
        "One pile or four",
        "To the letter, rule 4 always discards on the first pile, in both senses of “maximally less than 12”: they "
        f"differ in {found['differing']} of {found['games']:,} games. So a reading that begins other piles is a "
        f"different player, and `{FOUR_PILES}` tells what of its success is due to the piles alone: it has no "
        "values, no positions, and discards its first card on the smallest pile. On the right of the first table, "
        "how many of a player's decisions in games against itself others would have taken.",
        (
            tables.piles(results),
            Figure("readings", "What the readings of HPVP take from a greedy player with one pile and with four."),
            tables.readings(results, (GREEDY, LITERAL, FOUR_PILES, PLANNER)),
        ),
    )


def details(results: Results) -> Section:
    """What else is left open."""
    return Section(
        "Other points left open",
        f"Each against the player that decides the point in the usual way: how wild cards are used and ties broken in "
        f"`{FIRST}`, and how the greedy and the random player choose.",
        (tables.win_rates(results.document["details"]),),
    )


def lengths(results: Results) -> Section:
    """How long games take."""
    return Section(
        "Lengths",
        f"{results.document['deals']:,} games of every player against itself. Quartiles in brackets.",
        (tables.lengths(results),),
    )


def choices(results: Results) -> Section:
    """The branching factor."""
    return Section(
        "Choices",
        "Legal actions per decision, in the same games; equal cards of a hand are one action, equal piles are "
        "different ones. A decision is forced if one action is legal.",
        (tables.choices(results),),
    )


def sample(results: Results) -> Section:
    """Equation (1)."""
    return Section(
        "Sample sizes",
        "What equation (1) gives for the example of the paper, which prints roughly 6,500 games; what that many games "
        "would be good for; and what a match between two agents needs, which is one sample.",
        (Figure("power", "How likely a difference of 0.05 is found."), tables.sample_sizes(results)),
    )


def states(results: Results) -> Section:
    """Section 2.4."""
    space = results.document["state_space"]
    groups = ", ".join(map(str, space["groups"]))
    return Section(
        "How many states",
        f"The multinomial of {groups} is 10^{space['printed']:.2f}. The orders of the deck in which cards of a rank "
        f"are alike are 162! / (12!^12 · 18!) = 10^{space['deals']:.2f}; each is a state, dealt and not yet begun. "
        "Every state cuts such an order into the zones of the table (two stock piles, two hands, eight discard "
        f"piles, four building piles, draw pile, completed cards), so there are at most 10^{space['most']:.2f}, "
        "counters of turns aside.",
    )


def faults(results: Results) -> Section:
    """The published programme's rules."""
    return Section(
        "What the faults of the published programme change",
        "The programme does not refill an emptied hand, and wild cards of a completed pile come back as naturals. "
        "The same matchups under these rules, compared deal by deal with the games above.",
        (
            Figure("faults", "How the first player's share changes, in percentage points."),
            tables.changes(results, faults=True),
        ),
    )


def statistics(results: Results) -> Section:
    """The published programme's statistics."""
    return Section(
        "What its statistics are worth",
        "Without seeds a run cannot be repeated, and the next one says something else: 95 % of runs of this many "
        "games lie between the ends shown (10,000 runs drawn from the games above), if the first player always "
        "starts or if games are paired. Then, how often 95 % intervals of 100 games cover the true win rate, and "
        "how often equal players differ “significantly” by a χ² test that counts every game once, and one that "
        "enters it as a win of one and a loss of the other; both summed over all possible results.",
        (tables.runs(results), tables.coverage(results), tables.errors(results)),
    )


def variants(results: Results) -> Section:
    """Section 7."""
    return Section(
        "Other rules",
        "Variants that section 7 names, and a table where everything is seen that lies open.",
        (tables.changes(results, faults=False),),
    )
