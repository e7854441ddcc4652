"""What holds for every page: it has no barriers, it is small, and it fits a phone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SECONDS = 1000  # milliseconds
TOUCH = 44  # pixels
LAYOUT = Path(__file__).with_name("layout_faults.js").read_text("utf-8")


def check_barriers(page: Page) -> None:
    """Axe finds nothing."""
    assert not (found := barriers(page)), "\n".join(found)


def barriers(page: Page, *rules: str) -> list[str]:
    """What axe finds, in words; by all its rules, or by these alone."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = axe.Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes']]}" for one in found]


def layout_faults(page: Page) -> list[str]:
    """Text that is cut off, covered or outside its box, and buttons that lie under something, in words."""
    found: list[str] = page.evaluate(LAYOUT)
    return found


def check_touch(buttons: Locator) -> None:
    """Each of these is large enough for a finger."""
    for button in buttons.all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= TOUCH, button.inner_text()


def check_width(page: Page) -> None:
    """The page need not be moved sideways on a phone."""
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
