"""Pictures of a table of Skip-Bo: what is shown and where, what is not, and what is said."""

from functools import partial

import pytest

from cardtable.table.render.brush import MARK
from cardtable.table.render.faces import SLATE
from cardtable.table.render.pictures import draw_table
from cardtable.table.render.seating import Rect
from skipbo_env import Game, Rules
from skipbo_env.kernel import DISCARD, WILD
from skipbo_env.pictures import BLUE, GREEN, NIGHT, RED, Layout, arrange
from tests.helpers import play
from tests.pictures import (
    EXTREMES,
    check_text_stays_in,
    colour_at,
    ground_of,
    is_near,
    mark_colour,
    written_words,
)
from tests.skipbo_env.layouts import texts_of
from tests.skipbo_env.written import NO_MOVE, closed, table


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
