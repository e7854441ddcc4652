"""Pictures of a table of Skip-Bo: how all is laid out, what is shown and where, what is not, and what is said."""

from functools import partial

import pytest

from cardtable.table.render.brush import MARK
from cardtable.table.render.faces import SLATE
from cardtable.table.render.pictures import draw_table
from cardtable.table.render.seating import Pile, Rect
from skipbo_env import Game, Rules
from skipbo_env.kernel import DISCARD, WILD
from skipbo_env.pictures import BLUE, GREEN, NIGHT, RED, Layout, SeatPanel, arrange, strip_height
from tests.helpers import play
from tests.pictures import (
    EXTREMES,
    are_apart,
    check_text_stays_in,
    colour_at,
    ground_of,
    is_inside,
    is_near,
    mark_colour,
    marked,
    written_words,
)
from tests.skipbo_env.tables import NO_MOVE, closed, table


def middle_of(layout: Layout) -> list[Pile]:
    return [layout.draw_pile, layout.completed, *layout.building]


def texts_of(layout: Layout) -> list[Rect]:
    """Where there is always text; beside it there are the cards that a discard pile has no room for."""
    lines = [line for panel in layout.seats for line in (panel.name, panel.stock_caption, panel.stock_size)]
    return [*layout.bands[:3], *(pile.caption for pile in middle_of(layout)), *lines]


def check_panel(panel: SeatPanel) -> None:
    parts = [*panel[1:5], *panel.discard_piles, *panel.hand]
    assert are_apart(parts)
    assert all(is_inside(part, panel.frame) for part in parts)
    assert all(is_inside(marked(place), panel.frame) for place in (*panel.discard_piles, *panel.hand))
    assert not any(place.height < panel.stock.height + 3 * strip_height(place.width) for place in panel.discard_piles)


def check_layout(layout: Layout, window: tuple[int, int]) -> None:
    middle = [place for pile in middle_of(layout) for place in (marked(pile.card), pile.caption)]
    apart = [*(panel.frame for panel in layout.seats), *middle, *layout.bands[:3]]
    assert are_apart(apart)
    assert all(is_inside(place, Rect(0, 0, *window)) for place in apart)
    assert len(layout.building) == 4
    for panel in layout.seats:
        check_panel(panel)
        assert (len(panel.discard_piles), len(panel.hand)) == (4, 5)
        assert panel.stock.width <= layout.draw_pile.card.width
    assert all(place.width > 0 and place.height > 0 for place in texts_of(layout))


LARGE = [  # players, window, and the least widths of cards in panels and in the middle
    (2, (960, 640), 78, 80),
    (2, (360, 640), 46, 46),
    (3, (700, 700), 58, 66),
    (4, (960, 640), 55, 82),
    (6, (960, 640), 45, 45),
    (6, (360, 640), 29, 32),
    (6, (1920, 1080), 80, 80),
]


@pytest.mark.parametrize(("players", "window", "card", "pile"), LARGE)
def test_cards_are_large_in_usual_windows(players: int, window: tuple[int, int], card: int, pile: int) -> None:
    layout = arrange(players, *window)
    assert layout.seats[0].hand[0].width >= card
    assert layout.building[0].card.width >= pile


def test_discard_piles_use_the_height_that_is_free() -> None:
    low, high = (arrange(2, 480, height).seats[0].discard_piles[0] for height in (640, 700))
    assert high.width == low.width
    assert high.height == low.height + 2 * strip_height(low.width)


def test_the_hand_lies_beside_the_piles_where_the_window_is_low() -> None:
    for window, is_beside in (((960, 640), False), ((3000, 160), True)):
        panel = arrange(2, *window).seats[0]
        assert (panel.hand[0].top == panel.stock.top) == is_beside
        assert (panel.hand[0].left > panel.discard_piles[-1].left) == is_beside


@pytest.mark.parametrize("window", EXTREMES)
def test_building_piles_lie_in_reading_order(window: tuple[int, int]) -> None:
    for players in range(2, 7):
        cards = [pile.card for pile in arrange(players, *window).building]
        assert cards == sorted(cards, key=lambda card: (card.top, card.left))


def layout_of(game: Game, size: tuple[int, int] = (960, 640)) -> Layout:
    return arrange(game.rules.players, *size)


def class_colour(card: int) -> tuple[int, ...]:
    """Of a rank or a wild card, beside its text."""
    if card == WILD:
        return NIGHT
    if card < 5:
        return BLUE
    return GREEN if card < 9 else RED


TABLE = """rules stock=4; building 3 0 5:2,5 11; completed 1 1 w; stock ? 5; stock ? ? w; hand 1 8 9 w; hand 2 3;
piles 4 | | 12 w | ; piles | 9 | | 1 2 3 4 5 6 7 8 9 10 11 12; draw 8 ...; seat 0 turn"""


@pytest.mark.parametrize("size", [(960, 640), (360, 640), (1920, 1080)])
def test_every_card_lies_in_its_place_in_its_colour(size: tuple[int, int]) -> None:
    game = table(TABLE)
    pixels, layout = draw_table(game, size), layout_of(game, size)
    building = [ground_of(pixels, pile.card) for pile in layout.building]
    assert is_near(building[0], BLUE)
    assert is_near(building[2], NIGHT)  # a wild card
    assert is_near(building[3], RED)
    assert all(is_near(ground_of(pixels, pile.card), SLATE) for pile in (layout.draw_pile, layout.completed))
    own, other = layout.seats
    for seat, panel in enumerate(layout.seats):
        assert is_near(ground_of(pixels, panel.stock), class_colour(game.stock_top(seat) or WILD))
    for place, card in zip(own.hand, game.hand(0), strict=False):
        assert is_near(ground_of(pixels, place), class_colour(card))
    for place in other.hand[:2]:
        assert is_near(ground_of(pixels, place), SLATE)
    for place in (own.hand[4], other.hand[2]):
        assert is_near(ground_of(pixels, place), colour_at(pixels, place, -0.04, 0.5))


# Who decides, what has moved, and what is said

PLAIN = "stock ? 9; stock ? 7; hand 5 5 5 6 12; hand 6; building 4 0 6 11; draw ..."


def marked_places(game: Game) -> list[int | tuple[int, int]]:
    """All that bears the mark of the last move: building places and (seat, discard pile)."""
    pixels, layout = draw_table(game), layout_of(game)
    places: dict[int | tuple[int, int], Rect] = {place: pile.card for place, pile in enumerate(layout.building)}
    for seat, panel in enumerate(layout.seats):
        places |= {(seat, pile): place for pile, place in enumerate(panel.discard_piles)}
    return [name for name, place in places.items() if is_near(mark_colour(pixels, place), MARK)]


def test_where_the_last_card_was_laid_is_marked() -> None:
    game = table(f"{PLAIN}; seat 0 turn")
    assert marked_places(game) == []
    assert marked_places(play(game, "hand 5 to 0")) == [0]
    assert marked_places(play(game, "hand 12 to 3")) == [3]  # the pile has left the table
    assert marked_places(play(game, "discard 6 on 2")) == [(0, 2)]
    action = next(action for action in game.legal_actions() if action >= DISCARD)
    game.apply(action)
    assert marked_places(game) == [(1, action % 4)]


SAID: list[tuple[str, tuple[str, ...], list[str]]] = [
    (f"{PLAIN}; totals 95 7; seat 1 turn", (),
     ["Seat 1 to move", "round 1, turn 1", "total 95", "total 7", "next 5", "next 1", "next 12", "completed 0", "2"]),
    (f"{PLAIN}; turns 8; seat 0 turn", ("hand 5 to 0",),
     ["round 1, turn 9", "next 6", "Last move: seat 0: hand 5 to 0"]),
    ("rules players=3; stock 7; stock 8 9; stock 1; building 6 0 0 0; episode round; draw ...; seat 0 turn",
     ("stock to 0",),
     ["Seat 0 wins the round", "round 40   total 40", "round 0   total 0", "0", "round 1, turn 1"]),
    ("rules max_turns=3; stock 7; stock 8; hand 4; hand; turns 2; draw ...; seat 0 turn", ("discard 4 on 0",),
     ["Stopped after too many turns", "total 0", "round 1, turn 3"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "moves", "said"), SAID)
def test_the_picture_says_what_is_going_on(
    text: str, moves: tuple[str, ...], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = play(table(text), *moves)
    assert set(said) <= set(written_words(partial(draw_table, game), monkeypatch))


def test_a_blocked_round_is_won_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clause 5.3."""
    game = play(closed(f"episode round; stock 3 2; stock 3 2; {NO_MOVE}"), "pass", "pass")
    said = written_words(partial(draw_table, game), monkeypatch)
    assert {"Nobody wins the round", "round 1, turn 2, blocked"} <= set(said)


@pytest.mark.parametrize("size", EXTREMES)
def test_text_stays_in_its_rectangle(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    for players in (2, 5):
        game = Game(Rules(players=players), seed=1)
        game.apply(game.legal_actions()[-1])
        check_text_stays_in(partial(draw_table, game, size), texts_of(layout_of(game, size)), monkeypatch)
