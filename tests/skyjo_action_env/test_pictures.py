"""Pictures of a table of Skyjo Action: how all is laid out, what is shown and where, what is not, and what is said."""

from functools import partial
from typing import Any

import pytest

from cardtable.table.render.brush import EDGE, GOLD, MARK
from cardtable.table.render.faces import CARD_COLOURS, SLATE, card_class
from cardtable.table.render.pictures import draw_table
from cardtable.table.render.seating import Rect
from skyjo_action_env import EMPTY, HIDDEN, STAR, Game, Rules
from skyjo_action_env.kernel.state import DOUBLE, EXCHANGE, KINDS, LOOK, REMOVE, STEAL
from skyjo_action_env.render import LILAC, PURPLE, ROSE, Layout, arrange
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
from tests.skyjo_action_env.tables import code, held, shown, standing

PILES = {
    "draw",
    "discard",
    "action",
    "used",
    "played",
    *(f"card {k}" for k in range(3)),
    *(f"open {k}" for k in range(4)),
}


def texts_of(layout: Layout) -> list[Rect]:
    captions = [pile.caption for pile in layout.piles.values()]
    lines = [line for panel in layout.seats for line in (panel.name, panel.total)]
    return [*layout.bands[:3], *captions, *lines]


def check_layout(layout: Layout, window: tuple[int, int]) -> None:
    piles = [place for pile in layout.piles.values() for place in (marked(pile.card), pile.caption)]
    apart = [*(panel.frame for panel in layout.seats), *piles, *layout.bands[:3]]
    assert are_apart(apart)
    assert all(is_inside(place, Rect(0, 0, *window)) for place in apart)
    assert set(layout.piles) == PILES
    for panel in layout.seats:
        parts = [panel.name, *panel.cells, *panel.actions, panel.total]
        assert (len(panel.cells), len(panel.actions)) == (12, 9)
        assert are_apart(parts)
        assert all(is_inside(part, panel.frame) for part in parts)
        assert all(is_inside(marked(cell), panel.frame) for cell in panel.cells)
        assert all(part.width > 0 and part.height > 0 for part in parts)
    cards = {cell[2:] for panel in layout.seats for cell in panel.cells}
    sizes = {pile.card[2:] for pile in layout.piles.values()}
    assert (len(cards), len(sizes)) == (1, 1)
    assert max(cards) <= max(sizes)
    assert all(place.width > 0 and place.height > 0 for place in texts_of(layout))


LARGE = [  # players, window, and the least widths of cards in panels and piles
    (2, (960, 640), 63, 63),
    (2, (360, 640), 38, 44),
    (3, (960, 640), 52, 53),
    (4, (960, 640), 48, 53),
    (4, (240, 160), 11, 14),
    (8, (960, 640), 36, 42),
    (8, (700, 800), 35, 38),
    (8, (1920, 1080), 64, 64),
]


@pytest.mark.parametrize(("players", "window", "card", "pile"), LARGE)
def test_cards_are_large_in_usual_windows(players: int, window: tuple[int, int], card: int, pile: int) -> None:
    layout = arrange(players, *window)
    assert layout.seats[0].cells[0].width >= card
    assert layout.piles["discard"].card.width >= pile


def test_action_cards_lie_beside_the_cells_where_the_window_is_low() -> None:
    for window, is_beside in (((960, 640), False), ((1200, 400), True)):
        panel = arrange(2, *window).seats[0]
        assert (panel.actions[0].top == panel.cells[0].top) == is_beside
        assert (panel.actions[0].left > panel.cells[-1].left) == is_beside
        assert list(panel.actions) == sorted(panel.actions, key=lambda tile: (tile.top, tile.left))


def test_cells_lie_by_their_numbers_in_columns_from_the_top() -> None:
    """Clause 1.5."""
    cells = arrange(2, 960, 640).seats[1].cells
    assert sorted(range(12), key=lambda cell: (cells[cell].left, cells[cell].top)) == list(range(12))
    assert len({cell.left for cell in cells}) == 4


ATTACKS = {KINDS[EXCHANGE], KINDS[REMOVE], KINDS[STEAL]}


def layout_of(game: Game, size: tuple[int, int] = (960, 640)) -> Layout:
    return arrange(game.rules.players, *size)


def card_ground(card: int) -> tuple[int, ...]:
    """The colour of a card beside its number or sign."""
    return {STAR: PURPLE, HIDDEN: SLATE}.get(card) or CARD_COLOURS[card_class(card)]


def action_ground(kind: str) -> tuple[int, ...]:
    return ROSE if kind in ATTACKS else LILAC


LAYOUTS = shown("-2 -1 0 1 4 5 8 9 12 ? * .", "? . 3 12 6 0 ? ? ? * * *")


@pytest.mark.parametrize("size", [(960, 640), (480, 800), (1920, 1080), (1200, 400)])
def test_every_card_lies_in_its_place_in_its_colour(size: tuple[int, int]) -> None:
    piles = {"discard_size": 1, "piles": [7, *[0] * 119], "action_discard_size": 1, "action_piles": [LOOK] * 27}
    cards = {"hand": [0, STAR, 12], "open_actions": [DOUBLE, EXCHANGE, -1, STEAL], "played": REMOVE}
    game = standing(phase=code("three"), mover=0, shown=LAYOUTS, **piles, **cards)
    pixels, layout = draw_table(game, size), layout_of(game, size)
    for seat, panel in enumerate(layout.seats):
        for place, card in zip(panel.cells, game.board(seat).T.ravel().tolist(), strict=True):
            empty = colour_at(pixels, panel.frame, 0.5, 0.02)  # above the name
            assert is_near(ground_of(pixels, place), empty if card == EMPTY else card_ground(card), by=24)
    grounds = {name: ground_of(pixels, pile.card) for name, pile in layout.piles.items()}
    expected = {"draw": SLATE, "action": SLATE, "discard": card_ground(7), "used": LILAC, "played": ROSE}
    expected |= {"card 0": card_ground(0), "card 1": PURPLE, "card 2": card_ground(12)}
    expected |= {"open 0": LILAC, "open 1": ROSE, "open 3": ROSE}
    assert all(is_near(grounds[name], colour, by=24) for name, colour in expected.items())
    assert is_near(grounds["open 2"], colour_at(pixels, layout.piles["open 2"].card, -0.2, 0.12))


def test_every_action_card_has_its_own_picture() -> None:
    faces = set()
    for kind in range(len(KINDS)):
        game = standing(open_actions=[kind, -1, -1, -1])
        place = layout_of(game).piles["open 0"].card
        pixels = draw_table(game)
        assert is_near(ground_of(pixels, place), action_ground(KINDS[kind]))
        faces.add(pixels[place.top : place.top + place.height, place.left : place.left + place.width].tobytes())
    assert len(faces) == len(KINDS)


def test_empty_piles_show_no_card() -> None:
    empty = {"pile_left": 0, "discard_size": 0, "action_pile_left": 0, "action_discard_size": 0}
    game = standing(phase=code("turn"), mover=0, open_actions=[-1] * 4, **empty)
    pixels = draw_table(game)
    for pile in layout_of(game).piles.values():
        assert is_near(ground_of(pixels, pile.card), colour_at(pixels, pile.card, -0.2, 0.12))


def test_a_hidden_card_that_some_seat_knows_bears_a_mark() -> None:
    """Clause 12.2: everybody knows who has looked, and nobody else what they have seen."""
    cells = [shown("? ? ? " + "1 " * 9)[0]] * 8
    plain = standing(shown=cells)
    marked = standing(shown=cells, knowers=[[0, 2, *[0] * 10], *[[0] * 12] * 7])
    pixels, with_mark = draw_table(plain), draw_table(marked)
    for seat, panel in enumerate(layout_of(plain).seats):
        for cell, place in enumerate(panel.cells):
            eye = colour_at(with_mark, place, 0.63, 0.16)
            assert is_near(eye, GOLD, by=10) == ((seat, cell) == (0, 1))
    place = layout_of(plain).seats[0].cells[1]
    differs = (pixels != with_mark).any(axis=2)
    differs[place.top : place.top + place.height, place.left : place.left + place.width] = False
    assert not differs.any()


def test_a_known_card_looks_the_same_whatever_it_is() -> None:
    one, other = (
        standing(knowers=[[1] * 12] * 8, cards=[[card] * 12] * 8, chance=5, piles=[3] * 120) for card in (4, STAR)
    )
    assert (draw_table(one) == draw_table(other)).all()
    assert str(one) == str(other)


@pytest.mark.parametrize("scores", [(10, 70), (70, 10)])
def test_a_stopped_round_shows_no_scores(scores: tuple[int, int]) -> None:
    """Clause 9.7."""
    stopped = {"phase": code("truncated"), "mover": 0}
    one, other = standing(**stopped), standing(**stopped, round_scores=[*scores, *[0] * 6])
    assert (draw_table(one) == draw_table(other)).all()


# Who decides, what has moved, and what is said


def marks(game: Game) -> list[Any]:
    """All that bears a mark."""
    pixels, layout = draw_table(game), layout_of(game)
    places: dict[Any, Any] = {
        (seat, cell): place for seat, panel in enumerate(layout.seats) for cell, place in enumerate(panel.cells)
    }
    places |= {name: pile.card for name, pile in layout.piles.items()}
    return [name for name, place in places.items() if is_near(mark_colour(pixels, place), MARK, by=30)]


def after(name: str, **fields: Any) -> Game:
    """A table of three at which seat 1 has done this last."""
    rules = Rules(players=3)
    numbers = Game(rules).kind.action_names(rules)
    more = {"phase": code("turn"), "mover": 2, "seat": 2, "turns": 5, "hidden_left": [9] * 8} | fields
    return standing(rules, last_seat=1, last_action=numbers.index(name), **more)


MARKED = [
    ("draw", {}, ["card 0"]),
    ("take", {}, ["card 0"]),
    ("place 5", {}, [(1, 5)]),
    ("flip 11", {}, [(1, 11)]),
    ("open 2", {}, ["open 2"]),
    ("pile", {}, []),
    ("pass", {}, []),
    ("play look", {"played": LOOK, "phase": code("look")}, ["played"]),
    ("play double", {}, ["used"]),
    ("discard steal", {}, ["used"]),
    ("cell 4 of 0", {}, [(1, 4)]),
    ("cell 4 of 2", {}, [(0, 4)]),
    ("line 2 of 1", {}, [(2, 6), (2, 7), (2, 8)]),
    ("line 5 of 2", {}, [(0, 1), (0, 4), (0, 7), (0, 10)]),
    ("card 1", {"phase": code("three place"), "hand": [3, 4, 5], "picked": 1}, ["card 1"]),
    ("none", {}, []),
    ("clear", {}, []),
    ("allow", {}, []),
    ("flip 3", {"phase": code("line"), "line": 6}, [(1, 3), (2, 2), (2, 5), (2, 8), (2, 11)]),
    ("cell 1 of 1", {"phase": code("defence"), "chosen": 14, "chosen_with": 25}, [(1, 2), (2, 1)]),
    ("place 5", {"phase": code("opening"), "turns": 0, "hidden_left": [12] * 8}, []),
]


@pytest.mark.parametrize(("name", "fields", "spots"), MARKED)
def test_what_the_last_move_touched_and_what_is_asked_about_is_marked(
    name: str, fields: dict[str, Any], spots: list[Any]
) -> None:
    found = marks(after(name, **fields))
    assert sorted(map(str, found)) == sorted(map(str, spots))


def test_who_decides_is_framed_and_whose_turn_it_is_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    game = after("flip 3", phase=code("claim"), seat=0, claims=[1, *[0] * 7])
    pixels = draw_table(game)
    edges = [colour_at(pixels, panel.frame, 0.003, 0.5) for panel in layout_of(game).seats]
    assert edges == [GOLD, EDGE, EDGE]
    said = written_words(partial(draw_table, game), monkeypatch)
    assert said[said.index("Seat 0") + 1] == "1 claim"
    assert said[said.index("Seat 2") + 1] == "turn"


SAID: list[tuple[dict[str, Any], list[str]]] = [
    ({"phase": code("opening"), "mover": -1}, ["Seat 2 turns a card up", "round 1, turn 6"]),
    ({}, ["Seat 2 draws, takes or plays", "round 1, turn 6 of seat 2", "total 0", "open 0", "card 0", "played"]),
    ({"extra_turns": 1}, ["round 1, turn 6 of seat 2, 1 extra turn"]),
    ({"totals": [95, -7, *[0] * 6], "extra_turns": 2},
     ["total 95", "total −7", "round 1, turn 6 of seat 2, 2 extra turns"]),
    ({"phase": code("line"), "line": 2}, ["Seat 2 clears or keeps column 2"]),
    ({"phase": code("line"), "line": 5}, ["Seat 2 clears or keeps row 1"]),
    ({"phase": code("remove"), "attacked": 0, "played": REMOVE}, ["Seat 2 removes a card of seat 0", "attacked"]),
    ({"phase": code("steal card"), "attacked": 1}, ["Seat 2 steals from seat 1", "attacked"]),
    ({"phase": code("defence"), "attacked": 2, "played": EXCHANGE}, ["Seat 2 may stop the exchange", "turn, attacked"]),
    ({"ender": 1, "turns_left": 2}, ["round 1, turn 6 of seat 2, ended by seat 1, 2 turns left", "ended"]),
    ({"ender": 1, "turns_left": 1}, ["round 1, turn 6 of seat 2, ended by seat 1, 1 turn left"]),
    ({"claims": [3, *[0] * 7]}, ["3 claims"]),
    ({"open_sum": [-4, 12, *[0] * 6]}, ["open −4", "open 12"]),
    ({"pile_left": 33, "discard_size": 2, "action_pile_left": 7, "action_discard_size": 3},
     ["draw 33", "discard 2", "action 7", "used 3", *(f"open {place}" for place in range(4))]),
    ({"phase": code("over"), "episode": 1, "round_scores": [14, 2, 2, *[0] * 5], "totals": [14, 2, 2, *[0] * 5]},
     ["Seat 1 and seat 2 win the game", "round 1, turn 5", "round 14", "total 14", "round 2", "wins"]),
    ({"phase": code("truncated")}, ["Stopped after too many turns", "round 1, turn 5", "open 0"]),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "said"), SAID)
def test_the_picture_says_what_is_going_on(
    fields: dict[str, Any], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = after("flip 3", **fields)
    assert {*said, "Last move: seat 1: flip 3"} <= set(written_words(partial(draw_table, game), monkeypatch))


@pytest.mark.parametrize("size", EXTREMES)
def test_text_stays_in_its_rectangle(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    for players in range(2, 9):
        more = {"totals": [-1_000_000] * 8, "claims": [12] * 8, "held": held(*[" ".join([*KINDS] * 3)] * players)}
        game = standing(Rules(players=players), mover=0, attacked=0, phase=code("turn"), extra_turns=3, **more)
        game.apply(0)
        check_text_stays_in(partial(draw_table, game, size), texts_of(layout_of(game, size)), monkeypatch)
