"""What an SVG picture shows, read from its text: at rest, or at a time of its animation."""

import re
from typing import NamedTuple
from xml.etree import ElementTree as ET

NAME = "{http://www.w3.org/2000/svg}"


class Picture(NamedTuple):
    """A picture that was written."""

    root: ET.Element
    style: str

    @property
    def seconds(self) -> float:
        """How long an animation lasts before it begins again."""
        (clock,) = self.root.iterfind(f"{NAME}rect/{NAME}set[@id='c']")
        assert clock.get("begin") == "0s;c.end"
        return float(clock.attrib["dur"].removesuffix("s"))

    def shown(self, time: float | None = None) -> set[str]:
        """Everything that is seen with its place; at a time, or where nothing is animated."""
        cards = {each.get("id"): _text(each) for each in self.root.iterfind(f"{NAME}defs/{NAME}g")}
        assert len(cards) == len(self.root.findall(f"{NAME}defs/{NAME}g"))
        return {
            f"{slot.attrib} {cards[element.attrib['href'][1:]] if 'href' in element.attrib else _text(element)}"
            for slot in self.root.iterfind(f"{NAME}g")
            for element in slot
            if _is_shown(element, time)
        }

    @property
    def words(self) -> list[str]:
        """All texts outside the cards."""
        return [each.text or "" for each in self.root.iterfind(f"{NAME}g/{NAME}text")]


def read(svg: str) -> Picture:
    """The picture that a text describes; it fails if that is no XML."""
    root = ET.fromstring(svg)
    return Picture(root, root.findtext(f"{NAME}style") or "")


def _is_shown(element: ET.Element, time: float | None) -> bool:
    is_hidden = "f" in element.get("class", "").split()
    change = element.find(f"{NAME}set")
    if change is None or time is None:
        return not is_hidden
    found = re.fullmatch(r"c\.begin(?:\+([\d.]+)s)?", change.attrib["begin"])
    assert found is not None
    start, length = float(found[1] or 0), float(change.attrib["dur"].removesuffix("s"))
    assert change.get("to") == ("inline" if is_hidden else "none")
    return is_hidden == (start <= time < start + length)


def _text(element: ET.Element) -> str:
    """An element as text, without its name and without what animates it."""
    looks = [name for name in element.get("class", "").split() if name not in ("f", "z")]
    attributes = sorted((name, value) for name, value in element.items() if name not in ("class", "id"))
    inside = [_text(child) for child in element if child.tag != f"{NAME}set"]
    return f"{element.tag} {looks} {attributes} {element.text} {inside}"
