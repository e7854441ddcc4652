"""The program in the appendix of Reichel (2026), line by line, with all its errors.

The mean is that of the draw pile itself, which no player can see. A taken discard may be laid back. Cards of a removed
column leave play. After MAX_TURNS turns of single players the boards are counted as they are. An empty draw pile has no
mean, so the program fails there at the beginning of a turn, and its lines that reshuffle the discards are never
reached. Only the top of the discard pile matters.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from skyjo_env.rules import REICHEL

SIZE, COLUMNS, MAX_TURNS = 12, 4, 500  # cells are numbered by row
DECK = [value for value, count in REICHEL.deck for _ in range(count)]
EVENTS = ("turns", "taken", "laid_back", "cleared", "could", "missed", "by_the_mean", "by_the_pile", "needless")


class Tableau:
    """A player's cards by cell, without those of removed columns, and which of them are hidden."""

    def __init__(self, pile: list[int], chance: Random) -> None:
        self.cards = {cell: pile.pop() for cell in range(SIZE)}
        self.hidden = set(self.cards) - set(chance.sample(range(SIZE), 2))

    def completes(self, card: int, cell: int) -> bool:
        """Return whether this card, laid here, would complete a column."""
        column = range(cell % COLUMNS, SIZE, COLUMNS)
        return all(other == cell or (self.cards[other] == card and other not in self.hidden) for other in column)

    def highest_open(self) -> int | None:
        """Return the first cell with the highest open card."""
        opened = (cell for cell in self.cards if cell not in self.hidden)
        return max(opened, key=self.cards.__getitem__, default=None)

    def replace(self, cell: int, card: int) -> int:
        """Lay a card on this cell, remove the column if that completes it, and return the card that lay there."""
        replaced, self.cards[cell] = self.cards[cell], card
        self.hidden.discard(cell)
        if self.completes(card, cell):
            for place in range(cell % COLUMNS, SIZE, COLUMNS):
                del self.cards[place]
        return replaced


@dataclass
class ProgramGame:
    """One game of the program: the piles, both tableaus, and what is counted without changing the choices.

    With `targets` the program follows the rule that the text lists and the appendix lacks: of the hidden cards it
    replaces one where the card completes a column, if there is one.
    """

    threshold: float
    chance: Random
    targets: bool = False
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.pile = DECK.copy()
        self.chance.shuffle(self.pile)
        self.discard = self.pile.pop()
        self.tableaus = Tableau(self.pile, self.chance), Tableau(self.pile, self.chance)

    def play(self) -> None:
        """Play to the end, or until the program stops; ZeroDivisionError where it fails."""
        for turn in range(MAX_TURNS):
            self.play_turn(self.tableaus[turn % 2])
            if not self.tableaus[turn % 2].hidden:
                self.play_turn(self.tableaus[1 - turn % 2])
                return
        self.counts["stopped"] += 1

    def play_turn(self, tableau: Tableau) -> None:
        """Play one turn."""
        expected = sum(self.pile) / len(self.pile)
        is_taken = self.discard <= self.threshold
        card = self.discard if is_taken else self.pile.pop()
        cell = self.select(card, expected, tableau)
        self.count(card, cell, expected, tableau, is_taken)
        self.discard = card if cell is None else tableau.replace(cell, card)
        self.counts["cleared"] += cell is not None and cell not in tableau.cards

    def select(self, card: int, expected: float, tableau: Tableau) -> int | None:
        """Return the highest open card if it is higher than this one, else a hidden one if this one is below the mean
        of the pile, else None.
        """
        worst = tableau.highest_open()
        if worst is not None and tableau.cards[worst] > card:
            return worst
        if not tableau.hidden or card >= expected:
            return None
        hidden = sorted(tableau.hidden)
        completing = [cell for cell in hidden if self.targets and tableau.completes(card, cell)]
        return completing[0] if completing else self.chance.choice(hidden)

    def count(self, card: int, cell: int | None, expected: float, tableau: Tableau, is_taken: bool) -> None:
        """Count three events: a column that could be completed for points, and is not; a choice by the mean that the
        mean of all unseen cards would change; and an open card replaced though a hidden one is worth more.
        """
        counts, cards, hidden = self.counts, tableau.cards, tableau.hidden
        is_replaced = cell is not None and cell not in hidden
        counts["turns"] += 1
        counts["taken"] += is_taken
        counts["laid_back"] += is_taken and cell is None
        gaining = [place for place in cards if card > 0 and tableau.completes(card, place)]
        if any(place in hidden or cards[place] != card for place in gaining):
            counts["could"] += 1
            counts["missed"] += cell not in gaining
        if hidden:
            unseen = self.pile + [tableau.cards[place] for tableau in self.tableaus for place in tableau.hidden]
            mean = (sum(unseen) + (0 if is_taken else card)) / (len(unseen) + (not is_taken))
            counts["by_the_mean"] += not is_replaced
            counts["by_the_pile"] += not is_replaced and (card < expected) != (card < mean)
            counts["needless"] += cell is not None and is_replaced and cards[cell] < mean


def play_program(threshold: float, games: int, seed: int, targets: bool) -> tuple[list[list[int]], Counter[str]]:
    """Play this many games; return both scores of each, except of those that fail, and the sums of the counts."""
    scores, counts = [], Counter(dict.fromkeys((*EVENTS, "stopped", "failed"), 0))
    for number in range(games):
        game = ProgramGame(threshold, Random(f"{seed} {number}"), targets)
        try:
            game.play()
            scores.append([sum(tableau.cards.values()) for tableau in game.tableaus])
        except ZeroDivisionError:
            counts["failed"] += 1
        counts.update(game.counts)
    return scores, counts
