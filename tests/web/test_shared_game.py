"""Sharing a game by its address in a browser: what one page writes, Python reads, and the other way round."""

from __future__ import annotations

import base64
import json
import random
import zlib
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import skipbo_env
import skyjo_env
from cardtable.table.game.records import MAX_BYTES, MAX_LETTERS, packed, shared_names, shared_text, unpacked
from tests.helpers import play_at_random
from tests.web.conftest import Opens
from tests.web.page_checks import PHONE, check_barriers, check_touch, check_width
from tests.web.page_player import GAME, asked, deal, number, play

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.web

SMALL = "rows=2 columns=2 opening_flips=1"
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
CALL = """async ([name, text]) =>
    (await import("../pages/shared.js"))[name](text).catch((error) => ({ error: error.message }))"""


@pytest.fixture(scope="module")
def game() -> skyjo_env.Game:
    """A round whose seed is a number that JavaScript cannot hold."""
    game = skyjo_env.Game(seed=2**64 - 3, episode="round")
    play_at_random(game, random.Random(2), 10_000)
    return game


def opened(page: Page, address: str) -> Page:
    """Go to the address of a shared game, and wait for its cards."""
    page.goto(address)
    page.wait_for_url(GAME)
    page.wait_for_selector("#own .card")
    return page


def copied(page: Page) -> str:
    """The address that the button copies."""
    page.get_by_role("button", name="Share").click()
    page.get_by_role("dialog").get_by_text("Link copied.").wait_for()
    address: str = page.evaluate("navigator.clipboard.readText()")
    expect(page.get_by_label("Link to the game")).to_have_value(address)
    return address


def test_a_shared_game_is_shown_and_shared_on(skyjo: str, opens: Opens, game: skyjo_env.Game) -> None:
    page = opens(**CLIPBOARD)
    opened(page, f"{skyjo}/games.html#{packed(shared_text(game.record(), ['Zoë', 'tempo:x=1']))}")
    expect(page.locator("#own .name")).to_have_text("Zoë")
    address = copied(page)
    check_barriers(page)
    assert address.startswith(f"{skyjo}/games.html#")
    assert skyjo_env.replay(address).record() == game.record()
    assert shared_names(address) == ["Zoë", "tempo"]
    opened(opens(), address)


def test_a_table_that_is_over_is_shared(skyjo: str, opens: Opens) -> None:
    page = deal(opens(**CLIPBOARD), skyjo, "you", "random", rules=SMALL)
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    play(page)
    address = copied(page)
    record = asked(page, f"/api/tables/{number(page)}/record")
    assert skyjo_env.replay(address).record() == skyjo_env.replay(record).record()
    other = opened(opens(), address)
    expect(other.locator("#own .name")).to_have_text("seat 1")


def test_the_address_says_of_which_game_it_is(skyjo: str, opens: Opens) -> None:
    skipbo, chance = skipbo_env.Game(skipbo_env.Rules(stock=3), seed=2, episode="round"), random.Random(2)
    while not skipbo.is_over:
        skipbo.apply(chance.choice(skipbo.legal_actions()))
    code = packed(shared_text(skipbo.record()))
    page = opened(opens(), f"{skyjo}/games.html#{code}")
    expect(page.locator("#title")).to_have_text("Skip-Bo")
    page.goto(f"{skyjo}/games.html")
    page.locator("#text").fill(f" https://example.org/elsewhere.html#{code}\n")
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url(GAME)


def test_an_address_without_a_game_is_refused_and_another_one_opened(
    skyjo: str, opens: Opens, game: skyjo_env.Game
) -> None:
    page, code = opens(), packed(shared_text(game.record()))
    page.goto(f"{skyjo}/games.html#<img src=x onerror=alert(1)>")
    page.get_by_text("This link contains no game.").wait_for()
    expect(page.locator("#error *")).to_have_count(0)
    page.evaluate(f"location.hash = '{code[:-4]}'")
    page.get_by_text("This link is damaged. It may have been cut off").wait_for()
    page.evaluate(f"location.hash = '{code}'")
    page.wait_for_url(GAME)
    page.go_back()
    assert "game.html" not in page.url


def test_without_a_clipboard_the_address_is_there_to_copy(skyjo: str, opens: Opens, game: skyjo_env.Game) -> None:
    page = opened(opens(**PHONE), f"{skyjo}/games.html#{packed(shared_text(game.record()))}")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("dialog").get_by_text("Copy this link.").wait_for()
    assert skyjo_env.replay(page.get_by_label("Link to the game").input_value()).record() == game.record()
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    check_touch(page.get_by_role("dialog").locator("button, input"))
    check_width(page)
    check_barriers(page)


def test_browser_and_python_read_what_the_other_writes_and_refuse_what_the_other_refuses(
    skyjo: str, opens: Opens
) -> None:
    page, chance = opens(), random.Random(4)
    page.goto(f"{skyjo}/learn.html")
    texts = ["{}", '{"seed":18446744073709551615}', "Zoë 🂡 \u202e", " " * MAX_BYTES]
    texts += [json.dumps([chance.randrange(126) for _ in range(chance.randrange(5000))]) for _ in range(20)]
    for text in texts:
        code = page.evaluate(CALL, ["packed", text])
        assert unpacked(f"https://example.org/#{code}") == text
        assert page.evaluate(CALL, ["unpacked", f"https://example.org/#{packed(text)}"]) == text
    good = packed(json.dumps({"seed": 5, "actions": [*range(26)] * 5}))
    bomb = zlib.compressobj(9, wbits=-15)
    code = base64.urlsafe_b64encode(bomb.compress(b" " * 10_000_000) + bomb.flush()).decode().rstrip("=")
    bad = ["", "A", "<b>", "A" * (MAX_LETTERS + 1), code, good[:-4], f"{good}AAAA", packed("x")[:2]]
    bad += ["".join(chance.choices("ABCDEFabcdef0123-_", k=chance.randrange(60))) for _ in range(100)]
    for each in bad:
        try:
            expected = unpacked(f"#{each}")
        except ValueError:
            expected = None
        found = page.evaluate(CALL, ["unpacked", f"#{each}"])
        assert (found if isinstance(found, str) else None) == expected, each
        if expected is None:
            assert 20 < len(found["error"]) < 120
            assert "<b>" not in found["error"]
    long = json.dumps([chance.randrange(10**6) for _ in range(12_000)])
    assert "too long for a link" in page.evaluate(CALL, ["packed", long])["error"]
