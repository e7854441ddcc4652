"""How quickly the table in the browser answers, with 200 other tables in play, and how much it sends and holds.

Every table has a robot in one seat and `tempo` in the other, and makes about two decisions a second. The browser is
chromium; without it only the server is measured.

.venv/bin/python benchmarks/table.py
"""

import random
import shutil
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from figures import Figure, parser_for, report
from table_robots import Robots, TableServer, served

from skyjo_env import Game, format_record

TABLES = 200
SEATS = ("you", "tempo")
FULL = ("you", "tempo", "tempo", "tempo")
LOADS = 11  # of a page
WAIT = 500  # milliseconds that the server waits before an agent decides
SETTLE = 5  # seconds of play before anything is measured
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LEGAL = ":not([aria-disabled])"

# In the page: when every click came, and when every view that changed the table had been painted.
NOTE = """
() => {
  window.clicks = [];
  window.paints = [];
  document.addEventListener("click", (event) => clicks.push(event.timeStamp), true);
  new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => paints.push(performance.now()))))
    .observe(document.getElementById("felt"), { attributeFilter: ["data-seq"] });
}
"""
PAINTED = "(count) => paints.length > count"
FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
SIZE = (
    "() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
    ".filter((one) => !new URL(one.name).pathname.startsWith('/api/'))"  # the data: a game has as many as it is long
    ".reduce((sum, one) => sum + one.decodedBodySize, 0)"
)


def figures(runs: int, tables: int) -> Iterator[Figure]:
    """All figures."""
    with served() as server, chromium() as browser:
        yield from memory_figures(server, "memory without a table")
        if browser is not None:
            yield from load_figures(server, browser)
        with Robots(server, tables, SEATS) as robots, Robots(server, 4, FULL) as at_full_tables:
            time.sleep(SETTLE)
            yield from server_figures(robots, tables)
            yield from memory_figures(server, f"memory with {tables} tables", 100)
            if browser is not None:
                yield from click_figures(server, browser, runs)
            yield Figure("largest view", len(SEATS), robots.largest / 1e3, "kB", 2, at_most=True)
            yield Figure("largest view", len(FULL), at_full_tables.largest / 1e3, "kB", 2, at_most=True)


def server_figures(robots: Robots, tables: int) -> Iterator[Figure]:
    """How quickly the server answers."""
    decisions, answers, start = robots.decisions, len(robots.answers), time.perf_counter()
    time.sleep(SETTLE)
    rate = (robots.decisions - decisions) / (time.perf_counter() - start)
    waits = [seconds * 1e3 for seconds in robots.answers[answers:]]
    yield Figure(f"server: decisions at {tables} tables", 2, rate, "a second")
    yield Figure("server: decision to view, median", 2, statistics.median(waits), "ms")
    yield Figure("server: decision to view, 99 %", 2, share(waits, 99), "ms")


def memory_figures(server: TableServer, name: str, target: float | None = None) -> Iterator[Figure]:
    """What the server holds in main memory; nothing where the system does not tell."""
    memory = server.memory()
    if memory is not None:
        yield Figure(f"server: {name}", 2, memory, "MB", target, at_most=True)


def load_figures(server: TableServer, browser: Any) -> Iterator[Figure]:
    """Pages in a browser that has never seen them, while nobody plays."""
    pages = {
        "first page": "/",
        "table": f"/t/{server.open_table(SEATS)}",
        "games": "/games",
        "a game": f"/g/{server.open_game(written_game())}",
        "ladder": "/ladder",
    }
    for name, path in pages.items():
        loads = [loaded(browser, server.address + path) for _ in range(LOADS)]
        first = statistics.median(paint for paint, _ in loads)
        yield Figure(f"{name}: first paint", 2, first, "ms", 300, at_most=True)
        yield Figure(f"{name}: size with all it loads", 2, loads[0][1] / 1e3, "kB", 80, at_most=True)


def written_game() -> str:
    """A game to look at."""
    game, chance = Game(), random.Random(1)
    while not game.is_over:
        game.apply(chance.choice(game.legal_actions()))
    return format_record(game.record())


def click_figures(server: TableServer, browser: Any, runs: int) -> Iterator[Figure]:
    """What somebody who plays has to wait for."""
    page = browser.new_context().new_page()
    page.goto(server.address)  # which gives this browser its cookie
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    own, answers = clicked(page, f"{server.address}/t/{server.open_table(SEATS, cookie)}", runs)
    yield Figure("click to own decision painted, median", 2, statistics.median(own), "ms", 50, at_most=True)
    yield Figure("click to own decision painted, 95 %", 2, share(own, 95), "ms", 100, at_most=True)
    yield Figure("click to answer painted less wait, median", 2, statistics.median(answers), "ms")
    yield Figure("click to answer painted less wait, 95 %", 2, share(answers, 95), "ms")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; None, and a line that says so, where there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        print("no chromium: what a browser shows is not measured", file=sys.stderr)
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def loaded(browser: Any, address: str) -> tuple[float, float]:
    """Milliseconds to the first paint, and bytes, of a page that nothing is known of yet."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(address, wait_until="networkidle")
        page.wait_for_function(FIRST_PAINT)
        return page.evaluate(FIRST_PAINT), page.evaluate(SIZE)


def clicked(page: Any, address: str, runs: int) -> tuple[list[float], list[float]]:
    """Milliseconds from clicks to what they did, and from the last click of a turn to the answer, less its wait."""
    page.goto(address)
    page.wait_for_selector("#ask[data-mine]")
    page.evaluate(NOTE)
    own: list[float] = []
    answers: list[float] = []
    while len(own) < runs:
        page.wait_for_selector("#ask[data-mine]:visible, #next:visible")
        if page.locator("#next").is_visible():
            page.locator("#next").click()
            continue
        draw = page.locator(f'[data-key="draw"]{LEGAL}')
        is_draw, seen = draw.count() > 0, page.evaluate("paints.length")
        hidden = page.locator(f'#own [data-band="back"]{LEGAL}')
        (draw if is_draw else hidden if hidden.count() else page.locator(f"#own .card{LEGAL}")).first.click()
        at = page.evaluate("clicks.at(-1)")
        page.wait_for_function(PAINTED, arg=seen)
        own.append(page.evaluate(f"paints[{seen}]") - at)
        if not is_draw and not page.locator("#ask[data-mine]").count():
            page.wait_for_function(PAINTED, arg=seen + 1)
            answers.append(page.evaluate(f"paints[{seen + 1}]") - at - WAIT)
    return own, answers


def share(values: list[float], percent: int) -> float:
    """What this share of the values does not exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def main() -> None:
    options = parser_for(__doc__, 60).parse_args()
    report(figures(options.runs, TABLES // 10 if options.quick else TABLES), options.json)


if __name__ == "__main__":
    main()
