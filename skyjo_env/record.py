"""The written game: a record as text, and any record played again move by move (docs/notation.md)."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from skyjo_env.actions import action_names, parse_action
from skyjo_env.errors import RecordError, SkyjoError
from skyjo_env.game import Game
from skyjo_env.rules import Rules

VERSION = 1
FIELDS = {
    "skyjo_record": int,
    "rules": str,
    "seed": int,
    "deal": int,
    "episode": str,
    "start": str | None,
    "actions": list,
    "totals": list,
    "check": str,
}


class _Move(NamedTuple):
    """One action, and where it stands for error messages; the seat only if it is written."""

    where: str
    seat: int | None
    action: Any


def replay(written: str | dict[str, Any]) -> Game:
    """Play a record again and return the game as it stood; text may be `format_record`'s or JSON.

    Raises RecordError with the line (or move) and the reason if the record is damaged.

    >>> game = Game(seed=3)
    >>> game.apply(game.legal_actions()[0])
    >>> replay(game.record()).position() == game.position()
    True
    """
    if isinstance(written, str):
        record, moves = _read_json(written) if written.lstrip().startswith("{") else _read_text(written)
    else:
        record, moves = _read_dict(written)
    game = _start(record)
    for move in moves:
        _play(game, move)
    _check_end(game, record)
    return game


def format_record(record: dict[str, Any]) -> str:
    """Write a record as text, one turn a line; `replay` reads it back. A damaged one raises RecordError."""
    _read_dict(record)
    lines = [f"skyjo-record {VERSION}"]
    if record["rules"]:
        lines.append(f"rules {record['rules']}")
    lines += [f"{name} {record[name]}" for name in ("seed", "deal", "episode")]
    lines += [f"start {line}" for line in (record["start"] or "").splitlines()]
    lines += _turns(record)
    totals = " ".join(map(str, record["totals"]))
    return "\n".join([*lines, f"end moves={len(record['actions'])} check={record['check']} totals {totals}"]) + "\n"


def _turns(record: dict[str, Any]) -> Iterator[str]:
    """One line for every turn: `seat 0: draw, place 3`."""
    _, moves = _read_dict(record)
    game = _start(record)
    names = action_names(game.rules)
    turn: list[str] = []
    seat = game.seat
    for move in moves:
        if turn and (game.seat != seat or game.phase == "turn"):
            yield f"seat {seat}: {', '.join(turn)}"
            turn = []
        seat = game.seat
        _play(game, move)
        turn.append(names[move.action])
    if turn:
        yield f"seat {seat}: {', '.join(turn)}"


def _start(record: dict[str, Any]) -> Game:
    try:
        if record["start"] is not None:
            return Game.from_position(record["start"])
        return Game(Rules.from_text(record["rules"]), record["seed"], record["deal"], record["episode"])
    except SkyjoError as error:
        raise RecordError(f"the start of the record: {error}") from None


def _play(game: Game, move: _Move) -> None:
    if move.seat is not None and move.seat != game.seat:
        raise RecordError(f"{move.where}: seat {move.seat} cannot move, it is seat {game.seat}'s decision")
    try:
        game.apply(move.action)
    except SkyjoError as error:
        raise RecordError(f"{move.where}: {error}") from None


def _check_end(game: Game, record: dict[str, Any]) -> None:
    if list(game.totals) != record["totals"]:
        raise RecordError(f"end: totals {list(game.totals)} after the last move, {record['totals']} in the record")
    check = game.fingerprint()
    if check != record["check"]:
        raise RecordError(f"end: check {check}, but {record['check']} is recorded: moves were changed")


def _read_dict(record: Any) -> tuple[dict[str, Any], list[_Move]]:
    if not isinstance(record, dict):
        raise RecordError(f"a record is text or a dict, not {type(record).__name__}")
    if record.get("skyjo_record") != VERSION:
        raise RecordError(f"skyjo_record: version {record.get('skyjo_record')!r} is not known; this reads {VERSION}")
    for name, kind in FIELDS.items():
        if name not in record:
            raise RecordError(f"{name}: missing from the record")
        if not isinstance(record[name], kind):
            raise RecordError(f"{name}: {record[name]!r} is not of type {getattr(kind, '__name__', kind)}")
    return record, [_Move(f"move {number}", None, action) for number, action in enumerate(record["actions"], 1)]


def _read_json(text: str) -> tuple[dict[str, Any], list[_Move]]:
    try:
        return _read_dict(json.loads(text))
    except json.JSONDecodeError as error:
        raise RecordError(f"line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"line 1: this JSON is no record: {error}") from None


def _read_text(text: str) -> tuple[dict[str, Any], list[_Move]]:
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines or lines[0][1] != f"skyjo-record {VERSION}":
        raise RecordError(f"line 1: a written game begins with 'skyjo-record {VERSION}'")
    record: dict[str, Any] = {"rules": "", "seed": 0, "deal": 0, "episode": "game", "start": None}
    seat_lines = []
    for number, line in lines[1:]:
        if "check" in record:
            raise RecordError(f"line {number}: nothing may follow the end line")
        if line.startswith("seat "):
            seat_lines.append((number, line))
        else:
            _read_line(number, line, record)
    if "check" not in record:
        raise RecordError(f"line {lines[-1][0]}: the end line is missing: the record is cut off")
    moves = [move for number, line in seat_lines for move in _read_turn(number, line, _rules(record))]
    if len(moves) != record["moves"]:
        raise RecordError(f"line {lines[-1][0]}: {record['moves']} moves are announced, {len(moves)} are written")
    return record, moves


def _rules(record: dict[str, Any]) -> Rules:
    return _start(record).rules if record["start"] is not None else Rules.from_text(record["rules"])


def _read_line(number: int, line: str, record: dict[str, Any]) -> None:
    """One line that is not a turn."""
    word, _, rest = line.partition(" ")
    try:
        if word in ("seed", "deal"):
            record[word] = int(rest)
        elif word == "rules":
            record["rules"] = Rules.from_text(rest).to_text()
        elif word == "episode":
            record["episode"] = rest
        elif word == "start":
            record["start"] = f"{record['start'] or ''}{rest}\n"
        elif word == "end":
            moves, check, _, *totals = rest.split()
            record["moves"] = int(moves.removeprefix("moves="))
            record["check"] = check.removeprefix("check=")
            record["totals"] = [int(total) for total in totals]
        else:
            raise ValueError("lines begin with rules, seed, deal, episode, start, seat or end")
    except ValueError as error:
        raise RecordError(f"line {number}: {line!r}: {error}") from None


def _read_turn(number: int, line: str, rules: Rules) -> Iterator[_Move]:
    head, colon, names = line.partition(":")
    try:
        if not colon:
            raise ValueError("a turn reads 'seat 0: draw, place 3'")
        seat = int(head.removeprefix("seat "))
        for name in names.split(","):
            yield _Move(f"line {number}", seat, parse_action(rules, name.strip()))
    except ValueError as error:
        raise RecordError(f"line {number}: {line!r}: {error}") from None
