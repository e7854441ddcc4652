"""Scenes as SVG: one of them, or one after the other as an animation. No script, and colours for light and for dark.

An animation keeps each element in its slot for as long as nothing else is shown there, and shows and hides the elements
at their times. Where people prefer reduced motion, or nothing is animated, the last scene is seen.
"""

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from cardtable.table.errors import TableError
from cardtable.table.render.scene import Scene, Words
from cardtable.table.render.svg_things import Element, Slot, Symbols, elements

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
