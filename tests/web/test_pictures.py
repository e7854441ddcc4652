"""Every page, dialogs included, light and dark, on a screen and on a phone: nothing is cut off, covered or unreadable.

With PICTURES set to a folder, the pictures in it are taken again: `make pictures`. For one more, make an empty file.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from skyjo.programs import program_names
from tests.web.page_checks import barriers, layout_faults
from tests.web.page_server import load_games, served
from tests.web.site_walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.web.conftest import Opens

pytestmark = pytest.mark.web

SEED = 5  # of the cards that the pictures show
SCREENS: dict[str, dict[str, Any]] = {
    "1280": {"viewport": {"width": 1280, "height": 800}},
    "390": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
OFTEN = [("skyjo", "390")]  # the walk for every push
WALKS = [(game, screen) for game in program_names() for screen in SCREENS]
SHOWN = {("1280", "light"), ("390", "dark")}  # how the documents show a page
QUALITY = 40


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[str]:
    """A site on which all tables have the same cards; every game is loaded."""
    del chromium
    with served("skyjo", tmp_path_factory.mktemp("site"), seed=SEED) as address:
        load_games(address)
        yield address


@pytest.mark.parametrize(
    ("game", "screen"), [pytest.param(*one, marks=() if one in OFTEN else pytest.mark.long) for one in WALKS]
)
def test_every_page_is_whole_and_readable(game: str, screen: str, site: str, opens: Opens, tmp_path: Path) -> None:
    page = opens(**SCREENS[screen], timezone_id="UTC")
    faults: list[str] = []
    for name in walk(page, site, game):
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
