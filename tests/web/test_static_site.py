"""The site on a host of files: it is played with the network gone, lets nothing foreign in, and renews itself."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import skipbo_env
from cardtable.table.game.records import packed
from skyjo.web.building.site import write_service_worker
from tests.web.page_player import AT_ONCE, choose_theme, play, seq, wait
from tests.web.page_server import files_served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.web.conftest import Opens

pytestmark = pytest.mark.web

KEPT = """async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 10));
    return true;
}"""  # it is active a moment before it answers this page
KEEPING = {"service_workers": "allow"}
SIZE = "name => fetch(`../data/skyjo/${name}`).then(async answer => (await answer.blob()).size, () => 0)"
FETCHED = """async () => {
    const kept = await navigator.serviceWorker.ready;
    await kept.update();
    while (!kept.waiting) await new Promise((done) => setTimeout(done, 50));
}"""
TRESPASS = """async () => {
    const refused = [];
    addEventListener("securitypolicyviolation", ({ effectiveDirective }) => refused.push(effectiveDirective));
    setTimeout(() => new Function("window.evaluated = true")());
    await fetch("http://127.0.0.2:1/").catch(() => null);
    const script = document.createElement("script");
    script.textContent = "window.inline = true";
    document.head.append(script);
    for (let looks = 0; looks < 300 && new Set(refused).size < 3; looks++)
        await new Promise((done) => setTimeout(done, 100));
    return { refused, ran: [window.evaluated, window.inline] };
}"""
LINKS = {".html": re.compile(r'(?:href|src)="([^"#]+)'), ".js": re.compile(r'(?:from|import\() ?"(\.[^"]+)"')}
ANSWER = re.compile("Right\\.|Not the best")
MAX_BYTES = 1_500_000  # compressed, of the whole site with the weights that a rival needs
MAX_VISITS, LOOK = 150, 200  # milliseconds until a closed page is gone
RECORD = '{"skyjo_record":1,"rules":"","seed":18446744073709551613,"deal":0,"episode":"round","actions":[14,15,14,15]}'


@contextmanager
def visited(page: Page, site: Path, path: str = "skyjo/index.html") -> Iterator[str]:
    """The page has been at the site, which is kept in its browser; afterwards there is no network."""
    with files_served(site) as address:
        page.goto(f"{address}/{path}")
        page.evaluate(AT_ONCE)
        page.locator("h1").first.wait_for()
        assert page.evaluate(KEPT)
        yield address


def sit_down(page: Page, rival: str) -> Page:
    """Play against somebody; the page itself is returned."""
    page.locator("#rivals").get_by_role("button", name=rival).click()
    page.wait_for_url("**/table.html?*")
    wait(page)
    return page


@pytest.mark.parametrize("game", ["skyjo", pytest.param("skipbo", marks=pytest.mark.long), "skyjo_action"])
def test_a_round_is_played_and_looked_at_without_a_network(game: str, site: Path, opens: Opens) -> None:
    page = opens(**KEEPING)
    with visited(page, site, f"{game}/index.html"):
        pass
    play(sit_down(page, "Pip"))
    expect(page.locator("#ending h2")).to_have_text(re.compile("wins?, "))
    scores = page.locator("#scores tfoot").inner_text()
    page.reload()
    wait(page)
    expect(page.locator("#scores tfoot")).to_have_text(scores, use_inner_text=True)
    page.get_by_role("button", name="Replay").click()
    page.wait_for_url("**/game.html?*")
    page.locator("#own .card").first.wait_for()
    page.keyboard.press("End")
    page.locator("#ending h2").get_by_text(re.compile("wins?, ")).wait_for()
    page.get_by_role("link", name="Games").click()
    page.locator("#tables li strong").get_by_text("You and Pip").wait_for()


def test_an_expert_plays_without_a_network_once_it_was_met_and_is_refused_before(site: Path, opens: Opens) -> None:
    page = opens(**KEEPING)
    with visited(page, site):
        pass
    page.locator("#rivals").get_by_role("button", name="Ada").click()
    page.get_by_text("the files of lookahead cannot be loaded; is this browser online?").wait_for()
    assert page.url.endswith("index.html")
    with visited(page, site) as address:
        play(sit_down(page, "Ada"), is_done=lambda: int(seq(page)) > 5)
    page.goto(f"{address}/skyjo/")
    play(sit_down(page, "Ada"))
    expect(page.locator("#ending h2")).to_have_text(re.compile("wins?, "))


def test_a_game_of_skipbo_is_analysed_without_a_network(site: Path, opens: Opens) -> None:
    page = opens(**KEEPING)
    with visited(page, site, "skipbo/games.html"):
        pass
    page.get_by_label("Import a game").fill(json.dumps(begun_game().record()))
    page.get_by_role("button", name="Open").click()
    page.wait_for_url("**/game.html?*")
    page.get_by_role("button", name="Analyse").click()
    page.get_by_role("tab", name="Summary").click()
    page.locator("#summary-sheet").get_by_text("margin +0.0").first.wait_for()


def begun_game() -> skipbo_env.Game:
    """A few decisions of a round that is not over."""
    game = skipbo_env.Game("stock=10", seed=1)
    while game.turns < 3:
        game.apply(game.legal_actions()[0])
    return game


def test_steps_and_puzzles_are_learned_from_without_a_network(site: Path, opens: Opens) -> None:
    page = opens(**KEEPING)
    with visited(page, site, "skyjo/learn.html"):
        pass
    for cell in (0, 5):
        page.locator(f'#own [data-key="cell-{cell}"]').click()
    page.get_by_text("Well done.").wait_for()
    page.get_by_role("tab", name="Puzzles").click()
    page.wait_for_selector("#ask[data-mine]")
    choose_theme(page, "take")
    page.get_by_role("heading", name="Draw or take?").wait_for()
    page.locator('[data-key="draw"]').click()
    page.get_by_text(ANSWER).wait_for()
    page.get_by_role("tab", name="Rules").click()
    page.get_by_role("heading", name="The rules of Skyjo").wait_for()


def test_a_shared_game_is_opened(site: Path, opens: Opens) -> None:
    page = opens(**KEEPING)
    with visited(page, site) as address:
        page.locator("#custom summary").first.click()
        page.locator("#seats select").first.wait_for()
        expect(page.locator('#seats option[value="open"]')).to_have_count(0)
        page.goto(f"{address}/skyjo/games.html#{packed(RECORD)}")
        page.wait_for_url("**/game.html?*")
        page.locator("#own .card").first.wait_for()
        expect(page.locator('#own .card[data-band="back"]')).to_have_count(12)


def test_pages_let_nothing_foreign_in(site: Path, chromium: Browser) -> None:
    page = chromium.new_page()
    with visited(page, site):
        found = page.evaluate(TRESPASS)
    page.context.close()
    assert found["ran"] == [None, None]
    assert {"script-src", "connect-src", "script-src-elem"} <= set(found["refused"])


def test_a_new_version_takes_the_place_of_the_old_one_once_no_page_is_open(
    site: Path, tmp_path: Path, chromium: Browser
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    context = chromium.new_context()
    with files_served(folder) as address:
        page = context.new_page()
        page.goto(f"{address}/skyjo/index.html")
        assert page.evaluate(KEPT)
        first = folder / "skyjo" / "index.html"
        first.write_text(first.read_text("utf-8").replace("Today’s deal", "Another deal"), "utf-8")
        folder.joinpath("service_worker.js").unlink()
        write_service_worker(folder)
        page.evaluate(FETCHED)
        page.reload()
        expect(page.get_by_role("heading", name="Today’s deal")).to_be_visible()
        for _ in range(MAX_VISITS):
            page.close()
            page = context.new_page()
            page.wait_for_timeout(LOOK)
            page.goto(f"{address}/skyjo/index.html")
            if page.get_by_role("heading", name="Another deal").count():
                break
        expect(page.get_by_role("heading", name="Another deal")).to_be_visible()
        assert len(page.evaluate("caches.keys()")) == 1
    context.close()


def test_weights_of_another_version_are_not_taken(site: Path, tmp_path: Path, chromium: Browser) -> None:
    folder = shutil.copytree(site, tmp_path / "site")
    page = chromium.new_page()
    with visited(page, folder):
        other = folder / "data" / "skyjo" / "skyjo_2to8p.weights"
        other.write_bytes(other.read_bytes()[::-1])
        assert page.evaluate(SIZE, "skyjo_2to8p.weights") == 0
        for _ in range(2):
            assert page.evaluate(SIZE, "skyjo_2p.weights") == other.with_name("skyjo_2p.weights").stat().st_size
    page.context.close()


def test_two_copies_of_the_site_leave_each_other_alone(site: Path, tmp_path: Path, opens: Opens) -> None:
    for name in ("one", "two"):
        shutil.copytree(site, tmp_path / name)
    page = opens(**KEEPING)
    with files_served(tmp_path) as address:
        for name in ("one", "two"):
            page.goto(f"{address}/{name}/skyjo/index.html")
            assert page.evaluate(KEPT)
    for name in ("one", "two"):
        page.goto(f"{address}/{name}/skyjo/learn.html")
        page.locator("h1").first.wait_for()


def test_every_page_has_the_policy_all_that_files_refer_to_is_there_and_the_whole_is_small(site: Path) -> None:
    pages = [path.read_text("utf-8") for path in site.rglob("*.html")]
    assert len(pages) > 5
    assert all("content-security-policy" in page for page in pages)
    for path in site.rglob("*.*"):
        for found in LINKS[path.suffix].findall(path.read_text("utf-8")) if path.suffix in LINKS else ():
            assert (path.parent / found.partition("?")[0]).resolve().is_file(), f"{path.name}: {found}"
    sizes = {path: len(gzip.compress(path.read_bytes())) for path in site.rglob("*.*") if path.is_file()}
    weights = [size for path, size in sizes.items() if path.suffix == ".weights"]
    assert sum(sizes.values()) - sum(weights) + max(weights) <= MAX_BYTES
