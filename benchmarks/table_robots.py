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
    """The address of a running server, and the number of its process."""

    def __init__(self, address: str, number: int) -> None:
        self.address, self._number = address, number

    def open_table(self, seats: Sequence[str], cookie: str = ROBOTS_COOKIE) -> str:
        """Return the number of a new table."""
        asked = json.dumps({"seats": list(seats), "rules": ENDLESS}).encode()
        headers = {"Origin": self.address, "Cookie": cookie}
        with urlopen(Request(f"{self.address}/api/tables", asked, headers)) as answer:
            number: str = json.load(answer)["id"]
        return number

    def memory(self) -> float:
        """Return the megabytes in main memory; only Linux tells them."""
        lines = Path(f"/proc/{self._number}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1]) * 1024 / 1e6


@contextmanager
def served() -> Iterator[TableServer]:
    """Run `skyjo web` with an empty folder for its tables."""
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
    """Players that do not think, each at a table of its own, in a thread next to what is measured."""

    def __init__(self, server: TableServer, tables: int, seats: Sequence[str]) -> None:
        self.answers: list[float] = []  # seconds from a decision to its view
        self.decisions = 0  # at all tables, also those of agents
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
            view: Any = json.loads(await socket.recv())
            while not self._ended.is_set() and view["over"] is None:
                if not view["actions"]:
                    view = json.loads(await socket.recv())
                else:
                    await asyncio.sleep(PAUSE)
                    sent = time.perf_counter()
                    await socket.send(json.dumps({"seq": view["seq"], "action": chance.choice(view["actions"])}))
                    view = json.loads(await socket.recv())
                    self.answers.append(time.perf_counter() - sent)
                self.decisions += 1
