"""Somebody at a table in a browser: how tests look at the page and press what is on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEGAL = ".card:not([aria-disabled])"
CELL_KEYS = ("qaz", "wsx", "edc", "rfv")  # by column, then row
MOST_DECISIONS = 400


ASKED = "#ask[data-mine], #again:not([hidden])"  # this browser is asked, or the game is over


def deal(page: Page, address: str, *seats: str, rules: str = "", episode: str = "round", wanted: str = ASKED) -> None:
    """Open a table, go there, and wait for what is wanted."""
    page.goto(address)
    body: dict[str, Any] = {"seats": list(seats), "rules": rules, "episode": episode}
    answer = page.request.post(f"{address}/api/tables", data=body, headers={"Origin": address})
    page.goto(f"{address}/t/{answer.json()['id']}")
    page.wait_for_selector(wanted, state="attached")


def wait(page: Page) -> None:
    """Until this browser is asked, or the game is over."""
    page.wait_for_selector(ASKED, state="attached")


def is_over(page: Page) -> bool:
    """Can the same cards be had again?"""
    return page.locator("#again").is_visible()


def seq(page: Page) -> str:
    """How many decisions the page has been told of."""
    return page.locator("#felt").get_attribute("data-seq") or ""


def wait_after(page: Page, number: str) -> None:
    """Until the table has gone on from this number of decisions, and asks again."""
    page.wait_for_selector(f'#felt:not([data-seq="{number}"])', state="attached")
    wait(page)


def hidden_cell(page: Page) -> int:
    """A cell of the own board that can be pressed, a hidden one if there is one."""
    hidden = page.locator('#own .card[data-band="back"]:not([aria-disabled])')
    cards = hidden if hidden.count() else page.locator(f"#own {LEGAL}")
    return int((cards.first.get_attribute("data-key") or "").removeprefix("cell-"))


def play_round(page: Page, press_draw: Any, press_cell: Any, is_done: Any = None) -> None:
    """Play until the table is over, or what is said is done: draw, and put every card on a hidden cell."""
    for _ in range(MOST_DECISIONS):
        if is_done() if is_done else is_over(page):
            return
        before = seq(page)
        if page.locator(f'[data-key="draw"]{LEGAL.removeprefix(".card")}').count():
            press_draw()
        else:
            press_cell(hidden_cell(page))
        wait_after(page, before)
    raise AssertionError("the round has no end")
