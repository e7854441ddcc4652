"""The written position: any state of a game as text, hidden cards and draw order included (docs/notation.md)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import PositionError
from cardtable.table.game.positions import (
    Condition,
    Marks,
    PositionReader,
    TableChecks,
    count_by_value,
    first_lines,
    is_seat,
    is_whole_deck,
    matches,
    read_code,
    read_whole,
    turns_in_limits,
    within,
)
from cardtable.table.kernel.game_kernel import GAME_EPISODE
from skyjo_env.kernel.state import (
    CONFIRM,
    DRAWN,
    EMPTY,
    GAME_DTYPE,
    HIDDEN,
    HIGHEST,
    LOWEST,
    MAX_PLAYERS,
    NOBODY,
    OPENING,
    OVER,
    PHASES,
    SPAN,
    TAKEN,
    TRUNCATED,
    TURN,
)
from skyjo_env.rules import Rules

LARGEST_TOTAL, LARGEST_SCORE = 10**9, 2**15 - 1  # in a record, and as far below 0
SEATS = {"seat": 0, "starter": NOBODY, "ender": NOBODY}  # fields, and their least numbers
CARD_NAMES = tuple(map(str, range(LOWEST, HIGHEST + 1)))

Counts = NDArray[np.int64]  # [N, SPAN], of cards by value


# Counting

_count = partial(count_by_value, lowest=LOWEST, highest=HIGHEST)


def count_cards(rules: Rules, games: Any) -> dict[str, Counts]:
    """What lies where at every table, as counts by value."""
    cards, is_hidden = _boards(rules, games, "cards"), _boards(rules, games, "shown") == HIDDEN
    at, piles = np.arange(rules.deck_size), games["piles"][:, : rules.deck_size]
    return {
        "open": _count(cards, ~is_hidden),
        "hidden": _count(cards, is_hidden),
        "discards": _count(piles, at < games["discard_size"][:, None]),
        "draws": _count(piles, at >= rules.deck_size - games["pile_left"][:, None]),
        "hand": _count(games["hand"][:, None], np.True_),
    }


def _boards(rules: Rules, games: Any, field: str) -> NDArray[Any]:
    """The cells that there are, [N, P, cells]."""
    return np.asarray(games[field][:, : rules.players, : rules.cells])


def missing_cards(rules: Rules, cards: dict[str, Counts]) -> Counts:
    """The deck less the cards that lie somewhere: below 0 where there are too many of a card."""
    deck = rules.params["deck"][0, : rules.deck_size].astype(np.int64)
    missing: Counts = np.bincount(deck - LOWEST, minlength=SPAN) - np.sum(list(cards.values()), axis=0)
    return missing


def _derived(rules: Rules, games: Any, cards: dict[str, Counts]) -> dict[str, NDArray[Any]]:
    """The fields that follow from where the cards lie."""
    hidden, draws = cards["hidden"], cards["draws"] + cards["hand"] * (games["phase"] == DRAWN)[:, None]
    is_one_pool = (games["reshuffles"] == 0)[:, None]  # only a reshuffle tells draws from hidden cards
    shown = games["shown"]  # 0 in cells that there are not
    hidden_left = (shown == HIDDEN).sum(2)
    to_open = rules.opening_flips - rules.cells + (hidden_left * is_seat(games["seat"], MAX_PLAYERS)).sum(1)
    return {
        "hidden_left": hidden_left,
        "open_sum": np.where(shown < HIDDEN, shown, 0).sum(2),
        "hidden_pool": np.where(is_one_pool, hidden + draws, hidden),
        "draw_pool": np.where(is_one_pool, hidden + draws, draws),
        "discard_counts": cards["discards"],
        "opening_left": np.where(games["phase"] == OPENING, to_open, 0),
    }


def derive_counts(rules: Rules, games: Any) -> None:
    """Set everything in records that follows from where the cards lie."""
    for name, numbers in _derived(rules, games, count_cards(rules, games)).items():
        games[name] = numbers


# Checks


def _bounds(rules: Rules) -> dict[str, tuple[int, int]]:
    """What the numbers of every field lie between."""
    bounds = {"phase": (0, TRUNCATED), "episode": (0, GAME_EPISODE), "last_seat": (NOBODY, rules.players - 1)}
    bounds |= {"last_action": (NOBODY, rules.actions - 1), "spare": (0, 0)}
    bounds |= dict.fromkeys(("pile_left", "discard_size", "pile_next", "pile_end"), (0, rules.deck_size))
    bounds |= {"cleared": (0, rules.cells)}
    bounds |= dict.fromkeys(("hand", "shown", "cards", "piles"), (min(rules.values[0], 0), EMPTY))
    bounds |= {"totals": (-LARGEST_TOTAL, LARGEST_TOTAL), "round_scores": (-LARGEST_SCORE, LARGEST_SCORE)}
    return bounds


def _conditions(rules: Rules, games: Any, is_open: bool) -> Iterator[Condition]:
    cards = count_cards(rules, games)
    missing = missing_cards(rules, cards)
    yield from _draw_pile(rules, games)
    too_many = np.minimum(missing, 0)  # the rest may be out of play (5.6)
    yield is_whole_deck(too_many if rules.cleared_cards == "out_of_play" else missing, CARD_NAMES, is_open)
    yield from _places(rules, games, cards)
    yield from _numbers(rules, games)
    yield from _boards_in_play(rules, games)
    yield from _opening(rules, games)
    yield from _final_lap(rules, games)
    for name, numbers in _derived(rules, games, cards).items():
        yield matches(name, games[name], numbers)


def _draw_pile(rules: Rules, games: Any) -> Iterator[Condition]:
    """The parts of the draw pile follow each other, and end where the deck would (6.5)."""
    parts = rules.players if rules.draw_streams else 1
    starts, ends = games["pile_next"], games["pile_end"]
    befores = np.column_stack([rules.deck_size - games["pile_left"], ends[:, : parts - 1]])
    text = "piles: not all saved cards lie where the deck has room for them"
    yield starts[:, :parts] != befores, text
    yield starts > ends, text
    yield ends[:, parts - 1] != rules.deck_size, text
    yield matches("pile_next", starts[:, parts:], 0)
    yield matches("pile_end", ends[:, parts:], 0)


def _places(rules: Rules, games: Any, counts: dict[str, Counts]) -> Iterator[Condition]:
    """Every place holds a card where there should be one, and 0 where these rules have no place."""
    cards, shown, hand = _boards(rules, games, "cards"), _boards(rules, games, "shown"), games["hand"]
    yield matches("shown", (shown == cards) & (cards != HIDDEN) | (shown == HIDDEN) & (cards < HIDDEN), True)
    yield matches("piles", (counts["discards"] + counts["draws"]).sum(1), games["discard_size"] + games["pile_left"])
    holds = (games["phase"] == DRAWN) | (games["phase"] == TAKEN)
    yield np.where(holds, hand >= HIDDEN, hand != EMPTY), "a card in hand goes with drawn and taken, and only with them"
    for name in ("totals", "round_scores", "cards", "shown"):
        yield matches(name, games[name][:, rules.players :], 0)
    for name in ("cards", "shown"):
        yield matches(name, games[name][:, : rules.players, rules.cells :], 0)


def _is_playing(games: Any) -> Marks:
    """Where a turn is being played (9.4)."""
    return np.asarray((games["phase"] >= TURN) & (games["phase"] <= CONFIRM))


def _numbers(rules: Rules, games: Any) -> Iterator[Condition]:
    """A final lap is played while it should be, and the opening comes before all turns (2, 7)."""
    phase, turns, is_playing = games["phase"], games["turns"], _is_playing(games)
    yield from turns_in_limits(rules, games, PHASES, is_playing)  # 7.8, 8.2, 8.3
    yield within("reshuffles", games["reshuffles"], 0, rules.max_turns + rules.players - 1)
    text = "turns_left goes with an ender while the final lap is played, and only then"
    yield (games["turns_left"] > 0) != is_playing & (games["ender"] != NOBODY), text  # 7.2
    yield (phase == OVER) & games["hidden_left"].any(1), "the game is over, but a card is hidden"  # 7.4
    has_begun = (turns > 0) | (games["reshuffles"] > 0)
    yield (phase == OPENING) & has_begun, "in the opening there have been neither turns nor reshuffles"


def _boards_in_play(rules: Rules, games: Any) -> Iterator[Condition]:
    """Whoever plays can, and nothing lies there that would have been cleared."""
    phase, seat, ender, players = games["phase"], games["seat"], games["ender"], rules.players
    is_playing, is_complete = _is_playing(games), _has_complete_line(rules, games)
    text = "a card must lie on the discard pile, unless the only one has just been taken"
    yield (phase != TAKEN) & (games["discard_size"] == 0), text  # 6.4
    has_hidden = games["hidden_left"][:, :players] > 0
    yield has_hidden & is_seat(ender, players), "ender {game.ender} still has a hidden card"  # 7.1
    to_play = np.where(is_playing, np.where(ender == NOBODY, players, games["turns_left"]), 0)
    still_plays = (np.arange(players) - seat[:, None]) % players < to_play[:, None]
    is_bare = (_boards(rules, games, "cards") == EMPTY).all(2)
    yield still_plays & is_bare, "seat {at[0]} has no cards left to play with"  # 7.1
    is_cleared = (is_playing | (phase == OPENING)) & (rules.clear == "automatic")
    text = "seat {at[0]} has a complete line, which would have been cleared"
    yield is_complete & is_cleared[:, None], text  # 5.4
    may_confirm = (is_complete & is_seat(seat, players)).any(1) & (rules.clear == "confirm")
    yield (phase == CONFIRM) & ~may_confirm, 'the phase confirm needs clear="confirm" and a complete line'  # 5.5


def _has_complete_line(rules: Rules, games: Any) -> NDArray[np.bool_]:
    """On which boards a complete line lies (5.1, 5.2), [N, P]."""
    shown = _boards(rules, games, "shown").reshape(len(games), rules.players, rules.columns, rules.rows)
    found = ((shown == shown[..., :1]).all(3) & (shown[..., 0] < HIDDEN)).any(2)
    if rules.row_clear:
        found |= ((shown == shown[:, :, :1]).all(2) & (shown[:, :, 0] < HIDDEN)).any(2)
    return np.asarray(found)


def has_default_starter(rules: Rules, games: Any) -> Marks:
    """Where seat 0 starts if nobody is named: unless the opening decides who starts (3.1, 3.3)."""
    is_seat_0 = (games["round_number"] == 1) & (rules.first_starter == "seat_0")
    return np.asarray((games["phase"] != OPENING) | is_seat_0)


def _opening(rules: Rules, games: Any) -> Iterator[Condition]:
    """A round has a starter unless the opening decides who it is (3.1, 3.3). Seats before the one that is opening cards
    have opened theirs, those after it none (2.3).
    """
    is_opening, flips, seat = games["phase"] == OPENING, rules.opening_flips, games["seat"][:, None]
    is_unnamed, has_default = games["starter"] == NOBODY, has_default_starter(rules, games)
    yield matches("starter", is_unnamed & has_default, False)
    is_needed = (games["round_number"] > 1) & (rules.next_starter == "previous_ender")
    text = "the opening of a later round needs the starter: who ended the round before"
    yield is_unnamed & ~has_default & is_needed, text
    is_random = rules.initial_flip == "random"
    yield is_opening & is_random, 'nobody decides in the opening with initial_flip="random"'
    opened, place = rules.cells - games["hidden_left"][:, : rules.players], np.arange(rules.players)
    deviates = np.where(place < seat, opened != flips, np.where(place == seat, opened >= flips, opened > 0))
    text = "seat {at[0]} has opened {value} cards while seat {game.seat} is opening its own"
    yield deviates & is_opening[:, None], text, opened


def _final_lap(rules: Rules, games: Any) -> Iterator[Condition]:
    """The seat to play follows from the ender and the turns left (7.2)."""
    ender, left, players = games["ender"], games["turns_left"], rules.players
    length = np.full(len(games), players - 1)
    if rules.final_lap == "complete_current_round":
        length = (games["starter"] - ender - 1) % players
    follows = (left <= length) & ((ender + length - left + 1) % players == games["seat"])
    text = "seat {game.seat} cannot be playing with turns_left {game.turns_left} after ender {game.ender}"
    yield _is_playing(games) & (ender != NOBODY) & ~follows, text


CHECKS = TableChecks(_bounds, SEATS, _conditions)


HEADER = "skyjo-position 1"
UNKNOWN = HIDDEN  # a card that is written as ?
# The word of a line with one number: the record's field, and the number where the line is left out.
NUMBERS = {
    "round": ("round_number", 1),
    "turns": ("turns", 0),
    "reshuffles": ("reshuffles", 0),
    "starter": ("starter", NOBODY),
    "ender": ("ender", NOBODY),
    "turns_left": ("turns_left", 0),
}
BY_SEAT = {"totals": "totals", "scores": "round_scores"}  # with a number for every seat
WORDS = {*NUMBERS, *BY_SEAT, "board", "discard", "draw", "seat"}


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    lines = first_lines(HEADER, rules, game)
    lines += [f"{word} {game[field]}" for word, (field, default) in NUMBERS.items() if game[field] != default]
    lines += [f"{word} {_join(game[field][: rules.players])}" for word, field in BY_SEAT.items()]
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
    return _Reader(text, HEADER, WORDS, Rules, GAME_DTYPE).read()


class _Reader(PositionReader):
    """Reads the lines one by one into a game record, then fills in what was left open and checks the whole."""

    open_draw = True  # the draw pile ends with "..."

    def read(self) -> tuple[Rules, NDArray[Any]]:
        self.game["last_seat"] = self.game["last_action"] = NOBODY
        self.read_numbers(NUMBERS)
        self.read_seats(BY_SEAT)
        boards = self.read_each("board", self.read_board)
        self.game["cards"][: self.rules.players, : self.rules.cells] = [cards for cards, _ in boards]
        self.game["shown"][: self.rules.players, : self.rules.cells] = [shown for _, shown in boards]
        self.read_piles()
        self.lines.one("seat", self.read_decider)
        self.fill()
        CHECKS.check_records(self.rules, self.games)
        derive_counts(self.rules, self.games)
        if self.game["starter"] == NOBODY and has_default_starter(self.rules, self.games):
            self.game["starter"] = 0
        CHECKS.check_tables(self.rules, self.games, self.open_draw)
        return self.rules, self.games

    def read_board(self, text: str) -> tuple[list[int], list[int]]:
        """The cards of a board, and what is shown of them."""
        rules = self.rules
        columns = [column.split() for column in text.split("|")]
        if [len(column) for column in columns] != [rules.rows] * rules.columns:
            raise ValueError(f"write {rules.columns} columns of {rules.rows} cells, with | between columns")
        words = [word for column in columns for word in column]
        codes = {".": EMPTY, "?": UNKNOWN}
        cards = [codes[word] if word in codes else self.card(word.removeprefix("?")) for word in words]
        return cards, [HIDDEN if word.startswith("?") else card for word, card in zip(words, cards, strict=True)]

    def card(self, word: str) -> int:
        card = read_whole(word, LARGEST_SCORE)
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
        self.game["seat"] = read_whole(words[0], LARGEST_SCORE)
        self.game["phase"] = phase = read_code(words[1], PHASES)
        if (len(words) == 3) != (phase in (DRAWN, TAKEN)):
            raise ValueError("a card in hand goes with drawn and taken, and only with them")
        self.game["hand"] = EMPTY if len(words) == 2 else UNKNOWN if words[2] == "?" else self.card(words[2])

    def fill(self) -> None:
        """Deal the cards that are not written anywhere to bare ?s and, where it is open, to the draw pile."""
        missing = missing_cards(self.rules, count_cards(self.rules, self.games))
        unknown = [(self.games[name], UNKNOWN) for name in ("cards", "hand")]
        left = self.deal(missing, CARD_NAMES, LOWEST, unknown)
        if self.open_draw:
            self.lengthen_draw(left)

    def lengthen_draw(self, cards: list[int]) -> None:
        """Lengthen every part of the draw pile by its share of the cards."""
        parts = [self.game["piles"][start:end].tolist() for start, end in _pile_parts(self.rules, self.game)]
        shares = [len(cards) * part // len(parts) for part in range(len(parts) + 1)]
        self.lay_parts([part + cards[start:end] for part, start, end in zip(parts, shares, shares[1:], strict=False)])
