"""What programs write, read by tests: pages, whose tags must be closed, SVG pictures, and data of a declared type."""

from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from types import NoneType, UnionType
from typing import Any, NamedTuple, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict
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
        shown = [each for each in self._things if each.tag != f"{NAME}g" or _is_shown(each, time)]
        things = [each[0] if each.tag == f"{NAME}g" else each for each in shown]
        return {f"{_text(thing)} {cards.get(thing.attrib.get('href', '')[1:])}" for thing in things}

    @property
    def words(self) -> list[str]:
        """All texts outside the cards."""
        things = (each[0] if each.tag == f"{NAME}g" else each for each in self._things)
        return [thing.text or "" for thing in things if thing.tag == f"{NAME}text"]

    @property
    def _things(self) -> list[ET.Element]:
        """What is drawn on the ground, in groups where it is animated."""
        names = [each.tag.removeprefix(NAME) for each in self.root]
        return list(self.root)[names.index("rect") + 1 :]


def read_picture(svg: str) -> Picture:
    """The picture that a text describes; it fails if that is no XML."""
    root = ET.fromstring(svg)
    return Picture(root, root.findtext(f"{NAME}style") or "")


def _is_shown(group: ET.Element, time: float | None) -> bool:
    is_hidden = group.attrib["class"] == "f"
    if time is None:
        return not is_hidden
    is_changed = False
    for change in group.iterfind(f"{NAME}set"):
        start, length = (
            float(change.attrib[name].removeprefix("c.begin+").removesuffix("s")) for name in ("begin", "dur")
        )
        assert change.get("to") == ("inline" if is_hidden else "none")
        is_changed |= start <= time < start + length
    return is_hidden == is_changed


def _text(element: ET.Element) -> str:
    """An element as text, without its name."""
    attributes = sorted((name, value) for name, value in element.items() if name not in ("href", "id"))
    return f"{element.tag} {attributes} {element.text} {[_text(child) for child in element]}"


class Page(HTMLParser):
    """What a page says, and its elements; AssertionError if one is closed that is not open, or none of them."""

    VOID = ("meta", "wbr", "br", "link")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.said = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert all(not (value or "").startswith(("http://", "//")) for _, value in attrs if tag in ("img", "script"))
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.said += data

    @property
    def words(self) -> str:
        """With single spaces."""
        return " ".join(self.said.split())


def mismatch(value: Any, kind: Any, where: str = "") -> str | None:
    """Where the value is not of this type, keys that are missing or too many included; None if it is all through."""
    if is_typeddict(kind):
        return _mismatched_entry(value, kind, where)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        found = [mismatch(value, each, where) for each in arguments]
        return None if None in found else f"{where}: {value!r} is no {kind}"
    if origin is NotRequired:
        return mismatch(value, arguments[0], where)
    if origin is not None and issubclass(origin, Mapping):
        return _first(mismatch(each, arguments[1], f"{where}.{key}") for key, each in value.items())
    if origin is not None and issubclass(origin, Sequence):
        if isinstance(value, str) or not isinstance(value, Sequence):
            return f"{where}: {value!r} is no sequence"
        return _first(mismatch(each, arguments[0], f"{where}[{number}]") for number, each in enumerate(value))
    if kind is Any:
        return None
    allowed: Any = {float: (int, float), None: NoneType}.get(kind, kind)
    is_right = isinstance(value, allowed) and (kind is bool or not isinstance(value, bool))
    return None if is_right else f"{where}: {value!r} is no {kind}"


def _mismatched_entry(value: Any, kind: Any, where: str) -> str | None:
    if not isinstance(value, dict):
        return f"{where}: {value!r} is no dictionary"
    kinds = get_type_hints(kind, include_extras=True)
    required = {key for key, each in kinds.items() if get_origin(each) is not NotRequired}
    missing, unknown = required - value.keys(), value.keys() - kinds.keys()
    if missing or unknown:
        return f"{where}: missing {sorted(missing)}, unknown {sorted(unknown)}"
    return _first(mismatch(each, kinds[key], f"{where}.{key}") for key, each in value.items())


def _first(found: Any) -> str | None:
    return next((each for each in found if each is not None), None)
