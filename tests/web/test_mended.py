"""Tables on low screens: a laptop at 200 %, and a small phone held sideways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.page_checks import layout_faults
from tests.web.page_player import deal, press

if TYPE_CHECKING:
    from tests.web.conftest import Opens

pytestmark = pytest.mark.web

MEETING = """(selectors) => {
    const boxes = document.querySelectorAll(selectors.join()).values().filter((one) => one.checkVisibility())
        .map((one) => [one, one.getBoundingClientRect()]).toArray();
    const meets = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom && other.top < one.bottom;
    return boxes.flatMap(([one, box], at) => boxes.slice(at + 1).filter(([, other]) => meets(box, other))
        .map(([other]) => `${one.className} and ${other.className}`));
}"""
SPREAD = ["#others > *", "#own > *", "#middle > *", "#question", "#ask > .pile", "#choices > *"]


@pytest.mark.parametrize("seats", [2, 8])
@pytest.mark.parametrize(("width", "height"), [(640, 400), (667, 375)])
def test_nothing_lies_over_another_board_on_a_low_screen(
    width: int, height: int, seats: int, skyjo: str, opens: Opens
) -> None:
    page = deal(opens(viewport={"width": width, "height": height}), skyjo, "you", *["random"] * (seats - 1))
    for cell in (0, 1):
        press(page, f"cell-{cell}")
    page.locator('[data-key="draw"]').click()
    page.wait_for_selector("#ask > .pile:not([data-empty])")
    assert page.evaluate(MEETING, SPREAD) == []
    page.locator("#hint").click()
    page.wait_for_selector("#advice summary")
    assert page.evaluate(MEETING, ["#advice", *SPREAD[1:]]) == []
    page.get_by_role("button", name="Close the hint").click()
    assert layout_faults(page) == []
