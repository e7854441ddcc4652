"""Connections that wait in silence are closed, so that nobody can keep others out by opening many."""

import asyncio
import sys
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 1000  # connections and requests at once; more are told to come back later
PATIENCE = 10  # seconds until a connection must have asked for something


class PromptConnection(H11Protocol):
    """A connection that is closed if it has asked for nothing after a while."""

    def connection_made(self, transport: Any) -> None:
        """Begin to wait."""
        super().connection_made(transport)
        self.loop.call_later(PATIENCE, self._lose_patience)

    def _lose_patience(self) -> None:
        is_ours = self.transport.get_protocol() is self  # and no table's socket by now
        if is_ours and self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def allow_connections() -> None:
    """Raise the system's limit of open files, each connection being one, as far as this process may."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * MOST if most == resource.RLIM_INFINITY else min(4 * MOST, most)
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def say_in_a_line(loop: asyncio.AbstractEventLoop) -> None:
    """What the system refuses, such as another connection, is reported once, in one line."""
    told: set[str] = set()

    def tell(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, OSError):
            loop.default_exception_handler(context)
        elif str(error) not in told:
            told.add(str(error))
            print(f"skyjo: {context['message']}: {error.strerror}", file=sys.stderr)

    loop.set_exception_handler(tell)
