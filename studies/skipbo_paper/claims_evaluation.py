"""Section 5: baselines, experimental design, metrics, sample size."""

from statistics import median

from studies.skipbo_paper.claim import (
    CONFIRMED,
    IMPRECISE,
    MEASURED,
    NOT_TESTABLE,
    REFUTED,
    Claim,
    Results,
    against,
    estimated,
    is_significant,
    percent,
)
from studies.skipbo_paper.players import LITERAL, PLAYERS, RANDOM
from studies.skipbo_paper.skipbo_document import PairDocument, RanksDocument

SATURATED = 0.01  # a player that takes less than this from everybody tells nobody apart
NEGLIGIBLE = 0.01  # an advantage that lies below this is none
NEAR = 0.15  # of ½: players of similar strength


def evaluation_claims(results: Results) -> list[Claim]:
    """All claims of the section."""
    return [
        calibration(results),
        turn_order(results),
        pairing(results),
        binomial(results),
        exact_interval(results),
        skewed(results),
        winners_turns(results),
        rounds_to_win(results),
        medians(results),
        printed_sample(results),
        paired_sample(results),
    ]


def variance_ratios(results: Results) -> list[float]:
    """What is left of the variance by pairing games; nothing is left between players that play alike."""
    return [each["variance_ratio"] for each in results.pairs if each["variance_ratio"]]


def ranked(results: Results) -> list[tuple[PairDocument, RanksDocument]]:
    """The matchups in which both have won often enough to compare the turns."""
    return [(pair, ranks) for pair in results.pairs if (ranks := pair["ranks"]) is not None]


def calibration(results: Results) -> Claim:
    """Section 5.1."""
    shares = {other: results.won(RANDOM, other) for other in PLAYERS if other != RANDOM}
    best = max(shares, key=lambda other: shares[other])
    alone = results.at_both_seats(RANDOM)
    most = "It wins no game against anybody."
    if shares[best] > 0:
        most = f"Its best result is {percent(shares[best], 2)}, against `{best}`."
    return Claim(
        "5.1",
        "Random play calibrates",
        "Uniform choice from the legal moves provides a lower bound on performance and helps calibrate win-rate "
        "differences.",
        REFUTED if shares[best] < SATURATED else IMPRECISE,
        f"{percent(alone['blocked'] / alone['deals'])} of its games against itself are blocked: discards are legal at "
        f"every decision, so it ends most turns early and uses up the cards. {most} So how clearly a player beats it "
        "says next to nothing.",
        MEASURED,
    )


def turn_order(results: Results) -> Claim:
    """Section 5.2."""
    found, rows = results.document["starters"], [*results.alone, *results.pairs]
    significant = [each for each in rows if is_significant(each["starter_test"])]
    ahead = [each for each in significant if each["starter"]["mean"] > 0.5]
    away = abs(found["share"]["mean"] - 0.5)
    verdict = REFUTED if away + found["share"]["half"] < NEGLIGIBLE else NOT_TESTABLE
    if is_significant(found["test"]):
        verdict = CONFIRMED if found["share"]["mean"] > 0.5 else REFUTED
    return Claim(
        "5.2",
        "Turn order confers an advantage",
        "Turn order confers an advantage.",
        verdict,
        f"Averaged over {len(results.alone)} players against themselves, deal by deal, the starter takes "
        f"{estimated(found['share'], 2)} of the games (p = {found['test']['adjusted']:.2g}). Of all {len(rows)} "
        f"matchups taken one by one, {len(ahead)} show an advantage beyond chance and "
        f"{len(significant) - len(ahead)} a disadvantage; the starter of `{LITERAL}` against itself takes "
        f"{estimated(results.at_both_seats(LITERAL)['starter'])}.",
        MEASURED,
    )


def pairing(results: Results) -> Claim:
    """Section 5.2."""
    ratios = variance_ratios(results)
    return Claim(
        "5.2",
        "Paired games",
        "With the same shuffles for both starters, differences in win rate reflect agent policy rather than card "
        "order.",
        CONFIRMED if median(ratios) < 1 else REFUTED,
        "The variance of a deal's mean over both games, as a share of that of two independent games: "
        f"{min(ratios):.2f} to {max(ratios):.2f}, median {median(ratios):.2f} (nothing is left where both "
        "play alike). What pairing removes is the luck of the deal; the luck of a long game with different choices "
        "remains.",
        MEASURED,
    )


def binomial(results: Results) -> Claim:
    """Section 5.3."""
    ratios = variance_ratios(results)
    nobody = sum(each["blocked"] + each["truncated"] > 0 for each in results.pairs)
    return Claim(
        "5.3",
        "Binomial intervals of the win rate",
        "Use intervals based on the binomial distribution for the fraction of games won.",
        IMPRECISE,
        "They assume independent games with two outcomes. The two games of a deal share their cards, which makes "
        f"the intervals up to {1 / min(ratios) ** 0.5:.2f} times as wide as they need be. And {nobody} of "
        f"{len(results.pairs)} matchups have games that nobody wins. Below, such games are left out for the binomial "
        "intervals, and count half where intervals are over deals.",
        MEASURED,
    )


def exact_interval(results: Results) -> Claim:
    """Section 5.4."""
    rows = results.document["coverage"]
    least = min(row["exact"] for row in rows)
    return Claim(
        "5.4",
        "Clopper–Pearson is conservative",
        "The Clopper–Pearson interval is a conservative exact interval.",
        CONFIRMED if least >= 0.95 else REFUTED,
        f"Of {rows[0]['games']} games it covers win rates from {rows[0]['share']} to {rows[-1]['share']} at least "
        f"{percent(least)} of the time, Wilson's at least {percent(min(row['wilson'] for row in rows))}, the normal "
        f"approximation at least {percent(min(row['wald'] for row in rows))} (summed over all numbers of wins).",
        MEASURED,
    )


def skewed(results: Results) -> Claim:
    """Section 5.3."""
    tested = [skewness for each in results.alone if (skewness := each["skewness"]) is not None]
    values = [each["value"] for each in tested]
    found = [each for each in tested if is_significant(each["test"])]
    positive = [each for each in found if each["value"] > 0]
    return Claim(
        "5.3",
        "Turn counts are skewed",
        "Turn counts can be skewed or heavy-tailed.",
        CONFIRMED if found else NOT_TESTABLE,
        f"The winner's turns in games of a player against itself have a skewness of {min(values):.2f} to "
        f"{max(values):.2f}: beyond chance for {len(found)} of {len(tested)} players, to the right for "
        f"{len(positive)} of these. It is slight, and thousands of games make a mean as good as a median.",
        MEASURED,
    )


def winners_turns(results: Results) -> Claim:
    """Section 5.3."""
    tested = ranked(results)
    found = [(pair, ranks) for pair, ranks in tested if is_significant(ranks["test"]) and is_significant(pair["test"])]
    unequal = [pair for pair, _ in tested if is_significant(pair["test"])]
    same = len(unequal) - len(found)
    slower = [(pair, ranks) for pair, ranks in found if (ranks["effect"] > 0.5) == (pair["share"]["mean"] > 0.5)]
    text = ""
    if slower:
        pair, ranks = max(slower, key=lambda each: abs(each[0]["share"]["mean"] - 0.5))
        one, other = (quartiles[1] for quartiles in ranks["quartiles"])
        text = (
            f" An example: {against(pair)}, {estimated(pair['share'])} of the games for the first, whose median is "
            f"{one:.0f} turns against {other:.0f}."
        )
    return Claim(
        "5.3",
        "The winner's turns compare agents",
        "The average number of turns taken by the winner is a metric of an agent; distributions of two agents are "
        "compared as independent samples.",
        REFUTED if slower else IMPRECISE,
        "A game has one winner, so the two samples of a matchup are the games that each has won: the weaker player's "
        f"are its lucky ones. In {same} of {len(unequal)} matchups between players that differ beyond "
        f"chance in strength, the turns of their wins do not differ, and in {len(slower)} the stronger player's wins "
        f"are the longer ones.{text}",
        MEASURED,
    )


def rounds_to_win(results: Results) -> Claim:
    """Section 5.3."""
    differing, games = (sum(each[name] for each in results.alone) for name in ("rounds_differ", "won"))
    return Claim(
        "5.3",
        "Rounds to win as a third metric",
        "R_win, the number of complete rounds before the stock pile is depleted, is analysed beside the winner's "
        "turns L.",
        REFUTED if differing == 0 else IMPRECISE,
        "It is L − 1: before the winning turn, everybody has had as many turns as there were complete rounds, whoever "
        f"started. The two differ otherwise in {differing} of {games:,} games won. Tests on both "
        "count one result twice.",
        MEASURED,
    )


def medians(results: Results) -> Claim:
    """Section 5.4."""
    tested = ranked(results)
    is_equal = [ranks["quartiles"][0][1] == ranks["quartiles"][1][1] for _, ranks in tested]
    differs = [is_significant(ranks["test"]) for _, ranks in tested]
    hidden = sum(equal and different for equal, different in zip(is_equal, differs, strict=True))
    idle = sum(not equal and not different for equal, different in zip(is_equal, differs, strict=True))
    return Claim(
        "5.4",
        "U is not a difference of medians",
        "The U statistic reflects stochastic dominance rather than a direct difference of medians.",
        CONFIRMED if hidden + idle > 0 else NOT_TESTABLE,
        "U, divided by the number of pairs, is how often one exceeds the other, whatever the medians are. Of "
        f"{len(tested)} matchups, {hidden} have equal medians and differ beyond chance, and {idle} have different "
        "medians and do not.",
        MEASURED,
    )


def printed_sample(results: Results) -> Claim:
    """Section 5.4, equation (1)."""
    size = results.document["sample_size"]
    return Claim(
        "5.4",
        "6,500 games for 0.55 against 0.50",
        "By equation (1), 0.55 against 0.50 at α = 0.05 with 80 % power requires roughly 6,500 games.",
        CONFIRMED if 0.9 < size["printed"] / size["per_arm"] < 1.1 else REFUTED,
        f"The equation gives {size['per_arm']:,} games an arm, {2 * size['per_arm']:,} in all ({size['pooled']:,} an "
        f"arm with pooled variance, {size['continuity']:,} with a correction for continuity). {size['printed']:,} an "
        f"arm have a power of {percent(size['power_printed'], 2)}, {size['printed'] // 2:,} an arm one of "
        f"{percent(size['power_halved'])}. Half the difference, 0.525 against 0.50, needs {size['smaller']:,} an "
        "arm, which is near what is printed.",
        MEASURED,
    )


def paired_sample(results: Results) -> Claim:
    """Section 5.4."""
    size = results.document["sample_size"]
    near = [each for each in results.pairs if abs(each["share"]["mean"] - 0.5) < NEAR]
    needed = [2 * deals for each in near if (deals := each["deals_needed"]) is not None]
    text = (
        f" With the variance measured between players of similar strength ({len(needed)} matchups), "
        f"{min(needed):,} to {max(needed):,} paired games."
        if needed
        else ""
    )
    return Claim(
        "5.4",
        "Equation (1) for paired games",
        "Equation (1) gives the number of paired games that two agents need.",
        REFUTED,
        "It is for two independent samples, each agent against a third. Two agents that play each other are one "
        f"sample, tested against ½: {size['match']:,} games, if they were independent.{text}",
        MEASURED,
    )
