"""What holds for every page: it has no barriers, it is small, and it fits a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SECONDS = 1000  # milliseconds
TOUCH = 44  # pixels
MOST_FILES, MOST_BYTES = 14, 80_000  # of a page with all that it loads, but for the icon of the browser's tab
SIZES = """['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
    .filter((one) => !/api|icon/.test(new URL(one.name).pathname)).map((one) => one.decodedBodySize)"""


def check_barriers(page: Page) -> None:
    """Axe finds nothing."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def check_size(page: Page, least: int) -> None:
    """The page has loaded at least so many bytes, and not more files or bytes than a page may."""
    sizes = page.evaluate(SIZES)
    assert 3 < len(sizes) <= MOST_FILES
    assert least < sum(sizes) <= MOST_BYTES


def check_touch(buttons: Locator) -> None:
    """Each of these is large enough for a finger."""
    for button in buttons.all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= TOUCH, button.inner_text()


def check_width(page: Page) -> None:
    """The page need not be moved sideways on a phone."""
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
