"""Slow work is done outside the server's event loop, so that nobody else waits; errors are reported in one line."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from cardtable.errors import TableError

Done = TypeVar("Done")


async def beside(
    work: Callable[..., Done], *arguments: Any, failing: str, thread: ThreadPoolExecutor | None = None
) -> Done:
    """The result of the work. The work may be any package's code: whatever it raises becomes a TableError that begins
    with `failing`, such as "the agent cannot decide".
    """

    def done() -> Done:
        try:
            return work(*arguments)
        except TableError:
            raise
        except Exception as error:
            raise TableError(f"{failing}: {type(error).__name__}") from error

    return await asyncio.get_running_loop().run_in_executor(thread, copy_context().run, done)
