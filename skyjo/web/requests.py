"""What all requests share: their bodies, strictly read; slow work in threads; and the words of refusals."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from cardtable.table.errors import TableError

MAX_TEXT = 400  # letters of rules, of an agent, or of a refusal
MAX_NUMBER = 10**9

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


def read_object(body: str | bytes, most: int, needed: Kinds, optional: Kinds) -> dict[str, Any]:
    """Return the JSON object of a body of at most so many bytes; RequestError unless its fields are of these kinds."""
    if len(body if isinstance(body, bytes) else body.encode(errors="replace")) > most:
        raise RequestError(f"a message has at most {most:,} bytes")
    read = None
    with suppress(ValueError, RecursionError):
        read = json.loads(body)
    if not isinstance(read, dict) or not {*needed} <= read.keys() <= {*needed, *optional}:
        also = f"; it may have {', '.join(optional)}" if optional else ""
        raise RequestError(f"a message is a JSON object with {' and '.join(needed) or 'nothing'}{also}")
    for name, kind in {**needed, **optional}.items():
        if name in read and not kind.is_right(read[name]):
            raise RequestError(f'"{name}" must be {kind.words}')
    return read


async def in_thread(work: Callable[..., Done], *arguments: Any) -> Done:
    """Return the result of work done in a thread of its own, for which the end of the process does not wait.

    The work may be any package's code: whatever it raises becomes a TableError.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Done] = loop.create_future()

    def settle(method: Callable[[Any], None], value: Any) -> None:
        if not done.done():
            method(value)

    def run() -> None:
        try:
            outcome: tuple[Any, Any] = done.set_result, work(*arguments)
        except TableError as error:
            outcome = done.set_exception, error
        except Exception as error:
            outcome = done.set_exception, TableError(f"this did not work: {type(error).__name__}")
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, *outcome)

    Thread(target=run, daemon=True).start()
    return await done
