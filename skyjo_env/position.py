"""The written position: any state of a game as text, hidden cards and draw order included (docs/notation.md)."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import PositionError
from cardtable.table.game.positions import (
    PositionLines,
    check_seats,
    first_lines,
    read_code,
    read_seats,
    read_whole,
    shuffle_left,
)
from skyjo_env.kernel.state import DRAWN, EMPTY, GAME_DTYPE, HIDDEN, HIGHEST, LOWEST, NOBODY, PHASES, TAKEN
from skyjo_env.rules import Rules
from skyjo_env.valid_tables import (
    CHECKS,
    LARGEST_SCORE,
    LARGEST_TOTAL,
    SEATS,
    count_cards,
    derive_counts,
    has_default_starter,
    missing_cards,
)

HEADER = "skyjo-position 1"
LARGEST_COUNT = 2**15 - 1  # what the record can hold
# The word of a line with one number: the record's field, and the number where the line is left out.
NUMBERS = {
    "round": ("round_number", 1),
    "turns": ("turns", 0),
    "reshuffles": ("reshuffles", 0),
    "starter": ("starter", NOBODY),
    "ender": ("ender", NOBODY),
    "turns_left": ("turns_left", 0),
}
WORDS = {"rules", "episode", "chance", *NUMBERS, "totals", "scores", "board", "discard", "draw", "seat"}


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    lines = first_lines(HEADER, rules, game)
    lines += [f"{word} {game[field]}" for word, (field, default) in NUMBERS.items() if game[field] != default]
    for name, field in (("totals", "totals"), ("scores", "round_scores")):
        lines.append(f"{name} {_join(game[field][: rules.players])}")
    lines += [f"board {_format_board(rules, game, seat)}" for seat in range(rules.players)]
    lines.append(f"discard {_join(game['piles'][: game['discard_size']])}".rstrip())
    parts = (game["piles"][start:end] for start, end in _pile_parts(rules, game))
    lines.append(f"draw {' | '.join(_join(part) for part in parts)}".rstrip())
    hand = "" if game["hand"] == EMPTY else f" {game['hand']}"
    lines.append(f"seat {game['seat']} {PHASES[game['phase']]}{hand}")
    return "\n".join(lines) + "\n"


def _join(numbers: Any) -> str:
    return " ".join(str(number) for number in numbers)


def _pile_parts(rules: Rules, game: Any) -> list[tuple[int, int]]:
    count = rules.players if rules.draw_streams else 1
    return [(int(game["pile_next"][part]), int(game["pile_end"][part])) for part in range(count)]


def _format_board(rules: Rules, game: Any, seat: int) -> str:
    def cell(index: int) -> str:
        if game["cards"][seat, index] == EMPTY:
            return "."
        hidden = "?" if game["shown"][seat, index] == HIDDEN else ""
        return f"{hidden}{game['cards'][seat, index]}"

    columns = (range(column * rules.rows, (column + 1) * rules.rows) for column in range(rules.columns))
    return " | ".join(" ".join(cell(index) for index in column) for column in columns)


def parse_position(text: str) -> tuple[Rules, NDArray[Any]]:
    """Read a written position: its rules and an array of one game record. Raises PositionError with line and reason."""
    return _Reader(text).read()


class _Reader:
    """Reads the lines one by one into a game record, then fills in what was left open and checks the whole."""

    def __init__(self, text: str) -> None:
        self.lines = PositionLines(text, HEADER, WORDS)
        self.rules = self.lines.one("rules", Rules.from_text, Rules())
        self.games = np.zeros(1, GAME_DTYPE)
        self.game = self.games[0]
        self.game["last_seat"] = self.game["last_action"] = NOBODY
        self.unknown: list[tuple[int, int]] = []  # cells written as a bare ?
        self.unknown_hand = False  # the card in hand is written as ?
        self.open_draw = True  # the draw pile ends with "..."

    def read(self) -> tuple[Rules, NDArray[Any]]:
        self.read_numbers()
        self.read_boards()
        self.read_piles()
        self.lines.one("seat", self.read_decider)
        self.fill()
        check_seats(self.rules, self.games, SEATS)
        derive_counts(self.rules, self.games)
        if self.game["starter"] == NOBODY and has_default_starter(self.rules, self.games):
            self.game["starter"] = 0
        CHECKS.check_tables(self.rules, self.games, self.open_draw)
        return self.rules, self.games

    def read_numbers(self) -> None:
        game, one, players = self.game, self.lines.one, self.rules.players
        self.lines.read_game(game)
        for word, (field, default) in NUMBERS.items():
            game[field] = one(word, partial(read_whole, limit=LARGEST_COUNT), default)
        for word, field, limit in (("totals", "totals", LARGEST_TOTAL), ("scores", "round_scores", LARGEST_SCORE)):
            game[field][:players] = one(word, partial(read_seats, players=players, limit=limit), [0] * players)

    def read_boards(self) -> None:
        found = self.lines.find("board")
        if len(found) != self.rules.players:
            raise PositionError(f"{len(found)} boards are written, the rules have {self.rules.players} players")
        for seat, (number, text) in enumerate(found):
            self.lines.parse(number, "board", partial(self.read_board, seat), text)

    def read_board(self, seat: int, text: str) -> None:
        rules = self.rules
        columns = [column.split() for column in text.split("|")]
        if [len(column) for column in columns] != [rules.rows] * rules.columns:
            raise ValueError(f"write {rules.columns} columns of {rules.rows} cells, with | between columns")
        for index, word in enumerate(word for column in columns for word in column):
            self.read_cell(seat, index, word)

    def read_cell(self, seat: int, index: int, word: str) -> None:
        if word == "?":
            self.unknown.append((seat, index))
        card = EMPTY if word in ("?", ".") else self.card(word.removeprefix("?"))
        self.game["cards"][seat, index] = card
        self.game["shown"][seat, index] = HIDDEN if word.startswith("?") else card

    def card(self, word: str) -> int:
        card = read_whole(word, LARGEST_COUNT)
        if card not in dict(self.rules.deck):
            raise ValueError(f"the deck has no card {word}")
        return card

    def read_piles(self) -> None:
        def discard(text: str) -> list[int]:
            return [self.card(word) for word in text.split()]

        cards = self.lines.one("discard", discard)
        self.check_size("discard", len(cards))
        self.game["discard_size"] = self.put(0, cards)
        self.lay_parts(self.lines.one("draw", self.read_draw, [[] for _ in _pile_parts(self.rules, self.game)]))

    def lay_parts(self, parts: list[list[int]]) -> None:
        """Make these the parts of the draw pile, which ends where the deck would."""
        self.game["pile_left"] = left = sum(map(len, parts))
        self.check_size("discard and draw", int(self.game["discard_size"]) + left)
        start = self.rules.deck_size - left
        for part, cards in enumerate(parts):
            self.game["pile_next"][part] = start
            self.game["pile_end"][part] = start = self.put(start, cards)

    def read_draw(self, text: str) -> list[list[int]]:
        self.open_draw = text.endswith("...")
        parts = [[self.card(word) for word in part.split()] for part in text.removesuffix("...").split("|")]
        needed = len(_pile_parts(self.rules, self.game))
        if len(parts) != needed:
            raise ValueError(
                f"the draw pile has {needed} part{'s'[: needed > 1]} under these rules, with | between parts"
            )
        return parts

    def check_size(self, words: str, size: int) -> None:
        if size > self.rules.deck_size:
            raise PositionError(f"{words}: more cards than the deck's {self.rules.deck_size}")

    def put(self, start: int, cards: list[int]) -> int:
        """Write cards to the piles; return where they end."""
        self.game["piles"][start : start + len(cards)] = cards
        return start + len(cards)

    def read_decider(self, text: str) -> None:
        words = text.split()
        if len(words) not in (2, 3):
            raise ValueError("write the seat, the phase and, after drawn or taken, the card in hand")
        self.game["seat"] = read_whole(words[0], LARGEST_COUNT)
        self.game["phase"] = phase = read_code(words[1], PHASES)
        if (len(words) == 3) != (phase in (DRAWN, TAKEN)):
            raise ValueError("a card in hand goes with drawn and taken, and only with them")
        self.unknown_hand = words[2:] == ["?"]
        self.game["hand"] = EMPTY if self.unknown_hand or len(words) == 2 else self.card(words[2])

    def fill(self) -> None:
        """Deal the cards that are not written anywhere to bare ?s and, where it is open, to the draw pile."""
        needed = len(self.unknown) + self.unknown_hand
        if not needed and not self.open_draw:
            return
        (missing,) = missing_cards(self.rules, count_cards(self.rules, self.games))
        if missing.min() < 0:
            return  # `CHECKS` says what is wrong
        if missing.sum() < needed:
            raise PositionError(f"{needed} cards are written as ?, but {missing.sum()} are left")
        left = np.repeat(np.arange(LOWEST, HIGHEST + 1, dtype=np.int8), missing)
        shuffle_left(self.games, left)
        for (seat, index), card in zip(self.unknown, left, strict=False):
            self.game["cards"][seat, index] = card
        if self.unknown_hand:
            self.game["hand"] = left[len(self.unknown)]
        if self.open_draw:
            self.lengthen_draw(left[needed:].tolist())

    def lengthen_draw(self, cards: list[int]) -> None:
        """Lengthen every part of the draw pile by its share of the cards."""
        parts = [self.game["piles"][start:end].tolist() for start, end in _pile_parts(self.rules, self.game)]
        shares = [len(cards) * part // len(parts) for part in range(len(parts) + 1)]
        self.lay_parts([part + cards[start:end] for part, start, end in zip(parts, shares, shares[1:], strict=False)])
