"""What a browser asks for, read with suspicion: anything but what is written here is refused and changes nothing."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from cardtable.errors import TableError
from skyjo.web.pacing import FASTEST, SLOWEST

MOST_BYTES = 4096  # of a message
MOST_SEQ = 10**9
MOST_TEXT = 400  # letters of rules, or of an agent

Ask = Literal["hint", "undo", "again", "view", "uncover", "pace", "pause", "resume", "step"]


class RequestError(TableError):
    """A message that is not carried out; it says why in one line."""


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


@dataclass(frozen=True)
class TableRequest:
    """Open a table."""

    seats: Sequence[str]
    rules: str
    episode: str


def read_message(text: str | bytes | None) -> ActionRequest | AskRequest:
    """A message of the socket."""
    if not isinstance(text, str):
        raise RequestError("a message is text")
    read = _read_object(text.encode(errors="replace"))
    seq = _number(read, "seq", MOST_SEQ)
    if read.keys() == {"seq", "action"}:
        return ActionRequest(seq, _number(read, "action", MOST_SEQ))
    if read.keys() == {"seq", "ask", "pace"} and read["ask"] == "pace":
        return AskRequest(seq, "pace", _pace(read["pace"]))
    if read.keys() == {"seq", "ask"} and read["ask"] in get_args(Ask) and read["ask"] != "pace":
        return AskRequest(seq, read["ask"])
    raise RequestError('a message has "seq", and "action" or "ask": one of ' + ", ".join(get_args(Ask)))


def read_table(body: bytes) -> TableRequest:
    """The body of a request for a table."""
    read = _read_object(body)
    if read.keys() - {"rules", "episode"} != {"seats"} or not isinstance(read["seats"], list):
        raise RequestError('a table has a list of "seats", and maybe "rules" and "episode"')
    texts = [*read["seats"], read.get("rules", ""), read.get("episode", "game")]
    for text in texts:
        if not isinstance(text, str) or len(text) > MOST_TEXT or not text.isprintable():
            raise RequestError(f"seats, rules and episode are text of at most {MOST_TEXT} letters")
    return TableRequest(tuple(texts[:-2]), texts[-2], texts[-1])


def _read_object(data: bytes) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        raise RequestError(f"a message has at most {MOST_BYTES} bytes")
    try:
        read = json.loads(data)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise RequestError("a message is a JSON object")
    return read


def _pace(pace: Any) -> float:
    if type(pace) not in (int, float) or not SLOWEST <= pace <= FASTEST:
        raise RequestError(f'"pace" must be a number from {SLOWEST} to {FASTEST:g}: decisions a second')
    return float(pace)


def _number(read: dict[str, Any], name: str, most: int) -> int:
    number = read.get(name)
    if type(number) is not int or not 0 <= number <= most:
        raise RequestError(f'"{name}" must be a whole number from 0')
    return number
