"""The written position: any state of a game as text, hidden cards and draw order included (docs/notation.md)."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.table.errors import PositionError
from cardtable.table.game.positions import PositionReader, first_lines, read_code, read_numbers, read_whole
from skyjo_action_env import valid_tables
from skyjo_action_env.kernel import state
from skyjo_action_env.kernel.state import ACTION_DECK, BURIED, CELLS, DECK, EMPTY, HIDDEN, KINDS, LOWEST, NOBODY, STAR
from skyjo_action_env.rules import Rules, card_name
from skyjo_action_env.valid_tables import CARD_NAMES, LARGEST, LARGEST_TOTAL, PHASE_WORDS, lines_of

HEADER = "skyjo_action-position 1"
ROWS = np.arange(CELLS).reshape(state.COLUMNS, state.ROWS).T  # the cells of every row
LINES = tuple(map(str, range(state.LINES)))
HELD = {"drawn": 1, "taken": 1, "three": 3, "three_place": 3, "three_top": 3}  # cards in hand, written after the phase
UNKNOWN = len(KINDS)  # an action card that is written as ?; HIDDEN is a playing card that is
# What a card may be written as, and the code: in the draw pile, in hand, on the discard pile, in a layout.
CARDS = {name: LOWEST + at for at, name in enumerate(CARD_NAMES)}
IN_HAND = CARDS | {".": EMPTY, "?": HIDDEN}
DISCARDED = CARDS | {f"?{name}": card + BURIED for name, card in CARDS.items()} | {"?": HIDDEN + BURIED}
LYING = {**IN_HAND, **{f"?{name}": card for name, card in CARDS.items()}}
ACTION_CARDS = {kind: code for code, kind in enumerate(KINDS)}


def _join(words: Iterable[Any]) -> str:
    return " ".join(map(str, words))


def _kind_name(kind: int) -> str:
    return (*KINDS, "?", ".")[kind]


def _cell_name(place: int) -> str:
    return f"{place % CELLS} of {place // CELLS}"


def _write_kinds(counts: Any) -> str:
    return _join(np.repeat(KINDS, counts))


def _read_kinds(text: str) -> Any:
    return np.bincount(_cards(text, ACTION_CARDS, ACTION_DECK), minlength=len(KINDS))


def _write_lines(bits: Any) -> str:
    return _join(np.flatnonzero(lines_of(bits)))


def _read_lines(text: str) -> int:
    return sum(1 << line for line in {read_code(word, LINES) for word in text.split()})


def _write_parts(parts: Any, write: Callable[[Any], str]) -> str:
    return _join(" | ".join(map(write, parts)).split())


def _read_parts(text: str, players: int, read: Callable[[str], Any]) -> list[Any]:
    parts = text.split("|")
    if len(parts) != players:
        raise ValueError(f"write {players} parts, one per seat, with | between parts")
    return list(map(read, parts))


def _cards(text: str, known: dict[str, int], most: int = DECK) -> list[int]:
    words = text.split()
    unknown = [word for word in words if word not in known]
    if unknown:
        raise ValueError(f"no card is written as {unknown[0]!r} here; known are {', '.join(known)}")
    if len(words) > most:
        raise ValueError(f"there are more cards than the deck's {most}")
    return [known[word] for word in words]


def _fields(players: int) -> dict[str, tuple[str, Callable[[Any], str], Callable[[str], Any]]]:
    """Lines that are left out where a field has its usual value, by word: the field, and how to write and read it."""
    number, kinds, lines = partial(read_whole, limit=LARGEST), (_write_kinds, _read_kinds), (_write_lines, _read_lines)
    by_seat, cells = partial(read_numbers, count=players), tuple(map(_cell_name, range(CELLS * players)))
    names = ("turns", "reshuffles", "starter", "ender", "turns_left", "mover", "extra_turns", "attacked", "picked")
    fields: dict[str, Any] = {"round": ("round_number", str, number)} | {name: (name, str, number) for name in names}
    fields["totals"] = "totals", _join, partial(by_seat, limit=LARGEST_TOTAL)
    fields["scores"] = "round_scores", _join, partial(by_seat, limit=LARGEST)
    fields |= {name: (name, _join, partial(by_seat, limit=LARGEST)) for name in ("claims", "bonus", "plays", "earned")}
    for name, (write, read) in (("held", kinds), ("changed", lines)):
        fields[name] = name, partial(_write_parts, write=write), partial(_read_parts, players=players, read=read)
    fields |= {"fresh": ("fresh", *kinds), "accepted": ("accepted", *lines)}
    fields["played"] = "played", _kind_name, partial(read_code, known=KINDS)
    return fields | {name: (name, _cell_name, partial(read_code, known=cells)) for name in ("chosen", "chosen_with")}


WORDS = {*_fields(0), "layout", "discard", "draw", "strays", "open", "action_discard", "action_pile", "seat"}


def set_usual(rules: Rules, games: Any) -> None:
    """Set all that a position may leave out, from the seat, the phase, the layouts, the cards in hand, and the line."""
    game, phase = games[0], PHASE_WORDS[games[0]["phase"]]
    for field, _, _ in _fields(0).values():
        game[field] = NOBODY if field in ("starter", "ender", "chosen", "chosen_with") else 0
    game["round_number"], game["played"] = 1, valid_tables.PLAYED[game["phase"]]
    game["mover"] = NOBODY if phase == "opening" else game["seat"]
    game["attacked"] = game["seat"] if phase == "defence" else NOBODY
    first_empty = [*game["hand"], EMPTY].index(EMPTY)
    game["picked"] = {"three_place": 0, "three_top": first_empty, "three_flip": state.NO_CARD}.get(phase, NOBODY)
    if phase == "opening" and rules.opening_star:
        game["claims"] = (game["shown"] == STAR).sum(1)
    game["changed"][: rules.players] = valid_tables.least_changed(rules, games)[0]


def _part(games: Any, field: str, players: int) -> Any:
    """A field's values of every table: one, or those for the seats in play."""
    return games[field][:, :players] if state.GAME_DTYPE[field].shape[:1] == (state.MAX_PLAYERS,) else games[field]


def format_position(rules: Rules, game: Any) -> str:
    """Write one game record as text."""
    lines = first_lines(HEADER, rules, game)
    games, usual = (np.array([game], state.GAME_DTYPE) for _ in range(2))
    set_usual(rules, usual)
    for word, (field, write, _) in _fields(rules.players).items():
        if word in ("totals", "scores") or (usual[field][0] != game[field]).any():
            lines.append(f"{word} {write(_part(games, field, rules.players)[0])}".rstrip())
    lines += [f"layout {_format_layout(game, seat)}" for seat in range(rules.players)]
    lines += map(_join, _format_piles(rules, game))
    phase = PHASE_WORDS[game["phase"]]
    more = [game["line"]] if phase == "line" else map(card_name, game["hand"][: HELD.get(phase, 0)].tolist())
    return "\n".join([*lines, _join(["seat", game["seat"], phase, *more])]) + "\n"


def _format_layout(game: Any, seat: int) -> str:
    cards, shown, known = (game[field][seat].tolist() for field in ("cards", "shown", "knowers"))

    def cell(at: int) -> str:
        hidden = "?" if shown[at] == HIDDEN else ""
        knowers = ",".join(str(knower) for knower in range(state.MAX_PLAYERS) if known[at] >> knower & 1)
        return f"{hidden}{card_name(cards[at])}{'@' if knowers else ''}{knowers}"

    return " | ".join(_join(map(cell, row)) for row in ROWS)


def _format_piles(rules: Rules, game: Any) -> list[list[str]]:
    """The discard pile, the draw pile and its strays, then the action cards in the middle."""
    names = [f"?{card_name(card - BURIED)}" if card > EMPTY else card_name(card) for card in game["piles"].tolist()]
    strays = np.maximum(_draws(rules, game) - game["known_draws"], 0)
    kinds = list(map(_kind_name, game["action_piles"].tolist()))
    return [
        ["discard", *names[: game["discard_size"]]],
        ["draw", *names[DECK - game["pile_left"] :]],
        *([["strays", *np.repeat(CARD_NAMES, strays)]] if strays.any() else []),
        ["open", *map(_kind_name, game["open_actions"].tolist())],
        ["action_discard", *kinds[: game["action_discard_size"]]],
        ["action_pile", *kinds[ACTION_DECK - game["action_pile_left"] :]],
    ]


def _draws(rules: Rules, game: Any) -> NDArray[np.int64]:
    """The cards of the draw pile and drawn ones that, strays apart, everybody knows after a reshuffle (12.3)."""
    cards = valid_tables.count_cards(rules, np.array([game], state.GAME_DTYPE))
    draws: NDArray[np.int64] = (cards["draws"] + cards["drawn"])[0] * (game["reshuffles"] > 0)
    return draws


def parse_position(text: str) -> tuple[Rules, NDArray[Any]]:
    """Read a written position: its rules and an array of one game record. Raises PositionError with line and reason."""
    return _Reader(text, HEADER, WORDS, Rules, state.GAME_DTYPE).read()


class _Reader(PositionReader):
    """Reads the lines one by one into a game record, deals what was left open, and checks the record."""

    def read(self) -> tuple[Rules, NDArray[Any]]:
        for seat, layout in enumerate(self.read_each("layout", self.read_layout)):
            self.game["cards"][seat], self.game["shown"][seat], self.game["knowers"][seat] = layout
        self.lines.one("seat", self.read_decider)
        self.read_fields()
        is_open = self.read_cards()
        self.read_actions()
        valid_tables.CHECKS.check_records(self.rules, self.games)
        valid_tables.derive_counts(self.rules, self.games)
        valid_tables.CHECKS.check_tables(self.rules, self.games, is_open)
        return self.rules, self.games

    def read_layout(self, text: str) -> NDArray[np.int64]:
        """The cards of a layout, what is shown of them, and who knows them."""
        layout = np.zeros((3, CELLS), np.int64)
        rows, seats = [row.split() for row in text.split("|")], tuple(map(str, range(self.rules.players)))
        if list(map(len, rows)) != [state.COLUMNS] * state.ROWS:
            raise ValueError(f"write {state.ROWS} rows of {state.COLUMNS} cells, with | between rows")
        for cell, word in zip(ROWS.ravel(), chain(*rows), strict=True):
            face, at, knowers = word.partition("@")
            (card,) = _cards(face, LYING)
            bits = {1 << read_code(knower, seats) for knower in knowers.split(",")} if at else ()
            layout[:, cell] = card, HIDDEN if face.startswith("?") else card, sum(bits)
        return layout

    def read_decider(self, text: str) -> None:
        game, words = self.game, text.split()
        if len(words) < 2:
            raise ValueError("write the seat, the phase, and what belongs to the phase")
        game["seat"], game["phase"] = read_whole(words[0], LARGEST), read_code(words[1], PHASE_WORDS)
        is_line = words[1] == "line"
        if len(words) != 2 + HELD.get(words[1], is_line):
            raise ValueError(f"cards in hand go with {', '.join(HELD)}, three with three, and a line with line")
        game["line"] = read_whole(words[2], LARGEST) if is_line else NOBODY
        hand = [] if is_line else _cards(_join(words[2:]), IN_HAND)
        game["hand"] = [*hand, *[EMPTY] * (state.HAND - len(hand))]

    def read_fields(self) -> None:
        game, players = self.game, self.rules.players
        game["last_seat"] = game["last_action"] = NOBODY
        set_usual(self.rules, self.games)
        for word, (field, _, read) in _fields(players).items():
            part = _part(self.games, field, players)
            part[0] = self.lines.one(word, read, part[0])
        if game["starter"] == NOBODY and game["mover"] != NOBODY:
            game["starter"] = 0

    def read_cards(self) -> bool:
        """Lay all playing cards; return whether the draw pile is left open."""
        game, one = self.game, self.lines.one
        discards = one("discard", partial(_cards, known=DISCARDED))
        draws, is_open = one("draw", partial(_open_pile, known=CARDS, most=DECK), ([], True))
        game["discard_size"], game["pile_left"] = _lay(game["piles"], discards, draws)
        missing = valid_tables.missing_cards(valid_tables.count_cards(self.rules, self.games))
        is_buried = game["piles"] == HIDDEN + BURIED
        unknown = [(game["cards"], HIDDEN), (game["piles"], HIDDEN + BURIED), (game["hand"], HIDDEN)]
        left = self.deal(missing, CARD_NAMES, LOWEST, unknown)
        game["piles"][is_buried] += BURIED
        if is_open:
            game["pile_left"] = _lay(game["piles"], [], draws + left)[1]
        known = _draws(self.rules, game)
        for card in one("strays", partial(_cards, known=CARDS), []):
            known[card - LOWEST] -= 1
        if known.min() < 0:
            raise PositionError("strays: these are cards of the draw pile or drawn ones, after a reshuffle")
        game["known_draws"] = known
        return bool(is_open)

    def read_actions(self) -> None:
        """Lay the action cards in the middle."""
        game, one = self.game, self.lines.one
        game["open_actions"] = one("open", _open_places, [UNKNOWN] * state.PLACES)
        discards = one("action_discard", partial(_cards, known=ACTION_CARDS, most=ACTION_DECK), [])
        pile, is_open = one("action_pile", partial(_open_pile, known=ACTION_CARDS, most=ACTION_DECK), ([], True))
        sizes = _lay(game["action_piles"], discards, pile)
        game["action_discard_size"], game["action_pile_left"] = sizes
        missing = valid_tables.missing_actions(self.rules, valid_tables.count_actions(self.rules, self.games))
        left = self.deal(missing, KINDS, 0, [(game["open_actions"], UNKNOWN)])
        if is_open:
            game["action_pile_left"] = _lay(game["action_piles"], [], pile + left)[1]


def _open_pile(text: str, known: dict[str, int], most: int) -> tuple[list[int], bool]:
    return _cards(text.removesuffix("..."), known, most), text.endswith("...")


def _open_places(text: str) -> list[int]:
    kinds = _cards(text, {".": state.NO_KIND, **ACTION_CARDS, "?": UNKNOWN})
    if len(kinds) != state.PLACES:
        raise ValueError(f"write {state.PLACES} places, . for an empty one")
    return kinds


def _lay(piles: Any, discards: list[int], pile: list[int]) -> tuple[int, int]:
    """Put the cards where the two piles of a field lie; return their sizes."""
    piles[: len(discards)] = discards
    piles[len(piles) - len(pile) :] = pile
    return len(discards), len(pile)
