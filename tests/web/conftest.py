"""What tests of the pages need: a browser, the site on two servers, and pages that may not complain."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect, sync_playwright

from cardtable.table.game.card_game import find_game
from skyjo.main import main
from skyjo.web.building.descriptions import rules_document
from skyjo.web.building.site import write_service_worker, write_site
from skyjo.web.built_site import build_folder
from tests.helpers import cannot_test
from tests.web.page_checks import SECONDS
from tests.web.page_server import files_served, served

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PAGES = "the pages of the table are"
STILL = {"reduced_motion": "reduce", "service_workers": "block"}
BY_CHANCE = "crypto.getRandomValues(new BigUint64Array(1))"
DEALS = os.environ["DEALS"]  # tests/conftest.py says what it is for
RULES = {  # short ones, and those under which more can happen
    "skyjo": ["rows=2 columns=2 opening_flips=1", "opening_flips=0"],
    "skipbo": ["stock=1", "stock=3", "stock=5"],
    "skyjo_action": [],
}
IN_ORDER = f"[BigInt(globalThis.dealt = (globalThis.dealt ?? {DEALS}) + 1)]"

Opens = Callable[..., "Page"]
PATIENCE = 60 * SECONDS  # that of a slow machine
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        cannot_test("chromium is not installed", PAGES)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, on which tests can play by short rules."""
    if not (build_folder() / "wasm" / "skyjo.wasm").exists():
        cannot_test("make wasm has not been run", PAGES)
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    for game, texts in RULES.items():
        add_rules(folder / "data" / game, game, texts)
        head = folder.joinpath(game, "games.html").read_text("utf-8").partition("<script")[0]
        folder.joinpath(game, "blank.html").write_text(head)  # opens at once
    _deal_the_same(folder)
    return folder


def add_rules(data: Path, game: str, texts: Sequence[str]) -> None:
    """Let the pages know rules that only Python can work out, such as another board, as if they were presets."""
    card_game = find_game(game)
    file = data / "module.json"
    module = json.loads(file.read_text("utf-8"))
    for text in texts:
        rules = {players: card_game.rules(text, players) for players in (2, 3)}
        documents = {players: rules_document(card_game, one) for players, one in rules.items()}
        module["presets"].append({"name": text, "rules": documents})
    file.write_text(json.dumps(module), "utf-8")


def _deal_the_same(folder: Path) -> None:
    """Let the first table that a browser opens have the same cards in every run, and so the second, and so on."""
    dealer = folder / "worker/local_server.js"
    text = dealer.read_text("utf-8")
    assert text.count(BY_CHANCE) == 1
    dealer.write_text(text.replace(BY_CHANCE, IN_ORDER), "utf-8")
    folder.joinpath("service_worker.js").unlink()
    write_service_worker(folder)


@pytest.fixture(scope="package")
def files(site: Path, chromium: Browser) -> Iterator[str]:
    """The address of the site on a server of files."""
    del chromium  # without a browser no server is needed
    with files_served(site) as address:
        yield address


@pytest.fixture(scope="package")
def server(site: Path, chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the same site as `skyjo web` serves it."""
    del chromium
    folder = tmp_path_factory.mktemp("stores") / "stored"
    command = ["match", "tempo", "random", "--deals", "30", "--seed", "1", "--store", str(folder)]
    assert main(command, "skyjo") == 0
    with served(site, tmp_path_factory.mktemp("rooms"), "--games", str(folder)) as address:
        yield address


def _home_of(name: str, game: str, where: str) -> Any:
    """The address of the pages of a game; each test is dealt the same cards in every run."""

    @pytest.fixture(scope="package", name=name)
    def home(request: pytest.FixtureRequest) -> str:
        return f"{request.getfixturevalue(where)}/{game}"

    return home


skyjo, skipbo, skyjo_action = (_home_of(game, game, "files") for game in ("skyjo", "skipbo", "skyjo_action"))
served_skyjo = _home_of("served_skyjo", "skyjo", "server")
served_skipbo = _home_of("served_skipbo", "skipbo", "server")
served_action = _home_of("served_action", "skyjo_action", "server")


@pytest.fixture(params=["skyjo", "served_skyjo"])
def either(request: pytest.FixtureRequest) -> str:
    """The pages of Skyjo on a server of files, and served by `skyjo web`."""
    address: str = request.getfixturevalue(request.param)
    return address


@pytest.fixture
def opens(chromium: Browser) -> Iterator[Opens]:
    """Opens a page in a browser of its own; at the end no page may have complained or asked another host.

    Nothing moves, and nothing of the site is kept, unless a test asks for it: both take processor time.
    """
    complaints: list[str] = []
    contexts = []

    def opened(**options: Any) -> Page:
        context = chromium.new_context(**STILL | options)
        context.set_default_timeout(PATIENCE)
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
