"""A walk over all pages of the site, dialogs included, light and dark, on a screen and on a phone: nothing is cut off,
covered or unreadable.

With PICTURES set to a folder, the pictures in it are taken again: `make pictures`. For one more, make an empty file.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from skyjo.interfaces import find_interface, interface_names
from tests.web.page_checks import SECONDS, barriers, layout_faults
from tests.web.page_player import GAME, asked, deal, is_over, play, seq, switch_on_second_taps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from playwright.sync_api import Page

    from tests.web.conftest import Opens

pytestmark = pytest.mark.web


THINKING = 120 * SECONDS  # to compile and to judge
MAX_SEATS = {"skyjo": 8, "skipbo": 6, "skyjo_action": 8}
LONG_NAMES = {
    "skyjo": ["rollout:n=2,base=expected", "threshold:t=2,columns=true"],
    "skipbo": ["greedy:pile=smallest", "greedy"],
    "skyjo_action": ["greedy:stuck=1,star=0", "greedy"],
}
JUDGED = ("skyjo", "skipbo")  # games whose decisions can be analysed
SHORT = {"skyjo": "", "skipbo": "stock=3", "skyjo_action": ""}  # rules for a round that is soon over
NAMES = ["Anna", "Victor"]


def walk(page: Page, address: str, game: str) -> Iterator[str]:
    """Show one page after the other, and give the name of each while it is shown."""
    for part in (first_pages, tables, endings, replays, lessons, lists):
        yield from part(page, address, game)


def first_pages(page: Page, address: str, _: str) -> Iterator[str]:
    page.goto(f"{address}/index.html")
    page.wait_for_selector(".rival")
    page.get_by_text("One round against").wait_for()
    yield "first"
    page.locator("#custom > summary").click()
    page.wait_for_selector("#seats li")
    page.get_by_text("Change individual rules").click()
    page.wait_for_selector(".rule")
    page.locator("#custom").evaluate("one => one.scrollIntoView()")
    yield "custom"


def tables(page: Page, address: str, game: str) -> Iterator[str]:
    """Tables in mid-round, and the dialogs and sheets that there are at a table."""
    deal(page, address, "you", find_interface(game).rivals[2].agent, names=NAMES)
    play(page, is_done=lambda: int(seq(page)) >= 12)
    yield "table"
    yield from dialogs(page)
    page.locator("#hint").click()
    page.locator("#advice summary").wait_for(timeout=THINKING)
    yield "hint"
    longest = LONG_NAMES[game]
    deal(page, address, "you", *(longest * 4)[: MAX_SEATS[game] - 1], names=["Anna"])
    play(page, is_done=lambda: int(seq(page)) >= 20)
    yield "table-full"
    deal(page, address, "you", "open", names=["Anna"], wanted="#invitation:not([hidden])")
    page.wait_for_function("() => document.querySelector('#link')?.value")
    yield "invitation"


def dialogs(page: Page) -> Iterator[str]:
    yield from opened(page, (("Settings", "settings"), ("Help and keys", "help"), ("Give up", "confirm")))
    switch_on_second_taps(page)
    _close_dialog(page)
    for _ in range(2):  # a card that is picked up first is pressed once more
        if not page.locator("[aria-pressed]").count():
            (page.locator("[data-target]").or_(page.locator("#felt button.card:not([aria-disabled])"))).first.click()
    yield "second-tap"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Tap twice").uncheck()
    _close_dialog(page)


def _close_dialog(page: Page) -> None:
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")


def opened(page: Page, dialogs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Open one dialog after the other by its button, and close it again."""
    for button, name in dialogs:
        page.get_by_role("button", name=button).click()
        page.get_by_role("dialog").wait_for()
        yield name
        _close_dialog(page)


def endings(page: Page, address: str, game: str) -> Iterator[str]:
    rival = find_interface(game).rivals[1].agent
    deal(page, address, "you", rival, names=["Anna", "Rosa"], rules=SHORT[game])
    play(page, is_done=lambda: is_over(page))
    if game in JUDGED:
        page.locator("#review", has_text=re.compile("my [0-9]|no mistakes")).wait_for(timeout=THINKING)
    yield "ending"


def replays(page: Page, _: str, game: str) -> Iterator[str]:
    """The game that has just ended, looked back at."""
    page.get_by_role("button", name="Replay", exact=True).click()
    page.wait_for_url(GAME)
    page.wait_for_selector("#own .card")
    page.locator('#moves [data-at="12"]').click()
    page.wait_for_selector('#felt[data-seq="12"]')
    page.evaluate("scrollTo(0, 0)")
    yield "replay"
    yield from opened(page, (("Play on", "play-on"), ("Share", "share")))
    if game in JUDGED:
        yield from analysis(page)


def analysis(page: Page) -> Iterator[str]:
    """What the decisions were worth; one's own game may have been judged already."""
    summary, analyse = page.get_by_role("tab", name="Summary"), page.get_by_role("button", name="Analyse")
    summary.or_(analyse).first.wait_for(timeout=THINKING)
    if analyse.is_visible():
        analyse.click()
    summary.click(timeout=THINKING)
    yield "summary"
    page.get_by_role("tab", name="mistake").click()
    page.locator("#marked button").first.click()
    page.locator(".worths .played").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    yield "analysis"
    page.get_by_role("button", name="Retry").click()
    page.wait_for_selector("#ask[data-mine]")
    yield "quiz"


def lessons(page: Page, address: str, _: str) -> Iterator[str]:
    puzzles = asked(page, "/api/learn")["puzzles"]["count"]
    parts = [("#steps-2", ".task", "lesson"), ("#puzzles-3", ".streak", "puzzle"), ("#rules", ".clauses", "rules")]
    for part, wanted, name in parts if puzzles else parts[::2]:
        page.goto("about:blank")
        page.goto(f"{address}/learn.html{part}")
        page.wait_for_selector(wanted)
        page.wait_for_selector("#own .card" if name != "rules" else wanted)
        yield name


def lists(page: Page, address: str, _: str) -> Iterator[str]:
    page.goto(f"{address}/games.html")
    page.wait_for_selector("#tables a")
    yield "games"
    page.goto(f"{address}/ladder.html")
    page.wait_for_selector("#own:not([hidden]) #working[hidden]", state="attached")
    if asked(page, "/api/ladder")["tables"]:
        page.wait_for_selector("#rungs li")
        yield "ladder"
    page.locator("#own").evaluate("one => one.scrollIntoView()")
    yield "own-results"


SCREENS: dict[str, dict[str, Any]] = {
    "1280": {"viewport": {"width": 1280, "height": 800}},
    "390": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
OFTEN = [("skyjo", "390")]  # the walk for every push
WALKS = [(game, screen) for game in interface_names() for screen in SCREENS]
SHOWN = {("1280", "light"), ("390", "dark")}  # how the documents show a page
QUALITY = 40


@pytest.mark.parametrize(
    ("game", "screen"), [pytest.param(*one, marks=() if one in OFTEN else pytest.mark.long) for one in WALKS]
)
def test_every_page_is_whole_and_readable(game: str, screen: str, server: str, opens: Opens, tmp_path: Path) -> None:
    page = opens(**SCREENS[screen], timezone_id="UTC")
    faults: list[str] = []
    for name in walk(page, f"{server}/{game}", game):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = [*layout_faults(page), *barriers(page)] if scheme == "light" else barriers(page, "color-contrast")
            faults += [f"{name}, {scheme}: {one}" for one in found]
            _take_picture(page, tmp_path, game, name, screen, scheme)
    assert not faults, "\n".join(faults)


def _take_picture(page: Page, folder: Path, game: str, name: str, screen: str, scheme: str) -> None:
    """Take a picture for whoever looks at the test, or one that the documents show."""
    documents = os.environ.get("PICTURES")
    if documents is None:
        page.screenshot(path=folder / f"{name}-{scheme}.png", animations="disabled")
        return
    file = Path(documents) / f"{game}-{name}-{screen}.webp"
    if (screen, scheme) in SHOWN and file.exists():
        image = pytest.importorskip("PIL.Image")
        image.open(io.BytesIO(page.screenshot(animations="disabled"))).save(file, quality=QUALITY, method=6)
