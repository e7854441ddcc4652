"""The first page, for all games of a site: opponents, today's deal, a friend, the last tables; and the ladder.

And all pages are small and jump nowhere.
"""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from skyjo.interfaces import find_interface, interface_names
from tests.web.conftest import Opens
from tests.web.page_checks import check_barriers, check_touch
from tests.web.page_player import ASKED, TABLE, asked, deal, number, play, wait

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.web

SCREEN: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MAX_BYTES = 180_000  # of a page with all that it and its worker load, compressed
PAGES = ("index", "learn", "games", "ladder")
SEED = 7
CHALLENGE = f"index.html#challenge&seed={SEED}&rules=&episode=round&seat=you&seat=hurried&name=&name=Pip"
LEVELS = ("easy", "medium", "hard", "expert")


def visit(page: Page, address: str, game: str = "skyjo", ending: str = "") -> Page:
    """Go to the first page of a game; the page itself is returned."""
    page.goto(f"{address}/../{game}/index.html{ending}")
    page.wait_for_selector("#seats li" if ending else ".rival")
    return page


def rival(page: Page, level: str) -> Any:
    return page.locator(f'.rival[data-level="{level}"]')


@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["screen", "phone"])
def test_four_opponents_are_above_the_fold(skyjo: str, opens: Opens, size: dict[str, Any]) -> None:
    page = opens(**size)
    for game in interface_names():
        visit(page, skyjo, game)
        expect(page.locator(".rival:enabled")).to_have_count(len(LEVELS))
        for level in LEVELS:
            box = rival(page, level).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size["viewport"]["height"]
        check_touch(page.locator(".rival"))
        assert page.evaluate("document.documentElement.scrollWidth") <= size["viewport"]["width"]


def test_one_press_deals_a_round_against_the_opponent_by_name_and_its_table_is_deleted_after_a_question(
    skyjo: str, opens: Opens
) -> None:
    page = visit(opens(), skyjo)
    expect(page.locator(".rival[data-suggested]")).to_have_attribute("data-level", "easy")
    rival(page, "medium").click()
    wait(page)
    expect(page.locator("#round")).to_have_text("One round")
    view = asked(page, f"/api/tables/{number(page)}")
    assert [seat["name"] for seat in view["seats"]] == ["you", "Rosa"]
    visit(page, skyjo)
    expect(page.locator(".rival[data-suggested] strong")).to_have_text("Rosa")
    line = page.locator("#tables li").first
    expect(line.locator("strong")).to_have_text("You and Rosa")
    line.locator("a").click()
    wait(page)
    visit(page, skyjo)
    delete = page.get_by_role("button", name="Delete: You and Rosa")
    delete.focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_text("The game is not over.").wait_for()
    check_barriers(page)
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("#tables li")).to_have_count(1)
    delete.click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.wait_for_selector("#running", state="hidden")
    expect(visit(page, skyjo).locator("#tables li")).to_have_count(0)


def test_a_newcomer_is_offered_the_lesson_and_who_comes_back_the_unfinished_game(skyjo: str, opens: Opens) -> None:
    page = visit(opens(), skyjo)
    expect(page.locator("h1")).to_have_text(find_interface("skyjo").line)
    lesson = page.get_by_role("link", name="Learn in two minutes")
    expect(lesson).to_be_visible()
    deal(page, skyjo, "you", "random", rules="rows=2 columns=2 opening_flips=1")
    play(page)
    expect(visit(page, skyjo).locator("#lead")).to_be_visible()
    expect(lesson).to_be_hidden()
    page.get_by_label("3", exact=True).check(force=True)
    rival(page, "expert").click()
    wait(page)
    table = page.url
    expect(page.locator("#others .name")).to_have_text(["Ada", "Victor"])
    visit(page, skyjo).get_by_role("link", name="Continue against Ada and Victor").click()
    page.wait_for_url(table)


@pytest.mark.parametrize("game", interface_names())
def test_everybody_of_the_first_page_can_play_at_tables_of_each_size(game: str, skyjo: str, opens: Opens) -> None:
    page = visit(opens(), skyjo, game)
    rivals = {one.agent.split(":")[0] for one in find_interface(game).rivals}
    for players in (2, 3, 4):
        assert rivals.isdisjoint(asked(page, f"/api/unable?players={players}&rules=")["unable"])


def test_an_opponent_is_chosen_with_the_keyboard_alone(skyjo: str, opens: Opens) -> None:
    page = visit(opens(), skyjo)
    page.locator("#length input").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    expect(rival(page, "easy")).to_be_focused()
    page.keyboard.press("Enter")
    wait(page)
    expect(page.locator("#round")).to_have_text("Round 1")
    expect(visit(page, skyjo).locator("#length :checked")).to_have_attribute("value", "game")


def test_games_are_one_press_apart_and_have_their_own_colours(skyjo: str, opens: Opens) -> None:
    page = visit(opens(), skyjo, "skyjo")
    felt = "getComputedStyle(document.documentElement).getPropertyValue('--felt')"
    colours = set()
    for game in interface_names():
        title = find_interface(game).title
        page.get_by_role("navigation", name="Games of cards").get_by_role("link", name=title, exact=True).click()
        page.wait_for_selector(f'html[data-game="{game}"]')
        page.wait_for_selector(".rival")
        colours.add(page.evaluate(felt))
        rival(page, "easy").click()
        wait(page)
        expect(page.locator("#title")).to_have_text(title)
        page.locator("#title").click()
        page.wait_for_selector(".rival")
        expect(page.locator("html")).to_have_attribute("data-game", game)
    assert len(colours) == len(interface_names())


def test_the_custom_table_is_remembered(served_skyjo: str, opens: Opens) -> None:
    skyjo = served_skyjo
    page = visit(opens(), skyjo, ending="#custom")
    page.get_by_role("button", name="Add a seat").click()
    page.get_by_label("Seat 2", exact=True).select_option("tempo")
    page.get_by_label("Seat 3", exact=True).select_option("Victor, hard")
    page.locator("#form").get_by_label("One round").check()
    page.get_by_text("Change individual rules").click()
    page.get_by_label("Rows of a board").fill("2")
    page.get_by_role("button", name="Deal the cards").click()
    wait(page)
    view = asked(page, f"/api/tables/{number(page)}")
    assert [seat["name"] for seat in view["seats"]] == ["you", "tempo", "Victor"]
    visit(page, skyjo, ending="#custom")
    expect(page.locator("#seats option:checked")).to_have_text(["Me, or someone here", "tempo", "Victor, hard"])
    expect(page.locator("#form").get_by_label("One round")).to_be_checked()
    expect(page.get_by_label("Rules as text")).to_have_value("rows=2")
    visit(page, skyjo, "skipbo", "#custom")
    expect(page.locator("#seats li")).to_have_count(2)


def test_agents_that_cannot_play_are_disabled_with_the_reason_seat_by_seat(served_skyjo: str, opens: Opens) -> None:
    page = visit(opens(), served_skyjo, "skipbo", "#custom")
    page.get_by_label("Seat 2", exact=True).select_option("Ada, expert")
    disabled = page.locator("#seats li:last-child option:disabled")
    note = page.locator("#seats li").nth(1).locator(".note")
    page.get_by_label("Preset").select_option("strittmatter")
    page.wait_for_selector("#seats [data-unable]")
    expect(disabled).to_have_text(["Ada, expert (not by these rules)", "policy (not by these rules)"])
    expect(note).to_have_text("Cannot play by these rules. Choose another opponent.")
    page.get_by_label("Preset").select_option("official")
    page.wait_for_selector("#seats [data-unable]", state="detached")
    expect(note).to_have_text("Plays its ideas through before every move.")


def test_an_invited_friend_sees_who_waits(served_skyjo: str, opens: Opens) -> None:
    skyjo = served_skyjo
    anna, ben = visit(opens(), skyjo), opens()
    expect(anna.locator("#invite-words")).to_contain_text("only works on this computer")
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_role("button", name="Open a table for two").click()
    anna.wait_for_url(TABLE)
    ben.goto(anna.url)
    ben.get_by_text("Anna").first.wait_for()
    ben.get_by_label("Your name").fill("Ben")
    check_barriers(ben)
    ben.get_by_role("button", name="Join").click()
    anna.locator("#others").get_by_text("Ben").wait_for()
    ben.wait_for_function("() => Object.values(localStorage).some((kept) => kept.includes('Ben'))")
    expect(visit(ben, skyjo).get_by_label("Your name")).to_have_value("Ben")
    visit(anna, skyjo)
    expect(anna.get_by_label("Your name")).to_have_value("Anna")
    expect(anna.locator("#tables strong").first).to_have_text("You and Ben")


def test_todays_deal_is_played_without_help_continued_and_compared(skyjo: str, opens: Opens) -> None:
    page = visit(opens(), skyjo)
    page.get_by_role("button", name="Play today’s deal").click()
    wait(page)
    table = page.url
    expect(page.locator("#round")).to_have_text("Today’s deal")
    expect(page.locator("#hint, #undo").and_(page.locator(":visible"))).to_have_count(0)
    visit(page, skyjo)
    page.get_by_role("button", name="Continue today’s deal").click()
    page.wait_for_url(table)
    play(page)
    page.locator("#daily-result").get_by_text(re.compile("Without luck, you were .* with your cards, was")).wait_for()
    visit(page, skyjo)
    page.get_by_text("Without luck, you were").wait_for()
    figures = [float(text.replace("−", "-")) for text in page.locator("#daily-figures dd").all_inner_texts()]
    assert figures[0] - figures[1] == pytest.approx(figures[2], abs=0.11)
    assert len(figures) == 4  # the last is the rival's in the same seat
    check_barriers(page)


def test_settings_lie_in_one_place_on_every_page(skyjo: str, opens: Opens) -> None:
    page = opens()
    corners = set()
    for name in PAGES:
        page.goto(f"{skyjo}/{name}.html")
        box = page.get_by_role("button", name="Settings").bounding_box()
        corners.add(box and (box["x"], box["width"]))
    assert len(corners) == 1
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("dark", exact=True).check()
    page.get_by_label("Tap twice").check()
    page.get_by_label("Dots on the cards").check()
    check_barriers(page)
    page.goto(f"{skyjo}/index.html")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-cues", "")


def test_a_challenge_deals_the_same_cards_in_another_browser(skyjo: str, opens: Opens) -> None:
    page = visit(opens(), skyjo)
    page.get_by_role("button", name="Create a challenge").click()
    address = page.get_by_label("Challenge link").input_value()
    check_barriers(page)
    page.get_by_role("button", name="Play it myself").click()
    wait(page)
    friend = opens()
    friend.goto(address)
    wait(friend)
    discard, name = '[data-key="discard"]', "#others .name"
    expect(friend.locator(discard)).to_have_attribute("aria-label", page.locator(discard).get_attribute("aria-label"))
    expect(friend.locator(name)).to_have_text(page.locator(name).text_content() or "?")


def test_a_damaged_challenge_is_refused(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/{CHALLENGE.replace('seed=7', 'seed=x')}")
    page.get_by_text("This challenge link is damaged.").wait_for()
    page.goto(f"{skyjo}/{CHALLENGE.replace('hurried', 'nobody')}")
    page.get_by_text("agent nobody cannot play here").wait_for()
    expect(page.locator(".rival")).to_have_count(4)


def test_a_table_that_is_over_can_be_given_to_a_friend(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/{CHALLENGE}")
    wait(page)
    expect(page.get_by_role("button", name="Challenge")).to_have_count(0)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Challenge").click()
    address = page.get_by_label("Challenge link").input_value()
    assert f"seed={SEED}&" in address
    assert "episode=round" in address


def test_new_seats_are_taken_by_one_rival_after_the_other(skyjo: str, opens: Opens) -> None:
    page = opens()
    page.goto(f"{skyjo}/index.html#custom")
    for _ in range(3):
        page.get_by_role("button", name="Add a seat").click()
    names = [f"{one.name}, {one.level}" for one in find_interface("skyjo").rivals]
    expect(page.locator("#seats option:checked")).to_have_text(["Me, or someone here", *names])


@pytest.mark.parametrize(
    ("path", "late", "button"),
    [("index.html", "worker", "#daily"), ("index.html#custom", "custom", "#add"), ("game.html?1", "worker", "#share")],
)
def test_no_button_can_be_pressed_before_it_works(skyjo: str, opens: Opens, path: str, late: str, button: str) -> None:
    page = opens()
    page.route(f"**/*{late}.js", lambda _: None)  # it never comes
    page.goto(f"{skyjo}/{path}")
    expect(page.locator(f":is([hidden], [inert]) {button}")).to_have_count(1)


def test_text_can_be_twice_as_large_on_a_phone(skyjo: str, opens: Opens) -> None:
    page = visit(opens(**PHONE), skyjo)
    rival(page, "medium").click()
    wait(page)
    for path in ("/index.html#custom", "/games.html", "/ladder.html"):
        page.goto(f"{skyjo}{path}")
        page.locator("#form, #rungs li").first.wait_for()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"], path


def visit_ladder(page: Page, address: str) -> Page:
    """Go to the ladder, and wait until all of it is there; the page itself is returned."""
    page.goto(f"{address}/ladder.html")
    page.wait_for_selector("#rungs li")
    page.wait_for_selector("#own:not([hidden]) #working[hidden]", state="attached")
    return page


def test_the_ladder_shows_who_is_strong_at_tables_of_each_size(skyjo: str, opens: Opens) -> None:
    page = visit_ladder(opens(), skyjo)
    ladder = asked(page, "/api/ladder")
    for table in ladder["tables"]:
        page.get_by_role("radio", name=str(table["players"]), exact=True).check()
        rows = [row for row in table["rows"] if row["playable"]]
        people = {one.agent: one.name for one in find_interface("skyjo").rivals}
        rows.sort(key=lambda row: row["agent"] not in people)  # people stand first
        ratings = [f"{row['rating']:.0f}".replace("-", "−") for row in rows]
        expect(page.locator("#rungs .rating strong")).to_have_text(ratings)
        expect(page.locator("#rungs .interval")).to_have_count(len(ratings))
        expect(page.locator("#rungs .who .note:not(:empty)")).to_have_count(len(rows))
        expect(page.locator("#rungs button")).to_have_count(len(rows))
        names = page.locator("#rungs li h3")
        expect(page.locator("#people h3")).to_have_text(
            [people[row["agent"]] for row in rows if row["agent"] in people]
        )
        programs = [row["agent"] for row in rows if row["agent"] not in people]
        assert [name.get_attribute("title") for name in page.locator("#programs h3").all()] == programs
        assert len(set(names.all_inner_texts())) == len(rows)


def test_a_round_against_an_agent_is_one_press_away_and_then_among_the_own_games(skyjo: str, opens: Opens) -> None:
    page = visit_ladder(opens(), skyjo)
    page.get_by_text("None of your games counts yet.").wait_for()
    page.get_by_role("radio", name="3", exact=True).check()
    page.get_by_role("button", name="Play against it: random").click()
    page.wait_for_url(TABLE)
    wait(page)
    table = page.url
    expect(page.locator("#round")).to_have_text("One round")
    expect(page.locator("#others .seat")).to_have_count(2)
    visit_ladder(page, skyjo)
    expect(page.locator("#games li")).to_have_count(0)  # it is not over
    page.goto(table)
    wait(page)
    play(page)
    visit_ladder(page, skyjo)
    (game,) = asked(page, "/api/own")["games"]
    line = page.locator("#games li")
    expect(line.locator("a")).to_have_attribute("href", f"table.html?{game['table']}")
    expect(line.locator("a strong")).to_have_text(game["words"], ignore_case=True)
    shown = [float(text.replace("−", "-")) for text in line.locator(".figure strong").all_inner_texts()]
    assert shown == pytest.approx([game["margin"], game["luck"], game["margin"] - game["luck"]], abs=0.051)
    expect(page.locator("#verdict")).to_contain_text("after 1 round.")
    expect(page.locator("#meaning")).to_contain_text("4 more rounds")
    expect(page.locator("#none")).to_be_hidden()
    page.get_by_text("What counts, and how luck is subtracted").click()
    expect(page.get_by_text("its luck may differ by a few tenths")).to_be_visible()


COUNT_JUMPS = """window.jumps = 0;
new PerformanceObserver((seen) => {
    for (const { value } of seen.getEntries()) window.jumps += value;
}).observe({ type: "layout-shift", buffered: true });"""
MAX_JUMPS = 0.1  # which web.dev calls good
READY = {
    "index": '#daily-words:has-text("One round against")',
    "games": "#form:not([hidden])",
    "learn": "[role=tabpanel]:not([hidden]) h2",
    "ladder": "#own:not([hidden]) #working[hidden]",
    "table": ASKED,
}  # what there is once all of a page is there


def loaded(page: Page, address: str) -> set[str]:
    """The paths of all files that a page and its worker load; it has nothing in its memory yet."""
    paths = set[str]()
    page.on("request", lambda request: paths.add(urlsplit(request.url).path[1:]))
    page.goto(address, wait_until="networkidle")
    page.wait_for_selector(READY[address.partition(".html")[0].rpartition("/")[2]], state="attached")
    return paths


@pytest.mark.parametrize("game", interface_names())
def test_every_page_of_every_game_is_small(game: str, skyjo: str, site: Path, opens: Opens) -> None:
    page, home = opens(), f"{skyjo}/../{game}"
    parts = ("learn.html#steps", "learn.html#puzzles", "learn.html#rules", "index.html", "ladder.html", "games.html")
    for address in (deal(page, home, "you", "random").url, *(f"{home}/{part}" for part in parts)):
        sizes = [len(gzip.compress((site / path).read_bytes())) for path in loaded(page.context.new_page(), address)]
        assert 50_000 < sum(sizes) <= MAX_BYTES, address


@pytest.mark.parametrize("size", [SCREEN, PHONE], ids=["screen", "phone"])
def test_nothing_jumps_while_a_page_loads(skyjo: str, opens: Opens, size: dict[str, Any]) -> None:
    page = opens(**size)
    page.add_init_script(COUNT_JUMPS)
    for path, most in (("index", MAX_JUMPS), ("games", 0), ("learn", MAX_JUMPS), ("ladder", MAX_JUMPS)):
        loaded(page, f"{skyjo}/{path}.html")
        assert page.evaluate("window.jumps") <= most, path
