"""Propositions 1 and 10: is it ever right to discard a card below the mean?"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

from studies.paper.beliefs import (
    DECK,
    PAPER,
    PRINTED_RULES,
    VALUES,
    Board,
    Scoring,
    Unseen,
    hidden_cells,
    mean,
    ordered,
    seen_on,
    without,
)
from studies.paper.claims import Claim, Group, Table, tried, written
from studies.paper.claims_replace import OPEN_CARDS, offers
from studies.paper.solo import by_discarding, by_placing, placed

LOW_COLUMNS = ((0, 1, 2), (0, 1, 3), (0, 2, 3))
PLAIN: Board = (*LOW_COLUMNS, (1, 4, None))  # one hidden card, and no open card above 4
TINY_DECKS = ((-2, 0, 0, 3, 5, 5, 9), (0, 1, 2, 2, 6, 6, 12), (-1, -1, 4, 4, 4, 8, 8))


def tiny_positions() -> Iterator[tuple[Board, Unseen, int]]:
    """Every board of two columns of two with a hidden card, and every card below the mean, from tiny decks."""
    for deck in TINY_DECKS:
        columns = [
            column
            for column in combinations_with_replacement((*sorted(set(deck)), 99), 2)
            if column[0] != column[1] or column[0] == 99
        ]
        boards = {
            ordered(tuple(tuple(None if card == 99 else card for card in column) for column in pair))
            for pair in combinations_with_replacement(columns, 2)
        }
        for board, card in product(sorted(boards, key=str), sorted(set(deck))):
            try:
                unseen = without(deck, *seen_on(*board), card)
            except ValueError:  # more of a card than the deck has
                continue
            if hidden_cells(board) > 0 and card < mean(unseen):
                yield board, unseen, card


def compared(board: Board, unseen: Unseen, card: int, turns: int, scoring: Scoring) -> tuple[bool, str]:
    """Is placing the card at least as good as discarding it, best play for `turns` turns afterwards?"""
    placing = by_placing(board, unseen, card, turns, scoring)
    discarding = by_discarding(board, unseen, turns, scoring)
    words = (
        f"{' | '.join(written(column) for column in board)}, {card} in hand, mean {float(mean(unseen)):.2f}: placed at "
        f"best {float(placing):.2f}, discarded {float(discarding):.2f}"
    )
    return placing <= discarding, words


def tiny_group(condition: str, turns: int, scoring: Scoring) -> Group:
    """All the tiny boards."""
    return tried(condition, (compared(*position, turns, scoring) for position in tiny_positions()))


def column_group(condition: str, scoring: Scoring) -> Group:
    """Every column of three with a hidden card, the last that is left, for two beliefs."""
    chosen = (each for each in offers() if each.card < mean(each.unseen))
    return tried(condition, (compared((each.column,), each.unseen, each.card, 0, scoring) for each in chosen))


def full_deck_group(condition: str, scoring: Scoring, board: Board, turns: int) -> Group:
    """A whole board with the full deck: every card below the mean."""
    cases = ((card, without(DECK, *seen_on(*board), card)) for card in VALUES)
    chosen = ((card, unseen) for card, unseen in cases if card < mean(unseen))
    return tried(condition, (compared(board, unseen, card, turns, scoring) for card, unseen in chosen))


def ended_with(own: int, rival: int) -> int:
    """What the player who ends the round scores under official rules, if the other will have this score."""
    return 2 * own if own > 0 and own >= rival else own


def penalty_cases() -> Iterator[tuple[bool, str]]:
    """Official rules, one column left, its last card hidden; the other player has this score after one turn more.

    Placing y on the hidden card or turning it up ends the round, and may be doubled. Placing y on an open card lets the
    other player end it: one more turn follows, and nothing is doubled.
    """
    for column, card in product(combinations(OPEN_CARDS, 2), VALUES):
        board: Board = ((*column, None),)
        unseen = without(DECK, *column, card)
        if card >= mean(unseen):
            continue
        on_open = min(placed(board, (0, row), unseen, card, 1, PRINTED_RULES) for row in (0, 1))
        for rival in range(1, 21):
            on_hidden = ended_with(sum(column) + card, rival)
            turned = Fraction(sum(ended_with(sum(column) + other, rival) for other in unseen), len(unseen))
            words = (
                f"column {written(board[0])}, {card} in hand, the other will have {rival}: placed on the hidden card "
                f"{on_hidden}, on an open one {float(on_open):.2f}, discarded {float(turned):.2f}"
            )
            yield on_hidden <= turned or on_open <= turned, words


def waiting_rows() -> Iterator[tuple[str, ...]]:
    """For every card below the mean: what placing and discarding give, if no turn or one more turn follows."""
    for card in VALUES:
        unseen = without(DECK, *seen_on(*PLAIN), card)
        if card < mean(unseen):
            scores = [
                how
                for turns in (0, 1)
                for how in (by_placing(PLAIN, unseen, card, turns, PAPER), by_discarding(PLAIN, unseen, turns, PAPER))
            ]
            yield (str(card), *(f"{float(score):.2f}" for score in scores))


def check_discarding() -> Claim:
    """Propositions 1 and 10."""
    pair: Board = (*LOW_COLUMNS, (4, 4, None))
    return Claim(
        ("Proposition 1", "Proposition 10"),
        "Discarding a low card",
        "To discard a card below the mean without replacing anything is never better than the best replacement.",
        "Best play by drawing only, exact: the card placed where it is best, against the card discarded, with no, one "
        "or two turns to follow, on all boards of two columns of two from tiny decks, on single columns, and on whole "
        "boards with the full deck; then an ender who may be doubled, for scores of the other player from 1 to 20.",
        (
            column_group("the paper's rules, last turn, one column left", PAPER),
            tiny_group("the paper's rules, last turn, tiny decks", 0, PAPER),
            column_group("official rules, last turn, one column left", PRINTED_RULES),
            tiny_group("official rules, last turn, tiny decks", 0, PRINTED_RULES),
            full_deck_group("official rules, last turn, a pair beside the last hidden card", PRINTED_RULES, pair, 0),
            full_deck_group("the paper's rules, last hidden card, one turn could follow", PAPER, PLAIN, 1),
            tiny_group("the paper's rules, tiny decks, two turns could follow", 2, PAPER),
            tiny_group("official rules, tiny decks, two turns could follow", 2, PRINTED_RULES),
            tried("official rules, the ender may be doubled, else the other player ends the round", penalty_cases()),
        ),
        "The argument compares one step. But a player who replaces the last hidden card has no further turn, while "
        "one who discards has one if the other still has two hidden cards; that turn is worth more than a card a "
        "little below the mean. Under "
        "official rules the forced flip may also complete a column. That the ender may be doubled is no reason to "
        "discard: where it speaks against the hidden card, placing the card on an open one is better still.",
        (
            Table(
                "Last hidden card, full deck, the paper's rules: expected final score",
                ("card", "placed, last turn", "discarded, last turn", "placed, one more", "discarded, one more"),
                tuple(waiting_rows()),
            ),
        ),
    )
