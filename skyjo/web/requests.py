"""Shared code of all requests: bodies, strictly read; slow work in threads; and errors that say what was refused."""

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

from starlette.requests import Request

from cardtable.table.errors import TableError

MAX_BYTES = 65536  # of a request, or a message to a room
MAX_NAME = 20  # letters of what people are called
KINDS = {str: "text", int: "a whole number from 0", list: "a list"}  # of fields, as JSON has them

Done = TypeVar("Done")
Fields = Mapping[str, type]


class RequestError(TableError):
    """A request that is refused; it says why in one line."""

    status = 400


class MissingError(RequestError):
    """A request about something that is not there."""

    status = 404


class FullError(RequestError):
    """A request for which there is no place or time now, though there may be later."""

    status = 503


async def read_body(request: Request, needed: Fields, optional: Fields | None = None) -> dict[str, Any]:
    """Return the JSON object that was sent, with these fields; RequestError if it is none, or too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BYTES:
            raise RequestError(f"a message has at most {MAX_BYTES:,} bytes")
    return read_object(body, needed, optional)


def read_object(text: str | bytes, needed: Fields, optional: Fields | None = None) -> dict[str, Any]:
    """Return a JSON object; RequestError unless it has the needed fields, no unknown ones, and each is of its kind."""
    known: Fields = {**needed, **(optional or {})}
    read: Any = None
    with suppress(ValueError, RecursionError):
        read = json.loads(text)
    if not isinstance(read, dict):
        raise RequestError("a message is a JSON object")
    if not {*needed} <= read.keys() <= {*known}:
        also = f", and may have {', '.join(optional)}" if optional else ""
        raise RequestError(f"this message has {', '.join(needed) or 'no field'}{also}")
    for name, value in read.items():
        is_negative = isinstance(value, int) and value < 0
        if type(value) is not known[name] or is_negative:
            raise RequestError(f'"{name}" must be {KINDS[known[name]]}')
    return read


def read_name(name: Any) -> str:
    """Return a player's name without spaces around it; RequestError if pages cannot show it in a line."""
    if not isinstance(name, str) or not name.isprintable() or len(name.strip()) > MAX_NAME:
        raise RequestError(f"a name may have at most {MAX_NAME} characters, all of them visible")
    return name.strip()


async def in_thread(work: Callable[..., Done], *arguments: Any) -> Done:
    """Return the result of work done in a separate thread, for which the end of the process does not wait."""
    done: Future[Done] = Future()

    def run() -> None:
        try:
            done.set_result(work(*arguments))
        except BaseException as error:
            done.set_exception(error)

    done.set_running_or_notify_cancel()  # so that a request that stops waiting cannot cancel it
    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)
