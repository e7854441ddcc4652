"""Agents that think about a table."""

from collections.abc import Callable
from typing import TypeVar

from skyjo.web.beside_loop import beside
from skyjo.web.requests import RequestError

Answer = TypeVar("Answer")


async def thought(ask: Callable[[], Answer]) -> Answer:
    """An agent's answer."""
    return await beside(ask, failing="the agent cannot decide")


class Advice:
    """Agents that think for people at a table, one at a time."""

    def __init__(self) -> None:
        self._is_thinking = False

    async def answer(self, ask: Callable[[], Answer]) -> Answer:
        """The agent's answer; RequestError while another one is thinking."""
        if self._is_thinking:
            raise RequestError("an agent is already thinking about this table")
        self._is_thinking = True
        try:
            return await thought(ask)
        finally:
            self._is_thinking = False
