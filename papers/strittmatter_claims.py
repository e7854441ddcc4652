"""The claims of the Skip-Bo paper as data: the numbers that are measured for each, and the rule of its verdict.

`strittmatter.md.jinja` says what the paper says, and words the evidence with these numbers and all others.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from papers.strittmatter_games import FOUR_PILE_READINGS, FOUR_PILES, LITERAL, PLANNER, PLAYERS, RANDOM, READINGS
from papers.strittmatter_measures import ChangeResult, Games
from papers.strittmatter_numbers import EQUAL, Numbers

SATURATED = 0.01  # a player that wins less than this from all others tells none apart
NEGLIGIBLE = 0.01  # an advantage below this is none
NEAR = 0.15  # of ½: players of similar strength


class Verdict(StrEnum):
    """The result of a claim's test."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    IMPRECISE = "imprecise"  # holds in some readings only
    NOT_TESTABLE = "not testable"


CONFIRMED, REFUTED, IMPRECISE, NOT_TESTABLE = Verdict


@dataclass(frozen=True)
class Evaluation:
    """All measures by which claims are judged."""

    games: Games
    changes: tuple[ChangeResult, ...]
    numbers: Numbers


Measured = Mapping[str, float]  # numbers by name
Measure = Callable[[Evaluation], Measured]
Rule = Callable[[Measured], Verdict]


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, and how it is judged."""

    section: str
    title: str
    verdict: Verdict | Rule  # fixed where reading decides
    measure: Measure = lambda _: {}


@dataclass(frozen=True)
class JudgedClaim:
    """A claim with its verdict and the numbers that the verdict rests on."""

    section: str
    title: str
    verdict: Verdict
    numbers: Measured


def judged(claim: Claim, evaluation: Evaluation) -> JudgedClaim:
    """Measure a claim and apply its rule."""
    numbers = claim.measure(evaluation)
    verdict = claim.verdict if isinstance(claim.verdict, Verdict) else claim.verdict(numbers)
    return JudgedClaim(claim.section, claim.title, verdict, numbers)


def if_any(name: str, then: Verdict, otherwise: Verdict) -> Rule:
    """Return the rule that asks whether a number is above 0."""
    return lambda numbers: then if numbers[name] > 0 else otherwise


def at_least(name: str, bound: float, then: Verdict, otherwise: Verdict) -> Rule:
    """Return the rule that asks whether a number reaches a bound."""
    return lambda numbers: then if numbers[name] >= bound else otherwise


def summed(name: str) -> Measure:
    """Return the sum of a number over players against themselves."""
    return lambda evaluation: {name: sum(getattr(row, name) for row in evaluation.games.alone)}


def largest_choice(name: str) -> Measure:
    """Return the largest of a number of decisions over players against themselves."""
    return lambda evaluation: {name: max(getattr(row.choices, name) for row in evaluation.games.alone)}


def positional(evaluation: Evaluation) -> Measured:
    """Return the share of discards on other piles than the first, and of games in which the two senses differ."""
    literal, on_piles = evaluation.games.literal, evaluation.games.against_itself(LITERAL).on_piles
    elsewhere, differing = 1 - on_piles[0], literal.differing / literal.games
    return {"elsewhere": elsewhere, "differing": differing, "otherwise": max(elsewhere, differing)}


def against(other: str) -> Measure:
    """Return how many of the readings that use four piles are ahead of a player beyond chance, and how many behind."""

    def measure(evaluation: Evaluation) -> Measured:
        pairs = [(reading, evaluation.games.pair(reading, other)) for reading in FOUR_PILE_READINGS]
        ahead = sum(pair.is_ahead(reading) for reading, pair in pairs)
        return {"ahead": ahead, "behind": sum(pair.is_ahead(other) for _, pair in pairs), "all": len(pairs)}

    return measure


def hierarchy_rule(numbers: Measured) -> Verdict:
    """Ask whether all readings are ahead of the control, or none."""
    return CONFIRMED if numbers["ahead"] == numbers["all"] else REFUTED if numbers["ahead"] == 0 else IMPRECISE


def unbeaten(evaluation: Evaluation) -> Measured:
    """Return the readings that the planner does not beat, and its smallest share."""
    games = evaluation.games
    number = sum(not games.pair(PLANNER, reading).is_ahead(PLANNER) for reading in READINGS)
    return {"unbeaten": number, "least": min(games.share(PLANNER, reading).mean for reading in READINGS)}


def calibration(evaluation: Evaluation) -> Measured:
    """Return the random player's best share of games won."""
    pairs = [evaluation.games.pair(RANDOM, other) for other in PLAYERS if other != RANDOM]
    return {"best": max(pair.wins[pair.players.index(RANDOM)] / (2 * pair.deals) for pair in pairs)}


def turn_order(evaluation: Evaluation) -> Measured:
    """Return the starter's advantage, its bound, and the match-ups in which it has an advantage or a disadvantage."""
    games, starters = evaluation.games, evaluation.games.starters
    tested = [row.starter for row in games.alone] + [row.starter for row in games.pairs]
    beyond = [share.mean for share in tested if share.test.is_significant]
    advantage, ahead = starters.mean - EQUAL, sum(share > EQUAL for share in beyond)
    return {
        "advantage": advantage,
        "bound": abs(advantage) + starters.half,
        "significant": float(starters.test.is_significant),
        "ahead": ahead,
        "behind": len(beyond) - ahead,
    }


def turn_order_rule(numbers: Measured) -> Verdict:
    """Ask for an advantage beyond chance, or for a bound that makes it negligible."""
    if numbers["significant"]:
        return CONFIRMED if numbers["advantage"] > 0 else REFUTED
    return REFUTED if numbers["bound"] < NEGLIGIBLE else NOT_TESTABLE


def pairing(evaluation: Evaluation) -> Measured:
    """Return how much of the variance pairing leaves; between players that play alike it leaves none."""
    ratios = [pair.variance_ratio for pair in evaluation.games.pairs if pair.variance_ratio]
    without = sum(pair.blocked + pair.truncated > 0 for pair in evaluation.games.pairs)
    return {"least": min(ratios), "median": median(ratios), "most": max(ratios), "without_winner": without}


def skewed(evaluation: Evaluation) -> Measured:
    """Return the skewness of the winner's turns, and for how many players it is beyond chance."""
    tested = [row.skewness for row in evaluation.games.alone if row.skewness]
    beyond = [row.value for row in tested if row.test.is_significant]
    ends = {"least": min(row.value for row in tested), "most": max(row.value for row in tested)}
    return {**ends, "tested": len(tested), "beyond": len(beyond), "right": sum(value > 0 for value in beyond)}


def winners_turns(evaluation: Evaluation) -> Measured:
    """Return, of unequal players, how many win in as many turns, and how many stronger ones in more turns."""
    unequal = [(pair, pair.turns) for pair in evaluation.games.pairs if pair.turns and pair.share.test.is_significant]
    differing = [(pair, turns) for pair, turns in unequal if turns.test.is_significant]
    slower = sum((turns.effect > EQUAL) == (pair.share.mean > EQUAL) for pair, turns in differing)
    return {"unequal": len(unequal), "alike": len(unequal) - len(differing), "slower": slower}


def medians(evaluation: Evaluation) -> Measured:
    """Return the match-ups in which the test of the turns disagrees with their medians."""
    tested = [pair.turns for pair in evaluation.games.pairs if pair.turns]
    hidden = sum(turns.has_equal_medians and turns.test.is_significant for turns in tested)
    idle = sum(not turns.has_equal_medians and not turns.test.is_significant for turns in tested)
    return {"tested": len(tested), "hidden": hidden, "idle": idle, "disagreeing": hidden + idle}


def coverage(evaluation: Evaluation) -> Measured:
    """Return how often each kind of interval covers at least."""
    rows = evaluation.numbers.coverage
    return {kind: min(getattr(row, kind) for row in rows) for kind in ("exact", "wilson", "normal")}


def paired_sample(evaluation: Evaluation) -> Measured:
    """Return the fewest and most paired games that matches of similar players need."""
    near = [pair for pair in evaluation.games.pairs if abs(pair.share.mean - EQUAL) < NEAR]
    needed = [pair.games_needed for pair in near if pair.games_needed is not None]
    return {"tested": len(needed), "least": min(needed, default=0), "most": max(needed, default=0)}


def changed(kind: str) -> Measure:
    """Return how many win rates changes of this kind change, in how many they change who is ahead, and by how much."""

    def measure(evaluation: Evaluation) -> Measured:
        rows = [row for row in evaluation.changes if row.change.kind == kind]
        return {
            "tested": len(rows),
            "changed": sum(row.difference.test.is_significant for row in rows),
            "turned": sum(row.turns_round for row in rows),
            "widest": max(abs(row.difference.mean) for row in rows),
        }

    return measure


def variants_rule(numbers: Measured) -> Verdict:
    """Ask whether other rules change who is ahead, or at least a win rate."""
    return CONFIRMED if numbers["turned"] > 0 else IMPRECISE if numbers["changed"] > 0 else NOT_TESTABLE


def printed_error(evaluation: Evaluation) -> Measured:
    """Return the error of the printed sample size, as a share of that of equation (1)."""
    size = evaluation.numbers.sample_size
    return {"error": abs(size.printed / size.per_arm - 1)}


def bound_excess(evaluation: Evaluation) -> Measured:
    """Return how many orders of magnitude the paper's lower bound lies below the orders of the deck."""
    printed, deals = evaluation.numbers.states
    return {"below": deals - printed}


CLAIMS = (
    Claim("2.1", "Deck and deal", CONFIRMED),
    Claim("2.1", "The agent's view", IMPRECISE),
    Claim("2.2", "The first player", IMPRECISE),
    Claim("2.2", "End of a turn", if_any("passes", IMPRECISE, CONFIRMED), summed("passes")),
    Claim("2.2", "Every round has a winner", if_any("blocked", REFUTED, CONFIRMED), summed("blocked")),
    Claim("2.3", "A state", if_any("others_holding", REFUTED, CONFIRMED), largest_choice("others_holding")),
    Claim("2.3", "Reproducible by a seed", if_any("recycled", IMPRECISE, CONFIRMED), largest_choice("recycled")),
    Claim("2.4", "A Markov decision process", IMPRECISE),
    Claim("2.4", "The number of states", if_any("below", IMPRECISE, REFUTED), bound_excess),
    Claim("2.4", "Solving it is intractable", NOT_TESTABLE),
    Claim("3.1", "Discard piles that permit sequences", if_any("ahead", REFUTED, IMPRECISE), against(LITERAL)),
    Claim("3.1", "A baseline, not an optimum", if_any("unbeaten", IMPRECISE, CONFIRMED), unbeaten),
    Claim("3.2", "Priority 1: the highest pile", NOT_TESTABLE),
    Claim("3.2", "Priority 2: extend, then the smallest gap", IMPRECISE),
    Claim("3.2", "Priority 4: a positional discard", if_any("otherwise", IMPRECISE, REFUTED), positional),
    Claim("3.2", "Deterministic", IMPRECISE),
    Claim("3.2", "Several cards a turn", IMPRECISE),
    Claim("3.3", "Difference from greedy play", REFUTED),
    Claim("4", "No earlier agent", REFUTED),
    Claim("5.1", "Value of the hierarchy", hierarchy_rule, against(FOUR_PILES)),
    Claim("5.1", "Random play calibrates", at_least("best", SATURATED, IMPRECISE, REFUTED), calibration),
    Claim("5.2", "Turn order confers an advantage", turn_order_rule, turn_order),
    Claim("5.2", "Paired games", at_least("median", 1, REFUTED, CONFIRMED), pairing),
    Claim("5.3", "Binomial intervals of the win rate", IMPRECISE, pairing),
    Claim("5.3", "Turn counts are skewed", if_any("beyond", CONFIRMED, NOT_TESTABLE), skewed),
    Claim("5.3", "The winner's turns compare agents", if_any("slower", REFUTED, IMPRECISE), winners_turns),
    Claim("5.3", "Rounds to win", if_any("rounds_differ", IMPRECISE, REFUTED), summed("rounds_differ")),
    Claim("5.4", "Clopper–Pearson is conservative", at_least("exact", 0.95, CONFIRMED, REFUTED), coverage),
    Claim("5.4", "U is not a difference of medians", if_any("disagreeing", CONFIRMED, NOT_TESTABLE), medians),
    Claim("5.4", "6,500 games for 0.55 against 0.50", at_least("error", 0.1, REFUTED, CONFIRMED), printed_error),
    Claim("5.4", "Equation (1) for paired games", REFUTED, paired_sample),
    Claim("6", "The program implements it", REFUTED, changed("fault")),
    Claim("7", "Data of thousands of games", NOT_TESTABLE),
    Claim("7", "Rule variants matter", variants_rule, changed("variant")),
    Claim("7", "Predictability can be exploited", NOT_TESTABLE),
)
