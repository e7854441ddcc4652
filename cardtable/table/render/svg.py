"""Pictures as SVG: what is in one, and several one after the other. No script, and colours for light and for dark.

An animation shows and hides things at their times. Where people prefer reduced motion, or nothing is animated, the last
picture is seen.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import Literal, NamedTuple
from zlib import crc32

from cardtable.table.errors import TableError
from cardtable.table.render.faces import IVORY, SLATE, Back, CardLook, Colour, Face, Image, Sign, shade
from cardtable.table.render.seating import CARD, Rect, Size, inset

Tone = Literal["ink", "dim", "gold"]

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
PANELS, GROUNDS, MARKS, CARDS, SIGNS, WORDS = range(6)  # layers, the lowest first
CORNER = 6  # the radius of a card's corners
AROUND = 2.5  # from a card to its mark


class Thing(NamedTuple):
    """Something in a picture; of two in a layer the one that begins higher is drawn first."""

    layer: int
    top: float
    left: float
    markup: str
    symbol: str = ""  # the definition of the card that it shows


class Scene(NamedTuple):
    """A picture."""

    size: tuple[int, int]
    units: Size  # the width and height in the units of its things
    title: str
    things: tuple[Thing, ...]


# Things


def words(text: str, place: Rect, tone: Tone = "ink", align: float = 0.0, fits: Iterable[str] = ()) -> Iterator[Thing]:
    """Yield a line at the left (align 0), in the middle (0.5) or at the right (1) of its place, if it says anything.

    It is as large as it and all texts of `fits` may be in this place.
    """
    if text:
        size = fitting((text, *fits), place.width / SPARE, place.height)
        left, top = place.left + place.width * align, place.top + place.height / 2 + BASELINE * size
        anchor = {0.0: "", 0.5: ' text-anchor="middle"', 1.0: ' text-anchor="end"'}[align]
        start = f'<text x="{_n(left)}" y="{_n(top)}" font-size="{_n(size)}"{anchor} class="{tone[0]}">'
        yield Thing(WORDS, top, left, f"{start}{escape(text)}</text>")


def panel(place: Rect, is_bright: bool) -> Thing:
    """Return the panel of a seat: bright if it is the seat to move or has won."""
    return _rect(PANELS, place, "q" if is_bright else "p")


def ground(place: Rect) -> Thing:
    """Return a part of a panel that is a little lighter."""
    return _rect(GROUNDS, place, "r")


def card(left: float, top: float, image: Image, is_marked: bool = False, size: Size = CARD) -> Iterator[Thing]:
    """Yield a card, or the outline of an empty place, with a mark around it if the last move touched it."""
    place = Rect(left, top, *size)
    if is_marked:
        yield _rect(MARKS, inset(place, -AROUND), "m")
    if image is None:
        yield _rect(CARDS, place, "o")
    else:
        name, symbol = _symbol(image, size)
        yield Thing(CARDS, top, left, f'<use href="#{name}" x="{_n(left)}" y="{_n(top)}"/>', symbol)


def corner(left: float, top: float, sign: Sign, side: float) -> Thing:
    """Return a golden sign on a card."""
    return Thing(SIGNS, top, left, f'<path class="e" d="{_path(sign, left, top, side)}"/>')


def fitting(texts: Iterable[str], width: float, height: float) -> float:
    """Return the largest size of a font at which all of these texts fit."""
    return min(height * 0.86, width / max(1.0, *map(text_width, texts)))


def text_width(text: str) -> float:
    """Return about how wide a text is, in sizes of its font."""
    return sum(WIDTHS.get(letter, LETTER) for letter in text)


def _rect(layer: int, place: Rect, look: str) -> Thing:
    return Thing(layer, place.top, place.left, f'<rect {_box(place)} rx="{CORNER}" class="{look}"/>')


def _box(place: Rect) -> str:
    left, top, width, height = map(_n, place)
    return f'x="{left}" y="{top}" width="{width}" height="{height}"'


def _n(length: float) -> str:
    return f"{round(length, 1):g}"


# Cards


@lru_cache(maxsize=1024)
def _symbol(image: Face | Back, size: Size) -> tuple[str, str]:
    """Return the name and the definition of a card."""
    whole = Rect(0, 0, *size)
    inner = inset(whole, 2)
    parts = _open_card(image, inner) if isinstance(image, Face) else _back(image.colours, inner)
    drawn = _filled(whole, CORNER, IVORY) + "".join(parts)
    name = f"c{crc32(drawn.encode()):x}"
    return name, f'<g id="{name}">{drawn}</g>'


def _filled(place: Rect, radius: float, colour: Colour) -> str:
    return f'<rect {_box(place)} rx="{radius}" fill="{_hex(colour)}"/>'


def _open_card(face: Face, inner: Rect) -> Iterator[str]:
    """Yield the ground of a card, and its text, or its sign with the text below it."""
    yield _filled(inner, CORNER - 2, face.look.colour)
    yield from _facets(inner, face.look)
    place, share, ink = inner, 0.86, _hex(face.look.ink)
    if face.sign:
        below = inner.height * 0.3 if face.text else 0
        side = min(inner.width, inner.height - below) * 0.75
        left, top = inner.left + (inner.width - side) / 2, inner.top + (inner.height - below - side) / 2
        yield f'<path fill="{ink}" d="{_path(face.sign, left, top, side)}"/>'
        place = inner._replace(top=inner.top + inner.height - below, height=below)
    elif face.strip:
        place, share = inner._replace(height=face.strip - inner.top), 1.1
    if face.text:
        size = fitting(face.texts, place.width * 0.9, place.height * share)
        x, y = place.left + place.width / 2, place.top + place.height / 2 + BASELINE * size
        # Fonts that are wider than Arial must not leave the card.
        length = f' textLength="{_n(text_width(face.text) * size)}" lengthAdjust="spacingAndGlyphs"'
        attributes = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" fill="{ink}"'
        yield f'<text class="n" {attributes}{length if len(face.text) > 1 else ""}>{escape(face.text)}</text>'


def _facets(inner: Rect, look: CardLook) -> Iterator[str]:
    """Yield the triangles from the sides to the middle; neighbours of one colour are one path."""
    left, top, width, height = inner
    right, bottom, middle = left + width, top + height, f"L{_n(left + width / 2)} {_n(top + height * 0.46)}z"
    near, far, high, low = left + width * 0.15, left + width * 0.85, top + height * 0.25, top + height * 0.75
    ends = ((near, top, far, top), (right, high, right, low), (far, bottom, near, bottom), (left, low, left, high))
    sides = ["M{} {}L{} {}".format(*map(_n, side)) + middle for side in ends]
    for colour in dict.fromkeys(look.facets):
        path = "".join(side for side, its in zip(sides, look.facets, strict=True) if its == colour)
        yield f'<path fill="{_hex(colour)}" d="{path}"/>'
    if look.disc is not None:
        x, y = left + width / 2, top + height / 2
        yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(width * 0.42)}" fill="{_hex(look.disc)}"/>'


def _back(colours: tuple[Colour, ...], inner: Rect) -> Iterator[str]:
    """Yield a card that lies face down: a frame, and a diamond in four colours."""
    yield _filled(inner, CORNER - 2, SLATE)
    yield f'<rect {_box(inset(inner, 4))} fill="none" stroke="{_hex(shade(SLATE, 0.2))}"/>'
    x, y, reach = inner.left + inner.width / 2, inner.top + inner.height / 2, inner.width * 0.3
    points = [(x, y - reach * 1.4), (x + reach, y), (x, y + reach * 1.4), (x - reach, y)]
    for point, colour in enumerate(colours):
        triangle = points[point], points[(point + 1) % 4], (x, y)
        yield f'<path fill="{_hex(shade(colour, -0.1))}" d="{_polygon(triangle)}"/>'


def _path(sign: Sign, left: float, top: float, side: float) -> str:
    """Return the polygons of a sign in a square."""
    return "".join(_polygon([(left + x * side / 10, top + y * side / 10) for x, y in part]) for part in sign)


def _polygon(points: Iterable[tuple[float, float]]) -> str:
    return f"M{'L'.join(f'{_n(x)} {_n(y)}' for x, y in points)}z"


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


# Documents

HOLD = 5  # the last picture is shown for this many beats more

# w: the ground; p, q: panels, the second of the seat to move; r: a lighter part; o: an empty place; m: what the last
# move touched; i, d, g: text; e: the sign on a card that somebody knows; n: the number of a card.
STYLE = """text{font-family:Arial,Helvetica,"Liberation Sans",sans-serif}
.n{font-weight:700;text-anchor:middle}
.w{fill:#e4ebe6}.p{fill:#f8faf8;stroke:#bccbc2}.q{fill:#fffdf3;stroke:#d79b00;stroke-width:2.5}.r{fill:#e6ece8}
.o{fill:none;stroke:#b6c4bb}.m{fill:none;stroke:#f07a1c;stroke-width:3}.i{fill:#1d2b27}.d{fill:#55675f}
.g{fill:#855600;font-weight:700}.e{fill:#f2cc68}
@media(prefers-color-scheme:dark){.w{fill:#22382f}.p{fill:#1b2d27;stroke:#3c5b54}.q{fill:#2c473b;stroke:#f2cc68}
.r{fill:#3b5449}.o{stroke:#4d6a60}.m{stroke:#ff882c}.i{fill:#f0f2ea}.d{fill:#a5bab0}.g{fill:#f2cc68}}
"""
# f: seen for a time, z: seen at the end. Browsers do nothing between the times at which <set> changes something, while
# a CSS animation of each thing would keep them busy all the time.
STILL = """.f{display:none}
@media(prefers-reduced-motion:reduce){.f{display:none!important}.z{display:inline!important}}
"""
SET = '<set attributeName="display" to="{value}" begin="c.begin+{start}" dur="{length}"/>'
CLOCK = '<set id="c" attributeName="x" to="0" begin="0s;c.end" dur="{seconds}"/>'  # it starts again and again


def svg_picture(scene: Scene) -> str:
    """Return a picture as an SVG document."""
    return svg_animation([scene], 1)


def svg_animation(scenes: Sequence[Scene], beat: float) -> str:
    """Return pictures of one size as an animated SVG document that begins again after the last.

    Each is shown for a beat, in seconds, and the last one longer.
    """
    if not scenes:
        raise TableError("an animation needs at least one scene")
    (width, height), beats = scenes[0].size, len(scenes) + HOLD
    seen: dict[Thing, list[int]] = {}
    for number, scene in enumerate(scenes):
        for thing in dict.fromkeys(scene.things):
            seen.setdefault(thing, []).append(number)
    clock = CLOCK.format(seconds=_seconds(beats * beat)) if len(scenes) > 1 else ""
    right, bottom = map(_n, scenes[0].units)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {bottom}" width="{width}" height="{height}" '
        f'role="img"><title>{escape(scenes[-1].title)}</title><style>{STYLE}{STILL if clock else ""}</style>'
        f"<defs>{''.join(dict.fromkeys(thing.symbol for thing in seen))}</defs>"
        f'<rect class="w" width="{right}" height="{bottom}" rx="12">{clock}</rect>'
        f"{''.join(_animated(thing.markup, seen[thing], len(scenes), beat) for thing in sorted(seen))}</svg>\n"
    )


def _animated(markup: str, seen: Sequence[int], scenes: int, beat: float) -> str:
    """Return a thing that is in these of all scenes."""
    if len(seen) == scenes:
        return markup
    is_last = seen[-1] == scenes - 1
    changed = sorted({*range(scenes)}.difference(seen)) if is_last else seen
    starts = [number for number in changed if number - 1 not in changed]
    stops = [number + 1 for number in changed if number + 1 not in changed]
    sets = (
        SET.format(value="none" if is_last else "inline", start=_seconds(start * beat), length=_seconds(length * beat))
        for start, length in ((start, stop - start) for start, stop in zip(starts, stops, strict=True))
    )
    return f'<g class="{"z" if is_last else "f"}">{markup}{"".join(sets)}</g>'


def _seconds(time: float) -> str:
    return f"{time:.6g}s"


def html_image(scene: Scene) -> str:
    """Return a picture for an HTML page or a notebook, as an image whose style and names touch nothing else there."""
    data = b64encode(svg_picture(scene).encode()).decode()
    width, height = scene.size
    source = f'src="data:image/svg+xml;base64,{data}"'
    return f'<img {source} width="{width}" height="{height}" alt="{escape(scene.title)}">'
