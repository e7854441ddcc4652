"""Lemmas 1 to 3: what hidden cards are worth, and whether the cells of a board simply add up."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product

from studies.paper.beliefs import (
    DECK,
    PAPER,
    PRINTED_RULES,
    Board,
    Scoring,
    Unseen,
    expected_score,
    is_complete,
    lay,
    mean,
    seen_on,
    without,
)
from studies.paper.claims import Claim, Group, tried, written

SMALL_DECKS = ((-2, 0, 3, 7, 9, 12), (-2, -2, 1, 5, 5, 8), (0, 0, 4, 4, 8, 12), (-1, 2, 2, 2, 9, 9))
HIDDEN, TURNS = 2, 4  # of the tiny rounds that are dealt from them

Moment = tuple[tuple[str, ...], bool, int, Unseen]  # all that was seen, after a reshuffle?, a hidden card, the unseen


def watched(deck: tuple[int, ...]) -> Iterator[Moment]:
    """Every turn of a tiny round dealt from this order of cards.

    The player draws, and places the card on a hidden one if it is below the mean, else discards it. A reshuffled pile
    may lie in any order; one of them will do, since only the hidden cards are looked at.
    """
    hidden, discards, pile = list(deck[:HIDDEN]), [deck[HIDDEN]], list(deck[HIDDEN + 1 :])
    seen: tuple[str, ...] = (str(discards[0]),)
    is_reshuffled = False
    for _ in range(TURNS):
        if len(hidden) == 0 or len(pile) + len(discards) < 2:
            return
        if not pile:
            pile, discards, is_reshuffled = sorted(discards[:-1]), discards[-1:], True
        unseen = tuple(sorted([*pile, *hidden]))
        yield seen, is_reshuffled, hidden[-1], unseen
        card = pile.pop(0)
        discards.append(hidden.pop(0) if card < mean(unseen) else card)
        seen = (*seen, f"{card} drawn, {discards[-1]} discarded")


def hidden_means(deck: tuple[int, ...], is_reshuffled: bool) -> Iterator[tuple[Fraction, Unseen]]:
    """For all that may have been seen: the mean of a hidden card over all deals that look like it, and the unseen."""
    alike: defaultdict[tuple[tuple[str, ...], Unseen], list[int]] = defaultdict(list)
    for order in permutations(deck):
        for seen, after_reshuffle, card, unseen in watched(order):
            if after_reshuffle == is_reshuffled:
                alike[seen, unseen].append(card)
    for (_, unseen), cards in alike.items():
        yield Fraction(sum(cards), len(cards)), unseen


def hidden_group(condition: str, is_reshuffled: bool) -> Group:
    """Is a hidden card worth the mean of the unseen?"""
    cases = (
        (
            worth == mean(unseen),
            f"unseen {written(unseen)}: mean {float(mean(unseen)):.2f}, hidden card {float(worth):.2f}",
        )
        for deck in SMALL_DECKS
        for worth, unseen in hidden_means(deck, is_reshuffled)
    )
    return tried(condition, cases)


def check_hidden_cards() -> Claim:
    """Lemmas 1 and 3."""
    return Claim(
        ("Lemma 1", "Lemma 3"),
        "What a hidden card is worth",
        "The expected value of a hidden card is the mean of all unseen cards.",
        f"Every order of {len(SMALL_DECKS)} tiny decks, played by a rule that looks at the mean. Averaging over the "
        "deals that look the same to the player gives the exact mean of a hidden card, to compare with the mean of "
        "the unseen.",
        (
            hidden_group("the discards have not been reshuffled yet", is_reshuffled=False),
            hidden_group("after a reshuffle", is_reshuffled=True),
        ),
        "After a reshuffle everybody knows which cards the draw pile holds. Hidden cards and draws then have "
        "different means, and the mean of all the unseen is neither.",
    )


def changes(scoring: Scoring) -> Iterator[tuple[bool, bool, str]]:
    """Two cards of a column replaced, singly and together: (may a column be cleared, do the changes add up, words)."""
    cards = (-1, 0, 5)
    for column in product((*cards, None), repeat=3):
        if is_complete(column):
            continue
        for first, second in product(cards, repeat=2):
            board: Board = (column,)
            unseen = without(DECK, *seen_on(*board), first, second)
            boards = [board, lay(board, (0, 0), first), lay(board, (0, 1), second)]
            boards.append(((first, second, column[2]),))
            boards[3] = ((),) if is_complete(boards[3][0]) else boards[3]
            before, one, other, both = (expected_score(each, unseen, scoring) for each in boards)
            may_clear = ((),) in boards or (scoring.clears_at_reveal and any(may_match(each) for each in boards))
            words = (
                f"column {written(column)}: {first} on its first card changes the score by {float(one - before):+.2f}, "
                f"{second} on its second by {float(other - before):+.2f}, both by {float(both - before):+.2f}"
            )
            yield may_clear, both - before == (one - before) + (other - before), words


def may_match(board: Board) -> bool:
    """Might hidden cards complete a column when they are turned up?"""
    return any(None in column and len(set(seen_on(column))) < 2 for column in board)


def check_addition() -> Claim:
    """Lemma 2."""
    cases = [(scoring, *case) for scoring in (PAPER, PRINTED_RULES) for case in changes(scoring)]

    def group(condition: str, scoring: Scoring | None, may_clear: bool) -> Group:
        chosen = (case for case in cases if scoring in (None, case[0]) and case[1] == may_clear)
        return tried(condition, ((adds_up, words) for _, _, adds_up, words in chosen))

    return Claim(
        ("Lemma 2",),
        "Cells add up",
        "The expected score of a board is the sum over its cells, so that cells can be compared one by one.",
        "Every column of three from -1, 0, 5 and hidden; two of its cards replaced, one by one and together. If cells "
        "add up, so do the two changes. Exact, with the full deck unseen.",
        (
            group("no column can be cleared", None, may_clear=False),
            group("a replacement completes a column", PAPER, may_clear=True),
            group("official rules, the reveal may complete a column as well", PRINTED_RULES, may_clear=True),
        ),
        "A sum of expectations is always the expectation of the sum. But what a card of a column contributes depends "
        "on the others, so marginal comparisons, for which the paper needs the lemma, fail where columns matter.",
    )
