"""Measure how soon the table in the browser opens and answers, and the cost of rooms to `skyjo web`.

Chromium loads build/site (`make site`) from this machine. All answers together arrive at 10 Mbit/s, uncompressed, and
every run begins with an empty cache. The rounds that are analysed were played by the same script in both seats. In
200 rooms of `skyjo web`, robots decide twice a second against an agent.

.venv/bin/python benchmarks/table.py
"""

import asyncio
import gzip
import json
import random
import secrets
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import Any
from urllib.request import Request, urlopen

from figures import Figure, parser_for, report
from playwright.sync_api import sync_playwright
from websockets.asyncio.client import connect

from cardtable.table.agents.agents import agents_of, rng_states_of
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import packed
from cardtable.table.game.table_game import TableGame, game_class

SITE = Path(__file__).parents[1] / "build" / "site"
RATE = 10e6 / 8  # bytes a second
PIECE = 8192  # bytes
PLAYED = (("skyjo", "", "tempo"), ("skipbo", "stock=10", "planner"))  # rounds: of which game, by which rules and whom
LOOKS = ("skyjo_2p.weights", "skyjo_2p_value.weights")  # of `lookahead` at tables of two
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CLICKS = 60
ROOMS = 200
PLAY = 5  # seconds for which robots play
PAUSE = 0.5  # seconds before a robot decides
COOKIE = f"skyjo_browser={secrets.token_hex(16)}"  # of all robots

LEGAL = ":not([aria-disabled])"

# In the page: when something was clicked, and when each of these was first painted after that.
WATCH = """
(() => {
  const signs = { card: ".card", judged: "#summary-sheet" };
  const now = () => performance.timeOrigin + performance.now();
  window.seen = {};
  window.clicked = Number(sessionStorage.clicked ?? 0);
  addEventListener("click", () => { sessionStorage.clicked = window.clicked = now(); }, true);
  const look = () => {
    for (const name in signs) if (!(name in seen) && document.querySelector(signs[name])) seen[name] = now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""
# The page forbids what Playwright's own waiting does.
PAINTED = "(async () => { while (!('NAME' in seen)) await new Promise((done) => setTimeout(done, 10)); })()"


class SlowFiles(SimpleHTTPRequestHandler):
    """Sends files, all of them together at the rate."""

    protocol_version = "HTTP/1.1"
    lock, free = Lock(), 0.0  # from when on the line is free

    def log_message(self, *_: Any) -> None:
        """Print nothing."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file piece by piece."""
        while piece := source.read(PIECE):
            with self.lock:
                SlowFiles.free = until = max(self.free, time.monotonic()) + len(piece) / RATE
            time.sleep(max(0.0, until - time.monotonic()))
            outputfile.write(piece)


@contextmanager
def files_served() -> Iterator[str]:
    """Serve the site, and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SlowFiles, directory=str(SITE)))
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # of browsers that have gone
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


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


def figures(runs: int, rooms: int) -> Iterator[Figure]:
    """Measure everything; the times are medians."""
    sizes = {path: len(gzip.compress(path.read_bytes())) / 1e6 for path in SITE.rglob("*.*")}
    rest = sum(size for path, size in sizes.items() if path.suffix != ".weights")
    looks = sum(size for path, size in sizes.items() if path.name in LOOKS)
    yield Figure("all files with the weights of lookahead, compressed", 2, rest + looks, "MB")
    rounds, waits = [played_round(*each) for each in PLAYED], defaultdict[str, list[float]](list)
    with files_served() as address, chromium() as browser:
        for _ in range(runs):
            measured = opened(browser, address), *(analysed(browser, address, one) for one in rounds)
            for name, milliseconds in chain(*measured):
                waits[name].append(milliseconds)
        yield Figure("painted decision after its click", 2, statistics.median(clicked(browser, address)), "ms")
    for name, times in waits.items():
        yield Figure(name, 2, statistics.median(times) / 1e3, "s")
    yield from server_figures(rooms)


def played_round(name: str, rules: str, agent: str) -> TableGame[Any]:
    """Return a round between two players who are alike."""
    card_game = find_game(name)
    game, player = game_class(card_game)(rules, 1, 0, "round"), agents_of(card_game).make(agent, rules)
    while not game.is_over:
        seen = game.observation()[None]
        game.apply(int(player.act(seen, game.mask()[None], rng_states_of(seen))[0]))
    return game


def opened(browser: Any, address: str) -> Iterator[tuple[str, float]]:
    """Come to the first page."""
    with browser.new_context() as context:
        page = watched_page(context)
        page.goto(f"{address}/skyjo/index.html", wait_until="commit")
        yield "first card after the address", since(page, "card", "performance.timeOrigin")


def analysed(browser: Any, address: str, played: TableGame[Any]) -> Iterator[tuple[str, float]]:
    """Analyse a round in the browser; yield its title and the milliseconds."""
    name, record = played.rules.game, played.record()
    with browser.new_context() as context:
        page = watched_page(context)
        page.goto(f"{address}/{name}/games.html#{packed(json.dumps(record))}")
        page.wait_for_url("**/game.html?*")
        page.get_by_role("button", name="Analyse").click()
        yield f"a round of {played.card_game.title} analysed", since(page, "judged", "clicked")


def watched_page(context: Any) -> Any:
    """Return a page that notes its times."""
    page = context.new_page()
    page.add_init_script(WATCH)
    return page


def since(page: Any, name: str, start: str) -> float:
    """Return the milliseconds until something was painted."""
    return float(page.evaluate(f"{PAINTED}.then(() => seen.{name} - {start})".replace("NAME", name)))


def clicked(browser: Any, address: str) -> list[float]:
    """Return the milliseconds from clicks to what they did."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.goto(f"{address}/skyjo/index.html")
    page.evaluate("""localStorage["skyjo.pace"] = '"instant"'; localStorage["skyjo.length"] = '"game"'""")
    page.reload()
    page.locator(".rival").first.click()
    page.wait_for_selector("#ask[data-mine]")
    page.evaluate(NOTE)
    waits: list[float] = []
    while len(waits) < CLICKS:
        page.wait_for_selector("#ask[data-mine]:visible, #next:visible, #rematch:visible")
        again = page.locator("#next:visible, #rematch:visible")
        if again.count():
            again.first.click()
            page.wait_for_selector("#ask[data-mine]:visible")
            page.evaluate("'paints' in window") or page.evaluate(NOTE)
            continue
        choices = (f'[data-key="draw"]{LEGAL}', f'#own [data-band="back"]{LEGAL}', f"#own .card{LEGAL}")
        card = next(filter(lambda each: each.count(), map(page.locator, choices)))
        seen = page.evaluate("paints.length")
        card.first.click()
        page.wait_for_function("(count) => paints.length > count", arg=seen)
        waits.append(page.evaluate(f"paints[{seen}] - clicks.at(-1)"))
    return waits


# The server


def server_figures(rooms: int) -> Iterator[Figure]:
    """Measure how `skyjo web` starts, and what rooms with robots in them need."""
    with TemporaryDirectory() as folder:
        begun = time.perf_counter()
        command = [sys.executable, "-m", "skyjo", "web", "--port", "0", "--no-browser", "--folder", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                line = next((line for line in process.stdout if "http://" in line), "")
                if not line:
                    raise OSError("the server ended before it said where it is")
                address = line[line.index("http://") :].split()[0].rstrip("/")
                urlopen(address).close()
                yield Figure("first page of skyjo web after its start", 2, time.perf_counter() - begun, "s")
                answers = asyncio.run(robots(address, [open_room(address) for _ in range(rooms)]))
                yield Figure("answer of the server to a decision", 2, statistics.median(answers) * 1e3, "ms")
                yield Figure(f"memory of the server with {rooms} rooms", 2, memory(process.pid), "MB")
            finally:
                process.terminate()
                process.wait(10)


def open_room(address: str) -> str:
    """Return the number of a new room."""
    asked = {"game": "skyjo", "seats": ["you", "tempo"], "rules": "target_score=10000", "episode": "game"}
    headers = {"Origin": address, "Cookie": COOKIE}
    with urlopen(Request(f"{address}/api/rooms", json.dumps(asked).encode(), headers)) as answer:
        number: str = json.load(answer)["id"]
    return number


async def robots(address: str, numbers: list[str]) -> list[float]:
    """Play in all rooms for a while; return the seconds from decisions to their views."""
    answers, end = list[float](), time.perf_counter() + PLAY

    async def play(number: str) -> None:
        chance = random.Random(number)
        await asyncio.sleep(chance.random())  # not all at once
        url = f"{address.replace('http', 'ws', 1)}/api/rooms/{number}/socket"
        async with connect(url, origin=address, additional_headers={"Cookie": COOKIE}) as socket:  # type: ignore[arg-type]
            room: Any = json.loads(await socket.recv())
            while time.perf_counter() < end:
                if room["legal"]:
                    await asyncio.sleep(PAUSE)
                    sent = time.perf_counter()
                    await socket.send(json.dumps({"seq": room["seq"], "action": chance.choice(room["legal"])}))
                    room = json.loads(await socket.recv())
                    answers.append(time.perf_counter() - sent)
                else:
                    room = json.loads(await socket.recv())

    await asyncio.gather(*map(play, numbers))
    return answers


def memory(number: int) -> float:
    """Return the megabytes of a process in main memory; only Linux tells them."""
    lines = Path(f"/proc/{number}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1]) * 1024 / 1e6


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    if not SITE.is_dir():
        sys.exit("there is no build/site: make site")
    report(figures(1 if options.quick else options.runs, ROOMS // 10 if options.quick else ROOMS), options.json)


if __name__ == "__main__":
    main()
