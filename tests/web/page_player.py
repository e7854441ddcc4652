"""Somebody at a table in a browser: how tests look at the page, press what is on it, and play any game."""

from __future__ import annotations

import random
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ElementHandle, Page

    Press = Callable[[Page, ElementHandle], None]
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Page


LEGAL = ".card:not([aria-disabled])"
TABLE, GAME = re.compile(r"/table\.html\?"), re.compile(r"/game\.html\?")  # addresses
AT_ONCE = """try { localStorage["skyjo.pace"] ??= '"instant"' } catch {}"""
ASK = 'async ([path, body]) => (await import("../pages/server.js")).answered(path, body)'  # as pages do
ASKED = "#ask[data-mine], #felt[data-ended], #rematch:not([hidden])"  # this browser is asked, or a round is over


def deal(
    page: Page,
    address: str,
    *seats: str,
    rules: str = "",
    episode: str = "round",
    wanted: str = ASKED,
    names: Sequence[str] = (),
) -> Page:
    """Open a table, go there, and wait for what is wanted; the page itself is returned."""
    page.goto(f"{address}/blank.html")
    page.evaluate(AT_ONCE)
    body: dict[str, Any] = {"seats": list(seats), "rules": rules, "episode": episode, "names": list(names)}
    opened = asked(page, "/api/tables", body)
    page.goto(f"{address}/table.html?{opened['id']}")
    page.wait_for_selector(wanted, state="attached")
    return page


def asked(page: Page, path: str, body: Any = None) -> Any:
    """What a page is answered."""
    return page.evaluate(ASK, [path, body])


def number(page: Page) -> str:
    """The number of the table or the game in the address."""
    return page.url.partition("?")[2].partition("#")[0]


def watch(page: Page, address: str) -> Page:
    """Let agents play, and look on; the page itself is returned."""
    page.goto(f"{address}/index.html#custom")
    page.wait_for_selector("#seats li")
    page.get_by_role("button", name="Watch the computer play").click()
    page.wait_for_selector("#watch", state="attached")
    return page


def wait(page: Page) -> None:
    """Until this browser is asked, or the game is over."""
    page.wait_for_selector(ASKED, state="attached")


def asks(page: Page, words: str) -> None:
    """Wait until this is asked at the table: what a finger begins comes a moment after the tap."""
    page.wait_for_selector(f'#question:text-is("{words}")')


def switch_on_second_taps(page: Page) -> None:
    """Let every decision need a second tap; from then on it does."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Tap twice").check()
    page.evaluate("import('../pages/second_tap.js').then(() => {})")  # which the page loads only now


def choose_theme(page: Page, theme: str) -> None:
    """Ask for puzzles of a theme, and wait for another one; the one before may have had the same theme."""
    themes = page.get_by_label("Theme")
    themes.wait_for()
    before = page.url
    themes.select_option(theme)
    page.wait_for_url(lambda url: url != before)


def is_over(page: Page) -> bool:
    """Can another table like this one be had?"""
    return page.locator("#rematch").is_visible()


def seq(page: Page) -> str:
    """How many decisions the page has been told of."""
    return page.locator("#felt").get_attribute("data-seq") or ""


@contextmanager
def going_on(page: Page) -> Iterator[None]:
    """After what is done here, the table goes on, and asks again."""
    before = seq(page)
    yield
    page.wait_for_selector(f'#felt:not([data-seq="{before}"])', state="attached")
    wait(page)


def press(page: Page, key: str) -> None:
    """Press one of the own cards, and wait until it is this browser's turn again."""
    with going_on(page):
        page.locator(f'#own [data-key="{key}"]').click()


def hidden_cell(page: Page) -> int:
    """A cell of the own board that can be pressed, a hidden one if there is one."""
    hidden = page.locator('#own .card[data-band="back"]:not([aria-disabled])')
    cards = hidden if hidden.count() else page.locator(f"#own {LEGAL}")
    return int((cards.first.get_attribute("data-key") or "").removeprefix("cell-"))


def open_cards(page: Page) -> None:
    """Turn up what the rules ask for before the first turn."""
    while "Flip" in page.locator("#question").inner_text():
        press(page, f"cell-{hidden_cell(page)}")


MAX_PRESSES = 4000
MAX_STEPS = 60  # of the focus, on its way to a button
ODD = 0.1  # how often something else than what leads on is pressed
ANSWER = 20_000  # milliseconds that the server needs at most
LOOK = 20  # milliseconds from one look at a table to the next
BEGUN = """() => [...document.querySelectorAll("[data-chosen], [data-target], [data-taken], #choices")]
    .map((one) => one.dataset.key ?? one.innerText).join()"""  # what is begun on the page and not yet sent
WAIT = f"""async ([seq, begun, most]) => {{
    const start = performance.now();
    const [felt, refused] = ["#felt", "#alert"].map((name) => document.querySelector(name));
    const isSame = () => felt.dataset.seq === seq && ({BEGUN})() === begun && refused.textContent === "";
    while (isSame() && performance.now() < start + most) await new Promise(requestAnimationFrame);
}}"""
POSSIBLE = """() => {
    const wanted = ["#middle [data-target]", "#choices button", "[data-target]", '#own .grid [data-band="back"]',
        '[data-key="stock"]', '[data-key="draw"]'];
    const rank = (one) => wanted.findIndex((selector) => one.matches(selector)) + 1 || 9;
    const isPossible = (one) => one.checkVisibility() && !/Esc$/.test(one.textContent);
    const all = document.querySelectorAll("#felt button.card:not([aria-disabled]), #choices button");
    const found = [...all].filter(isPossible);
    return found.sort((one, other) => rank(one) - rank(other));
}"""  # all that can be pressed now, first what leads on: a target, an answer, a hidden card of one's own
MIDDLE = """(one) => {
    one.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
DIRECTION = """(target) => {
    const here = document.activeElement;
    if (here === target) return "Enter";
    const group = [".grid", ".body", "[role=group]"].map((one) => here.closest(one)).find(Boolean);
    if (!here.matches("button.card") || !group?.contains(target) || target.tabIndex === 0) return "Tab";
    const [from, to] = [here, target].map((one) => one.getBoundingClientRect());
    if (Math.abs(to.y - from.y) > 9) return to.y > from.y ? "ArrowDown" : "ArrowUp";
    return to.x > from.x ? "ArrowRight" : "ArrowLeft";
}"""  # the key that brings the focus nearer


def click(page: Page, button: ElementHandle) -> None:
    """Press it with the mouse."""
    page.mouse.click(*_middle(button))


def tap(page: Page, button: ElementHandle) -> None:
    """Press it with a finger."""
    page.touchscreen.tap(*_middle(button))


def _middle(button: ElementHandle) -> tuple[float, float]:
    """Where its middle is on the screen, once it has been scrolled there."""
    x, y = button.evaluate(MIDDLE)
    return x, y


def use_keys(page: Page, button: ElementHandle) -> None:
    """Go there with the keyboard, and press it."""
    for _ in range(MAX_STEPS):
        key = button.evaluate(DIRECTION)
        page.keyboard.press(key)
        if key == "Enter":
            return
    raise AssertionError(f"no key leads to {button.evaluate('(one) => one.outerHTML')}")


def play(
    page: Page, press: Press = click, is_done: Callable[[], bool] | None = None, seed: int = 4, odd: float = ODD
) -> None:
    """Play until the table is over, or what is said is done."""
    chance = random.Random(seed)
    for _ in range(MAX_PRESSES):
        if page.locator("#felt[data-ended]").count():
            page.locator("#ending:not([hidden])").wait_for()
        if is_done() if is_done else is_over(page):
            return
        if page.locator("#next").is_visible():
            press(page, page.locator("#next").element_handle())
        else:
            press_something(page, press, chance, odd)
        wait(page)
    raise AssertionError("the round has no end")


def play_together(pages: list[Page], is_done: Callable[[], bool], press: Press = click, seed: int = 4) -> None:
    """Let the people in these browsers play at one table until what is said is done."""
    chance = random.Random(seed)
    for _ in range(MAX_PRESSES):
        if is_done():
            return
        for page in pages:
            if page.locator("#ask[data-mine]").count():
                press_something(page, press, chance)
        pages[0].wait_for_timeout(LOOK)
    raise AssertionError("the round has no end")


def press_something(page: Page, press: Press, chance: random.Random, odd: float = ODD) -> None:
    """Press what leads on, or now and then anything that can be pressed; does nothing if there is nothing.

    Then wait for the server, unless the press only began something here or was refused.
    """
    before, begun, buttons = seq(page), page.evaluate(BEGUN), page.evaluate_handle(POSSIBLE)
    if count := buttons.evaluate("(all) => all.length"):
        at = chance.randrange(count) if chance.random() < odd else 0
        button = buttons.evaluate_handle("(all, at) => all[at]", at).as_element()
        assert button is not None
        press(page, button)
        page.evaluate(WAIT, [before, begun, ANSWER])
