"""Requests from browsers, strictly parsed: anything not described here is refused and changes nothing."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from cardtable.table.errors import TableError
from skyjo.web.person_names import read_name

MAX_BYTES = 4096  # of a message
MAX_SEQ = 10**9
MAX_GAME = 100_000  # letters of a written game
MAX_GAME_BYTES = 4 * MAX_GAME  # of a message with one
MAX_TEXT = 400  # letters of rules, or of an agent
SLOWEST, FASTEST = 0.1, 20.0  # decisions of agents a second

Ask = Literal[
    "hint",
    "undo",
    "again",
    "rematch",
    "view",
    "uncover",
    "pace",
    "pause",
    "resume",
    "step",
    "inspect",
    "lend",
    "concede",
    "substitute",
]

AnalysisAsk = Literal["analyse", "check", "stop"]


class RequestError(TableError):
    """A message that is refused; it says why in one line."""


class FullError(TableError):
    """A request for which there is no room now, though there may be later."""


@dataclass(frozen=True)
class ActionRequest:
    """Carry out an action, `seq` decisions having been made."""

    seq: int
    action: int


@dataclass(frozen=True)
class AskRequest:
    """Anything else that can be asked of a table."""

    seq: int
    ask: Ask
    pace: float | None = None  # decisions a second, for "pace"
    agent: str = ""  # its text, for "lend"
    after: int | None = None  # for "hint": the action after which the choice is made


@dataclass(frozen=True)
class TableRequest:
    """Open a table."""

    seats: Sequence[str]
    rules: str
    episode: str
    names: Sequence[str] = ()  # by seat, what people and agents are to be called; empty where they have no name


@dataclass(frozen=True)
class ContinueRequest:
    """Open a table that continues a kept game, as it stood after this many decisions."""

    game: str
    after: int
    seats: Sequence[str]


@dataclass(frozen=True)
class TextRequest:
    """Keep a written game."""

    text: str


@dataclass(frozen=True)
class FinishedRequest:
    """Keep the game of a table."""

    table: str


@dataclass(frozen=True)
class StoredRequest:
    """Keep a game of a store."""

    store: int
    number: int


def read_message(text: str | bytes | None) -> ActionRequest | AskRequest:
    """A message of the socket."""
    if not isinstance(text, str):
        raise RequestError("a message is text")
    read = _read_object(text.encode(errors="replace"))
    seq = _number(read, "seq", MAX_SEQ)
    if read.keys() == {"seq", "action"}:
        return ActionRequest(seq, _number(read, "action", MAX_SEQ))
    if read.keys() == {"seq", "ask", "pace"} and read["ask"] == "pace":
        return AskRequest(seq, "pace", _pace(read["pace"]))
    if read.keys() == {"seq", "ask", "agent"} and read["ask"] == "lend":
        return AskRequest(seq, "lend", agent=_text(read["agent"], '"agent"'))
    if read.keys() == {"seq", "ask", "after"} and read["ask"] == "hint":
        return AskRequest(seq, "hint", after=_number(read, "after", MAX_SEQ))
    if read.keys() == {"seq", "ask"} and read["ask"] in get_args(Ask) and read["ask"] not in ("pace", "lend"):
        return AskRequest(seq, read["ask"])
    raise RequestError('a message has "seq", and "action" or "ask": one of ' + ", ".join(get_args(Ask)))


def read_analysis_message(text: str | bytes | None) -> AnalysisAsk:
    """A message of the socket on which a game is analysed."""
    if not isinstance(text, str):
        raise RequestError("a message is text")
    read = _read_object(text.encode(errors="replace"))
    if read.keys() != {"ask"} or read["ask"] not in get_args(AnalysisAsk):
        raise RequestError('a message has "ask": one of ' + ", ".join(get_args(AnalysisAsk)))
    ask: AnalysisAsk = read["ask"]
    return ask


def read_table(body: bytes) -> TableRequest | ContinueRequest:
    """The body of a request for a table."""
    read = _read_object(body)
    if read.keys() == {"game", "after", "seats"}:
        return ContinueRequest(_word(read, "game"), _number(read, "after", MAX_SEQ), _seats(read["seats"]))
    if read.keys() - {"rules", "episode", "names"} != {"seats"} or not isinstance(read["seats"], list):
        raise RequestError('a table has a list of "seats", and optionally "names", "rules" and "episode"')
    texts = [*read["seats"], read.get("rules", ""), read.get("episode", "game")]
    _check_texts(texts)
    names = read.get("names", [])
    if not isinstance(names, list) or len(names) > len(read["seats"]):
        raise RequestError('"names" is a list with a name, perhaps an empty one, for each seat')
    return TableRequest(tuple(texts[:-2]), texts[-2], texts[-1], tuple(map(read_name, names)))


def read_rules(text: str) -> str:
    """Rules as text."""
    return _text(text, "rules")


def read_join(body: bytes) -> str:
    """The name of somebody who sits down, empty if there is none; the body may be empty, too."""
    read = _read_object(body or b"{}")
    if read.keys() - {"name"}:
        raise RequestError('to sit down, send nothing or a "name"')
    return read_name(read.get("name", ""))


def read_game_request(body: bytes) -> TextRequest | FinishedRequest | StoredRequest:
    """The body of a request that keeps a game."""
    read = _read_object(body, MAX_GAME_BYTES)
    if read.keys() == {"text"}:
        text = read["text"]
        if not isinstance(text, str) or len(text) > MAX_GAME:
            raise RequestError(f"a written game has at most {MAX_GAME:,} characters")
        return TextRequest(text)
    if read.keys() == {"table"}:
        return FinishedRequest(_word(read, "table"))
    if read.keys() == {"store", "number"}:
        return StoredRequest(_number(read, "store", MAX_SEQ), _number(read, "number", MAX_SEQ))
    raise RequestError('a game is a "text", a "table", or a "store" and a "number"')


def read_decisions(body: bytes) -> list[int]:
    """The body of a request for a lesson: what has been decided."""
    read = _read_object(body)
    actions = read.get("actions")
    if read.keys() != {"actions"} or not isinstance(actions, list):
        raise RequestError('a lesson has a list of "actions"')
    return [_number({"action": action}, "action", MAX_SEQ) for action in actions]


def read_answer(body: bytes) -> int:
    """The body of an answer to a puzzle."""
    read = _read_object(body)
    if read.keys() != {"action"}:
        raise RequestError('an answer has an "action"')
    return _number(read, "action", MAX_SEQ)


def query_number(text: str | None, name: str, most: int, usual: int | None = None) -> int:
    """A number in the query of an address; `usual`, if there is one, where it is left out."""
    if text is None and usual is not None:
        return usual
    if text is None or not re.fullmatch("[0-9]{1,9}", text) or int(text) > most:
        raise RequestError(f'"{name}" must be a whole number from 0 to {most}')
    return int(text)


def _seats(seats: Any) -> Sequence[str]:
    if not isinstance(seats, list):
        raise RequestError('"seats" is a list')
    _check_texts(seats)
    return tuple(seats)


def _check_texts(texts: Sequence[Any]) -> None:
    for text in texts:
        _text(text, "seats, rules and episode")


def _word(read: dict[str, Any], name: str) -> str:
    word = read[name]
    if not isinstance(word, str) or len(word) > MAX_TEXT:
        raise RequestError(f'"{name}" is text of at most {MAX_TEXT} characters')
    return word


def _read_object(data: bytes, most: int = MAX_BYTES) -> dict[str, Any]:
    if len(data) > most:
        raise RequestError(f"a message has at most {most} bytes")
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise RequestError("a message is a JSON object")
    return read


def _text(text: Any, what: str) -> str:
    if not isinstance(text, str) or len(text) > MAX_TEXT or not text.isprintable():
        raise RequestError(f"{what} must be text of at most {MAX_TEXT} characters")
    return text


def _pace(pace: Any) -> float:
    if type(pace) not in (int, float) or not SLOWEST <= pace <= FASTEST:
        raise RequestError(f'"pace" must be a number from {SLOWEST} to {FASTEST:g}: decisions a second')
    return float(pace)


def _number(read: dict[str, Any], name: str, most: int) -> int:
    number = read.get(name)
    if type(number) is not int or not 0 <= number <= most:
        raise RequestError(f'"{name}" must be a whole number from 0')
    return number
