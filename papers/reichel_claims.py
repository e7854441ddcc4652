"""The lemmas, propositions and corollaries of Reichel (2026) that can be decided exactly.

Each is a generator of trials: every case, the condition it falls under, and whether the statement holds there. `EXACT`
has them by the paper's labels. The words of the paper, and what follows, stand in the template.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, permutations, product

from papers.reichel_boards import (
    DECK,
    LATE,
    VALUES,
    Board,
    Column,
    Unseen,
    board_score,
    cleared,
    column_score,
    discarded,
    lay,
    mean,
    placed,
    placed_best,
    places,
    seen_on,
    without,
)

Trial = tuple[str, bool, str]  # the condition, whether the statement holds in this case, and the case in words
RULES = {False: "the paper's rules", True: "official rules"}
DECKS = {"full deck": DECK, "no card above 7 left": LATE}


@dataclass(frozen=True)
class Group:
    """The cases tried under one condition, and how many of them contradict the statement."""

    condition: str
    cases: int
    exceptions: int
    example: str = ""  # the first exception


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, judged."""

    verdict: str
    groups: Sequence[Group]
    beyond: Sequence[Group] = ()  # cases near the statement that it does not claim; the verdict ignores them


def grouped(trials: Iterable[Trial]) -> list[Group]:
    """Count the trials by condition."""
    cases: defaultdict[str, list[tuple[bool, str]]] = defaultdict(list)
    for condition, holds, example in trials:
        cases[condition].append((holds, example))
    exceptions = {name: [example for holds, example in listed if not holds] for name, listed in cases.items()}
    return [Group(name, len(cases[name]), len(failed), (failed or [""])[0]) for name, failed in exceptions.items()]


def judged(groups: Sequence[Group], beyond: Sequence[Group] = (), *, is_whole: bool = False) -> Claim:
    """Judge a statement: it holds if no case is against it, holds under the conditions without exceptions, else fails.

    One that `is_whole` cannot hold in part.
    """
    free = [group.cases > 0 and group.exceptions == 0 for group in groups]
    verdict = "holds" if free and all(free) else "holds under" if any(free) and not is_whole else "fails"
    return Claim(verdict, groups, beyond)


def written(*columns: Column) -> str:
    """Write columns such as 4 4 ? / 1 2 3."""
    return " / ".join(" ".join("?" if card is None else str(card) for card in column) for column in columns)


def two(number: Fraction | int) -> str:
    """Write a number with two digits after the point."""
    return f"{float(number):.2f}"


SMALL_DECKS = ((-2, 0, 3, 7, 9, 12), (-2, -2, 1, 5, 5, 8), (0, 0, 4, 4, 8, 12), (-1, 2, 2, 2, 9, 9))


def watched(deck: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], bool, int, Unseen]]:
    """Yield four turns of a tiny round with two hidden cards, dealt from this order of cards: everything seen so far,
    whether the discards have been reshuffled, a hidden card, and the unseen cards.

    The player draws, and places the card on a hidden one if it is below the mean, else discards it. A reshuffled pile
    may lie in any order; one of them will do, since only the hidden cards are looked at.
    """
    hidden, discards, pile, is_reshuffled = list(deck[:2]), [deck[2]], list(deck[3:]), False
    seen: tuple[int, ...] = deck[2:3]
    for _ in range(4):
        if not hidden or len(pile) + len(discards) < 2:
            return
        if not pile:
            pile, discards, is_reshuffled = sorted(discards[:-1]), discards[-1:], True
        unseen = tuple(sorted([*pile, *hidden]))
        yield seen, is_reshuffled, hidden[-1], unseen
        card = pile.pop(0)
        discards.append(hidden.pop(0) if card < mean(unseen) else card)
        seen = (*seen, card, discards[-1])


def hidden_cards() -> Iterator[Trial]:
    """Compare a hidden card's mean over all deals that look alike to the player with the mean of the unseen cards."""
    for deck in SMALL_DECKS:
        alike = defaultdict[tuple[bool, Unseen, tuple[int, ...]], list[int]](list)
        for order in permutations(deck):
            for seen, is_reshuffled, card, unseen in watched(order):
                alike[is_reshuffled, unseen, seen].append(card)
        for (is_reshuffled, unseen, _), cards in alike.items():
            value, expected = Fraction(sum(cards), len(cards)), mean(unseen)
            condition = "after a reshuffle" if is_reshuffled else "the discards have not been reshuffled yet"
            example = f"unseen {written(unseen)}: mean {two(expected)}, hidden card {two(value)}"
            yield condition, value == expected, example


def addition() -> Iterator[Trial]:
    """Compare the change by two cards laid in one column with the sum of the changes by each."""
    cards = (-1, 0, 5)
    for column, first, second in product(product((*cards, None), repeat=3), cards, cards):
        if not cleared(column):
            continue
        unseen = without(DECK, *seen_on(column), first, second)
        columns = (column, (first, *column[1:]), (column[0], second, column[2]), (first, second, column[2]))
        boards = [cleared(changed) for changed in columns]
        for official, rules in RULES.items():
            before, one, other, both = (column_score(board, unseen, official) for board in boards)
            may_match = official and any(None in board and len(set(seen_on(board))) < 2 for board in boards)
            condition = f"{rules}, a column may be cleared" if may_match or () in boards else "no column can be cleared"
            changes = f"{two(one - before)} and {two(other - before)}, both {two(both - before)}"
            example = f"{first} and {second} on the first two of {written(column)}: {changes}"
            yield condition, both - before == (one - before) + (other - before), example


LOW_COLUMNS = ((0, 1, 2), (0, 1, 3), (0, 2, 3))
LAST_HIDDEN: Board = (*LOW_COLUMNS, (1, 4, None))  # and no open card above 4


def offers() -> Iterator[tuple[Column, int, Unseen]]:
    """Yield every column with a hidden card and every card that may replace it, for both decks."""
    all_opened = [cards for size in range(3) for cards in combinations_with_replacement(VALUES, size)]
    for deck, opened, card in product(DECKS.values(), all_opened, VALUES):
        column: Column = (*opened, *[None] * (3 - len(opened)))
        yield column, card, without(deck, *(value for value in (*opened, card) if value in deck))


def replacing_hidden(*, low_only: bool) -> Iterator[Trial]:
    """Check whether replacing a hidden card lowers the score exactly if the new card is below the mean."""
    for column, card, unseen in offers():
        if low_only and card >= mean(unseen):
            continue
        opened = seen_on(column)
        kind = "two different open cards" if len(set(opened)) == 2 else "a pair, one or no open card"
        kind = "the card completes the column" if opened == (card, card) else kind
        for official, rules in RULES.items():
            before = column_score(column, unseen, official)
            changed = column_score(cleared((*column[:2], card)), unseen, official) - before
            example = f"{card} on the hidden card of {written(column)}, mean {two(mean(unseen))}: {float(changed):+.2f}"
            yield f"{rules}, last turn, {kind}", (changed < 0) == (card < mean(unseen)), example
    for card in VALUES:
        unseen = without(DECK, *seen_on(*LAST_HIDDEN), card)
        if low_only and card >= mean(unseen):
            continue
        replaced = placed(LAST_HIDDEN, (3, 2), unseen, card, 1, official=False)
        waited = discarded(LAST_HIDDEN, unseen, 1, official=False)
        example = f"{card}, mean {two(mean(unseen))}: replaced {two(replaced)}, kept for one more draw {two(waited)}"
        condition = "the paper's rules, last hidden card, another turn could follow"
        yield condition, (replaced < waited) == (card < mean(unseen)), example


def choosing() -> Iterator[Trial]:
    """Compare taking a discard below the mean with a draw that may be placed on the hidden card or discarded."""
    for card in VALUES:
        unseen = without(DECK, card)
        saved = mean(unseen) - card
        drawn = sum((max(mean(without(unseen, other)) - other, Fraction(0)) for other in unseen), Fraction(0))
        drawn /= len(unseen)
        if saved > 0:
            condition = "against drawing and then choosing, with no open card to improve"
            yield condition, saved > drawn, f"x = {card}: taking saves {two(saved)}, drawing {two(drawn)}"


OPEN_CARDS = (-2, 0, 4, 6, 12)


def positions() -> Iterator[tuple[str, int, Board, Unseen, int]]:
    """Yield positions: their kind, the turns that could follow, the board, the unseen cards, and the card in hand."""
    for column, card, unseen in offers():
        yield "one column left", 0, (column,), unseen, card
    for column, turns, card in product(((4, 4, None), (1, 4, None)), (0, 1), VALUES):
        board = (*LOW_COLUMNS, column)
        yield f"last hidden card in {written(column)}", turns, board, without(DECK, *seen_on(*board), card), card


def discarding_low() -> Iterator[Trial]:
    """Compare a card below the mean placed where it is best with the card discarded, followed by best play."""
    for (kind, turns, board, unseen, card), (official, rules) in product(positions(), RULES.items()):
        if card < mean(unseen):
            placing = placed_best(board, unseen, card, turns, official)
            discarding = discarded(board, unseen, turns, official)
            example = f"{written(*board)}, {card} in hand: placed at best {two(placing)}, discarded {two(discarding)}"
            condition = f"{rules}, {kind}, {'a turn could follow' if turns else 'last turn'}"
            yield condition, placing <= discarding, example
    yield from penalties()


def penalties() -> Iterator[Trial]:
    """Compare placing with discarding in the last column, its third card hidden, where the ender may be doubled.

    Placing y on the hidden card or turning it up ends the round. Placing y on an open card lets the other player end
    it: one more turn follows, and nothing is doubled.
    """

    def ended_with(own: int, rival: int) -> int:
        return 2 * own if own > 0 and own >= rival else own

    for pair, card in product(combinations(OPEN_CARDS, 2), VALUES):
        board: Board = ((*pair, None),)
        unseen = without(DECK, *pair, card)
        if card >= mean(unseen):
            continue
        on_open = min(placed(board, (0, row), unseen, card, 1, official=True) for row in (0, 1))
        for rival in range(1, 21):
            on_hidden = ended_with(sum(pair) + card, rival)
            turned = Fraction(sum(ended_with(sum(pair) + other, rival) for other in unseen), len(unseen))
            scores = f"on the hidden card {on_hidden}, on an open one {two(on_open)}, discarded {two(turned)}"
            example = f"{written(*board)}, {card} in hand, the other will have {rival}: {scores}"
            condition = "official rules, the ender may be doubled, else the other player ends the round"
            yield condition, on_hidden <= turned or on_open <= turned, example


def replacing_largest() -> Iterator[Trial]:
    """Compare replacing the largest of the open cards above y with replacing another."""
    columns = [column for column in combinations_with_replacement(OPEN_CARDS, 3) if cleared(column)]
    for board, card in product(combinations_with_replacement(columns, 2), OPEN_CARDS):
        cells = {place: lies for place, lies in places(board) if lies is not None and lies > card}
        if not cells:
            continue
        scores = {place: board_score(lay(board, place, card), DECK, official=False) for place in cells}
        largest = min(scores[place] for place in cells if cells[place] == max(cells.values()))
        best = min(scores, key=scores.__getitem__)
        completes = any(() in lay(board, place, card) for place in cells)
        condition = f"{'a' if completes else 'no'} replacement completes a column"
        example = f"{written(*board)}, {card}: on the largest card {largest}, on the {cells[best]} {scores[best]}"
        yield condition, largest == scores[best], example


def hidden_instead() -> Iterator[Trial]:
    """Compare the highest open card with a hidden one, where a lower card may replace either."""
    for card, highest in combinations(VALUES, 2):
        expected = mean(without(DECK, highest, card))
        saved = f"on the open card it saves {highest - card}, on a hidden one {two(expected - card)}"
        yield "a hidden card may be replaced as well", highest >= expected, f"{card} for an open {highest}: {saved}"


def printed(value: int, unseen: Unseen) -> Fraction:
    """Return by how much a third card of a value, on the hidden card, changes the score by the printed formula."""
    return -3 * value + mean(unseen)


def change(value: int, unseen: Unseen, official: bool = False) -> Fraction:
    """Return this change counted out: the column's expected score before, and nothing after."""
    return -column_score((value, value, None), unseen, official)


def completing() -> Iterator[Trial]:
    """Compare the printed formula with the exact change."""
    for (words, deck), (official, rules) in product(DECKS.items(), RULES.items()):
        for value in sorted(set(deck)):
            unseen = without(deck, *[value] * 3)
            formula, exact = printed(value, unseen), change(value, unseen, official)
            example = f"v = {value}: printed {two(formula)}, exact {two(exact)}"
            yield f"{rules}, {words}", formula == exact, example
            yield f"{rules}, {words}, its sign alone", (formula < 0) == (exact < 0), example


def pairs(deck: Unseen) -> Iterator[tuple[int, int, Unseen]]:
    """Yield every smaller and larger value, in the same belief: three cards of both have been seen."""
    for low, high in combinations(sorted(set(deck)), 2):
        yield low, high, without(deck, *[low] * 3, *[high] * 3)


def smaller_saves_more() -> Iterator[Trial]:
    """Compare what completing a column of the smaller and of the larger value saves."""
    for low, high, unseen in pairs(DECK):
        exact, formula = ([-by(value, unseen) for value in (low, high)] for by in (change, printed))
        held = [unseen.count(value) + 1 for value in (low, high)]  # before the third card has been seen
        drawn = [saved * count / (len(unseen) + 1) for saved, count in zip(exact, held, strict=True)]
        ways = {
            "the exact change": exact,
            "the printed formula": formula,
            "the change times its chance": drawn,
        }
        for way, (one, other) in ways.items():
            yield f"by {way}", one > other, f"values {low} and {high}: {two(one)} and {two(other)}"


def order_of_changes() -> Iterator[Trial]:
    """Check whether the change by the smaller value is the larger number."""
    scarce: Unseen = (3, 3, 3, *[5] * 12, 12)  # nearly all that is unseen is a five
    cases = [(words, pair) for words, deck in DECKS.items() for pair in pairs(deck)]
    cases.append(("nearly all unseen cards of the larger value", (3, 5, scarce)))
    for (words, (low, high, unseen)), (official, rules) in product(cases, RULES.items()):
        one, other = change(low, unseen, official), change(high, unseen, official)
        yield f"{rules}, {words}", one > other, f"values {low} and {high}: {two(one)} and {two(other)}"


EXACT: Mapping[str, tuple[Callable[[], Iterator[Trial]], ...]] = {
    "Lemma 1, Lemma 3": (hidden_cards,),
    "Lemma 2": (addition,),
    "Proposition 1, Proposition 10": (discarding_low,),
    "Proposition 2, Proposition 6": (partial(replacing_hidden, low_only=False),),
    "Proposition 3, Proposition 7": (partial(replacing_hidden, low_only=True), choosing),
    "Proposition 4, Proposition 8": (replacing_largest, hidden_instead),
    "Proposition 5, Proposition 9": (completing,),
    "Corollary 1": (smaller_saves_more,),
    "Corollary 2": (order_of_changes,),
}  # the statement, and what lies near it but is not claimed


def exact_claims() -> dict[str, Claim]:
    """Try and judge every statement that can be decided exactly."""
    groups = {labels: [grouped(trials()) for trials in kinds] for labels, kinds in EXACT.items()}
    return {labels: judged(*trials) for labels, trials in groups.items()}
