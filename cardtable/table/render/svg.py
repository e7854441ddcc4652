"""Scenes as SVG: one of them, or one after the other as an animation. No script, and colours for light and for dark.

An animation keeps each element in its slot for as long as nothing else is shown there, and shows and hides the elements
at their times. Where people prefer reduced motion, or nothing is animated, the last scene is seen.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from cardtable.table.errors import TableError
from cardtable.table.render.faces import IVORY, SLATE, Back, CardLook, Colour, Face, Image, Sign, shade
from cardtable.table.render.scene import Card, Corner, Ground, Panel, Scene, Thing, Words
from cardtable.table.render.seating import Rect, card_radius, inset

# Widths of letters in Arial and the fonts made to its measure, in sizes of the font.
WIDTHS = {
    **dict.fromkeys("ijl.,:;'|! ", 0.28),
    **dict.fromkeys("frt()-", 0.35),
    **dict.fromkeys("mwMW", 0.85),
    **dict.fromkeys("ABCDEGHKNOPQRSUVXY", 0.7),
}
LETTER = 0.556  # the digits, and most small letters
SPARE = 1.15  # how much wider other fonts may be
BASELINE = 0.35  # of the size: how far below the middle of a line its letters stand


class Slot(NamedTuple):
    """A place for one element at a time, in the order in which slots are drawn."""

    layer: int
    top: float
    left: float
    is_above: bool  # a card above its mark, a bright panel above the plain one
    attributes: str = ""


class Element(NamedTuple):
    """An element without its position, and with the class that says how it looks."""

    tag: str
    attributes: str
    look: str = ""
    text: str = ""

    def written(self, classes: str = "", inside: str = "") -> str:
        """The element, of these classes too, with something inside it."""
        names, content = f"{self.look} {classes}".strip(), self.text + inside
        start = f"<{self.tag}{self.attributes}" + (f' class="{names}"' if names else "")
        return f"{start}>{content}</{self.tag}>" if content else f"{start}/>"


class Symbols:
    """The cards of a picture, each defined once and used wherever it lies."""

    def __init__(self) -> None:
        self._names: dict[tuple[Image, int, int], str] = {}

    def name(self, image: Image, width: int, height: int) -> str:
        """The name under which a card of this size is defined."""
        return self._names.setdefault((image, width, height), f"c{len(self._names)}")

    def definitions(self) -> str:
        """The definitions of all cards that have been named."""
        cards = ((name, "".join(_card(image, Rect(0, 0, *size)))) for (image, *size), name in self._names.items())
        return "".join(f'<g id="{name}">{card}</g>' for name, card in cards)


def elements(thing: Thing, symbols: Symbols) -> Iterator[tuple[Slot, Element]]:
    """The elements that show a thing, each with its slot."""
    place = thing.place
    match thing:
        case Words():
            if thing.text:
                yield _words(thing)
        case Panel(_, radius, is_bright):
            yield Slot(0, place.top, place.left, False), _rect(place, radius, "p")
            if is_bright:
                yield Slot(0, place.top, place.left, True), _rect(place, radius, "q")
        case Ground(_, radius):
            yield Slot(1, place.top, place.left, False), _rect(place, radius, "r")
        case Card(_, image, is_marked):
            if is_marked:
                reach = max(2, place.width // 10)
                around = _rect(inset(place, -reach // 2), card_radius(place.width) + reach // 2, "m")
                corner = place.top - reach // 2, place.left - reach // 2
                yield Slot(2, *corner, False, f' stroke-width="{max(2, reach * 3 // 4)}"'), around
            yield Slot(2, place.top, place.left, True), _card_element(image, place, symbols)
        case Corner(_, sign):
            path = "".join(_path(sign, Rect(0, 0, place.width, place.height)))
            yield Slot(3, place.top, place.left, False), Element("path", f' d="{path}"', "e")


def text_width(text: str) -> float:
    """About how wide a text is, in sizes of its font."""
    return sum(WIDTHS.get(letter, LETTER) for letter in text)


def _words(words: Words) -> tuple[Slot, Element]:
    place, size = words.place, fitting(words.fits, words.place.width / SPARE, words.place.height)
    anchor = {0.0: "", 0.5: ' text-anchor="middle"', 1.0: ' text-anchor="end"'}[words.align]
    top, left = place.top + place.height / 2 + BASELINE * size, place.left + place.width * words.align
    slot = Slot(4, round(top, 1), left, False, f' font-size="{size:g}"{anchor}')
    return slot, Element("text", "", {"ink": "i", "dim": "d", "gold": "g"}[words.tone], escape(words.text))


def fitting(texts: tuple[str, ...], width: float, height: float) -> float:
    """The largest size of a font at which all of these texts fit."""
    return round(min(height * 0.86, width / max(1.0, *map(text_width, texts))), 1)


def _rect(place: Rect, radius: int, look: str) -> Element:
    return Element("rect", f' width="{place.width}" height="{place.height}" rx="{radius}"', look)


def _card_element(image: Image, place: Rect, symbols: Symbols) -> Element:
    if image is None:
        return _rect(place, card_radius(place.width), "o")
    return Element("use", f' href="#{symbols.name(image, place.width, place.height)}"')


# Cards


def _card(image: Image, place: Rect) -> Iterator[str]:
    border = max(1, place.width // 24)
    inner, radius = inset(place, border), card_radius(min(place.width, place.height))
    ground = image.look.colour if isinstance(image, Face) else SLATE
    yield _filled(place, radius, IVORY) + _filled(inner, max(1, radius - border), ground)
    if isinstance(image, Face):
        yield from _facets(inner, image.look)
        yield from _writing(image, inner)
    elif isinstance(image, Back):
        yield from _diamond(image.colours, inner)


def _filled(place: Rect, radius: int, colour: Colour) -> str:
    at = f'x="{place.left}" y="{place.top}" ' if place.left or place.top else ""
    return f'<rect {at}width="{place.width}" height="{place.height}" rx="{radius}" fill="{_hex(colour)}"/>'


def _facets(inner: Rect, look: CardLook) -> Iterator[str]:
    """The triangles from the sides to the middle; neighbours of one colour are one path."""
    left, top, width, height = inner
    right, bottom, middle = left + width, top + height, f"L{left + width / 2:g} {top + height * 0.46:g}z"
    near, far, high, low = left + width * 0.15, left + width * 0.85, top + height * 0.25, top + height * 0.75
    sides = (
        f"M{near:g} {top}H{far:g}",
        f"M{right} {high:g}V{low:g}",
        f"M{far:g} {bottom}H{near:g}",
        f"M{left} {low:g}V{high:g}",
    )
    for colour in dict.fromkeys(look.facets):
        path = "".join(side + middle for side, its in zip(sides, look.facets, strict=True) if its == colour)
        yield f'<path fill="{_hex(colour)}" d="{path}"/>'
    if look.disc is not None:
        x, y = left + width / 2, top + height / 2
        yield f'<circle cx="{x:g}" cy="{y:g}" r="{width * 0.42:g}" fill="{_hex(look.disc)}"/>'


def _writing(face: Face, inner: Rect) -> Iterator[str]:
    """The text of an open card, or its sign with the text below it."""
    place, share, ink = inner, 0.86, _hex(face.look.ink)
    if face.sign:
        below = inner.height * 3 // 10 if face.text else 0
        side = min(inner.width, inner.height - below) * 3 // 4
        corner = inner.left + (inner.width - side) // 2, inner.top + (inner.height - below - side) // 2
        yield f'<path fill="{ink}" d="{"".join(_path(face.sign, Rect(*corner, side, side)))}"/>'
        place = inner._replace(top=inner.top + inner.height - below, height=below)
    elif face.strip:
        place, share = inner._replace(height=face.strip - inner.top), 1.1
    if face.text:
        size = fitting(face.texts, place.width * 0.9, place.height * share)
        x, y = place.left + place.width / 2, place.top + place.height / 2 + BASELINE * size
        # Fonts that are wider than Arial must not leave the card.
        length = f' textLength="{text_width(face.text) * size:.1f}" lengthAdjust="spacingAndGlyphs"'
        attributes = f'x="{x:g}" y="{y:.1f}" font-size="{size:g}" fill="{ink}"{length if len(face.text) > 1 else ""}'
        yield f'<text class="n" {attributes}>{escape(face.text)}</text>'


def _diamond(colours: tuple[Colour, ...], inner: Rect) -> Iterator[str]:
    """The diamond of a card that lies face down, and a frame around it."""
    x, y, reach = inner.left + inner.width / 2, inner.top + inner.height / 2, inner.width * 0.3
    field, line = inset(inner, inner.width // 10), _hex(shade(SLATE, 0.2))
    yield (
        f'<rect x="{field.left}" y="{field.top}" width="{field.width}" height="{field.height}" '
        f'fill="none" stroke="{line}"/>'
    )
    points = [(x, y - reach * 1.4), (x + reach, y), (x, y + reach * 1.4), (x - reach, y)]
    for corner, colour in enumerate(colours):
        (ax, ay), (bx, by) = points[corner], points[(corner + 1) % 4]
        path = f"M{ax:g} {ay:g}L{bx:g} {by:g}L{x:g} {y:g}z"
        yield f'<path fill="{_hex(shade(colour, -0.1))}" d="{path}"/>'


def _path(sign: Sign, place: Rect) -> Iterator[str]:
    for polygon in sign:
        points = (f"{place.left + x * place.width / 10:g} {place.top + y * place.height / 10:g}" for x, y in polygon)
        yield f"M{'L'.join(points)}z"


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


HOLD = 5  # the last scene is shown for this many beats more

# p, q: panels, the second of the seat to move; r: a lighter part; o: an empty place; m: what the last move touched;
# i, d, g: text; e: the sign on a card that somebody knows; n: the number of a card.
STYLE = """text{font-family:Arial,Helvetica,"Liberation Sans",sans-serif}
.n{font-weight:700;text-anchor:middle}
.w{fill:#e4ebe6}.p{fill:#f8faf8;stroke:#bccbc2}.q{fill:#fffdf3;stroke:#d79b00;stroke-width:2.5}.r{fill:#e6ece8}
.o{fill:none;stroke:#b6c4bb}.m{fill:none;stroke:#f07a1c}.i{fill:#1d2b27}.d{fill:#55675f}.g{fill:#855600;font-weight:700}
.e{fill:#f2cc68}
@media(prefers-color-scheme:dark){.w{fill:#22382f}.p{fill:#1b2d27;stroke:#3c5b54}.q{fill:#2c473b;stroke:#f2cc68}
.r{fill:#3b5449}.o{stroke:#4d6a60}.m{stroke:#ff882c}.i{fill:#f0f2ea}.d{fill:#a5bab0}.g{fill:#f2cc68}}
"""
# f: seen for a time, z: seen at the end. Browsers do nothing between the times at which <set> changes something, while
# a CSS animation of each element would keep them busy all the time.
STILL = """.f{display:none}
@media(prefers-reduced-motion:reduce){.f{display:none!important}.z{display:inline!important}}
"""
SET = '<set attributeName="display" to="{value}" begin="c.begin{start}" dur="{seconds}"/>'
CLOCK = '<set id="c" attributeName="x" to="0" begin="0s;c.end" dur="{seconds}"/>'  # it starts again and again


class Run(NamedTuple):
    """An element, and the beats during which it is seen."""

    element: Element
    start: int
    stop: int


def svg_picture(scene: Scene) -> str:
    """A scene as an SVG document."""
    return svg_animation([scene], 1)


def svg_animation(scenes: Sequence[Scene], beat: float) -> str:
    """Scenes of one size as an animated SVG document that begins again after the last; each is shown for a beat, in
    seconds, and the last one longer.
    """
    if not scenes:
        raise TableError("an animation needs at least one scene")
    symbols, (width, height), beats = Symbols(), scenes[0].size, len(scenes) + HOLD
    slots = "".join(_slot(slot, runs, beats, beat) for slot, runs in sorted(_runs(scenes, symbols).items()))
    clock = CLOCK.format(seconds=_seconds(beats * beat)) if len(scenes) > 1 else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{escape(headline(scenes[-1]))}</title><style>{STYLE}{STILL if clock else ""}</style>'
        f"<defs>{symbols.definitions()}</defs>"
        f'<rect class="w" width="{width}" height="{height}" rx="12">{clock}</rect>{slots}</svg>\n'
    )


def html_image(scene: Scene) -> str:
    """A scene for an HTML page or a notebook, as an image whose style and names touch nothing else there."""
    data = b64encode(svg_picture(scene).encode()).decode()
    width, height = scene.size
    source = f'src="data:image/svg+xml;base64,{data}"'
    return f'<img {source} width="{width}" height="{height}" alt="{escape(headline(scene))}">'


def headline(scene: Scene) -> str:
    """The first words of a scene."""
    return next(thing.text for thing in scene.things if isinstance(thing, Words))


def _runs(scenes: Sequence[Scene], symbols: Symbols) -> dict[Slot, list[Run]]:
    """What each slot shows, and when; the last scene is held."""
    found: dict[Slot, list[Run]] = {}
    for beat, scene in enumerate(scenes):
        stop = beat + 1 if beat < len(scenes) - 1 else beat + 1 + HOLD
        for thing in scene.things:
            for slot, element in elements(thing, symbols):
                runs = found.setdefault(slot, [])
                if runs and runs[-1].element == element and runs[-1].stop == beat:
                    runs[-1] = runs[-1]._replace(stop=stop)
                else:
                    runs.append(Run(element, beat, stop))
    return found


def _slot(slot: Slot, runs: list[Run], beats: int, beat: float) -> str:
    """A slot with everything that it ever shows; what is always there is not animated."""
    inside = "".join(_element(run, beats, beat) for run in runs)
    return f'<g transform="translate({slot.left:g} {slot.top:g})"{slot.attributes}>{inside}</g>'


def _element(run: Run, beats: int, beat: float) -> str:
    element, start, stop = run
    if stop - start == beats:
        return element.written()
    if stop == beats:
        return element.written("z", SET.format(value="none", start="", seconds=_seconds(start * beat)))
    times = {"start": f"+{_seconds(start * beat)}", "seconds": _seconds((stop - start) * beat)}
    return element.written("f", SET.format(value="inline", **times))


def _seconds(time: float) -> str:
    return f"{time:.6g}s"
