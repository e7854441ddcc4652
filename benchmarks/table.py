"""How quickly the table in the browser answers while robots play at 200 other tables, and how much it sends and holds.

Every robot plays against `tempo`, at about two decisions a second. The browser is chromium.

.venv/bin/python benchmarks/table.py
"""

import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import which
from typing import Any

from figures import Figure, parser_for, report
from playwright.sync_api import sync_playwright
from table_robots import Robots, TableServer, served

TABLES = 200
SEATS = ("you", "tempo")
LOADS = 11  # of a page
SETTLE = 5  # seconds of play before anything is measured
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
LEGAL = ":not([aria-disabled])"

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
        card = next(filter(lambda each: each.count(), map(page.locator, choices)))
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
