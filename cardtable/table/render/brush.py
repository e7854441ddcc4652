"""Drawing with pygame: text that fits, rounded rectangles, cards, the table under them, and pictures as files.

Importing this module imports pygame, so nothing imports it before a picture is asked for.
"""

import os
import warnings
from functools import lru_cache

from cardtable.table.errors import TableError
from cardtable.table.render.faces import IVORY, SLATE, WHITE, CardLook, Colour, Face, Image, Sign, shade
from cardtable.table.render.scene import Card, Corner, Ground, Panel, Scene, Words
from cardtable.table.render.seating import Rect, card_radius, centred, inset

_prompt = os.environ.get("PYGAME_HIDE_SUPPORT_PROMPT")
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pygame's use of pkg_resources
        import pygame as pygame  # under its own name, so that others have it from here
except ImportError as error:
    raise TableError('pictures need pygame: pip install "skyjo-env[render]"') from error
finally:
    os.environ.pop("PYGAME_HIDE_SUPPORT_PROMPT")
    os.environ.update({} if _prompt is None else {"PYGAME_HIDE_SUPPORT_PROMPT": _prompt})

FINER = 3  # text is drawn this many times larger, then scaled down
CLOTH, PANEL, EDGE = (42, 72, 66), (31, 54, 50), (60, 91, 84)
BRIGHT_PANEL = (49, 78, 66)
INK, DIM, GOLD, MARK = (240, 242, 234), (165, 186, 176), (242, 204, 104), (255, 136, 44)
TONES = {"ink": INK, "dim": DIM, "gold": GOLD}


# Text


def fit_text(texts: tuple[str, ...], width: int, height: int) -> int:
    """The largest text size at which every one of these texts fits into the width and height."""
    widest, line = _extent(texts, 100)
    size = max(1, min(width * 100 // max(1, widest), height * 100 // line))
    while size > 1 and (_extent(texts, size)[0] > width or _extent(texts, size)[1] > height):
        size -= 1
    return size


def _extent(texts: tuple[str, ...], size: int) -> tuple[int, int]:
    sizes = [_text_size(text, size) for text in texts]
    return max(width for width, _ in sizes), max(height for _, height in sizes)


@lru_cache(maxsize=4096)
def _text_size(text: str, size: int) -> tuple[int, int]:
    width, height = _font(size * FINER).size(text)
    return -(-width // FINER), -(-height // FINER)


def _font(size: int) -> pygame.font.Font:
    """Pygame's own font. Not cached, because pygame.quit() invalidates it."""
    pygame.font.init()
    return pygame.font.Font(None, size)


@lru_cache(maxsize=1024)
def _rendered(text: str, size: int, colour: Colour) -> pygame.Surface:
    """A line of text, drawn larger and scaled down, so that letters need not start on whole pixels."""
    width, height = _text_size(text, size)
    image = _blank((width * FINER, height * FINER), colour)
    image.blit(_font(size * FINER).render(text, True, colour), (0, 0))
    return pygame.transform.smoothscale(image, (width, height))


def write(surface: pygame.Surface, text: str, place: Rect, size: int, colour: Colour, align: float = 0.0) -> None:
    """Write a line into a rectangle: at its left (align 0), in the middle (0.5) or at its right (1)."""
    image = _rendered(text, size, colour)
    left = place.left + round((place.width - image.get_width()) * align)
    surface.blit(image, (left, place.top + (place.height - image.get_height()) // 2))


# Shapes


def draw_rounded(surface: pygame.Surface, rect: Rect, radius: int, colour: Colour) -> None:
    """A filled rectangle with smooth round corners."""
    left, top, width, height = rect
    radius = min(radius, width // 2, height // 2)
    disc = _disc(radius, colour)
    for x, part_x in ((left, 0), (left + width - radius, radius)):
        for y, part_y in ((top, 0), (top + height - radius, radius)):
            surface.blit(disc, (x, y), (part_x, part_y, radius, radius))
    surface.fill(colour, (left + radius, top, width - 2 * radius, height))
    surface.fill(colour, (left, top + radius, radius, height - 2 * radius))
    surface.fill(colour, (left + width - radius, top + radius, radius, height - 2 * radius))


def draw_framed(surface: pygame.Surface, rect: Rect, radius: int, border: tuple[Colour, int], colour: Colour) -> None:
    """The same with a border inside its edge: a colour and a width."""
    draw_rounded(surface, rect, radius, border[0])
    draw_rounded(surface, inset(rect, border[1]), radius - border[1], colour)


@lru_cache(maxsize=128)
def _disc(radius: int, colour: Colour) -> pygame.Surface:
    disc = _blank((8 * radius, 8 * radius), colour)
    pygame.draw.circle(disc, colour, (4 * radius, 4 * radius), 4 * radius)
    return pygame.transform.smoothscale(disc, (2 * radius, 2 * radius))


def _blank(size: tuple[int, int], colour: Colour) -> pygame.Surface:
    """A transparent surface whose edges, scaled down, take this colour and not black."""
    surface = pygame.Surface(size, pygame.SRCALPHA, 32)
    surface.fill((*colour, 0))
    return surface


# Cards


@lru_cache(maxsize=256)
def open_card(face: Face, size: tuple[int, int]) -> pygame.Surface:
    """An open card: its text in the part that will be seen, or its sign with the text as a word below it.

    The text is as large as all texts of the deck allow.
    """
    surface, inner = _blank_face(face.look, size)
    place, room = inner, (round(inner.width * 0.86), round(inner.height * 0.8))
    if face.sign:
        below = inner.height * 3 // 10 if face.text else 0
        above = inner._replace(height=inner.height - below)
        side = min(above.width, above.height) * 3 // 4
        draw_sign(surface, face.sign, centred((side, side), above), face.look.ink)
        place, room = inner._replace(top=above.top + above.height, height=below), (round(inner.width * 0.96), below)
    elif face.strip:
        place = inner._replace(height=face.strip * _scale(size) - inner.top)
        room = place.width, place.height * 5 // 4  # a line of text is higher than its numbers
    if face.text:
        _stamp(surface.subsurface(place), face.text, fit_text(face.texts, *room), face.look.ink)
    return pygame.transform.smoothscale(surface, size)


def draw_sign(surface: pygame.Surface, sign: Sign, place: Rect, colour: Colour) -> None:
    """The polygons of a sign in a rectangle."""
    finer = _blank((place.width * FINER, place.height * FINER), colour)
    for polygon in sign:
        points = [(x * place.width * FINER / 10, y * place.height * FINER / 10) for x, y in polygon]
        pygame.draw.polygon(finer, colour, points)
    surface.blit(pygame.transform.smoothscale(finer, (place.width, place.height)), place)


def _blank_face(look: CardLook, size: tuple[int, int]) -> tuple[pygame.Surface, Rect]:
    """An open card without its text, larger than its size, and the rectangle inside its border."""
    surface, inner = _bordered(size, look.colour)
    middle = inner.width / 2, inner.height * 0.46
    right, bottom = inner.width - 1, inner.height - 1
    field = surface.subsurface(inner)
    sides = (
        ((right * 0.15, 0), (right * 0.85, 0)),
        ((right, bottom * 0.25), (right, bottom * 0.75)),
        ((right * 0.85, bottom), (right * 0.15, bottom)),
        ((0, bottom * 0.75), (0, bottom * 0.25)),
    )
    for side, colour in zip(sides, look.facets, strict=True):
        pygame.draw.polygon(field, colour, [*side, middle])
    if look.disc is not None:
        pygame.draw.circle(field, look.disc, (inner.width / 2, inner.height / 2), inner.width * 0.42)
    return surface, inner


def _stamp(surface: pygame.Surface, text: str, size: int, ink: Colour) -> None:
    """Write with the inked pixels centred, and a soft shadow behind light ink. Words in small letters share a line."""
    image = _font(size).render(text, True, ink)
    inked = image.get_bounding_rect()
    line = _font(size).render("d", True, ink).get_bounding_rect() if text.islower() else inked
    left, top = (surface.get_width() - inked.width) // 2, (surface.get_height() - line.height) // 2
    top += inked.top - line.top
    if ink == WHITE:
        shadow = _font(size).render(text, True, (0, 0, 0))
        shadow.set_alpha(90)
        surface.blit(shadow, (left + size // 30, top + size // 24), inked)
    surface.blit(image, (left, top), inked)


@lru_cache(maxsize=16)
def card_back(size: tuple[int, int], colours: tuple[Colour, ...]) -> pygame.Surface:
    """A card that lies face down: a lattice, and a diamond in four colours."""
    surface, inner = _bordered(size, SLATE)
    field = inset(inner, inner.width // 10)
    _draw_lattice(surface.subsurface(field))
    _draw_diamond(surface, (field.left + field.width / 2, field.top + field.height / 2), inner.width * 0.3, colours)
    return pygame.transform.smoothscale(surface, size)


def _draw_lattice(surface: pygame.Surface) -> None:
    """Fill a rectangle with crossing lines that meet its frame evenly."""
    width, height = surface.get_size()
    colour, thickness = shade(SLATE, 0.2), max(1, width // 36)
    for step in range(-6, 12):
        start = step * width / 4
        pygame.draw.line(surface, colour, (start, 0), (start + height * 0.75, height), thickness)
        pygame.draw.line(surface, colour, (width - start, 0), (width - start - height * 0.75, height), thickness)
    pygame.draw.rect(surface, colour, surface.get_rect(), thickness)


def _draw_diamond(
    surface: pygame.Surface, middle: tuple[float, float], reach: float, colours: tuple[Colour, ...]
) -> None:
    x, y = middle
    points = [(x, y - reach * 1.4), (x + reach, y), (x, y + reach * 1.4), (x - reach, y)]
    for corner, colour in enumerate(colours):
        pygame.draw.polygon(surface, shade(colour, -0.1), [points[corner], points[(corner + 1) % 4], middle])
    pygame.draw.polygon(surface, IVORY, points, max(1, round(reach / 9)))


def _scale(size: tuple[int, int]) -> int:
    """How much larger a card is drawn before it is scaled down smoothly."""
    return 4 if size[0] < 80 else 2


def _bordered(size: tuple[int, int], colour: Colour) -> tuple[pygame.Surface, Rect]:
    """A card without anything on it, and the rectangle inside its border."""
    scale = _scale(size)
    width, height = size[0] * scale, size[1] * scale
    surface = _blank((width, height), IVORY)
    border, radius = max(scale * 2 // 3, width // 24), card_radius(min(size)) * scale
    pygame.draw.rect(surface, IVORY, (0, 0, width, height), border_radius=radius)
    inner = inset(Rect(0, 0, width, height), border)
    pygame.draw.rect(surface, colour, inner, border_radius=max(1, radius - border))
    return surface, inner


# The table under the cards


@lru_cache(maxsize=2)
def _cloth(size: tuple[int, int]) -> pygame.Surface:
    """The tablecloth, a little lighter at the top."""
    surface = pygame.Surface(size, 0, 32)
    for y in range(size[1]):
        surface.fill(shade(CLOTH, -0.35 * y / size[1]), (0, y, size[0], 1))
    return surface


def painted(scene: Scene) -> pygame.Surface:
    """The picture of a scene."""
    surface = _cloth(scene.size).copy()
    for thing in scene.things:
        match thing:
            case Words(text, place, fits, tone, align):
                write(surface, text, place, fit_text(fits, place.width, place.height), TONES[tone], align)
            case Panel(place, radius, is_bright):
                _draw_panel(surface, place, radius, is_bright)
            case Ground(place, radius):
                red, green, blue, _ = surface.get_at((place.left + radius, place.top + radius))
                draw_rounded(surface, place, radius, shade((red, green, blue), 0.1))
            case Card(place, image, is_marked):
                _draw_card(surface, place, image, is_marked)
            case Corner(place, sign):
                draw_sign(surface, sign, place, GOLD)
    return surface


def _draw_panel(surface: pygame.Surface, frame: Rect, radius: int, is_bright: bool) -> None:
    width = max(1, radius // 4) + (is_bright and radius > 3)
    draw_framed(surface, frame, radius, (GOLD if is_bright else EDGE, width), BRIGHT_PANEL if is_bright else PANEL)


def _draw_card(surface: pygame.Surface, place: Rect, image: Image, is_marked: bool) -> None:
    """A card, or the outline of an empty place."""
    radius, size = card_radius(place.width), (place.width, place.height)
    red, green, blue, _ = surface.get_at((place.left, place.top))
    ground = red, green, blue
    if is_marked:
        reach = max(1, place.width // 10)
        draw_framed(surface, inset(place, -reach), radius + reach, (MARK, max(1, reach * 3 // 4)), ground)
    if image is None:
        draw_framed(surface, place, radius, (shade(ground, 0.15), max(1, place.width // 40)), ground)
    else:
        surface.blit(open_card(image, size) if isinstance(image, Face) else card_back(size, image.colours), place)
