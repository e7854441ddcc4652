"""The work of the program in the appendix of Reichel (2026), written afresh in plain Python, as a yardstick of speed.

Two players by the same threshold rule, one round, the paper's model: lists of cards, a pile that is popped, and the
mean of the draw pile taken anew in every turn.
"""

import random
from statistics import mean

CELLS, COLUMNS = 12, 4
MAX_TURNS = 500


class Board:
    """Twelve cells, numbered by row; None where a column was removed."""

    def __init__(self, pile: list[int], chance: random.Random) -> None:
        self.cards: list[int | None] = [pile.pop() for _ in range(CELLS)]
        self.is_open = [False] * CELLS
        for cell in chance.sample(range(CELLS), 2):
            self.is_open[cell] = True

    def replace(self, cell: int, card: int) -> int:
        """Place a card openly; returns the one that lay there."""
        replaced = self.cards[cell]
        if replaced is None:
            raise ValueError(f"cell {cell} was removed")
        self.cards[cell], self.is_open[cell] = card, True
        self.remove_complete()
        return replaced

    def remove_complete(self) -> None:
        """Remove every column of three equal open cards."""
        for column in range(COLUMNS):
            cells = range(column, CELLS, COLUMNS)
            cards = {self.cards[cell] for cell in cells}
            if len(cards) == 1 and None not in cards and all(self.is_open[cell] for cell in cells):
                for cell in cells:
                    self.cards[cell] = None

    def is_done(self) -> bool:
        """Is no card hidden any more?"""
        return all(open_ or card is None for open_, card in zip(self.is_open, self.cards, strict=True))

    def score(self) -> int:
        """The sum of the cards left, hidden ones included."""
        return sum(card for card in self.cards if card is not None)


def choose_cell(board: Board, card: int, expected: float, chance: random.Random) -> int | None:
    """The highest open card if it is higher than this one; else any hidden one if this one is below the mean."""
    left = {cell: other for cell, other in enumerate(board.cards) if other is not None}
    opened = {cell: other for cell, other in left.items() if board.is_open[cell]}
    worst = max(opened, key=opened.__getitem__, default=None)
    if worst is not None and opened[worst] > card:
        return worst
    hidden = [cell for cell in left if not board.is_open[cell]]
    return chance.choice(hidden) if hidden and card < expected else None


def play_turn(pile: list[int], discards: list[int], board: Board, threshold: int, chance: random.Random) -> None:
    """Take a discard up to the threshold, else draw; place the card or discard it."""
    expected = mean(pile) if pile else 0.0
    if discards[-1] <= threshold:
        card = discards.pop()
    else:
        if not pile:
            pile.extend(discards[:-1])
            del discards[:-1]
            chance.shuffle(pile)
        card = pile.pop()
    cell = choose_cell(board, card, expected, chance)
    if cell is None:
        discards.append(card)
        return
    discards.append(board.replace(cell, card))


def play_game(threshold: int, chance: random.Random) -> tuple[int, int]:
    """One round; the other player has one more turn after the first is done."""
    pile = [-2] * 5 + [-1] * 10 + [0] * 15 + [value for value in range(1, 13) for _ in range(10)]
    chance.shuffle(pile)
    discards = [pile.pop()]
    boards = Board(pile, chance), Board(pile, chance)
    for turn in range(MAX_TURNS):
        play_turn(pile, discards, boards[turn % 2], threshold, chance)
        if boards[turn % 2].is_done():
            play_turn(pile, discards, boards[1 - turn % 2], threshold, chance)
            break
    return boards[0].score(), boards[1].score()


def play_games(games: int, threshold: int) -> float:
    """Play this many games; returns the mean score of both players."""
    chance = random.Random(0)
    return mean(score for _ in range(games) for score in play_game(threshold, chance))
