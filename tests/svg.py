"""What an SVG picture shows, read from its text: at rest, or at a beat of its animation."""

import re
from typing import NamedTuple
from xml.etree import ElementTree as ET

NAME = "{http://www.w3.org/2000/svg}"


class Picture(NamedTuple):
    """A picture that was written."""

    root: ET.Element
    style: str

    @property
    def beats(self) -> int:
        """How many beats an animation has, the last ones for the last scene."""
        length, share = re.findall(r"@keyframes k(\d+)\{0%\{visibility:visible\}([\d.]+)%", self.style)[0]
        return round(100 * int(length) / float(share))

    def shown(self, beat: int | None = None) -> set[str]:
        """Everything that is seen with its place; at a beat, or where nothing is animated."""
        cards = {each.get("id"): _text(each) for each in self.root.iterfind(f"{NAME}defs/{NAME}g")}
        assert len(cards) == len(self.root.findall(f"{NAME}defs/{NAME}g"))
        return {
            f"{slot.attrib} {cards[element.attrib['href'][1:]] if 'href' in element.attrib else _text(element)}"
            for slot in self.root.iterfind(f"{NAME}g")
            for element in slot
            if _is_shown(element.get("class", ""), beat)
        }

    @property
    def words(self) -> list[str]:
        """All texts outside the cards."""
        return [each.text or "" for each in self.root.iterfind(f"{NAME}g/{NAME}text")]


def read(svg: str) -> Picture:
    """The picture that a text describes; it fails if that is no XML."""
    root = ET.fromstring(svg)
    return Picture(root, root.findtext(f"{NAME}style") or "")


def _is_shown(names: str, beat: int | None) -> bool:
    """Is an element of these classes seen?"""
    if "f" not in names.split():
        return True
    length, start = (int(re.findall(rf"\b{letter}(\d+)", names)[0]) for letter in "kb")
    return "z" in names.split() if beat is None else start <= beat < start + length


def _text(element: ET.Element) -> str:
    """An element as text, without the classes of an animation."""
    text = ET.tostring(element, "unicode")
    return re.sub(r'( id="c\d+"| class=" *")', "", re.sub(r" ?\b(f k\d+ b\d+|z)\b", "", text))
