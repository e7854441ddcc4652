"""How quickly the table in the browser answers while robots play at 200 other tables, and how much it sends and holds.

Every robot plays against `tempo`, at about two decisions a second. The browser is chromium.

.venv/bin/python benchmarks/table.py
"""

import asyncio
import json
import random
import secrets
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any
from urllib.request import Request, urlopen

from figures import Figure, parser_for, report
from playwright.sync_api import sync_playwright
from websockets.asyncio.client import connect

TABLES = 200
SEATS = ("you", "tempo")
LOADS = 11  # of a page
SETTLE = 5  # seconds of play before anything is measured
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LEGAL = ":not([aria-disabled])"
ENDLESS = "target_score=10000"  # rules under which no game is over before everything is measured
PAUSE = 0.5  # seconds before a robot decides, as long as the server waits for an agent
ROBOTS_COOKIE = f"skyjo_browser={secrets.token_hex(16)}"

# In the page: when each click came, and when each view that changed the table had been painted.
NOTE = """
() => {
  window.clicks = [];
  window.paints = [];
  document.addEventListener("click", (event) => clicks.push(event.timeStamp), true);
  new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => paints.push(performance.now()))))
    .observe(document.getElementById("felt"), { attributeFilter: ["data-seq"] });
}
"""
FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
SIZE = (
    "() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
    ".filter((one) => !new URL(one.name).pathname.startsWith('/api/'))"  # the data, which grows with a game
    ".reduce((sum, one) => sum + one.decodedBodySize, 0)"
)


class TableServer:
    """The address of a running server, and the number of its process."""

    def __init__(self, address: str, number: int) -> None:
        self.address, self._number = address, number

    def open_table(self, seats: Sequence[str], cookie: str = ROBOTS_COOKIE) -> str:
        """Return the number of a new table."""
        body = json.dumps({"seats": list(seats), "rules": ENDLESS}).encode()
        headers = {"Origin": self.address, "Cookie": cookie}
        with urlopen(Request(f"{self.address}/api/tables", body, headers)) as answer:
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


@contextmanager
def chromium() -> Iterator[Any]:
    """Run a browser without a window."""
    path = next(filter(None, map(which, BROWSERS)), None)
    if path is None:
        raise SystemExit(f"needs one of {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def figures(runs: int, tables: int) -> Iterator[Figure]:
    """Measure everything."""
    with served() as server, chromium() as browser:
        for name, path in (("first page", "/"), ("table", f"/t/{server.open_table(SEATS)}")):
            loads = [loaded(browser, server.address + path) for _ in range(LOADS)]
            yield Figure(f"first paint of the {name}", 2, statistics.median(paint for paint, _ in loads), "ms")
            yield Figure(f"size of the {name} with all it loads", 2, loads[0][1] / 1e3, "kB")
        with Robots(server, tables, SEATS) as robots:
            time.sleep(SETTLE)
            decisions, answers, start = robots.decisions, len(robots.answers), time.perf_counter()
            time.sleep(SETTLE)
            rate = (robots.decisions - decisions) / (time.perf_counter() - start)
            yield Figure(f"decisions at {tables} tables", 2, rate, "a second")
            wait = statistics.median(robots.answers[answers:]) * 1e3
            yield Figure("answer of the server to a decision", 2, wait, "ms")
            yield Figure(f"memory of the server with {tables} tables", 2, server.memory(), "MB")
            yield Figure("painted decision after its click", 2, statistics.median(clicked(server, browser, runs)), "ms")


def loaded(browser: Any, address: str) -> tuple[float, float]:
    """Return the milliseconds to the first paint, and the bytes, of a page that the browser has never seen."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(address, wait_until="networkidle")
        page.wait_for_function(FIRST_PAINT)
        return page.evaluate(FIRST_PAINT), page.evaluate(SIZE)


def clicked(server: TableServer, browser: Any, runs: int) -> list[float]:
    """Return the milliseconds from clicks to what they did."""
    page = browser.new_context().new_page()
    page.goto(server.address)  # which gives this browser its cookie
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    page.goto(f"{server.address}/t/{server.open_table(SEATS, cookie)}")
    page.wait_for_selector("#ask[data-mine]")
    page.evaluate(NOTE)
    waits: list[float] = []
    while len(waits) < runs:
        page.wait_for_selector("#ask[data-mine]:visible, #next:visible")
        if page.locator("#next").is_visible():
            page.locator("#next").click()
            continue
        choices = (f'[data-key="draw"]{LEGAL}', f'#own [data-band="back"]{LEGAL}', f"#own .card{LEGAL}")
        card = next(filter(lambda choice: choice.count(), map(page.locator, choices)))
        seen = page.evaluate("paints.length")
        card.first.click()
        page.wait_for_function("(count) => paints.length > count", arg=seen)
        waits.append(page.evaluate(f"paints[{seen}] - clicks.at(-1)"))
    return waits


def main() -> None:
    options = parser_for(__doc__, 60).parse_args()
    report(figures(options.runs, TABLES // 10 if options.quick else TABLES), options.json)


if __name__ == "__main__":
    main()
