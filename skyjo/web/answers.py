"""What all requests share: who asks, what they send, slow work beside the event loop, and how refusals are worded."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cardtable.table.errors import TableError
from skyjo.web.messages import MAX_LETTERS
from skyjo.web.requests import MAX_BYTES, FullError, RequestError

BAD_REQUEST, NOT_FOUND, TROUBLE, BUSY = 400, 404, 500, 503
GONE = 4404  # the close code of a socket whose table or game is not there
FULL = 4503  # the same where there is no place now

Answer = Callable[[Request], Awaitable[Response]]
Done = TypeVar("Done")


def refusing(answer: Answer) -> Answer:
    """The same answer, except that a TableError is answered in one line."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except TableError as error:
            return _error(BUSY if isinstance(error, FullError) else BAD_REQUEST, str(error))

    return answered


async def body_of(request: Request, most: int = MAX_BYTES) -> bytes:
    """What was sent; RequestError if it is longer than that many bytes."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise RequestError(f"a message has at most {most} bytes")
    return body


def owner_of(request: Request) -> str:
    """The browser that asks."""
    owner: str = request.scope["owner"]
    return owner


async def in_thread(
    work: Callable[..., Done], *arguments: Any, failing: str, thread: ThreadPoolExecutor | None = None
) -> Done:
    """The result of work done in a thread. It may be any package's code: whatever it raises becomes a TableError that
    begins with `failing`, such as "the agent cannot decide".
    """

    def done() -> Done:
        try:
            return work(*arguments)
        except TableError:
            raise
        except Exception as error:
            raise TableError(f"{failing}: {type(error).__name__}") from error

    return await asyncio.get_running_loop().run_in_executor(thread, copy_context().run, done)


def _error(status: int, words: str) -> Response:
    return JSONResponse({"error": words[:MAX_LETTERS]}, status)


async def http_error(_: Request, error: HTTPException) -> Response:
    """What is not there, or not allowed."""
    return _error(error.status_code, error.detail)


async def disk_trouble(_: Request, _error_raised: Exception) -> Response:
    """The disk is full, or a folder has gone."""
    return _error(TROUBLE, "tables cannot be read or written")


async def trouble(_: Request, _error_raised: Exception) -> Response:
    """A mistake of ours, of which a browser learns nothing."""
    return _error(TROUBLE, "something went wrong on the server")
