"""What cards look like: colours and signs."""

from cardtable.table.render.faces import WHITE, Back, Face, Image, Sign, plain_look
from cardtable.table.render.point_faces import POINT_BACK, point_face
from cardtable.table.render.rects import Rect
from cardtable.table.render.scene import Corner
from skyjo_action_env.kernel.state import EMPTY, HIDDEN, HIGHEST, KINDS, LOWEST, STAR

PURPLE, LILAC, PLUM = (112, 60, 150), (222, 210, 238), (66, 28, 102)
ROSE, WINE = (250, 214, 206), (138, 26, 34)
STAR_LOOK = plain_look(PURPLE, WHITE)
ATTACKS = ("exchange", "remove", "steal")  # 1.2
ACTION_LOOKS = {kind: plain_look(*((ROSE, WINE) if kind in ATTACKS else (LILAC, PLUM))) for kind in KINDS}
ACTION_BACK = Back((PURPLE, LILAC, PURPLE, LILAC))
COUNTED = tuple(f"{kind} 3" for kind in KINDS)

# Signs as polygons, in tenths of their width and height.
STAR_SIGN: Sign = (
    ((5, 0), (6.2, 3.5), (9.8, 3.5), (6.9, 5.7), (8, 9.2), (5, 7.1), (2, 9.2), (3.1, 5.7), (0.2, 3.5), (3.8, 3.5)),
)
_RIGHT = ((0, 2.5), (6, 2.5), (6, 0.5), (10, 3.3), (6, 6), (6, 4), (0, 4))
_EYE = ((0, 5), (3, 2), (7, 2), (10, 5), (7, 8), (3, 8), (0, 5), (3.5, 5), (5, 6.7), (6.5, 5), (5, 3.3), (3.5, 5))
_CROSS = (*((0, 2), (2, 0), (5, 3), (8, 0), (10, 2), (7, 5)), *((10, 8), (8, 10), (5, 7), (2, 10), (0, 8), (3, 5)))
SIGNS: dict[str, Sign] = {
    "double": (((0, 1), (5, 5), (0, 9)), ((5, 1), (10, 5), (5, 9))),
    "swap": (_RIGHT, tuple((10 - x, 10 - y) for x, y in _RIGHT)),
    "three": tuple(((x, 1), (x + 2.6, 1), (x + 2.6, 9), (x, 9)) for x in (0, 3.7, 7.4)),
    "defence": (((1, 0), (9, 0), (9, 5), (5, 10), (1, 5)),),
    "look": (_EYE,),
    "exchange": (tuple((y, x) for x, y in _RIGHT), tuple((10 - y, 10 - x) for x, y in _RIGHT)),
    "remove": (_CROSS,),
    "replay": (((10, 1), (5, 5), (10, 9)), ((5, 1), (0, 5), (5, 9))),
    "steal": (((3, 0), (7, 0), (7, 5), (10, 5), (5, 10), (0, 5), (3, 5)),),
}


def card_image(card: int | None) -> Image:
    """A playing card, its back, or None for an empty place."""
    if card is None or card == EMPTY:
        return None
    if card == HIDDEN:
        return POINT_BACK
    return Face(STAR_LOOK, "", (), STAR_SIGN) if card == STAR else point_face(card, LOWEST, HIGHEST)


def action_image(kind: str | None) -> Image:
    """An action card with its sign and its word."""
    return None if kind is None else Face(ACTION_LOOKS[kind], kind, KINDS, SIGNS[kind])


def action_tile(kind: str, count: int) -> Face:
    """Action cards of one kind beside a layout: their word, and how many there are of more than one."""
    text, texts = (kind, KINDS) if count == 1 else (f"{kind} {count}", COUNTED)
    return Face(ACTION_LOOKS[kind], text, texts)


def known_mark(place: Rect) -> Corner:
    """The mark on a hidden card that some seat knows: an eye in a corner."""
    side, border = max(5, place.width * 2 // 5), place.width // 12
    corner = Rect(place.left + place.width - side - border, place.top + border // 2, side, side)
    return Corner(corner, SIGNS["look"])
