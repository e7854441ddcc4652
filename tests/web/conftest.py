"""What tests of the pages need: a browser, servers of all games, and pages that may not complain."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from skyjo.web.building.__main__ import PLACE
from skyjo.web.building.site import write_service_worker, write_site
from tests.helpers import cannot_test
from tests.web.page_checks import SECONDS
from tests.web.page_server import DEALS, deal_from_the_start, files_served, served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PAGES = "the pages of the table are"
STILL = {"reduced_motion": "reduce"}
BY_CHANCE = "crypto.getRandomValues(new BigUint64Array(1))"
IN_ORDER = f"[BigInt(globalThis.dealt = (globalThis.dealt ?? {DEALS}) + 1)]"

Opens = Callable[..., "Page"]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        cannot_test("playwright is not installed", PAGES)
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        cannot_test("chromium is not installed", PAGES)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def _home_of(game: str) -> Any:
    """A site where this game is at home, the same for all tests; each test is dealt the same cards in every run."""

    @pytest.fixture(scope="package", name=game)
    def home(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[str]:
        del chromium  # without a browser no server is needed
        with served(game, tmp_path_factory.mktemp(game)) as address:
            yield address

    return home


skyjo, skipbo, skyjo_action = map(_home_of, ("skyjo", "skipbo", "skyjo_action"))


@pytest.fixture(autouse=True)
def _cards_from_the_start() -> None:
    deal_from_the_start()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site that needs no server."""
    if not PLACE.joinpath("skyjo.wasm").exists():
        cannot_test("make wasm has not been run", "the pages of the site without a server are")
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    _deal_the_same(folder)
    return folder


def _deal_the_same(folder: Path) -> None:
    """Let the first table that a browser opens have the same cards in every run, and so the second, and so on."""
    dealer = folder / "worker/local_server.js"
    text = dealer.read_text("utf-8")
    assert text.count(BY_CHANCE) == 1
    dealer.write_text(text.replace(BY_CHANCE, IN_ORDER), "utf-8")
    folder.joinpath("service_worker.js").unlink()
    write_service_worker(folder)


def _files_of(game: str) -> Any:
    """The same site without a server of tables."""

    @pytest.fixture(scope="package", name=f"static_{game}")
    def files(site: Path, chromium: Browser) -> Iterator[str]:
        del chromium
        with files_served(site, game) as address:
            yield address

    return files


static_skyjo, static_skyjo_action = map(_files_of, ("skyjo", "skyjo_action"))


@pytest.fixture(params=["skyjo", "static_skyjo"])
def either(request: pytest.FixtureRequest) -> str:
    """A site with a server, and the one without."""
    address: str = request.getfixturevalue(request.param)
    return address


@pytest.fixture
def opens(chromium: Browser) -> Iterator[Opens]:
    """Opens a page in a browser of its own; at the end no page may have complained or asked another host.

    Nothing moves unless a test asks for it, as those of whole games do: drawing motion takes processor time.
    """
    complaints: list[str] = []
    contexts = []

    def opened(**options: Any) -> Page:
        context = chromium.new_context(**STILL | options)
        context.set_default_timeout(60 * SECONDS)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda line: complaints.append(line.text) if _is_complaint(line) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: _check_host(request.url, complaints))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def _is_complaint(line: Any) -> bool:
    """Is it an error, and not that of a page whose server is away?"""
    return line.type == "error" and "ERR_CONNECTION_REFUSED" not in line.text


def _check_host(url: str, complaints: list[str]) -> None:
    if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:")):
        complaints.append(f"asked {url}")
