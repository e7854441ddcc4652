"""A real server of tables in a process of its own, and robots that play at many of its tables over websockets."""

import asyncio
import json
import random
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect

ENDLESS = "target_score=10000"  # rules under which no game is over before everything is measured
PAUSE = 0.5  # seconds before a robot decides, as long as the server waits for an agent
ROBOTS_COOKIE = f"skyjo_browser={secrets.token_hex(16)}"


class TableServer:
    """The address of a running server, and its process."""

    def __init__(self, address: str, number: int) -> None:
        self.address, self._number = address, number

    def open_table(self, seats: Sequence[str], cookie: str = ROBOTS_COOKIE) -> str:
        """The number of a new table."""
        return self._opened("tables", {"seats": list(seats), "rules": ENDLESS}, cookie)

    def open_game(self, text: str) -> str:
        """The number of a written game."""
        return self._opened("games", {"text": text}, ROBOTS_COOKIE)

    def _opened(self, what: str, asked: object, cookie: str) -> str:
        headers = {"Origin": self.address, "Cookie": cookie}
        with urlopen(Request(f"{self.address}/api/{what}", json.dumps(asked).encode(), headers)) as answer:
            number: str = json.load(answer)["id"]
        return number

    def memory(self) -> float | None:
        """Megabytes in main memory, where the system tells."""
        status = Path(f"/proc/{self._number}/status")
        if not status.exists():
            return None
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024 / 1e6


@contextmanager
def served() -> Iterator[TableServer]:
    """`skyjo web` with an empty folder for its tables."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "skyjo", "web", "--port", "0", "--no-browser", "--folder", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                line = next((line for line in process.stdout if "http://" in line), "")
                if not line:
                    raise OSError("the server ended before it said where it is")
                yield TableServer(line[line.index("http://") :].split()[0].rstrip("/"), process.pid)
            finally:
                process.terminate()
                process.wait(10)


class Robots:
    """People that do not think: each plays at a table of its own, in a thread beside what is measured."""

    def __init__(self, server: TableServer, tables: int, seats: Sequence[str]) -> None:
        self.answers: list[float] = []  # seconds from a decision to its view
        self.largest = 0  # bytes of a view
        self.decisions = 0  # at all tables, those of agents too
        self._server = server
        self._numbers = [server.open_table(seats) for _ in range(tables)]
        self._ended = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._play()))

    def __enter__(self) -> "Robots":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    async def _play(self) -> None:
        await asyncio.gather(*(self._play_at(number) for number in self._numbers))

    async def _play_at(self, number: str) -> None:
        chance = random.Random(number)
        await asyncio.sleep(chance.random())  # not all at once
        address = f"{self._server.address.replace('http', 'ws', 1)}/api/tables/{number}/socket"
        headers = {"Cookie": ROBOTS_COOKIE}
        async with connect(address, origin=self._server.address, additional_headers=headers) as socket:  # type: ignore[arg-type]
            view = self._read(await socket.recv())
            while not self._ended.is_set() and view["over"] is None:
                if view["actions"]:
                    await asyncio.sleep(PAUSE)
                    sent = time.perf_counter()
                    await socket.send(json.dumps({"seq": view["seq"], "action": chance.choice(view["actions"])}))
                    view = self._read(await socket.recv())
                    self.answers.append(time.perf_counter() - sent)
                else:
                    view = self._read(await socket.recv())
                self.decisions += 1

    def _read(self, text: str | bytes) -> Any:
        self.largest = max(self.largest, len(text.encode() if isinstance(text, str) else text))
        return json.loads(text)
