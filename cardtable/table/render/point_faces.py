"""The faces of numbered cards that cost what they say."""

from cardtable.table.render.faces import Back, Face, plain_look
from cardtable.table.render.point_cards import CARD_COLOURS, CARD_INKS, card_class, number_text

CARD_LOOKS = tuple(plain_look(colour, ink) for colour, ink in zip(CARD_COLOURS, CARD_INKS, strict=True))
POINT_BACK = Back(CARD_COLOURS[1:])


def point_face(card: int, lowest: int, highest: int) -> Face:
    """An open card of a deck that goes from a lowest to a highest number."""
    return Face(CARD_LOOKS[card_class(card)], number_text(card), (number_text(lowest), number_text(highest)))
