"""A browser at a table: what waits to be sent to it, and whether it sends too much."""

import asyncio
import time
from collections import deque

MOST_WAITING = 64  # messages to a browser that does not read them
MOST_IN_SECOND = 20  # messages from a browser


class Browser:
    """One connection of a browser to a table."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.waiting: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)  # messages; None closes the connection
        self.is_sent_away = False
        self._times: deque[float] = deque(maxlen=MOST_IN_SECOND)

    def tell(self, message: str) -> None:
        """Queue a message; a browser that reads too slowly is disconnected, and gets the whole view when it returns."""
        if self.is_sent_away:
            return
        if self.waiting.full():
            while not self.waiting.empty():
                self.waiting.get_nowait()
            self.is_sent_away = True
        self.waiting.put_nowait(None if self.is_sent_away else message)

    def is_too_quick(self) -> bool:
        """Note a message; were there too many within a second?"""
        now = time.monotonic()
        if len(self._times) == MOST_IN_SECOND and now - self._times[0] < 1:
            return True
        self._times.append(now)
        return False
