"""Propositions 2, 3, 4 and those that repeat them (6, 7, 8): when to replace a card, and which one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product

from studies.paper.beliefs import (
    DECK,
    LATE,
    PAPER,
    PRINTED_RULES,
    VALUES,
    Board,
    Column,
    Scoring,
    Unseen,
    expected_score,
    is_complete,
    lay,
    mean,
    places,
    score_of_column,
    seen_on,
    value_probabilities,
    without,
)
from studies.paper.claims import Claim, Group, Table, tried, written
from studies.paper.solo import by_discarding, placed

BELIEFS = {"full deck": DECK, "no card above 7 left": LATE}
COLUMNS: tuple[Column, ...] = tuple(
    (*opened, *[None] * (3 - len(opened)))
    for size in (0, 1, 2)
    for opened in combinations_with_replacement(VALUES, size)
)
FULL = ((0, 1, 2), (0, 1, 3), (0, 2, 3))  # three columns of low open cards that no card of 4 or more improves


@dataclass(frozen=True)
class Offer:
    """A card that may replace a hidden one in a column."""

    column: Column
    card: int
    belief: str
    unseen: Unseen

    @property
    def completes(self) -> bool:
        """Does it complete the column?"""
        return seen_on(self.column) == (self.card,) * 2

    @property
    def is_pair(self) -> bool:
        """Might the column be complete if its hidden cards were turned up?"""
        return len(set(seen_on(self.column))) < 2

    def change(self, scoring: Scoring) -> Fraction:
        """By how much replacing the hidden card changes the expected score."""
        before = score_of_column(self.column, self.unseen, scoring)
        (after,) = lay((self.column,), (0, 2), self.card)
        return score_of_column(after, self.unseen, scoring) - before

    def words(self, scoring: Scoring) -> str:
        """The offer and what it changes."""
        return (
            f"{self.belief}, mean {float(mean(self.unseen)):.2f}: {self.card} on the hidden card of column "
            f"{written(self.column)} changes the expected score by {float(self.change(scoring)):+.2f}"
        )


def offers() -> Iterator[Offer]:
    """Every column with a hidden card, every card, both beliefs, as far as there are cards enough."""
    for (belief, deck), column, card in product(BELIEFS.items(), COLUMNS, VALUES):
        seen = [each for each in (*seen_on(column), card) if each in deck]
        yield Offer(column, card, belief, without(deck, *seen))


def strongest(offers: Iterable[Offer], scoring: Scoring) -> list[Offer]:
    """Those that change the most first, so that the example is a clear one."""
    return sorted(offers, key=lambda offer: -abs(offer.change(scoring)))


def last_card_offers() -> Iterator[tuple[int, Unseen, Board]]:
    """A board with one hidden card left and nothing else to improve: every card below or above the mean."""
    board: Board = (*FULL, (1, 4, None))
    for card in VALUES:
        yield card, without(DECK, *seen_on(*board), card), board


def waiting_group(condition: str, is_offer: bool) -> Group:
    """The last hidden card where one more turn comes if it stays: is replacing it better exactly below the mean?"""

    def cases() -> Iterator[tuple[bool, str]]:
        for card, unseen, board in last_card_offers():
            replaced = placed(board, (3, 2), unseen, card, 1, PAPER)
            kept = by_discarding(board, unseen, 1, PAPER)
            if is_offer and card >= mean(unseen):
                continue
            words = (
                f"last hidden card, mean {float(mean(unseen)):.2f}: {card} on it ends the round with "
                f"{float(replaced):.2f}; to leave it and draw once more gives {float(kept):.2f}"
            )
            yield (replaced < kept) == (card < mean(unseen)), words

    return tried(condition, cases())


def check_hidden_replacement() -> Claim:
    """Propositions 2 and 6."""
    all_offers = list(offers())

    def group(condition: str, scoring: Scoring, completes: bool, *, pairs: bool = True) -> Group:
        chosen = (each for each in all_offers if each.completes == completes and (pairs or not each.is_pair))
        cases = (
            ((each.change(scoring) < 0) == (each.card < mean(each.unseen)), each.words(scoring))
            for each in strongest(chosen, scoring)
        )
        return tried(condition, cases)

    return Claim(
        ("Proposition 2", "Proposition 6"),
        "When to replace a hidden card",
        "Replacing a hidden card by a known y lowers the expected score exactly if y is below the mean of the unseen.",
        "Every column with at least one hidden card, every y, for the full deck and for a late round with a low mean; "
        "exact expected scores if the round ended now, and for the last hidden card with one more turn to come.",
        (
            group("the paper's rules, last turn, y does not complete the column", PAPER, completes=False),
            group(
                "official rules, last turn, two different open cards in the column", PRINTED_RULES, False, pairs=False
            ),
            group("the paper's rules, y completes the column", PAPER, completes=True),
            group("official rules, y does not complete the column", PRINTED_RULES, completes=False),
            waiting_group("the paper's rules, last hidden card, another turn could follow", is_offer=False),
        ),
        "The drawn y itself is among the unseen when the turn begins; y is below that mean exactly if it is below the "
        "mean of the others, so it does not matter which is taken. Columns matter, and so does the end of the round.",
    )


def gain_by_choosing(unseen: Unseen) -> Fraction:
    """What a draw saves if it may be placed on a hidden card or discarded."""
    gain = Fraction(0)
    for card, chance in value_probabilities(unseen):
        gain += chance * max(mean(without(unseen, card)) - card, Fraction(0))
    return gain


def taking_rows() -> Iterator[tuple[int, Fraction, Fraction, Fraction]]:
    """For every x below the mean: (x, mean, saved by taking it, saved by drawing and then choosing)."""
    for card in VALUES:
        unseen = without(DECK, card)
        if card < mean(unseen):
            yield card, mean(unseen), mean(unseen) - card, gain_by_choosing(unseen)


def taking_groups() -> tuple[Group, ...]:
    """Taking a card below the mean against drawing and discarding."""
    all_offers = [each for each in offers() if each.card < mean(each.unseen)]

    def group(condition: str, scoring: Scoring, chosen: Iterable[Offer]) -> Group:
        return tried(condition, ((each.change(scoring) < 0, each.words(scoring)) for each in chosen))

    others, completing = ([each for each in all_offers if each.completes == completes] for completes in (False, True))
    pairs = strongest((each for each in others if each.is_pair), PRINTED_RULES)
    return (
        group("the paper's rules, last turn, x does not complete the column", PAPER, others),
        group("the paper's rules, x completes the column", PAPER, completing),
        group("official rules, last turn, the reveal may complete the column", PRINTED_RULES, pairs),
        waiting_group("the paper's rules, last hidden card, another turn could follow", is_offer=True),
    )


def taking_table() -> Table:
    """What taking and drawing save, a draw that may be used."""
    return Table(
        "Expected points saved on a hidden card, full deck, no open card to improve",
        ("x", "taking x", "drawing, then choosing", "better"),
        tuple(
            (str(x), f"{float(taken):.2f}", f"{float(drawn):.2f}", "take" if taken > drawn else "draw")
            for x, _, taken, drawn in taking_rows()
        ),
    )


def choosing_group() -> Group:
    """Taking a card below the mean against drawing one that may be used."""
    cases = (
        (taken > drawn, f"x = {x}: taking saves {float(taken):.2f}, drawing {float(drawn):.2f}")
        for x, _, taken, drawn in taking_rows()
    )
    return tried("against drawing and then choosing, with no open card to improve", cases)


def check_taking() -> Claim:
    """Propositions 3 and 7."""
    return Claim(
        ("Proposition 3", "Proposition 7"),
        "Taking the discard",
        "With a discard x below the mean and a hidden card left, to take x for that card beats to draw and discard.",
        "The columns of proposition 2: under the paper's rules drawing and discarding leaves the expected score as it "
        "is, so taking must lower it. Beyond the claim: the comparison that a player really faces, where the draw may "
        "be used.",
        taking_groups(),
        "Nobody has to discard what was drawn. Against a draw that may also be placed, a discard just below the mean "
        "is not worth taking. The paper never makes this comparison, though it decides the best threshold.",
        (taking_table(),),
        beyond=(choosing_group(),),
    )


OPEN_CARDS = (-2, 0, 4, 6, 12)


def open_boards() -> Iterator[Board]:
    """Every board of two open columns of three from a few values, none of them complete."""
    columns = [each for each in combinations_with_replacement(OPEN_CARDS, 3) if not is_complete(each)]
    yield from combinations_with_replacement(columns, 2)


def largest_cases() -> Iterator[tuple[bool, Fraction, str]]:
    """For every open board and card: (can it complete a column, points lost by replacing the largest, words)."""
    for board, card in product(open_boards(), OPEN_CARDS):
        cells = {place: lies for place, lies in places(board) if lies is not None and lies > card}
        if not cells:
            continue
        scores = {place: expected_score(lay(board, place, card), DECK, PAPER) for place in cells}
        largest = min(scores[place] for place in cells if cells[place] == max(cells.values()))
        best = min(scores, key=scores.__getitem__)
        words = (
            f"columns {written(board[0])} and {written(board[1])}, card {card}: on the largest card it leaves "
            f"{largest}, on the {cells[best]} {scores[best]}"
        )
        yield any(() in lay(board, place, card) for place in cells), largest - scores[best], words


def hidden_instead_cases() -> Iterator[tuple[bool, str]]:
    """The highest open card against a hidden one, where both may be replaced by a lower card."""
    for highest, card in product(VALUES, repeat=2):
        if card < highest:
            unseen = without(DECK, highest, card)
            words = (
                f"highest open card {highest}, drawn {card}: on the open card it saves {highest - card}, "
                f"on a hidden one {float(mean(unseen) - card):.2f}"
            )
            yield highest >= mean(unseen), words


def check_largest() -> Claim:
    """Propositions 4 and 8."""
    cases = sorted(largest_cases(), key=lambda case: -case[1])

    def group(condition: str, completes: bool) -> Group:
        return tried(condition, ((lost == 0, words) for may, lost, words in cases if may == completes))

    return Claim(
        ("Proposition 4", "Proposition 8"),
        "Which open card to replace",
        "Among the open cards above y, replacing the largest leaves the lowest immediate score.",
        f"Every board of two open columns with cards from {', '.join(map(str, OPEN_CARDS))}, every y. Beyond the "
        "claim: the largest open card against a hidden one, which the strategy never prefers.",
        (
            group("no replacement completes a column", completes=False),
            group("a replacement completes a column", completes=True),
        ),
        "Where the strategy replaces an open card below the mean, a hidden card would have been the better place.",
        beyond=(tried("if a hidden card may be replaced as well", hidden_instead_cases()),),
    )
