"""The written position: any state of a game as text, hidden cards and draw order included (docs/notation.md)."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skyjo_env.errors import PositionError
from skyjo_env.kernel.state import (
    CONFIRM,
    DRAWN,
    EMPTY,
    GAME_DTYPE,
    HIDDEN,
    LOWEST,
    NOBODY,
    OPENING,
    OVER,
    TAKEN,
    TURN,
)
from skyjo_env.rules import Rules

HEADER = "skyjo-position 1"
PHASES = ("opening", "turn", "drawn", "taken", "confirm", "over", "truncated")
EPISODES = ("round", "game")
LARGEST_COUNT, LARGEST_TOTAL, LARGEST_SCORE = 2**31 - 1, 2**31 - 1, 2**15 - 1  # what the record can hold
PLAYING = (TURN, DRAWN, TAKEN, CONFIRM)
# The word of a line with one number: the record's field, and the number where the line is left out.
NUMBERS = {
    "round": ("round_number", 1),
    "turns": ("turns", 0),
    "reshuffles": ("reshuffles", 0),
    "starter": ("starter", NOBODY),
    "ender": ("ender", NOBODY),
    "turns_left": ("turns_left", 0),
}


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    lines = [HEADER]
    if rules.to_text():
        lines.append(f"rules {rules.to_text()}")
    lines.append(f"episode {EPISODES[game['episode']]}")
    lines.append(f"chance {int(game['key']):016x} {int(game['chance']):016x}")
    lines += [f"{word} {game[field]}" for word, (field, default) in NUMBERS.items() if game[field] != default]
    for name, field in (("totals", "totals"), ("scores", "round_scores")):
        lines.append(f"{name} {_join(game[field][: rules.players])}")
    lines += [f"board {_format_board(rules, game, seat)}" for seat in range(rules.players)]
    lines.append(f"discard {_join(game['discard'][: game['discard_size']])}".rstrip())
    parts = (game["pile"][start:end] for start, end in _pile_parts(rules, game))
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
        if not isinstance(text, str):
            raise PositionError(f"a position is text, not {type(text).__name__}")
        self.lines: dict[str, list[tuple[int, str]]] = {}
        for number, line in enumerate(text.replace(";", "\n").splitlines(), 1):
            line = line.partition("#")[0].strip()
            if line:
                word, _, rest = line.partition(" ")
                self.lines.setdefault(word, []).append((number, rest.strip()))
        self.rules = Rules()
        self.games = np.zeros(1, GAME_DTYPE)
        self.game = self.games[0]
        self.unknown: list[tuple[int, int]] = []  # cells written as a bare ?
        self.open_draw = True  # the draw pile ends with "..."

    def read(self) -> tuple[Rules, NDArray[Any]]:
        self.read_header()
        self.rules = self.one("rules", Rules.from_text, Rules())
        self.game["episode"] = self.one("episode", _episode, EPISODES.index("game"))
        self.game["key"], self.game["chance"] = self.one("chance", _two_hex, (0, 0))
        for word, (field, default) in NUMBERS.items():
            self.game[field] = self.one(word, partial(_number, limit=LARGEST_COUNT), default)
        self.read_seats("totals", "totals", LARGEST_TOTAL)
        self.read_seats("scores", "round_scores", LARGEST_SCORE)
        self.read_boards()
        self.read_piles()
        self.one("seat", self.read_decider)
        self.fill()
        self.count()
        _check(self.rules, self.game)
        return self.rules, self.games

    def read_header(self) -> None:
        known = {"rules", "episode", "chance", *NUMBERS, "totals", "scores", "board", "discard", "draw", "seat"}
        for word, found in self.lines.items():
            if word not in known | {HEADER.split()[0]}:
                raise PositionError(f"line {found[0][0]}: unknown word {word!r}; known are {', '.join(sorted(known))}")
        version = self.one(HEADER.split()[0], str)
        if f"{HEADER.split()[0]} {version}" != HEADER:
            raise PositionError(f"line 1: version {version!r} is not known; this reads {HEADER!r}")

    def one(self, word: str, parse: Callable[[str], Any], *default: Any) -> Any:
        """Parse the one line that begins with this word."""
        found = self.lines.get(word, [])
        if not found and default:
            return default[0]
        if len(found) != 1:
            raise PositionError(f"{len(found)} lines begin with {word!r}, one is needed")
        number, text = found[0]
        return self.at(number, word, parse, text)

    def at(self, number: int, word: str, parse: Callable[[str], Any], text: str) -> Any:
        try:
            return parse(text)
        except (ValueError, OverflowError) as error:
            raise PositionError(f"line {number}: {word} {text!r}: {error}") from None

    def read_seats(self, word: str, field: str, limit: int) -> None:
        players = self.rules.players
        self.game[field][:players] = self.one(word, lambda text: _numbers(text, players, limit), [0] * players)

    def read_boards(self) -> None:
        found = self.lines.get("board", [])
        if len(found) != self.rules.players:
            raise PositionError(f"{len(found)} boards are written, the rules have {self.rules.players} players")
        for seat, (number, text) in enumerate(found):
            self.at(number, "board", partial(self.read_board, seat), text)

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
        if int(word) not in dict(self.rules.deck):
            raise ValueError(f"the deck has no card {word}")
        return int(word)

    def read_piles(self) -> None:
        def discard(text: str) -> list[int]:
            return [self.card(word) for word in text.split()]

        cards = self.one("discard", discard)
        self.game["discard_size"] = self.put("discard", 0, cards)
        parts = self.one("draw", self.read_draw, [[] for _ in range(self.parts)])
        start = 0
        for part, cards in enumerate(parts):
            self.game["pile_next"][part] = start
            start = self.put("pile", start, cards)
            self.game["pile_end"][part] = start
        self.game["pile_left"] = start

    @property
    def parts(self) -> int:
        return self.rules.players if self.rules.draw_streams else 1

    def read_draw(self, text: str) -> list[list[int]]:
        self.open_draw = text.endswith("...")
        parts = [[self.card(word) for word in part.split()] for part in text.removesuffix("...").split("|")]
        if len(parts) != self.parts:
            raise ValueError(f"write {self.parts} part{'s'[: self.parts > 1]} with | between them")
        return parts

    def put(self, field: str, start: int, cards: list[int]) -> int:
        """Write cards to a pile; return where they end."""
        if start + len(cards) > self.rules.deck_size:
            raise PositionError(f"{field}: more cards than the deck's {self.rules.deck_size}")
        self.game[field][start : start + len(cards)] = cards
        return start + len(cards)

    def read_decider(self, text: str) -> None:
        words = text.split()
        if len(words) not in (2, 3):
            raise ValueError("write the seat, the phase and, after drawn or taken, the card in hand")
        self.game["seat"] = _number(words[0], LARGEST_COUNT)
        self.game["phase"] = phase = _index(words[1], PHASES)
        if (len(words) == 3) != (phase in (DRAWN, TAKEN)):
            raise ValueError("a card in hand goes with drawn and taken, and only with them")
        self.game["hand"] = self.card(words[2]) if len(words) == 3 else EMPTY

    def fill(self) -> None:
        """Deal the cards that are written nowhere to bare ?s and, where it is open, to the draw pile."""
        if not self.unknown and not self.open_draw:
            return
        missing = self.missing()
        surplus = [card for card, count in missing.items() if count < 0]
        if surplus or missing.total() < len(self.unknown):
            return  # `count` says what is wrong
        left = np.array(sorted(missing.elements()), np.int8)
        np.random.default_rng(int(self.game["key"])).shuffle(left)
        for (seat, index), card in zip(self.unknown, left, strict=False):
            self.game["cards"][seat, index] = card
        if self.open_draw:
            self.fill_draw([int(card) for card in left[len(self.unknown) :]])

    def fill_draw(self, cards: list[int]) -> None:
        """Lengthen every part of the draw pile by its share of the cards."""
        parts = [list(self.game["pile"][start:end]) for start, end in _pile_parts(self.rules, self.game)]
        start = 0
        for part, have in enumerate(parts):
            share = cards[part * len(cards) // len(parts) : (part + 1) * len(cards) // len(parts)]
            self.game["pile_next"][part] = start
            start = self.put("pile", start, have + share)
            self.game["pile_end"][part] = start
        self.game["pile_left"] = start

    def missing(self) -> Counter[int]:
        """The deck less every card that lies somewhere; negative where too many do."""
        game, players, cells = self.game, self.rules.players, self.rules.cells
        missing = Counter(dict(self.rules.deck))
        boards = game["cards"][:players, :cells].ravel()
        places = (boards, game["discard"][: game["discard_size"]], game["pile"][: game["pile_left"]], [game["hand"]])
        missing.subtract(int(card) for place in places for card in place if card != EMPTY)
        return missing

    def count(self) -> None:
        """Check that every card of the deck is there once."""
        missing = {card: count for card, count in self.missing().items() if count != 0}
        if self.rules.cleared_cards == "out_of_play":
            missing = {card: count for card, count in missing.items() if count < 0}
        if missing:
            words = (f"{count:+d} of card {card}" for card, count in sorted(missing.items()))
            raise PositionError(f"the deck does not come out even: missing (+) or too many (-): {', '.join(words)}")


def derive_counts(rules: Rules, game: Any) -> None:
    """Set everything in a record that follows from where the cards lie."""
    for seat in range(rules.players):
        shown = game["shown"][seat, : rules.cells]
        game["hidden_left"][seat] = np.sum(shown == HIDDEN)
        game["open_sum"][seat] = np.sum(shown[shown < HIDDEN], dtype=np.int64)
    boards = (slice(0, rules.players), slice(0, rules.cells))
    hidden = _by_value(game["cards"][boards][game["shown"][boards] == HIDDEN])
    draws = _by_value(game["pile"][: game["pile_left"]])
    if game["phase"] == DRAWN:
        draws[game["hand"] - LOWEST] += 1
    joint = game["reshuffles"] == 0
    game["hidden_pool"] = hidden + draws if joint else hidden
    game["draw_pool"] = hidden + draws if joint else draws
    game["discard_counts"] = _by_value(game["discard"][: game["discard_size"]])
    if game["phase"] == OPENING:
        game["opening_left"] = rules.opening_flips - rules.cells + game["hidden_left"][game["seat"]]


def _by_value(cards: NDArray[np.int8]) -> NDArray[np.int64]:
    size: int = GAME_DTYPE["hidden_pool"].shape[0]
    return np.bincount(cards.astype(np.int64) - LOWEST, minlength=size)


def _check(rules: Rules, game: Any) -> None:
    """Refuse what cannot be on a table."""
    others = rules.players - 1
    for name, least in (("seat", 0), ("starter", NOBODY), ("ender", NOBODY)):
        if not least <= game[name] <= others:
            raise PositionError(f"{name} {game[name]}: the seats are 0 to {others}")
    derive_counts(rules, game)
    _check_numbers(rules, game)
    _check_boards(rules, game)
    if game["phase"] == TURN and game["discard_size"] == 0:
        raise PositionError("at the start of a turn a card must lie on the discard pile")
    if game["phase"] == CONFIRM and rules.clear != "confirm":
        raise PositionError('the phase confirm needs the rule clear="confirm"')
    if game["starter"] == NOBODY:
        game["starter"] = _default_starter(rules, game)


def _default_starter(rules: Rules, game: Any) -> int:
    """Who starts if nobody is named: what the rules say in the opening (3.1, 3.3), else seat 0."""
    if game["phase"] != OPENING:
        return 0
    if game["round_number"] == 1:
        return 0 if rules.first_starter == "seat_0" else NOBODY
    if rules.next_starter == "previous_ender":
        raise PositionError("the opening of a later round needs the starter: who ended the round before")
    return NOBODY


def _check_boards(rules: Rules, game: Any) -> None:
    phase, seat, hidden = game["phase"], game["seat"], game["hidden_left"]
    if game["ender"] != NOBODY and hidden[game["ender"]] > 0:
        raise PositionError(f"ender {game['ender']} still has a hidden card")
    if phase == OPENING and not 1 <= game["opening_left"] <= rules.opening_flips:
        raise PositionError(f"seat {seat} has no card left to open in the opening")
    if phase == OVER and any(hidden[: rules.players]):
        raise PositionError("the game is over, but a card is hidden")
    still_playing = range(rules.players) if game["ender"] == NOBODY else [seat]
    for player in still_playing if phase in PLAYING else []:
        if all(game["cards"][player, : rules.cells] == EMPTY):
            raise PositionError(f"seat {player} has no cards left to play with")


def _check_numbers(rules: Rules, game: Any) -> None:
    others = rules.players - 1
    limits = {
        "round": (1, rules.max_rounds),
        "turns": (0, rules.max_turns + others),
        "reshuffles": (0, rules.max_turns + others),
        "turns_left": (0, others),
    }
    for word, (least, greatest) in limits.items():
        number = game[NUMBERS[word][0]]
        if not least <= number <= greatest:
            raise PositionError(f"{word} {number} is not from {least} to {greatest}")
    if (game["turns_left"] > 0) != (game["phase"] in PLAYING and game["ender"] != NOBODY):
        raise PositionError("turns_left goes with an ender while the final lap is played, and only then")


def _index(text: str, known: tuple[str, ...]) -> int:
    if text not in known:
        raise ValueError(f"known are {', '.join(known)}")
    return known.index(text)


def _episode(text: str) -> int:
    return _index(text, EPISODES)


def _number(text: str, limit: int) -> int:
    number = int(text)
    if abs(number) > limit:
        raise ValueError(f"no number beyond {limit} can be held")
    return number


def _numbers(text: str, size: int, limit: int) -> list[int]:
    numbers = [_number(word, limit) for word in text.split()]
    if len(numbers) != size:
        raise ValueError(f"write {size} numbers, one a seat")
    return numbers


def _two_hex(text: str) -> tuple[int, int]:
    key, chance = (int(word, 16) for word in text.split())
    if not (0 <= key < 2**64 and 0 <= chance < 2**64):
        raise ValueError("write two hexadecimal numbers of 64 bits")
    return key, chance
