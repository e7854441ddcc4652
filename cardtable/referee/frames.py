"""The messages between the referee and an agent's process: a header with kind, number and length, and then the bytes.

An agent's process is sent pickles, and sends only numbers or short JSON: nothing that it sends can run code here. No
library is imported, because some start threads, and a process with threads cannot get a user namespace.
"""

import json
import socket
import struct
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

HEADER = struct.Struct("<4sIQ")  # the kind, the number of the question, how many bytes follow
TEXT, ASKED, ACTIONS, FAILED = b"TEXT", b"ASK ", b"ACTS", b"FAIL"
MOST_TEXT = 4096  # bytes of a text from an agent's process
MOST_ORDER = 2**20


class WireError(Exception):
    """The other side has sent something unexpected."""


class Frame(NamedTuple):
    """One message."""

    kind: bytes
    number: int
    body: bytearray


@dataclass
class Wire:
    """One end of the connection."""

    end: socket.socket

    def send(self, kind: bytes, number: int, body: bytes, deadline: float | None = None) -> None:
        """Send a message; TimeoutError after the deadline, OSError if the other side is gone."""
        self._wait_until(deadline)
        self.end.sendall(HEADER.pack(kind, number, len(body)) + body)

    def receive(self, most: int, deadline: float | None = None) -> Frame:
        """The next message, of at most this many bytes; TimeoutError after the deadline, EOFError if the other side is
        gone, WireError if it is longer.
        """
        kind, number, size = HEADER.unpack(self._read(HEADER.size, deadline))
        if size > most:
            raise WireError(f"it sent {size} bytes where at most {most} were expected")
        return Frame(kind, number, self._read(size, deadline))

    def _read(self, size: int, deadline: float | None) -> bytearray:
        data = bytearray(size)
        view, done = memoryview(data), 0
        while done < size:
            self._wait_until(deadline)
            came = self.end.recv_into(view[done:])
            if came == 0:
                raise EOFError
            done += came
        return data

    def _wait_until(self, deadline: float | None) -> None:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError
        self.end.settimeout(left)


def pack_text(entries: dict[str, Any]) -> bytes:
    """As JSON."""
    return json.dumps(entries).encode()


def read_text(body: bytearray) -> dict[str, Any]:
    """The object in JSON; WireError for anything else."""
    try:
        read = json.loads(bytes(body))
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise WireError("it sent an unreadable message")
    return read
