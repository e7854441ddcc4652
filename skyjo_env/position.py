"""Checks of game records, and the written position: any table as text, hidden cards and draw order included
(docs/reference/notation.md).
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.game.positions import (
    POINTS,
    ROUND,
    PositionReader,
    Problem,
    TableChecks,
    count_by_value,
    field_lines,
    first_lines,
    has_ended,
    lay_piles,
    plain,
    read_cards,
    split_parts,
    usual_bounds,
    wrong_deck,
    wrong_opening,
)
from skyjo_env.kernel.state import (
    CONFIRM,
    DRAWN,
    EMPTY,
    GAME_DTYPE,
    HIDDEN,
    HIGHEST,
    LOWEST,
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

CARD_NAMES = tuple(map(str, range(LOWEST, HIGHEST + 1)))
FIELDS = {**ROUND, **plain("reshuffles", "starter", "ender", "turns_left"), **POINTS}

Counts = NDArray[np.int64]  # [N, SPAN], of cards by value


# Counting

_count = partial(count_by_value, lowest=LOWEST, highest=HIGHEST)


def count_cards(rules: Rules, games: Any) -> dict[str, Counts]:
    """Count the cards of every table by value, wherever they lie."""
    cards = games["cards"][:, : rules.players, : rules.cells]
    is_hidden = games["shown"][:, : rules.players, : rules.cells] == HIDDEN
    at, piles = np.arange(rules.deck_size), games["piles"][:, : rules.deck_size]
    return {
        "open": _count(cards, ~is_hidden),
        "hidden": _count(cards, is_hidden),
        "discards": _count(piles, at < games["discard_size"][:, None]),
        "draws": _count(piles, at >= rules.deck_size - games["pile_left"][:, None]),
        "hand": _count(games["hand"][:, None], np.True_),
    }


def missing_cards(rules: Rules, cards: dict[str, Counts]) -> Counts:
    """Return the deck minus the cards that lie somewhere: below 0 where there are too many of a card."""
    deck = rules.params["deck"][0, : rules.deck_size].astype(np.int64)
    missing: Counts = np.bincount(deck - LOWEST, minlength=SPAN) - np.sum(list(cards.values()), axis=0)
    return missing


# Checks


def _bounds(rules: Rules) -> dict[str, tuple[int, int]]:
    others = rules.players - 1
    bounds = usual_bounds(rules, TRUNCATED) | {"ender": (NOBODY, others), "turns_left": (0, others)}
    bounds |= {"spare": (0, 0), "reshuffles": (0, rules.max_turns + others)}
    bounds |= dict.fromkeys(("pile_left", "discard_size", "pile_next", "pile_end"), (0, rules.deck_size))
    return bounds | dict.fromkeys(("hand", "shown", "cards", "piles"), (min(rules.values[0], 0), EMPTY))


def _complete(rules: Rules, games: Any) -> None:
    """Set the starter if the opening does not decide who that is (3.1, 3.3), and what follows from where cards lie."""
    is_seat_0 = (games["round_number"] == 1) & (rules.first_starter == "seat_0")
    has_default = (games["starter"] == NOBODY) & ((games["phase"] != OPENING) | is_seat_0)
    games["starter"] = np.where(has_default, 0, games["starter"])
    games["cards"][:, :, rules.cells :] = games["shown"][:, :, rules.cells :] = 0
    games["shown"] = shown = np.where(games["shown"] == HIDDEN, HIDDEN, games["cards"])
    _complete_pile(rules, games)
    _complete_pools(rules, games)
    games["hidden_left"] = hidden_left = (shown == HIDDEN).sum(2)
    games["open_sum"] = np.where(shown < HIDDEN, shown, 0).sum(2)
    left = rules.opening_flips - rules.cells + hidden_left[np.arange(len(games)), games["seat"]]
    games["opening_left"] = np.where(games["phase"] == OPENING, left, 0)


def _complete_pile(rules: Rules, games: Any) -> None:
    """Let the parts of the draw pile follow each other, up to where the deck would end (6.5)."""
    parts, ends = rules.players if rules.draw_streams else 1, games["pile_end"]
    ends[:, parts - 1], ends[:, parts:], games["pile_next"][:, parts:] = rules.deck_size, 0, 0
    games["pile_next"][:, :parts] = np.column_stack([rules.deck_size - games["pile_left"], ends[:, : parts - 1]])


def _complete_pools(rules: Rules, games: Any) -> None:
    """Count what hidden cards and draws may be: only a reshuffle tells them apart."""
    cards, is_one_pool = count_cards(rules, games), (games["reshuffles"] == 0)[:, None]
    hidden, draws = cards["hidden"], cards["draws"] + cards["hand"] * (games["phase"] == DRAWN)[:, None]
    games["hidden_pool"] = np.where(is_one_pool, hidden + draws, hidden)
    games["draw_pool"] = np.where(is_one_pool, hidden + draws, draws)
    games["discard_counts"] = cards["discards"]


def _problems(rules: Rules, games: Any) -> Iterator[Problem]:
    phase, ender, size, hand = games["phase"], games["ender"], games["discard_size"], games["hand"]
    hidden_left, cards = games["hidden_left"][:, : rules.players], count_cards(rules, games)
    missing = missing_cards(rules, cards)  # the cards missing may be out of play (5.6)
    yield wrong_deck(np.minimum(missing, 0) if rules.cleared_cards == "out_of_play" else missing, CARD_NAMES)
    lying = (cards["discards"] + cards["draws"]).sum(1)
    is_bare = (cards["hidden"].sum(1) != hidden_left.sum(1)) | (lying != size + games["pile_left"])
    yield is_bare, "not every hidden cell and every place of a pile holds a card"
    yield (games["pile_next"] > games["pile_end"]), "the parts of the draw pile do not follow each other"  # 6.5
    holds = (phase == DRAWN) | (phase == TAKEN)
    yield np.where(holds, hand >= HIDDEN, hand != EMPTY), "a card in hand goes with drawn and taken, and only with them"
    yield (
        (phase != TAKEN) & (size == 0),
        "a card must lie on the discard pile, unless the only one has been taken",
    )  # 6.4
    yield from has_ended(rules, games, phase < OVER, ender != NOBODY)  # 7.8, 8.2
    is_playing = (phase >= TURN) & (phase <= CONFIRM)
    text = "turns_left goes with an ender while the final lap is played, and only then"
    yield (games["turns_left"] > 0) != is_playing & (ender != NOBODY), text  # 7.2
    yield (phase == OVER) & hidden_left.any(1), "the game is over, but a card is hidden"  # 7.4
    yield (phase == CONFIRM) & (rules.clear != "confirm"), 'the phase confirm needs clear="confirm"'  # 5.5
    to_play = np.where(is_playing, np.where(ender == NOBODY, rules.players, games["turns_left"]), 0)
    still_plays = (np.arange(rules.players) - games["seat"][:, None]) % rules.players < to_play[:, None]
    has_none = (games["cards"][:, : rules.players, : rules.cells] == EMPTY).all(2)
    yield still_plays & has_none, "seat {at} has no cards left to play with"  # 7.1
    yield wrong_opening(rules.cells - hidden_left, games["seat"], phase == OPENING, rules.opening_flips)  # 2.3


CHECKS = TableChecks(_bounds, _complete, _problems)


# Written positions


def _set_usual(game: Any) -> None:
    """Set what a position may leave out."""
    game["round_number"], game["starter"], game["ender"] = 1, NOBODY, NOBODY
    game["turns"] = game["reshuffles"] = game["turns_left"] = 0


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    usual = game.copy()
    _set_usual(usual)
    lines = first_lines(rules, game) + field_lines(rules, game, usual, FIELDS)
    lines += [f"board {_format_board(rules, game, seat)}" for seat in range(rules.players)]
    lines.append(f"discard {_join(game['piles'][: game['discard_size']])}".rstrip())
    parts = zip(game["pile_next"], game["pile_end"], range(_parts(rules)), strict=False)
    lines.append(f"draw {' | '.join(_join(game['piles'][start:end]) for start, end, _ in parts)}".rstrip())
    hand = "" if game["hand"] == EMPTY else f" {game['hand']}"
    lines.append(f"seat {game['seat']} {PHASES[game['phase']]}{hand}")
    return "\n".join(lines) + "\n"


def _join(cards: Any) -> str:
    return " ".join(map(str, cards))


def _parts(rules: Rules) -> int:
    return rules.players if rules.draw_streams else 1


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
    reader = _Reader(text, {*FIELDS, "board", "discard", "draw", "seat"}, Rules, GAME_DTYPE)
    _set_usual(reader.game)
    reader.game["last_seat"] = reader.game["last_action"] = NOBODY
    reader.cards = {str(card): card for card, _ in reader.rules.deck}
    reader.read_fields(FIELDS)
    boards = np.array(reader.per_seat("board", reader.read_board))  # [P, 2, cells]
    reader.game["cards"][: len(boards), : reader.rules.cells] = boards[:, 0]
    reader.game["shown"][: len(boards), : reader.rules.cells] = boards[:, 1]
    reader.read_decider(PHASES, reader.read_hand)
    reader.read_piles()
    return reader.finished(CHECKS)


class _Reader(PositionReader):
    """Reads the lines of cards; HIDDEN is a card that is written as ?."""

    cards: dict[str, int]  # of the deck, by name

    def read_board(self, text: str) -> tuple[list[int], list[int]]:
        """Return the cards of a board, and what is shown of them."""
        words = " ".join(split_parts(text, self.rules.columns, self.rules.rows)).split()
        hidden = {f"?{name}": card for name, card in self.cards.items()}
        cards = read_cards(" ".join(words), {".": EMPTY, "?": HIDDEN, **self.cards, **hidden})
        return cards, [HIDDEN if word.startswith("?") else card for word, card in zip(words, cards, strict=True)]

    def read_hand(self, words: list[str]) -> None:
        """Read the card in hand, if there is one."""
        cards = read_cards(" ".join(words), {"?": HIDDEN, **self.cards}, room=1)
        self.game["hand"] = cards[0] if cards else EMPTY

    def read_piles(self) -> None:
        """Lay the piles, and deal the cards that are not written anywhere to every ?, and to an open draw pile."""
        rules, discards = self.rules, self.one("discard", partial(read_cards, codes=self.cards))
        parts, is_open = self.one("draw", self.read_draw, ([[]] * _parts(rules), True))
        self.lay(discards, parts)
        missing = missing_cards(rules, count_cards(rules, self.games))
        left = self.deal(missing, CARD_NAMES, LOWEST, [(self.games[name], HIDDEN) for name in ("cards", "hand")])
        if is_open:
            more = np.array_split(left, len(parts))
            self.lay(discards, [[*part, *cards] for part, cards in zip(parts, more, strict=True)])

    def read_draw(self, text: str) -> tuple[list[list[int]], bool]:
        """Return the parts of the draw pile, and whether they go on."""
        parts = split_parts(text.removesuffix("..."), _parts(self.rules))
        return [read_cards(part, self.cards) for part in parts], text.endswith("...")

    def lay(self, discards: list[int], parts: list[list[int]]) -> None:
        """Lay both piles."""
        sizes = lay_piles(self.game["piles"][: self.rules.deck_size], discards, [*chain(*parts)])
        self.game["discard_size"], self.game["pile_left"] = sizes
        ends = self.rules.deck_size - sizes[1] + np.cumsum([len(part) for part in parts])
        self.game["pile_end"][: len(parts)] = ends
