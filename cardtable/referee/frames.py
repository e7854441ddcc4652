"""What goes over the wire between the referee and an agent's process: what it is, how much, and then the bytes.

Whatever an agent sends is numbers or a short text, never an object: nothing that comes from there can run code here.
No library is imported: some start threads, and a process with threads gets no namespaces of its own.
"""

import json
import socket
import struct
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

HEADER = struct.Struct("<4sIQ")  # what it is, the number of the question, how many bytes follow
TOLD, ASKED, ACTIONS, FAILED = b"TOLD", b"ASK ", b"ACTS", b"FAIL"
MOST_TEXT = 4096  # bytes of a text from an agent's process
MOST_ORDER = 2**20


class WireError(Exception):
    """The other side has sent what was not due."""


class Frame(NamedTuple):
    """One thing that came."""

    kind: bytes
    number: int
    body: bytearray


@dataclass
class Wire:
    """One end of it."""

    end: socket.socket

    def send(self, kind: bytes, number: int, body: bytes, deadline: float | None = None) -> None:
        """Send one thing; TimeoutError after the deadline, OSError if nobody is there."""
        self._wait_until(deadline)
        self.end.sendall(HEADER.pack(kind, number, len(body)) + body)

    def receive(self, most: int, deadline: float | None = None) -> Frame:
        """Whatever comes next, of at most so many bytes; EOFError if nobody is there any more."""
        kind, number, size = HEADER.unpack(self._read(HEADER.size, deadline))
        if size > most:
            raise WireError(f"it sent {size} bytes where at most {most} were due")
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


def pack_text(told: dict[str, Any]) -> bytes:
    """What is told as text."""
    return json.dumps(told).encode()


def read_text(body: bytearray) -> dict[str, Any]:
    """What was told as text; WireError for anything else."""
    try:
        told = json.loads(bytes(body))
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise WireError("it sent what cannot be read")
    return told
