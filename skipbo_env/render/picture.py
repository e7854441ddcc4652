"""A table as a picture: an array, a PNG file or a window. Importing this module imports pygame."""

from cardtable.render import brush
from cardtable.render.brush import (
    DIM,
    GOLD,
    INK,
    WHITE,
    CardLook,
    card_back,
    card_face,
    card_radius,
    card_strip,
    draw_card,
    draw_panel,
    draw_rounded,
    draw_words,
    fit_text,
    new_canvas,
    plain_look,
    pygame,
    shade,
)
from cardtable.render.rects import Pile, Rect, inset
from cardtable.render.table_window import pictures_of
from cardtable.render.words import end_words, last_move_words
from skipbo_env.game import Game
from skipbo_env.kernel.state import DISCARD, PASS, PLACES, RANKS, WILD
from skipbo_env.render.layout import Layout, Panel, arrange, strip_height
from skipbo_env.render.text import card_class, progress_words

# By class of card: ranks 1 to 4, 5 to 8, 9 to 12. They differ in brightness too, for those who tell few colours apart.
BLUE, GREEN, RED, YELLOW = (0, 84, 158), (0, 148, 108), (206, 76, 10), (240, 196, 40)
NIGHT = (34, 32, 44)
WILD_LOOK = CardLook(NIGHT, (BLUE, GREEN, RED, YELLOW), WHITE, disc=NIGHT)
CARD_LOOKS = (plain_look(BLUE, WHITE), plain_look(GREEN, WHITE), plain_look(RED, WHITE), WILD_LOOK)
BACK_COLOURS = (RED, BLUE, GREEN, YELLOW)
WILD_TEXT = "W"
CARD_TEXTS = (str(RANKS), WILD_TEXT)  # the widest
USUAL_LINE = "Seat 0   round 100   total 1000"  # fits in any case, so that text keeps its size from picture to picture
USUAL_CAPTION = "completed 100"
STOCK = "stock"


def _draw(game: Game, size: tuple[int, int]) -> pygame.Surface:
    layout = arrange(game.rules.players, *size)
    surface = new_canvas(size)
    words = _headline(game), progress_words(game), last_move_words(game)
    draw_words(surface, (layout.headline, layout.details, layout.last_move), words)
    _draw_middle(surface, layout, game)
    _draw_seats(surface, layout, game)
    return surface


draw_table, save_picture, Window = pictures_of("Skip-Bo", _draw)


def _headline(game: Game) -> str:
    """The seat to move, or who has won."""
    return end_words(game) if game.is_over else f"Seat {game.seat} to move"


# The middle


def _draw_middle(surface: pygame.Surface, layout: Layout, game: Game) -> None:
    """Draw pile, completed cards and building piles."""
    backs = ((layout.draw_pile, game.draw_pile_size, "draw"), (layout.completed, game.completed_size, "completed"))
    heights = game.building_piles()
    captions = [f"{name} {size}" for _, size, name in backs] + [f"next {height + 1}" for height in heights]
    line = layout.draw_pile.caption
    size = fit_text((USUAL_CAPTION, *captions), line.width, line.height)
    for (pile, count, _), caption in zip(backs, captions, strict=False):
        draw_card(surface, pile.card, _back(pile.card) if count > 0 else None, is_marked=False)
        brush.write(surface, caption, pile.caption, size, INK if count > 0 else DIM, 0.5)
    for place, (pile, height) in enumerate(zip(layout.building, heights, strict=True)):
        face = _building_face(game, place, height, pile) if height > 0 else None
        draw_card(surface, pile.card, face, _touched(game) == place)
        brush.write(surface, captions[2 + place], pile.caption, size, INK if height > 0 else DIM, 0.5)


def _building_face(game: Game, place: int, height: int, pile: Pile) -> pygame.Surface:
    """The last card of a building pile: with its rank also if it is a wild card."""
    is_wild = bool(game.state["wild_ranks"][0, place] >> (height - 1) & 1)
    look = WILD_LOOK if is_wild else CARD_LOOKS[card_class(height)]
    return card_face(str(height), look, (pile.card.width, pile.card.height), CARD_TEXTS)


# Seats


def _draw_seats(surface: pygame.Surface, layout: Layout, game: Game) -> None:
    """Every seat's panel; text is of one size in all of them."""
    seats = range(game.rules.players)
    names, totals = [f"Seat {seat}" for seat in seats], [_points(game, seat) for seat in seats]
    line = layout.seats[0].name
    lines = [f"{name}   {total}" for name, total in zip(names, totals, strict=True)]
    size = fit_text((USUAL_LINE, *lines), line.width, line.height)
    for seat, panel in enumerate(layout.seats):
        is_bright = seat in game.winners if game.is_over else seat == game.seat
        draw_panel(surface, panel.frame, panel.name.left - panel.frame.left, is_bright)
        ends = names[seat], totals[seat]
        brush.write_ends(surface, ends, panel.name, size, (GOLD if is_bright else INK, INK))
        _draw_stock(surface, panel, game, seat)
        for pile, place in enumerate(panel.discard_piles):
            card_size = panel.stock.width, panel.stock.height
            _draw_fan(surface, place, card_size, game.discard_pile(seat, pile), _touched(game) == (seat, pile))
        is_shown = game.is_over or seat == game.seat
        for place, card in zip(panel.hand, game.hand(seat), strict=False):
            draw_card(surface, place, _face(place, card) if is_shown else _back(place), is_marked=False)


def _points(game: Game, seat: int) -> str:
    """The total, and the score of the round at the end; a stopped round has none."""
    total = f"total {game.totals[seat]}"
    return f"round {game.round_scores[seat]}   {total}" if game.is_over and not game.is_truncated else total


def _draw_stock(surface: pygame.Surface, panel: Panel, game: Game, seat: int) -> None:
    """The top card, and how many cards there are, on a ground of its own."""
    stock, caption, number = panel.stock, panel.stock_caption, panel.stock_size
    red, green, blue, _ = surface.get_at((stock.left, stock.top))
    ground = inset(stock._replace(height=number.top + number.height - stock.top), -max(1, stock.width // 20))
    draw_rounded(surface, ground, card_radius(stock.width), shade((red, green, blue), 0.1))
    top = game.stock_top(seat)
    draw_card(surface, stock, None if top is None else _face(stock, top), is_marked=False)
    size = fit_text((STOCK, "30"), caption.width, caption.height)
    brush.write(surface, STOCK, caption, size, DIM, 0.5)
    brush.write(surface, str(game.stock_size(seat)), number, size, INK, 0.5)


def _draw_fan(
    surface: pygame.Surface, place: Rect, size: tuple[int, int], cards: tuple[int, ...], is_marked: bool
) -> None:
    """A discard pile, the top card lowest: of the others as many as there is room for, and how many more there are."""
    strip, reach = strip_height(size[0]), size[0] // 10  # of a mark, which must hide no number
    spot, below = Rect(place.left, place.top, *size), cards[:-1]
    room = (place.height - size[1] - reach) // strip
    if len(below) > room:
        left_out = len(below) - room + 1
        text_size = fit_text(("+00",), place.width, strip)
        brush.write(surface, f"+{left_out}", spot._replace(height=strip), text_size, DIM, 0.5)
        spot, below = spot._replace(top=spot.top + strip), below[left_out:]
    for card in below:
        surface.blit(card_strip(_text(card), CARD_LOOKS[card_class(card)], size, strip, CARD_TEXTS), spot)
        spot = spot._replace(top=spot.top + strip)
    if below:
        spot = spot._replace(top=spot.top + reach)
    draw_card(surface, spot, _face(spot, cards[-1]) if cards else None, is_marked)


def _touched(game: Game) -> int | tuple[int, int] | None:
    """Where the last move laid a card: a building place, or (seat, discard pile); None if that was in another round."""
    if game.last_move is None or _is_new_round(game):
        return None
    seat, action = game.last_move
    if action == PASS:
        return None
    return (seat, action % PLACES) if action >= DISCARD else action % PLACES


def _is_new_round(game: Game) -> bool:
    """Has nobody decided anything yet in this round?"""
    return game.turns == 0 and not any(game.building_piles()) and not game.state["completed_piles"].any()


# Cards


def _text(card: int) -> str:
    return WILD_TEXT if card == WILD else str(card)


def _face(place: Rect, card: int) -> pygame.Surface:
    return card_face(_text(card), CARD_LOOKS[card_class(card)], (place.width, place.height), CARD_TEXTS)


def _back(place: Rect) -> pygame.Surface:
    return card_back((place.width, place.height), BACK_COLOURS)
