"""Propositions 5 and 9, corollaries 1 and 2: what completing a column is worth."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from studies.paper.beliefs import (
    DECK,
    LATE,
    PAPER,
    PRINTED_RULES,
    VALUES,
    Scoring,
    Unseen,
    lay,
    mean,
    score_of_column,
    value_probabilities,
    without,
)
from studies.paper.claims import Claim, Group, Table, tried


@dataclass(frozen=True)
class Completion:
    """A third card of a value laid on the hidden card beside two open ones."""

    value: int
    unseen: Unseen

    @property
    def printed(self) -> Fraction:
        """The change by the paper's formula."""
        return -3 * self.value + mean(self.unseen)

    def change(self, scoring: Scoring) -> Fraction:
        """The change counted out: over all that the hidden card may be."""
        column = (self.value, self.value, None)
        if scoring.clears_at_reveal:
            before = score_of_column(column, self.unseen, scoring)
        else:
            before = sum(
                (chance * (2 * self.value + card) for card, chance in value_probabilities(self.unseen)), Fraction(0)
            )
        assert lay((column,), (0, 2), self.value) == ((),)
        return -before

    @property
    def chance(self) -> Fraction:
        """That one draw is such a card, before the third one has been seen."""
        held = self.unseen.count(self.value) + 1
        return Fraction(held, len(self.unseen) + 1)


def completions(deck: Unseen) -> list[Completion]:
    """For every value, as far as the three cards are in this deck."""
    return [Completion(value, without(deck, *[value] * 3)) for value in VALUES if deck.count(value) >= 3]


def formula_group(condition: str, deck: Unseen, scoring: Scoring) -> Group:
    """Does the printed formula give the exact change?"""
    cases = (
        (
            each.printed == each.change(scoring),
            f"value {each.value}: printed {float(each.printed):+.2f}, exact {float(each.change(scoring)):+.2f}",
        )
        for each in completions(deck)
    )
    return tried(condition, cases)


def check_completion() -> Claim:
    """Propositions 5 and 9."""
    rows = completions(DECK)
    wrong_sign = [each for each in rows if (each.printed < 0) != (each.change(PAPER) < 0)]
    corrected = all(each.change(PAPER) == -(2 * each.value + mean(each.unseen)) for each in rows)
    return Claim(
        ("Proposition 5", "Proposition 9"),
        "What completing a column saves",
        "Completing a column of two open cards v and a hidden one changes the expected score by -3v + mean.",
        "Every v, the full deck and a late round: the column's score before, over all that the hidden card may be, and "
        "nothing after.",
        (
            formula_group("the paper's rules, full deck", DECK, PAPER),
            formula_group("the paper's rules, no card above 7 left", LATE, PAPER),
            formula_group("official rules, full deck", DECK, PRINTED_RULES),
        ),
        f"The proof's own words, 2v + mean before and nothing after, give -(2v + mean), "
        f"{'which is exact for every v' if corrected else 'which is not exact either'}. The printed formula has the "
        f"wrong sign for {len(wrong_sign)} of {len(rows)} values: {', '.join(str(each.value) for each in wrong_sign)}. "
        "Under official rules a little less is saved, since the hidden card might turn out to complete the column.",
        (
            Table(
                "Change of the expected score by completing a column, full deck",
                ("v", "printed -3v + mean", "exact", "-(2v + mean)", "official rules"),
                tuple(
                    (
                        str(each.value),
                        f"{float(each.printed):+.2f}",
                        f"{float(each.change(PAPER)):+.2f}",
                        f"{float(-2 * each.value - mean(each.unseen)):+.2f}",
                        f"{float(each.change(PRINTED_RULES)):+.2f}",
                    )
                    for each in rows
                ),
            ),
        ),
    )


def ordered_pairs(deck: Unseen) -> Iterator[tuple[Completion, Completion]]:
    """Every smaller and larger value, in the same belief: three cards of both have been seen."""
    for low, high in combinations(VALUES, 2):
        if deck.count(low) >= 3 and deck.count(high) >= 3:
            unseen = without(deck, *[low] * 3, *[high] * 3)
            yield Completion(low, unseen), Completion(high, unseen)


def order_group(condition: str, found: Iterable[tuple[Completion, Completion, Fraction, Fraction]]) -> Group:
    """Is the first number larger than the second?"""
    cases = (
        (first > second, f"values {low.value} and {high.value}: {float(first):+.2f} and {float(second):+.2f}")
        for low, high, first, second in found
    )
    return tried(condition, cases)


def check_smaller_is_better() -> Claim:
    """Corollary 1."""
    pairs = list(ordered_pairs(DECK))
    by_chance = [(one, two, -one.chance * one.change(PAPER), -two.chance * two.change(PAPER)) for one, two in pairs]
    favoured = [f"{one.value} and {two.value}" for one, two, first, second in by_chance if first > second]
    return Claim(
        ("Corollary 1",),
        "Which columns to go for",
        "Attempts to complete a column of a smaller v give the larger expected reduction of the score.",
        "All pairs of values with the full deck: the reduction by the exact change, by the printed formula, and times "
        "the chance of drawing the card that is wanted.",
        (
            order_group(
                "by the exact change", ((one, two, -one.change(PAPER), -two.change(PAPER)) for one, two in pairs)
            ),
            order_group("by the printed formula", ((one, two, -one.printed, -two.printed) for one, two in pairs)),
            order_group("by the chance of one draw times the exact change", by_chance),
        ),
        "It is the other way round: large cards are worth clearing, also by the printed formula, and corollary 2 says "
        f"the opposite of this one. The chance of a draw favours the smaller value in {len(favoured)} of {len(pairs)} "
        f"pairs ({', '.join(favoured)}).",
    )


def check_order_of_changes() -> Claim:
    """Corollary 2."""
    pairs, late = list(ordered_pairs(DECK)), list(ordered_pairs(LATE))
    scarce = (3, 3, 3, *[5] * 12, 12)  # nearly all that is unseen is a five
    few = [(Completion(3, scarce), Completion(5, scarce))]

    def group(condition: str, chosen: list[tuple[Completion, Completion]], scoring: Scoring) -> Group:
        return order_group(condition, ((one, two, one.change(scoring), two.change(scoring)) for one, two in chosen))

    return Claim(
        ("Corollary 2",),
        "The order of the changes",
        "For v1 < v2 the change of the expected score by completing v1 is the larger number (v2 saves more).",
        "All pairs of values in the same belief, by the exact change and by the printed formula; under official rules "
        "also a belief in which one value is nearly all that is left.",
        (
            group("the paper's rules, full deck", pairs, PAPER),
            group("the paper's rules, no card above 7 left", late, PAPER),
            order_group("by the printed formula", ((one, two, one.printed, two.printed) for one, two in pairs)),
            group("official rules, full deck", pairs, PRINTED_RULES),
            group("official rules, nearly all unseen cards of the larger value", few, PRINTED_RULES),
        ),
        "True, although the formula behind it is wrong: both -3v + mean and -(2v + mean) fall as v grows.",
    )
