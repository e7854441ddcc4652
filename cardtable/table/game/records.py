"""The records of any game: a record as text or in an address, and any record played again move by move
(docs/reference/notation.md).

What follows the # of an address is sent to no server: it is a record as JSON, deflated, in base64url. Addresses come
from strangers, so reading one costs at most `MAX_BYTES`.
"""

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cardtable.table.checks import brief
from cardtable.table.errors import IllegalActionError, RecordError, TableError
from cardtable.table.game.card_game import CardGame, Setup
from cardtable.table.game.positions import read_whole
from cardtable.table.game.table_game import RECORD_VERSION, TableGame, game_class

MAX_LETTERS = 32_000  # after the #
MAX_BYTES = 100_000  # of the JSON
MAX_NAME = 20  # letters
MAX_SEED = 2**64 - 1
RAW = -zlib.MAX_WBITS  # without the header and checksum of zlib, as browsers' "deflate-raw"

FIELDS = {
    "rules": str,
    "seed": int,
    "deal": int,
    "episode": str,
    "start": str | None,
    "actions": list,
    "totals": list,
    "check": str,
}
MAY_LACK = ("start", "totals", "check")  # in JSON as text: a page that writes it has no positions as text
PLAYED = ("rules", "seed", "deal", "episode", "start", "totals", "check")  # what playing again must give


class _Move(NamedTuple):
    """One action, and where it stands for error messages; the seat only if it is written."""

    where: str
    seat: int | None
    action: Any


_Record = tuple[dict[str, Any], list[_Move]]  # the record with the fields of a dict, and its actions


class RecordFormat:
    """Reader and writer of the records of one game."""

    def __init__(self, card_game: CardGame) -> None:
        self._card_game = card_game
        self.key = f"{card_game.name}_record"  # the field of a record with its version, which tells whose record it is
        self.header = f"{card_game.name}-record {RECORD_VERSION}"  # the first line of a record as text

    def replay(self, written: str | dict[str, Any]) -> Any:
        """Play a record again and return the final game; text may be `format_record`'s, JSON, or an address.

        Raises RecordError with the line (or move) and the reason if the record is damaged.
        """
        if isinstance(written, str):
            return self._played(*self._read(written))[0]
        return self._played(*self._read_dict(written))[0]

    def format_record(self, record: dict[str, Any]) -> str:
        """Write a record as text, one turn a line; `replay` reads it back. A damaged one raises RecordError."""
        record, moves = self._read_dict(record)
        _, turns = self._played(record, moves)
        lines = [self.header]
        if record["start"] is not None:
            lines += [f"start {line}" for line in record["start"].splitlines()]
        else:
            lines += [f"rules {record['rules']}"] if record["rules"] else []
            lines += [f"{name} {record[name]}" for name in ("seed", "deal", "episode")]
        totals = " ".join(map(str, record["totals"]))
        return "\n".join([*lines, *turns, f"end moves={len(moves)} check={record['check']} totals {totals}"]) + "\n"

    def begin(self, record: dict[str, Any]) -> TableGame[Any]:
        """Return the game as it stood before the first action of a record."""
        make = game_class(self._card_game)
        try:
            if record.get("start") is not None:
                return make.from_position(record["start"])
            return make(self._card_game.rules(record["rules"]), record["seed"], record["deal"], record["episode"])
        except TableError as error:
            raise RecordError(f"the start of the record: {error}") from None

    def read_game(self, text: str) -> TableGame[Any]:
        """Return the game that a record or position describes; TableError with the line and the reason if it is
        damaged.
        """
        if text.lstrip().startswith(f"{self._card_game.name}-position"):
            return game_class(self._card_game).from_position(text)
        game: TableGame[Any] = self.replay(text)
        return game

    def events(self, record: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the events of every decision of a recorded game (docs/reference/events.md)."""
        game = self.begin(record)
        for action in record["actions"]:
            yield game.play(action)

    # Playing

    def _played(self, record: dict[str, Any], moves: list[_Move]) -> tuple[TableGame[Any], list[str]]:
        """Play a record to its end; returns the game and its turns as lines like `seat 0: draw, place 3`."""
        game = self.begin(record)
        names = self._card_game.action_names(game.rules)
        turns: list[tuple[int, list[str]]] = []
        for move in moves:
            seat = game.seat
            if not turns or seat != turns[-1][0] or self._card_game.begins_turn(game):
                turns.append((seat, []))
            _play(game, move)
            turns[-1][1].append(names[move.action])
        self._check_end(game, record)
        return game, [f"seat {seat}: {', '.join(actions)}" for seat, actions in turns]

    def _check_end(self, game: TableGame[Any], record: dict[str, Any]) -> None:
        """Refuse a record that differs from that of the game played, in any field."""
        played = game.record()
        for name in (self.key, *PLAYED):
            value = played[name]
            if name in record and not _is_same(record[name], value):
                raise RecordError(f"{name}: {brief(record[name])} is recorded, but the moves give {brief(value)}")

    # Reading

    def _read(self, text: str) -> _Record:
        if is_address(text):
            return self._read_json(unpacked(text))
        return self._read_json(text) if text.lstrip().startswith("{") else self._read_text(text)

    def _read_dict(self, record: Any, may_lack: tuple[str, ...] = ()) -> _Record:
        if not isinstance(record, dict):
            raise RecordError(f"a record is text or a dict, not {type(record).__name__}")
        if record.get(self.key, RECORD_VERSION) != RECORD_VERSION:
            raise RecordError(f"{self.key}: version {brief(record[self.key])} cannot be read, only {RECORD_VERSION}")
        for name, kind in ({self.key: int} | FIELDS).items():
            if name not in record and name in may_lack:
                continue
            if name not in record:
                other = next((key for key in record if name == self.key and key.endswith("_record")), "")
                raise RecordError(f"{name}: missing from the record" + (f", which has {brief(other)}" if other else ""))
            if not isinstance(record[name], kind):
                named = kind.__name__ if isinstance(kind, type) else str(kind)
                raise RecordError(f"{name}: {brief(record[name])} is not of type {named}")
        return record, [_Move(f"move {number}", None, action) for number, action in enumerate(record["actions"], 1)]

    def _read_json(self, text: str) -> _Record:
        try:
            record = json.loads(text)
        except json.JSONDecodeError as error:
            raise RecordError(f"line {error.lineno}: {error.msg}") from None
        except (ValueError, RecursionError):
            raise RecordError("line 1: this JSON holds a number or nesting that no record has") from None
        return self._read_dict(record, MAY_LACK)

    def _read_text(self, text: str) -> _Record:
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines or lines[0][1] != self.header:
            raise RecordError(f"line 1: a written game begins with {self.header!r}")
        record: dict[str, Any] = {self.key: RECORD_VERSION, "rules": "", "seed": 0, "deal": 0, "episode": "game"}
        record |= {"start": None, "seen": set()}
        turns, starts = [], list[str]()
        for number, line in lines[1:]:
            if "check" in record:
                raise RecordError(f"line {number}: nothing may follow the end line")
            if line.startswith("seat "):
                turns.append((number, line))
            else:
                self._read_line(number, line, record, starts)
        record["start"] = "".join(starts) or None
        if "check" not in record:
            raise RecordError(f"line {lines[-1][0]}: the end line is missing: the record is cut off")
        begun = self.begin(record)
        rules = begun.rules
        record |= {"rules": rules.to_text(), "episode": begun.episode}
        moves = [move for number, line in turns for move in self._read_turn(number, line, rules)]
        if len(moves) != record["moves"]:
            raise RecordError(f"line {lines[-1][0]}: {record['moves']} moves are expected, {len(moves)} are written")
        return record, moves

    def _read_line(self, number: int, line: str, record: dict[str, Any], starts: list[str]) -> None:
        """Read one line that is not a turn; those of a start are gathered."""
        word, _, rest = line.partition(" ")
        try:
            if word in record["seen"]:
                raise ValueError(f"there is already a line {word!r}")
            record["seen"].add("" if word == "start" else word)
            if word in ("seed", "deal"):
                record[word] = read_whole(rest, MAX_SEED)
            elif word == "rules":
                record["rules"] = self._card_game.rules(rest).to_text()
            elif word == "episode":
                record["episode"] = rest
            elif word == "start":
                starts.append(f"{rest}\n")
            elif word == "end":
                _read_end(rest, record)
            else:
                raise ValueError("lines begin with rules, seed, deal, episode, start, seat or end")
        except ValueError as error:
            raise RecordError(f"line {number}: {line!r}: {error}") from None

    def _read_turn(self, number: int, line: str, rules: Any) -> Iterator[_Move]:
        head, colon, names = line.partition(":")
        try:
            if not colon:
                example = self._card_game.example or f"seat 0: {self._card_game.action_names(rules)[0]}"
                raise ValueError(f"a turn looks like {example!r}")
            seat = read_whole(head.removeprefix("seat "), MAX_SEED)
            for name in names.split(","):
                yield _Move(f"line {number}", seat, self._card_game.parse_action(rules, name.strip()))
        except ValueError as error:
            raise RecordError(f"line {number}: {line!r}: {error}") from None


def _play(game: TableGame[Any], move: _Move) -> None:
    if move.seat is not None and move.seat != game.seat:
        raise RecordError(f"{move.where}: seat {move.seat} cannot move: it is seat {game.seat}'s decision")
    try:
        game.apply(move.action)
    except TableError as error:
        raise RecordError(f"{move.where}: {error}") from None


def _is_same(recorded: Any, played: Any) -> bool:
    """Equal, and of the same types: JSON tells 0 from 0.0 and from false."""
    if isinstance(recorded, list) and isinstance(played, list):
        return len(recorded) == len(played) and all(map(_is_same, recorded, played))
    return type(recorded) is type(played) and bool(recorded == played)


def _read_end(text: str, record: dict[str, Any]) -> None:
    match = re.fullmatch(r"moves=([0-9]{1,9}) check=([0-9a-f]{8}) totals((?: -?[0-9]{1,9})+)", text)
    if match is None:
        raise ValueError("it looks like 'end moves=10 check=0123abcd totals 12 34'")
    record["moves"], record["check"] = int(match[1]), match[2]
    record["totals"] = [int(total) for total in match[3].split()]


def recorded(setup: Setup, deal: int, actions: Sequence[int]) -> dict[str, Any]:
    """Return the record of a game; IllegalActionError for an action that is not legal."""
    game = game_class(setup.game)(setup.rules, setup.seed, deal, setup.episode)
    for number, action in enumerate(actions, 1):
        try:
            game.apply(action)
        except IllegalActionError as error:
            raise IllegalActionError(f"move {number}: {error}") from None
    return game.record()


def is_address(text: str) -> bool:
    """Return whether this is an address, rather than a record or the name of a file."""
    return re.match(r"\s*[a-z]+://", text) is not None


def shared_text(record: dict[str, Any], names: Sequence[str] = ()) -> str:
    """Return the content of an address: a record as JSON, and the names of the players by seat, agents without
    parameters.
    """
    called = {"names": [name.partition(":")[0][:MAX_NAME] for name in names]} if any(names) else {}
    said = {name: value for name, value in record.items() if value is not None}
    return json.dumps(said | called, separators=(",", ":"))


def packed(text: str) -> str:
    """Return the text packed for the part of an address after the #; RecordError if that would be too long."""
    deflating = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=RAW)
    code = base64.urlsafe_b64encode(deflating.compress(text.encode()) + deflating.flush()).decode().rstrip("=")
    if len(code) > MAX_LETTERS or len(text) > MAX_BYTES:
        raise RecordError("the game is too long for an address; save its record instead")
    return code


def unpacked(address: str) -> str:
    """Return the JSON in an address; RecordError if there is none, or if it is damaged or too long."""
    code = address.strip().partition("#")[2]
    if len(code) > MAX_LETTERS:
        raise RecordError(f"at most {MAX_LETTERS:,} characters may follow the #, not {len(code):,}")
    if not re.fullmatch("[A-Za-z0-9_-]+", code):
        raise RecordError("no game follows a #: a shared game is letters, digits, - and _")
    inflating = zlib.decompressobj(RAW)
    try:
        text = inflating.decompress(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)), MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise RecordError(f"the game has more than {MAX_BYTES:,} characters")
        if inflating.eof and not inflating.unused_data:
            return text.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        pass
    raise RecordError("the address is damaged; it may have been cut off when it was copied")


def shared_names(address: str) -> list[Any]:
    """Return the names of the players in an address, by seat and unchecked, or an empty list. Its game has been read
    before.
    """
    names = json.loads(unpacked(address)).get("names", [])
    if not isinstance(names, list):
        raise RecordError(f"names: {brief(names)} is not of type list")
    return names
