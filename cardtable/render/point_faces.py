"""The faces of numbered cards that cost what they say. Importing this module imports pygame."""

from cardtable.render.brush import card_back, card_face, plain_look, pygame
from cardtable.render.point_cards import CARD_COLOURS, CARD_INKS, card_class, number_text

CARD_LOOKS = tuple(plain_look(colour, ink) for colour, ink in zip(CARD_COLOURS, CARD_INKS, strict=True))


def point_face(card: int, size: tuple[int, int], lowest: int, highest: int) -> pygame.Surface:
    """An open card of a deck that goes from a lowest to a highest number."""
    return card_face(number_text(card), CARD_LOOKS[card_class(card)], size, (number_text(lowest), number_text(highest)))


def point_back(size: tuple[int, int]) -> pygame.Surface:
    """A card that lies face down."""
    return card_back(size, CARD_COLOURS[1:])
