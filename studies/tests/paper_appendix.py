"""The program in the appendix of Reichel (2026), line by line in plain Python, with chance as an argument."""

from dataclasses import dataclass
from statistics import mean
from typing import Protocol

ROWS, COLUMNS, SIZE = 3, 4, 12
MAX_TURNS = 500


class Chance(Protocol):
    """The three functions of `random` that the program calls."""

    def shuffle(self, x: list[int]) -> None: ...

    def sample(self, population: range, k: int) -> list[int]: ...

    def choice(self, seq: list[int]) -> int: ...


@dataclass
class Tableau:
    cards: list[int | None]
    revealed: list[bool]

    def is_complete(self) -> bool:
        return all(self.revealed[i] or self.cards[i] is None for i in range(SIZE))

    def score(self) -> int:
        return sum(card for card in self.cards if card is not None)

    def remove_columns(self) -> None:
        for column in range(COLUMNS):
            cells = [column + COLUMNS * row for row in range(ROWS)]
            values = [self.cards[i] for i in cells]
            if None in values or not all(self.revealed[i] for i in cells) or len(set(values)) > 1:
                continue
            for i in cells:
                self.cards[i], self.revealed[i] = None, True


def create_draw_pile() -> list[int]:
    pile = [-2] * 5 + [-1] * 10 + [0] * 15
    for value in range(1, 13):
        pile += [value] * 10
    return pile


def deal_tableau(pile: list[int], chance: Chance) -> Tableau:
    cards: list[int | None] = [pile.pop() for _ in range(SIZE)]
    opened = chance.sample(range(SIZE), 2)
    tableau = Tableau(cards, [i in opened for i in range(SIZE)])
    tableau.remove_columns()
    return tableau


def draw_card(pile: list[int], discards: list[int], chance: Chance) -> int:
    if pile:
        return pile.pop()
    top = discards.pop()
    pile.extend(discards)
    chance.shuffle(pile)
    discards[:] = [top]
    return pile.pop()


def select(card: int, expected: float, tableau: Tableau, chance: Chance) -> int | None:
    left = {i: value for i, value in enumerate(tableau.cards) if value is not None}
    revealed = [i for i in left if tableau.revealed[i]]
    hidden = [i for i in left if not tableau.revealed[i]]
    if revealed:
        worst = max(revealed, key=lambda i: left[i])
        if left[worst] > card:
            return worst
    if hidden and card < expected:
        return chance.choice(hidden)
    return None


def play_turn(pile: list[int], discards: list[int], tableau: Tableau, threshold: float, chance: Chance) -> None:
    """Raises StatisticsError where the draw pile is empty, as the program does."""
    expected = mean(pile)
    card = discards.pop() if discards[-1] <= threshold else draw_card(pile, discards, chance)
    cell = select(card, expected, tableau, chance)
    if cell is None:
        discards.append(card)
        return
    replaced = tableau.cards[cell]
    assert replaced is not None
    discards.append(replaced)
    tableau.cards[cell], tableau.revealed[cell] = card, True
    tableau.remove_columns()


def play_game(threshold: float, chance: Chance) -> tuple[int, int, int]:
    """Both scores, and the turns before the last player's extra one."""
    pile = create_draw_pile()
    chance.shuffle(pile)
    discards = [pile.pop()]
    tableaus = deal_tableau(pile, chance), deal_tableau(pile, chance)
    turns = 0
    for turn in range(MAX_TURNS):
        turns += 1
        play_turn(pile, discards, tableaus[turn % 2], threshold, chance)
        if tableaus[turn % 2].is_complete():
            play_turn(pile, discards, tableaus[1 - turn % 2], threshold, chance)
            turns += 1
            break
    return tableaus[0].score(), tableaus[1].score(), turns
