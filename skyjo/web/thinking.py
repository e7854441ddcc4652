"""Agents think beside the loop, so that nobody else waits; what goes wrong with one is told in a line."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from cardtable.errors import TableError
from skyjo.web.requests import RequestError

Answer = TypeVar("Answer")


async def thought(ask: Callable[[], Answer]) -> Answer:
    """What an agent answers. It comes from any package: whatever it raises becomes a TableError."""

    def asked() -> Answer:
        try:
            return ask()
        except TableError:
            raise
        except Exception as error:
            raise TableError(f"the agent cannot decide: {type(error).__name__}") from error

    return await asyncio.to_thread(asked)


class Advice:
    """Agents that think for people at a table, one at a time."""

    def __init__(self) -> None:
        self._is_thinking = False

    async def answer(self, ask: Callable[[], Answer]) -> Answer:
        """What the agent answers; RequestError while another one thinks."""
        if self._is_thinking:
            raise RequestError("an agent is already thinking about this table")
        self._is_thinking = True
        try:
            return await thought(ask)
        finally:
            self._is_thinking = False
