"""The written position: any state of a game as text, hidden cards and draw order included (docs/notation.md)."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardtable.errors import PositionError
from cardtable.kernel import chance
from cardtable.kernel.game_kernel import EPISODES
from cardtable.positions import (
    PositionLines,
    is_whole_deck,
    read_chance,
    read_code,
    read_seats,
    read_whole,
    refuse_invalid,
)
from skyjo_action_env import valid_tables
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.state import BURIED, CELLS, COLUMNS, DECK, EMPTY, HIDDEN, KINDS, LOWEST, NOBODY, STAR
from skyjo_action_env.rules import Rules
from skyjo_action_env.valid_tables import CARD_NAMES, LARGEST, LARGEST_TOTAL, PHASE_WORDS, least_changed, lines_of

HEADER = "skyjo_action-position 1"
ROWS = np.arange(CELLS).reshape(COLUMNS, -1).T  # the cells of every row
HELD = {"drawn": 1, "taken": 1, "three": 3, "three_place": 3, "three_top": 3}  # cards in hand, written after the phase
UNKNOWN = len(KINDS)  # an action card that is written as ?; HIDDEN is a playing card that is
# What a card may be written as, and the code: in the draw pile, in hand, on the discard pile, in a layout.
CARDS = {name: LOWEST + at for at, name in enumerate(CARD_NAMES)}
IN_HAND = CARDS | {".": EMPTY, "?": HIDDEN}
DISCARDED = CARDS | {f"?{name}": card + BURIED for name, card in CARDS.items()} | {"?": HIDDEN + BURIED}
LYING = {**IN_HAND, **{f"?{name}": card for name, card in CARDS.items()}}


class Line(NamedTuple):
    """How a field of the record is written; the line is left out where the field is as usual (`set_usual`)."""

    field: str
    write: Callable[[Any], str]
    read: Callable[[int, str], Any]  # (players, what follows the word)


def _join(words: Iterable[Any]) -> str:
    return " ".join(map(str, words))


def _number(field: str) -> Line:
    return Line(field, str, lambda _, text: read_whole(text, LARGEST))


def _seats(field: str, limit: int = LARGEST) -> Line:
    return Line(field, _join, lambda players, text: read_seats(text, players, limit))


def _parts(field: str, write: Callable[[Any], str], read: Callable[[str], Any]) -> Line:
    """A part for every seat, with | between parts."""

    def read_parts(players: int, text: str) -> list[Any]:
        parts = text.split("|")
        if len(parts) != players:
            raise ValueError(f"write {players} parts, one a seat, with | between parts")
        return list(map(read, parts))

    return Line(field, lambda parts: " | ".join(map(write, parts)), read_parts)


def _write_cell(place: Any) -> str:
    return f"{place % CELLS} of {place // CELLS}"


def _read_cell(players: int, text: str) -> int:
    for place in range(CELLS * players):
        if _write_cell(place) == text:
            return place
    raise ValueError(f"write a cell and its seat, 0 to {CELLS - 1} of 0 to {players - 1}")


def _write_kinds(counts: Any) -> str:
    return _join(np.repeat(KINDS, counts))


def _read_kinds(text: str) -> list[int]:
    kinds = [read_code(word, KINDS) for word in text.split()]
    return [min(kinds.count(kind), LARGEST) for kind in range(UNKNOWN)]


def _write_lines(bits: Any) -> str:
    return _join(np.flatnonzero(lines_of(bits)))


def _read_lines(text: str) -> int:
    known = tuple(map(str, range(state.LINES)))
    return sum(1 << line for line in {read_code(word, known) for word in text.split()})


def _open_name(kind: int) -> str:
    return (*KINDS, "?", ".")[kind]


def _cards(text: str, known: dict[str, int]) -> list[int]:
    unknown = [word for word in text.split() if word not in known]
    if unknown:
        raise ValueError(f"no card is written as {unknown[0]!r} here, but as {', '.join(known)}")
    return [known[word] for word in text.split()]


NUMBERS = ("turns", "reshuffles", "starter", "ender", "turns_left", "mover", "extra_turns", "attacked", "picked")
LINES = {"round": _number("round_number")} | {name: _number(name) for name in NUMBERS}
LINES |= {"totals": _seats("totals", LARGEST_TOTAL), "scores": _seats("round_scores")}
LINES |= {name: _seats(name) for name in ("claims", "bonus", "plays", "earned")}
LINES |= {"held": _parts("held", _write_kinds, _read_kinds), "changed": _parts("changed", _write_lines, _read_lines)}
LINES |= {"accepted": Line("accepted", _write_lines, lambda _, text: _read_lines(text))}
LINES |= {"fresh": Line("fresh", _write_kinds, lambda _, text: _read_kinds(text))}
LINES |= {"played": Line("played", _open_name, lambda _, word: read_code(word, KINDS))}
LINES |= {name: Line(name, _write_cell, _read_cell) for name in ("chosen", "chosen_with")}
WORDS = {"rules", "episode", "chance", *LINES, "layout", "discard", "draw", "strays", "open"}
WORDS |= {"action_discard", "action_pile", "seat"}


def set_usual(rules: Rules, games: Any) -> None:
    """Set what a position may leave out by the seat, the phase, the layouts, the cards in hand, and the line."""
    game = games[0]
    phase, seat = PHASE_WORDS[game["phase"]], game["seat"]
    for line in LINES.values():
        game[line.field] = NOBODY if line.field in ("starter", "ender", "chosen", "chosen_with") else 0
    game["round_number"], game["played"] = 1, valid_tables.PLAYED[game["phase"]]
    game["mover"] = NOBODY if phase == "opening" else seat
    game["attacked"] = seat if phase == "defence" else NOBODY
    game["picked"] = {"three_place": 0, "three_flip": state.NO_CARD}.get(phase, NOBODY)
    if phase == "three_top":
        game["picked"] = [*game["hand"], EMPTY].index(EMPTY)
    if phase == "opening" and rules.opening_star:
        game["claims"] = (game["shown"] == STAR).sum(1)
    game["changed"][: rules.players] = least_changed(rules, games)[0]


def _is_by_seat(field: str) -> bool:
    return state.GAME_DTYPE[field].shape[:1] == (state.MAX_PLAYERS,)


# Writing


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    lines = [HEADER, *([f"rules {rules.to_text()}"] if rules.to_text() else []), f"episode {EPISODES[game['episode']]}"]
    lines.append(f"chance {int(game['key']):016x} {int(game['chance']):016x}")
    usual = np.array([game], state.GAME_DTYPE)
    set_usual(rules, usual)
    for word, line in LINES.items():
        if word in ("totals", "scores") or (usual[line.field][0] != game[line.field]).any():
            value = game[line.field][: rules.players] if _is_by_seat(line.field) else game[line.field]
            lines.append(f"{word} {line.write(value)}".rstrip())
    lines += [f"layout {_format_layout(game, seat)}" for seat in range(rules.players)]
    lines += _format_piles(rules, game)
    phase = PHASE_WORDS[game["phase"]]
    more = [game["line"]] if phase == "line" else map(_card_name, game["hand"][: HELD.get(phase, 0)])
    return "\n".join([*lines, _join(["seat", game["seat"], phase, *more])]) + "\n"


def _card_name(card: Any) -> str:
    return {STAR: "*", EMPTY: "."}.get(int(card), str(card))


def _format_layout(game: Any, seat: int) -> str:
    def cell(at: int) -> str:
        hidden = "?" if game["shown"][seat, at] == HIDDEN else ""
        knowers = ",".join(map(str, np.flatnonzero(game["knowers"][seat, at] >> np.arange(state.MAX_PLAYERS) & 1)))
        return f"{hidden}{_card_name(game['cards'][seat, at])}{'@' if knowers else ''}{knowers}"

    return " | ".join(_join(map(cell, row)) for row in ROWS)


def _format_piles(rules: Rules, game: Any) -> list[str]:
    """The discard pile, the draw pile and what is not known of it, then the action cards in the middle."""
    actions, first = game["action_piles"], state.ACTION_DECK - game["action_pile_left"]
    names = [f"?{_card_name(card - BURIED)}" if card > EMPTY else _card_name(card) for card in game["piles"].tolist()]
    lines = [["discard", *names[: game["discard_size"]]], ["draw", *names[DECK - game["pile_left"] :]]]
    strays = np.maximum(_draws(rules, game) - game["known_draws"], 0)
    lines += [["strays", *np.repeat(CARD_NAMES, strays)]] if strays.any() else []
    lines.append(["open", *map(_open_name, game["open_actions"])])
    lines.append(["action_discard", *map(_open_name, actions[: game["action_discard_size"]])])
    return list(map(_join, [*lines, ["action_pile", *map(_open_name, actions[first:])]]))


def _draws(rules: Rules, game: Any) -> NDArray[np.int64]:
    """The cards of the draw pile and drawn ones that, strays apart, everybody knows after a reshuffle (12.3)."""
    cards = valid_tables.count_cards(rules, np.array([game], state.GAME_DTYPE))
    draws: NDArray[np.int64] = (cards["draws"] + cards["drawn"])[0] * (game["reshuffles"] > 0)
    return draws


# Reading


def parse_position(text: str) -> tuple[Rules, NDArray[Any]]:
    """Read a written position: its rules and an array of one game record. Raises PositionError with line and reason."""
    return _Reader(text).read()


class _Reader:
    """Reads the lines one by one into a game record, deals what was left open, and checks the whole."""

    def __init__(self, text: str) -> None:
        self.lines = PositionLines(text, HEADER, WORDS)
        self.rules = self.lines.one("rules", Rules.from_text, Rules())
        self.games = np.zeros(1, state.GAME_DTYPE)
        self.game = self.games[0]
        self.game["last_seat"] = self.game["last_action"] = self.game["line"] = NOBODY

    def read(self) -> tuple[Rules, NDArray[Any]]:
        game, one = self.game, self.lines.one
        game["episode"] = one("episode", partial(read_code, known=EPISODES), EPISODES.index("game"))
        game["key"], game["chance"] = one("chance", read_chance, (0, 0))
        self.read_layouts()
        one("seat", self.read_decider)
        self.read_fields()
        is_open = self.read_cards()
        self.read_actions()
        valid_tables.check_records(self.rules, self.games)
        valid_tables.derive_counts(self.rules, self.games)
        valid_tables.check_tables(self.rules, self.games, is_open)
        return self.rules, self.games

    def read_layouts(self) -> None:
        found = self.lines.find("layout")
        if len(found) != self.rules.players:
            raise PositionError(f"{len(found)} layouts are written, the rules have {self.rules.players} players")
        for seat, (number, text) in enumerate(found):
            self.lines.parse(number, "layout", partial(self.read_layout, seat), text)

    def read_layout(self, seat: int, text: str) -> None:
        rows = [row.split() for row in text.split("|")]
        if [len(row) for row in rows] != [COLUMNS] * len(ROWS):
            raise ValueError(f"write {len(ROWS)} rows of {COLUMNS} cells, with | between rows")
        for cell, word in zip(ROWS.ravel(), chain(*rows), strict=True):
            face, at, seats = word.partition("@")
            (card,) = _cards(face, LYING)
            self.game["cards"][seat, cell] = card
            self.game["shown"][seat, cell] = HIDDEN if face.startswith("?") else card
            known = tuple(map(str, range(self.rules.players)))
            knowers = {read_code(knower, known) for knower in seats.split(",")} if at else ()
            self.game["knowers"][seat, cell] = sum(1 << knower for knower in knowers)

    def read_decider(self, text: str) -> None:
        words = text.split()
        if len(words) < 2:
            raise ValueError("write the seat, the phase, and what belongs to the phase")
        self.game["seat"], self.game["phase"] = read_whole(words[0], LARGEST), read_code(words[1], PHASE_WORDS)
        if len(words) != 2 + HELD.get(words[1], words[1] == "line"):
            raise ValueError(
                "one card in hand goes with drawn and taken, three with three, three_place and three_top, "
                "and a line with line"
            )
        if words[1] == "line":
            self.game["line"] = read_whole(words[2], LARGEST)
        hand = _cards(_join(words[2:]), IN_HAND) if words[1] in HELD else []
        self.game["hand"] = [*hand, *[EMPTY] * (state.HAND - len(hand))]

    def read_fields(self) -> None:
        game, players = self.game, self.rules.players
        set_usual(self.rules, self.games)
        for word, (field, _, read) in LINES.items():
            usual = game[field][:players] if _is_by_seat(field) else game[field]
            value = self.lines.one(word, partial(read, players), usual)
            if _is_by_seat(field):
                game[field][:players] = value
            else:
                game[field] = value
        if game["starter"] == NOBODY and game["mover"] != NOBODY:
            game["starter"] = 0

    def read_cards(self) -> bool:
        """Lay all playing cards; return whether the draw pile is left open."""
        game, one = self.game, self.lines.one
        discards = one("discard", partial(_pile, known=DISCARDED, most=DECK))
        draws, is_open = one("draw", partial(_open_pile, known=CARDS, most=DECK), ([], True))
        self.lay("piles", discards, draws)
        unknown = [(game["cards"], HIDDEN), (game["piles"], HIDDEN + BURIED), (game["hand"], HIDDEN)]
        missing = valid_tables.missing_cards(valid_tables.count_cards(self.rules, self.games))
        left = self.deal(missing, LOWEST, CARD_NAMES, unknown)
        self.lay("piles", game["piles"][: len(discards)].tolist(), draws + left * is_open)
        known = _draws(self.rules, game)
        for card in one("strays", partial(_pile, known=CARDS, most=DECK), []):
            known[card - LOWEST] -= 1
        if (known < 0).any():
            raise PositionError("strays: these are cards of the draw pile or drawn ones, after a reshuffle")
        game["known_draws"] = known
        return bool(is_open)

    def read_actions(self) -> None:
        """Lay the action cards in the middle."""
        game, one = self.game, self.lines.one
        known = {kind: code for code, kind in enumerate(KINDS)}
        game["open_actions"] = one("open", _open_places, [UNKNOWN] * state.PLACES)
        discards = one("action_discard", partial(_pile, known=known, most=state.ACTION_DECK), [])
        pile, is_open = one("action_pile", partial(_open_pile, known=known, most=state.ACTION_DECK), ([], True))
        self.lay("action_piles", discards, pile)
        missing = valid_tables.missing_actions(self.rules, valid_tables.count_actions(self.rules, self.games))
        left = self.deal(missing, 0, KINDS, [(game["open_actions"], UNKNOWN)])
        self.lay("action_piles", discards, pile + left * is_open)

    def lay(self, field: str, discards: list[int], pile: list[int]) -> None:
        """Make these the two piles of a field."""
        sizes = {"piles": ("discard_size", "pile_left"), "action_piles": ("action_discard_size", "action_pile_left")}
        self.game[sizes[field][0]], self.game[sizes[field][1]] = len(discards), len(pile)
        self.game[field][: len(discards)] = discards
        self.game[field][len(self.game[field]) - len(pile) :] = pile

    def deal(
        self, missing: NDArray[np.int64], lowest: int, names: Sequence[str], unknown: list[tuple[Any, int]]
    ) -> list[int]:
        """Deal the cards that are not written anywhere to every ?; return the rest."""
        too_many = is_whole_deck(np.minimum(missing, 0), names, is_open=True)
        refuse_invalid(self.rules, self.games, [too_many])
        left = lowest + np.repeat(np.arange(len(names)), missing[0])
        shuffler = self.games.copy()  # the game's own generator stays where it is
        shuffler["chance"] ^= shuffler["key"]
        chance.shuffle_cards(shuffler, left)
        needed = sum(np.count_nonzero(places == code) for places, code in unknown)
        if needed > len(left):
            raise PositionError(f"{needed} cards are written as ?, but {len(left)} are left")
        for places, code in unknown:
            at = np.flatnonzero(places == code)
            places.reshape(-1)[at] = left[: len(at)] + (code - HIDDEN if code > HIDDEN else 0)
            left = left[len(at) :]
        return left.tolist()


def _pile(text: str, known: dict[str, int], most: int) -> list[int]:
    cards = _cards(text, known)
    if len(cards) > most:
        raise ValueError(f"there are more cards than the deck's {most}")
    return cards


def _open_pile(text: str, known: dict[str, int], most: int) -> tuple[list[int], bool]:
    return _pile(text.removesuffix("..."), known, most), text.endswith("...")


def _open_places(text: str) -> list[int]:
    kinds = [read_code(word, (".", *KINDS, "?")) - 1 for word in text.split()]
    if len(kinds) != state.PLACES:
        raise ValueError(f"write {state.PLACES} places, . for an empty one")
    return kinds
