"""What all requests share: their bodies, strictly read; slow work in threads; and errors that say what was refused."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from starlette.requests import Request

from cardtable.table.errors import TableError

MAX_BYTES = 65536  # of a request
MAX_TEXT = 400  # letters of rules, of an agent, or of a refusal
MAX_NUMBER = 10**9
GONE, FULL = 4404, 4503  # close codes of sockets: there is no such room; there is no place now

Done = TypeVar("Done")


class RequestError(TableError):
    """A request that is refused; it says why in one line."""


class MissingError(TableError):
    """A request about something that is not there."""


class FullError(TableError):
    """A request for which there is no room or time now, though there may be later."""


class Kind(NamedTuple):
    """What a field of a request may be."""

    words: str
    is_right: Callable[[Any], bool]


TEXT = Kind(
    f"text of at most {MAX_TEXT} characters",
    lambda value: isinstance(value, str) and len(value) <= MAX_TEXT and value.isprintable(),
)
LINES = Kind("text", lambda value: isinstance(value, str))
NUMBER = Kind("a whole number from 0", lambda value: type(value) is int and 0 <= value <= MAX_NUMBER)
DECIMAL = Kind("a number", lambda value: type(value) in (int, float) and abs(value) <= MAX_NUMBER)
LIST = Kind("a list", lambda value: isinstance(value, list))

Kinds = Mapping[str, Kind]  # of fields, by name


async def read_body(request: Request) -> dict[str, Any]:
    """Return the JSON object that was sent, an empty one for nothing; RequestError if it is none, or too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BYTES:
            raise RequestError(f"a message has at most {MAX_BYTES:,} bytes")
    return read_object(body or b"{}")


def read_object(text: str | bytes) -> dict[str, Any]:
    """Return a JSON object; RequestError for anything else."""
    with suppress(ValueError, RecursionError):
        read = json.loads(text)
        if isinstance(read, dict):
            return read
    raise RequestError("a message is a JSON object")


def check_fields(read: Mapping[str, Any], needed: Kinds, optional: Kinds | None = None) -> None:
    """RequestError unless an object has the fields that it needs, no unknown ones, and each is of its kind."""
    known = {**needed, **(optional or {})}
    if not {*needed} <= read.keys() <= {*known}:
        also = f", and may have {', '.join(optional)}" if optional else ""
        raise RequestError(f"this message has {', '.join(needed) or 'no field'}{also}")
    for name, value in read.items():
        if not known[name].is_right(value):
            raise RequestError(f'"{name}" must be {known[name].words}')


async def in_thread(work: Callable[..., Done], *arguments: Any) -> Done:
    """Return the result of work done in a thread of its own, for which the end of the process does not wait.

    The work may be any package's code: whatever it raises becomes a TableError.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Done] = loop.create_future()

    def settle(method: Callable[[Any], None], value: Any) -> None:
        if not done.done():  # nobody has stopped waiting
            method(value)

    def run() -> None:
        try:
            outcome: tuple[Any, Any] = done.set_result, work(*arguments)
        except BaseException as error:
            is_ours = isinstance(error, TableError)
            outcome = done.set_exception, error if is_ours else TableError(f"this failed: {type(error).__name__}")
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, *outcome)

    Thread(target=run, daemon=True).start()
    return await done
