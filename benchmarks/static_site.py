"""How quickly the site without a server is there, how much it sends, and how long the analysis of a round takes.

Chromium loads build/site (`make site`) from this machine. All answers together arrive at 10 Mbit/s, uncompressed, and
every run begins with an empty cache. The rounds that are analysed were played by the same script in both seats.

.venv/bin/python benchmarks/static_site.py
"""

import gzip
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from figures import Figure, parser_for, report
from table import chromium

from cardtable.table.agents.agents import agents_of, rng_states_of
from cardtable.table.game.card_game import find_game
from cardtable.table.game.records import packed
from cardtable.table.game.table_game import TableGame, game_class

SITE = Path(__file__).parents[1] / "build" / "site"
RATE = 10e6 / 8  # bytes a second
PIECE = 8192  # bytes
PLAYED = (("skyjo", "", "tempo"), ("skipbo", "stock=10", "planner"))  # rounds: of which game, by which rules and whom
LOOKS = ("skyjo_2p.weights", "skyjo_2p_value.weights")  # of `lookahead` at tables of two

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
def served() -> Iterator[str]:
    """Serve the site, and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SlowFiles, directory=str(SITE)))
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # of browsers that have gone
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def figures(runs: int) -> Iterator[Figure]:
    """Measure everything; the times are medians."""
    sizes = {path: len(gzip.compress(path.read_bytes())) / 1e6 for path in SITE.rglob("*.*")}
    rest = sum(size for path, size in sizes.items() if path.suffix != ".weights")
    looks = sum(size for path, size in sizes.items() if path.name in LOOKS)
    yield Figure("all files but weights, compressed", 2, rest, "MB")
    yield Figure("all files with the weights of look, compressed", 2, rest + looks, "MB")
    rounds, waits = [played_round(*table) for table in PLAYED], defaultdict[str, list[float]](list)
    with served() as address, chromium() as browser:
        for _ in range(runs):
            measured = opened(browser, address), *(analysed(browser, address, one) for one in rounds)
            for name, milliseconds in chain(*measured):
                waits[name].append(milliseconds)
    for name, times in waits.items():
        yield Figure(name, 2, statistics.median(times) / 1e3, "s")


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
    """Have a round analysed."""
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


def main() -> None:
    options = parser_for(__doc__, 5).parse_args()
    if not SITE.is_dir():
        sys.exit("there is no build/site: make site")
    report(figures(1 if options.quick else options.runs), options.json)


if __name__ == "__main__":
    main()
