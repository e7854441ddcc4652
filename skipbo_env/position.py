"""The written position: any state of a game as text, hidden cards and draw order included (docs/notation.md)."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.checks import named_action
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
from skipbo_env.kernel import (
    CARDS,
    CERTAIN,
    DECK,
    ENDINGS,
    GAME_DTYPE,
    HAND,
    NOBODY,
    PHASES,
    PLACES,
    RANKS,
    TURN,
)
from skipbo_env.rules import ACTION_NAMES, Rules, actions_in_words, card_name, card_number
from skipbo_env.valid_tables import (
    CHECKS,
    LARGEST,
    MOST_COPIES,
    SEATS,
    count_cards,
    derive_counts,
    missing_cards,
    set_default_knowledge,
)

HEADER = "skipbo-position 1"
UNKNOWN = -1  # a card that is written as ?
# The word of a line with one number: the record's field, and the number where the line is left out.
NUMBERS = {
    "round": ("round_number", 1),
    "turns": ("turns", 0),
    "recycles": ("recycles", 0),
    "starter": ("starter", 0),
    "still_turns": ("still_turns", 0),
}
# The word of a line with a number for every seat, and the record's field; zeros where the line is left out.
BY_SEAT = {
    "totals": "totals",
    "scores": "round_scores",
    "wilds_discarded": "wilds_discarded",
    "completed_piles": "completed_piles",
}
COUNTS = ("newer", "doubtful")  # lines with a number for every card, 1 to 12 and wild
WORDS = {"rules", "episode", "chance", *NUMBERS, "ending", "still", *BY_SEAT, "building", "completed"}
WORDS |= {"stock", "hand", "piles", "draw", *COUNTS, "odds", "last", "seat"}


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    lines = first_lines(HEADER, rules, game)
    lines += [f"{word} {game[field]}" for word, (field, default) in NUMBERS.items() if game[field] != default]
    if game["ending"] != 0:
        lines.append(f"ending {ENDINGS[game['ending']]}")
    if game["is_still"] != _is_still(game):
        lines.append(f"still {game['is_still']}")
    for word, field in BY_SEAT.items():
        if word in ("totals", "scores") or game[field].any():
            lines.append(f"{word} {_join(game[field][: rules.players])}")
    lines += _format_cards(rules, game)
    lines += _format_knowledge(rules, game)
    if game["last_seat"] != NOBODY:
        lines.append(f"last {game['last_seat']} {ACTION_NAMES[game['last_action']]}")
    lines.append(f"seat {game['seat']} {PHASES[game['phase']]}")
    return "\n".join(lines) + "\n"


def _join(numbers: Iterable[Any]) -> str:
    return " ".join(str(number) for number in numbers)


def _cards(word: str, cards: Any) -> str:
    return " ".join([word, *map(card_name, cards.tolist())])


def _is_still(game: Any) -> bool:
    """Whether nothing has happened in this turn where that is not written: a seat without hand cards drew none."""
    return bool(game["phase"] == TURN and game["hand_size"][game["seat"]] == 0)


def _format_cards(rules: Rules, game: Any) -> list[str]:
    """Where all cards lie."""
    lines = [f"building {_join(map(_format_building, game['heights'].tolist(), game['wild_ranks'].tolist()))}"]
    if game["completed"].any():
        lines.append(_cards("completed", np.repeat(np.arange(1, CARDS + 1), game["completed"])))
    seats = range(rules.players)
    for seat in seats:
        bottom = seat * rules.stock_size
        lines.append(_cards("stock", game["stocks"][bottom : bottom + int(game["stock_left"][seat])]))
    lines += [_cards("hand", game["hands"][seat, : game["hand_size"][seat]]) for seat in seats]
    ends = np.cumsum(game["sizes"], dtype=np.int64).reshape(game["sizes"].shape)
    for seat in seats:
        piles = [game["piles"][end - size : end] for end, size in zip(ends[seat], game["sizes"][seat], strict=True)]
        lines.append("piles" + " |".join(_cards("", cards) for cards in piles))
    lines.append(_cards("draw", game["piles"][DECK - game["draw_left"] :]))
    return lines


def _format_building(height: int, wild_ranks: int) -> str:
    wild = [str(rank) for rank in range(1, height + 1) if wild_ranks >> (rank - 1) & 1]
    return f"{height}:{','.join(wild)}" if wild else str(height)


def _format_knowledge(rules: Rules, game: Any) -> list[str]:
    """What whoever watches can count, as far as it is not what everybody knows by default."""
    default = np.array([game], GAME_DTYPE)
    set_default_knowledge(rules, default)
    lines = [f"{word} {_join(game[word])}" for word in COUNTS if (game[word] != default[word][0]).any()]
    if (game["older_odds"] != default["older_odds"][0]).any():
        lines += [f"odds {_join(game['older_odds'][seat])}" for seat in range(rules.players)]
    return lines


def parse_position(text: str) -> tuple[Rules, NDArray[Any]]:
    """Read a written position: its rules and an array of one game record. Raises PositionError with line and reason."""
    return _Reader(text).read()


class _Reader:
    """Reads the lines one by one, deals what was left open, and lays all cards into a game record."""

    def __init__(self, text: str) -> None:
        self.lines = PositionLines(text, HEADER, WORDS)
        self.rules = self.lines.one("rules", Rules.from_text, Rules())
        self.games = np.zeros(1, GAME_DTYPE)
        self.game = self.games[0]

    def read(self) -> tuple[Rules, NDArray[Any]]:
        self.read_numbers()
        self.game["seat"], self.game["phase"] = self.lines.one("seat", _decider)
        self.game["last_seat"], self.game["last_action"] = self.lines.one("last", self.read_last, (NOBODY, NOBODY))
        check_seats(self.rules, self.games, SEATS)
        self.read_building()
        is_open = self.read_cards()
        self.game["is_still"] = self.lines.one("still", partial(read_whole, limit=1), _is_still(self.game))
        self.read_knowledge()
        derive_counts(self.rules, self.games)
        CHECKS.check_tables(self.rules, self.games, is_open)
        return self.rules, self.games

    def read_numbers(self) -> None:
        game, one = self.game, self.lines.one
        self.lines.read_game(game)
        game["ending"] = one("ending", partial(read_code, known=ENDINGS), 0)
        for word, (field, default) in NUMBERS.items():
            game[field] = one(word, partial(read_whole, limit=np.iinfo(GAME_DTYPE[field]).max), default)
        players = self.rules.players
        for word, field in BY_SEAT.items():
            game[field][:players] = one(word, partial(read_seats, players=players, limit=LARGEST), [0] * players)

    def read_last(self, text: str) -> tuple[int, int]:
        seat, _, name = text.partition(" ")
        return read_whole(seat, LARGEST), named_action(name, ACTION_NAMES, actions_in_words(self.rules))

    def read_building(self) -> None:
        piles = self.lines.one("building", _building, [(0, 0)] * PLACES)
        self.game["heights"], self.game["wild_ranks"] = zip(*piles, strict=True)
        for card in self.lines.one("completed", _known_cards, []):
            self.game["completed"][card - 1] += 1

    def read_cards(self) -> bool:
        """Lay all cards; return whether the draw pile is left open."""
        stocks = self.read_each("stock", partial(_some_cards, most=self.rules.stock_size))
        hands = self.read_each("hand", partial(_some_cards, most=HAND), [])
        piles = self.read_each("piles", _piles, [[]] * PLACES)
        draw, is_open = self.lines.one("draw", _draw_pile, ([], True))
        self.check_size(cards for seat in (stocks, hands, [draw], *piles) for cards in seat)
        self.lay(stocks, hands, piles, draw)
        (missing,) = missing_cards(self.rules, count_cards(self.rules, self.games))
        if missing.min() >= 0:  # `CHECKS` refuses all others
            self.fill((stocks, hands, [draw]), np.repeat(np.arange(1, CARDS + 1), missing), draw if is_open else None)
            self.lay(stocks, hands, piles, draw)
        return bool(is_open)

    def read_each(self, word: str, parse: Callable[[str], list[Any]], *default: list[Any]) -> list[list[Any]]:
        """One line a seat; there may be none at all if there is a default."""
        found, players = self.lines.find(word), self.rules.players
        if not found and default:
            return [list(default[0]) for _ in range(players)]
        if len(found) != players:
            raise PositionError(f"{len(found)} lines begin with {word!r}, the rules have {players} players")
        return [self.lines.parse(number, word, parse, text) for number, text in found]

    def check_size(self, places: Iterable[list[int]]) -> None:
        built = self.game["heights"].sum() + self.game["completed"].sum(dtype=np.int64)
        if sum(map(len, places)) + built > DECK:
            raise PositionError(f"there are more cards than the deck's {DECK}")

    def lay(
        self, stocks: list[list[int]], hands: list[list[int]], piles: list[list[list[int]]], draw: list[int]
    ) -> None:
        """Put these cards into the record."""
        game, at = self.game, 0
        game["starts"] = 0
        for seat in range(self.rules.players):
            game["starts"][seat] = at
            bottom = seat * self.rules.stock_size
            game["stock_left"][seat], game["hand_size"][seat] = len(stocks[seat]), len(hands[seat])
            game["stocks"][bottom : bottom + len(stocks[seat])] = stocks[seat]
            game["hands"][seat, : len(hands[seat])] = hands[seat]
            for pile, cards in enumerate(piles[seat]):
                game["sizes"][seat, pile] = len(cards)
                game["piles"][at : at + len(cards)] = cards
                at += len(cards)
        game["starts"][self.rules.players :] = game["laid"] = at
        game["draw_left"] = len(draw)
        game["piles"][DECK - len(draw) :] = draw

    def fill(self, places: tuple[list[list[int]], ...], left: NDArray[np.int64], draw: list[int] | None) -> None:
        """Deal the cards that are not written anywhere to every ?, and lengthen the draw pile by the rest if it is
        open.
        """
        unknown = [(cards, at) for each in places for cards in each for at, card in enumerate(cards) if card == UNKNOWN]
        shuffle_left(self.games, left)
        for (cards, at), card in zip(unknown, left.tolist(), strict=False):
            cards[at] = card
        if draw is not None:
            draw += left[len(unknown) :].tolist()

    def read_knowledge(self) -> None:
        set_default_knowledge(self.rules, self.games)
        for word in COUNTS:
            self.game[word] = self.lines.one(word, partial(_numbers, size=CARDS, most=MOST_COPIES), self.game[word])
        if self.lines.find("odds"):
            odds = self.read_each("odds", partial(_numbers, size=HAND, most=CERTAIN))
            self.game["older_odds"][: self.rules.players] = odds


def _decider(text: str) -> tuple[int, int]:
    words = text.split()
    if len(words) != 2:
        raise ValueError("write the seat and the phase")
    return read_whole(words[0], LARGEST), read_code(words[1], PHASES)


def _building(text: str) -> list[tuple[int, int]]:
    words = text.split()
    if len(words) != PLACES:
        raise ValueError(f"write the last rank of {PLACES} places, 0 for an empty one")
    return list(map(_building_pile, words))


def _building_pile(word: str) -> tuple[int, int]:
    height, colon, ranks = word.partition(":")
    wild = [read_whole(rank, LARGEST) for rank in ranks.split(",")] if colon else []
    last = read_whole(height, LARGEST)
    if not 0 <= last < RANKS or not all(1 <= rank <= last for rank in wild):
        raise ValueError(
            f"{word!r}: write the last rank, 0 to {RANKS - 1}, and after a colon which ranks are wild cards"
        )
    return last, sum(1 << (rank - 1) for rank in set(wild))


def _known_cards(text: str) -> list[int]:
    return list(map(card_number, text.split()))


def _some_cards(text: str, most: int) -> list[int]:
    cards = [UNKNOWN if word == "?" else card_number(word) for word in text.split()]
    if len(cards) > most:
        raise ValueError(f"there is room for {most} cards")
    return cards


def _piles(text: str) -> list[list[int]]:
    piles = [_known_cards(pile) for pile in text.split("|")]
    if len(piles) != PLACES:
        raise ValueError(f"write {PLACES} piles, bottom card first, with | between piles")
    return piles


def _draw_pile(text: str) -> tuple[list[int], bool]:
    return _some_cards(text.removesuffix("..."), DECK), text.endswith("...")


def _numbers(text: str, size: int, most: int) -> list[int]:
    words = text.split()
    if len(words) != size or not all(re.fullmatch("[0-9]{1,5}", word) and int(word) <= most for word in words):
        raise ValueError(f"write {size} numbers from 0 to {most}")
    return list(map(int, words))
