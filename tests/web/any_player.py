"""Somebody who plays any game in a browser by pressing what can be pressed: with mouse, finger, or keys alone."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.web.page_player import is_over, seq, wait

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ElementHandle, Page

    Press = Callable[[Page, ElementHandle], None]

MOST_PRESSES = 4000
MOST_STEPS = 60  # of the focus, on its way to a button
ODD = 0.1  # how often something else than what leads on is pressed
ANSWER = 1500  # milliseconds that the server needs at most
LOOK = 20  # milliseconds from one look at a table to the next
BEGUN = """() => [...document.querySelectorAll("[data-chosen], [data-target], [data-taken], #choices")]
    .map((one) => one.dataset.key ?? one.innerText).join()"""  # what is begun on the page and not yet sent
WAIT = f"""async ([seq, begun, most]) => {{
    const start = performance.now(); // a press that is refused changes nothing
    const isSame = () => document.querySelector("#felt").dataset.seq === seq && ({BEGUN})() === begun;
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
    for _ in range(MOST_STEPS):
        key = button.evaluate(DIRECTION)
        page.keyboard.press(key)
        if key == "Enter":
            return
    raise AssertionError(f"no key leads to {button.evaluate('(one) => one.outerHTML')}")


def play(page: Page, press: Press = click, is_done: Callable[[], bool] | None = None, seed: int = 4) -> None:
    """Play until the table is over, or what is said is done."""
    chance = random.Random(seed)
    for _ in range(MOST_PRESSES):
        if page.locator("#felt[data-ended]").count():
            page.locator("#ending:not([hidden])").wait_for()
        if is_done() if is_done else is_over(page):
            return
        if page.locator("#next").is_visible():
            press(page, page.locator("#next").element_handle())
        else:
            press_something(page, press, chance)
        wait(page)
    raise AssertionError("the round has no end")


def play_together(pages: list[Page], is_done: Callable[[], bool], press: Press = click, seed: int = 4) -> None:
    """Let the people in these browsers play at one table until what is said is done."""
    chance = random.Random(seed)
    for _ in range(MOST_PRESSES):
        if is_done():
            return
        for page in pages:
            if page.locator("#ask[data-mine]").count():
                press_something(page, press, chance)
        pages[0].wait_for_timeout(LOOK)
    raise AssertionError("the round has no end")


def press_something(page: Page, press: Press, chance: random.Random) -> None:
    """Press what leads on, or now and then anything that can be pressed; does nothing if there is nothing.

    Then wait for the server, unless the press only began something here.
    """
    before, begun, buttons = seq(page), page.evaluate(BEGUN), page.evaluate_handle(POSSIBLE)
    if count := buttons.evaluate("(all) => all.length"):
        at = chance.randrange(count) if chance.random() < ODD else 0
        button = buttons.evaluate_handle("(all, at) => all[at]", at).as_element()
        assert button is not None
        press(page, button)
        page.evaluate(WAIT, [before, begun, ANSWER])
