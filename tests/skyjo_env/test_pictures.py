"""Pictures of a table: what is shown and where, what is not, what is said, and the files."""

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cardtable.render import brush
from cardtable.render.brush import FINER, IVORY, SLATE, fit_text, pygame
from cardtable.render.canvas import EDGE, GOLD, MARK
from cardtable.render.rects import Rect
from skyjo_env import EMPTY, HIDDEN, Game, Rules
from skyjo_env.kernel.state import HIGHEST, LOWEST
from skyjo_env.render.layout import Layout, arrange
from skyjo_env.render.picture import CARD_COLOURS, draw_table, save_picture
from tests.documents import ROOT, run_program
from tests.helpers import (
    BOARD,
    REST,
    SEEDED,
    board,
    first_quick,
    many_rules,
    play,
    random_game,
    score_lap,
    seeds,
    table,
)
from tests.pictures import EXTREMES, Pixels, check_text_stays_in, colour_at, is_near, mark_colour, written_words
from tests.skyjo_env.test_layout import TABLES, texts_of


def layout_of(game: Game, size: tuple[int, int] = (960, 640)) -> Layout:
    return arrange(game.rules.players, game.rules.rows, game.rules.columns, *size)


def ground_of(pixels: Pixels, place: Rect) -> tuple[int, ...]:
    """The colour of a card beside its number, near a corner."""
    return colour_at(pixels, place, 0.12, 0.12)


def has_colour(pixels: Pixels, place: Rect, colour: tuple[int, ...]) -> bool:
    """Is there a pixel of exactly this colour in the rectangle or close around it?"""
    around = max(1, place.width // 10)
    left, top = max(0, place.left - around), max(0, place.top - around)
    part = pixels[top : place.top + place.height + around, left : place.left + place.width + around]
    return bool((part == colour).all(axis=2).any())


def class_colour(card: int) -> tuple[int, ...]:
    """Written again, and longer, than in the code under test."""
    if card < 0:
        return CARD_COLOURS[0]
    if card == 0:
        return CARD_COLOURS[1]
    if card < 5:
        return CARD_COLOURS[2]
    return CARD_COLOURS[3] if card < 9 else CARD_COLOURS[4]


@pytest.mark.parametrize("size", [(960, 640), (480, 800), (1920, 1080)])
def test_every_card_lies_in_its_place_in_its_colour(size: tuple[int, int]) -> None:
    game = table(
        "board -2 -1 0 | 1 4 5 | 8 9 12 | ? ? .; board ? . 3 | 12 6 0 | ? ? ? | ? ? ?; discard 7; seat 1 drawn 0"
    )
    pixels, layout = draw_table(game, size), layout_of(game, size)
    for seat, panel in enumerate(layout.seats):
        empty = colour_at(pixels, panel.frame, 0.5, 0.02)  # above the name
        for place, card in zip(panel.cells, game.board(seat).T.ravel().tolist(), strict=True):
            expected = {HIDDEN: SLATE, EMPTY: empty}.get(card, class_colour(min(card, HIGHEST)))
            assert is_near(ground_of(pixels, place), expected)
    assert is_near(ground_of(pixels, layout.discard.card), CARD_COLOURS[3])
    assert is_near(ground_of(pixels, layout.hand.card), CARD_COLOURS[1])
    assert is_near(ground_of(pixels, layout.draw_pile.card), SLATE)


def test_every_value_of_any_deck_has_its_colour_and_its_own_picture() -> None:
    values = range(LOWEST, HIGHEST + 1)
    faces = set()
    for value in values:
        deck = ",".join(f"{card}:5" for card in values)
        game = table(f"rules deck={deck}; board {value} ? ? | {REST}; board {BOARD}; discard 3; seat 1 turn")
        place = layout_of(game).seats[0].cells[0]
        pixels = draw_table(game)
        assert is_near(ground_of(pixels, place), class_colour(value))
        faces.add(pixels[place.top : place.top + place.height, place.left : place.left + place.width].tobytes())
    assert len(faces) == len(values)


def test_open_cards_have_a_light_border_and_round_corners() -> None:
    game = table(f"board 9 ? ? | {REST}; board {BOARD}; discard 3; seat 1 turn")
    pixels, place = draw_table(game), layout_of(game).seats[0].cells[0]
    assert is_near(colour_at(pixels, place, 0.01, 0.5), IVORY)
    assert is_near(colour_at(pixels, place, 0, 0), colour_at(pixels, place, -0.03, 0.5))


def test_empty_piles_and_an_empty_hand_show_no_card() -> None:
    rules = "rules cleared_cards=out_of_play"
    taken = table(f"{rules}; board {BOARD}; board {BOARD}; discard; draw; seat 1 taken 4")
    pixels, layout = draw_table(taken), layout_of(taken)
    assert is_near(ground_of(pixels, layout.hand.card), CARD_COLOURS[2])
    for pile in (layout.draw_pile, layout.discard):
        assert is_near(ground_of(pixels, pile.card), colour_at(pixels, pile.card, -0.2, 0.12))
    turn = table(f"{rules}; board {BOARD}; board {BOARD}; discard 4; draw; seat 1 turn")
    pixels = draw_table(turn)
    assert is_near(ground_of(pixels, layout.discard.card), CARD_COLOURS[2])
    assert is_near(ground_of(pixels, layout.hand.card), colour_at(pixels, layout.hand.card, -0.2, 0.12))


@settings(SEEDED, max_examples=60)
@given(many_rules, seeds, st.integers(0, 80), seeds)
def test_a_picture_shows_nothing_hidden(rules: Rules, seed: int, decisions: int, other_key: int) -> None:
    """The same moment with other hidden cards and another order of the draw pile looks the same."""
    assume(rules.cleared_cards == "to_discard" and not rules.draw_streams)  # else the size of the pile changes too
    game = random_game(rules, seed, decisions)
    assume(not game.is_over)
    veiled = re.sub(r"\?-?\d+", "?", re.sub(r"(?m)^draw .*", "draw ...", game.position()))
    other = Game.from_position(re.sub(r"(?m)^chance .*", f"chance {other_key:x} 0", veiled))
    assert (draw_table(other) == draw_table(Game.from_position(game.position()))).all()


@pytest.mark.parametrize("seats", [("?-2", "?12"), ("?12", "?-2")])
def test_a_stopped_round_shows_no_scores(seats: tuple[str, str]) -> None:
    """Clause 7.8: nothing is turned up, and the score would tell the sum of what is hidden."""
    one, other = (
        table(
            f"rules max_turns=5; turns 5; board {card} 1 1 | {REST}; board {BOARD}; discard 3; scores {score} 0; "
            "seat 0 truncated"
        )
        for card, score in zip(seats, (0, 14), strict=True)
    )
    assert (draw_table(one) == draw_table(other)).all()
    assert str(one) == str(other)


# Who decides, what has moved, and what is said


def moment(decider: str, more: str = "") -> Game:
    return table(f"board 1 ? ? | {REST}; board 2 ? ? | {REST}; discard 3; {more} {decider}")


def test_the_seat_that_decides_is_framed_in_gold() -> None:
    for seat in (0, 1):
        game = moment(f"seat {seat} turn")
        pixels, layout = draw_table(game), layout_of(game)
        edges = [colour_at(pixels, panel.frame, 0.003, 0.5) for panel in layout.seats]
        assert edges == [GOLD if other == seat else EDGE for other in (0, 1)]


def test_at_the_end_the_winners_are_framed_in_gold() -> None:
    game = score_lap("", "7", "2", "2", "5")
    pixels, layout = draw_table(game), layout_of(game)
    assert game.winners == (1, 2)
    golden = [colour_at(pixels, panel.frame, 0.004, 0.5) == GOLD for panel in layout.seats]
    assert golden == [False, True, True, False]


def marked(game: Game) -> list[tuple[int, int] | str]:
    """All that bears the mark of the last move."""
    pixels, layout = draw_table(game), layout_of(game)
    places: dict[tuple[int, int] | str, Rect] = {
        (seat, cell): place for seat, panel in enumerate(layout.seats) for cell, place in enumerate(panel.cells)
    }
    places |= {"draw": layout.draw_pile.card, "discard": layout.discard.card, "hand": layout.hand.card}
    return [name for name, place in places.items() if is_near(mark_colour(pixels, place), MARK)]


def test_what_the_last_move_touched_is_marked() -> None:
    game = moment("seat 1 turn", "rules flip_after_discard=none;")
    assert marked(game) == []
    assert marked(play(game, "draw")) == ["hand"]
    assert marked(play(game.copy(), "place 5")) == [(1, 5)]
    assert marked(play(game, "discard")) == ["discard"]
    assert marked(play(game, "take")) == ["hand"]
    assert marked(play(game, "place 0")) == [(0, 0)]
    assert marked(play(moment("seat 0 turn"), "draw", "flip 2")) == [(0, 2)]


@pytest.mark.parametrize("rules", ["", "initial_flip=random", "opening_flips=0"])
def test_nothing_is_marked_when_a_new_round_begins(rules: str) -> None:
    game = score_lap(rules, "5", "7", more="episode game")
    assert (game.round, game.turns) == (2, 0)
    assert marked(game) == []
    name = "flip 3" if game.phase == "opening" else "draw"
    assert marked(play(game, name)) == [(game.seat, 3) if name == "flip 3" else "hand"]


def test_a_column_that_the_last_move_cleared_is_marked_where_the_card_went() -> None:
    game = play(table(f"board 9 9 ? | {REST}; board {BOARD}; discard 9; seat 0 turn"), "take", "place 2")
    assert game.board(0)[:, 0].tolist() == [EMPTY] * 3
    assert marked(game) == [(0, 2)]


LAP = "board 1 ? ? | ? ? ? | ? ? ? | ? ? ?; board 1 1 2 | 2 3 3 | 4 4 5 | 5 6 6; board 1 ? ? | ? ? ? | ? ? ? | ? ? ?"
SAID = [
    (lambda: table(f"board 1 ? ? | {REST}; board {BOARD}; discard 3; seat 0 opening"),
     ["Seat 0 turns a card up", "round 1, turn 1", "discard 1", "in hand"]),
    (lambda: moment("seat 1 turn", "totals 95 -7;"), ["Seat 1 draws or takes", "total 95", "total −7", "draw 125"]),
    (lambda: moment("seat 1 drawn 0"), ["Seat 1 has drawn 0", "open 1", "open 2", "Seat 0", "Seat 1"]),
    (lambda: moment("seat 1 taken -2", "turns 8;"), ["Seat 1 has taken −2", "round 1, turn 9"]),
    (lambda: table(f"rules clear=confirm; board 9 9 9 | {REST}; board {BOARD}; discard 3; seat 0 confirm"),
     ["Seat 0 clears or keeps"]),
    (lambda: table(f"rules players=3; {LAP}; discard 3; ender 1; turns_left 2; seat 2 turn"),
     ["round 1, turn 1, final lap: seat 1 ended, 2 turns left", "ended"]),
    (lambda: table(f"rules players=3; {LAP}; discard 3; ender 1; turns_left 1; seat 0 turn"),
     ["round 1, turn 1, final lap: seat 1 ended, 1 turn left"]),
    (lambda: score_lap("", "7", "2", "2"),
     ["Seat 1 and seat 2 win the round", "round 1, turn 1, ended by seat 0", "round 14", "total 14", "round 2", "wins",
      "Last move: seat 2: place 0"]),
    (lambda: table(f"{board('1 2')}; {board('5')}; discard 3; scores 3 5; totals 13 50; seat 1 over"),
     ["Seat 0 wins the game", "round 3", "round 5", "total 13", "total 50"]),
    (lambda: table(f"rules max_turns=5; turns 5; board {BOARD}; board {BOARD}; discard 3; seat 0 truncated"),
     ["Stopped after too many turns", "round 1, turn 5", "open 0"]),
]  # fmt: skip


@pytest.mark.parametrize(("make", "said"), SAID)
def test_the_picture_says_what_is_going_on(
    make: Callable[[], Game], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make()
    assert set(said) <= set(written_words(lambda: draw_table(game), monkeypatch))


@pytest.mark.parametrize("size", EXTREMES)
def test_text_stays_in_its_rectangle(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    for players, rows, columns in [(2, 3, 4), (3, 2, 2), (5, 4, 2), (8, 3, 4), (8, 4, 6)]:
        lines = "; ".join(["board " + " | ".join([" ".join("?" * rows)] * columns)] * players)
        rules = f"players={players} rows={rows} columns={columns} opening_flips=1 deck=-20:100,20:200"
        totals = " ".join(["-1000000"] * players)
        game = play(table(f"rules {rules}; totals {totals}; round 1000; {lines}; discard 20; seat 0 turn"), "draw")
        check_text_stays_in(partial(draw_table, game, size), texts_of(layout_of(game, size)), monkeypatch)


def test_the_two_ends_of_a_line_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    written: dict[Rect, list[tuple[str, int]]] = {}
    monkeypatch.setattr(
        brush, "write", lambda _surface, text, place, size, *_: written.setdefault(place, []).append((text, size))
    )
    for totals in ("0 0", "-1000000000 -1000000000"):
        written.clear()
        boards = "; ".join(["board ? ? | ? ?"] * 2)
        game = table(f"rules rows=2 columns=2; totals {totals}; {boards}; discard 1; seat 0 turn")
        draw_table(game)
        for panel in layout_of(game).seats:
            for place in (panel.name, panel.total):
                (left, size), (right, same) = written[place]
                assert size == same <= fit_text((f"{left} {right}",), place.width, place.height)


@settings(SEEDED, max_examples=300)
@given(
    st.lists(st.text("aW1− ", min_size=1, max_size=40), min_size=1, max_size=4), st.integers(5, 900), st.integers(5, 90)
)
def test_text_is_as_large_as_fits(texts: list[str], width: int, height: int) -> None:
    def fits(size: int) -> bool:
        """Text is drawn larger and scaled down."""
        sizes = [pygame.font.Font(None, FINER * size).size(text) for text in texts]
        return all(wide <= FINER * width and high <= FINER * height for wide, high in sizes)

    size = fit_text(tuple(texts), width, height)
    assert size == 1 or fits(size)
    assert not fits(size + 3 + size // 10)


@pytest.mark.parametrize("size", first_quick(2, [(each,) for each in EXTREMES]))
def test_every_table_can_be_drawn_in_every_window(size: tuple[int, int]) -> None:
    for players, rows, columns in TABLES:
        game = random_game(Rules(players=players, rows=rows, columns=columns, opening_flips=1, deck=((1, 300),)), 3, 30)
        pixels = draw_table(game, size)
        assert pixels.shape == (size[1], size[0], 3)
        assert pixels.dtype == np.uint8
        assert pixels.flags.writeable
        for panel in layout_of(game, size).seats:
            assert has_colour(pixels, panel.frame, EDGE) or has_colour(pixels, panel.frame, GOLD)


# Files


def test_a_saved_picture_is_the_picture(tmp_path: Path) -> None:
    save_picture(Game(seed=3), tmp_path / "table.png", (480, 320))
    loaded = pygame.surfarray.array3d(pygame.image.load(tmp_path / "table.png")).swapaxes(0, 1)
    assert (loaded == draw_table(Game(seed=3), (480, 320))).all()
    assert [path.name for path in tmp_path.iterdir()] == ["table.png"]


def test_a_picture_that_cannot_be_written_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "table.png").write_text("old")

    def fill_the_disk(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", fill_the_disk)
    with pytest.raises(OSError, match="no space left"):
        save_picture(Game(), tmp_path / "table.png")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("table.png", "old")]


# The example


def test_the_example_saves_the_picture_of_a_round(tmp_path: Path) -> None:
    out = tmp_path / "table.png"
    options = ("--players", "3", "--seed", "2", "--size", "480x320", "--out", str(out))
    assert run_program("examples/draw_table.py", *options) == (0, f"saved {out}\n", "")
    assert pygame.image.load(out).get_size() == (480, 320)


REFUSED = [
    (("--players", "9"), "players=9"),
    (("--seed", "-1"), "seed=-1"),
    (("--decisions", "-1"), "--decisions must not be negative"),
    (("--size", "9x9"), "width=9"),
    (("--size", "big"), "'big' should look like 960x640"),
    (("--out", "/"), "--out /: "),
    (("--out", "nowhere/table.png"), "--out nowhere/table.png: No such file"),
]


@pytest.mark.parametrize(("options", "reason"), REFUSED)
def test_the_example_refuses_bad_input_in_one_line(options: tuple[str, str], reason: str) -> None:
    done = run_program("examples/draw_table.py", *options)
    assert done.status == 2
    assert reason in done.err.splitlines()[-1]


@pytest.mark.parametrize("name", ["table-2", "table-4", "table-8", "table-end"])
def test_the_documents_pictures_are_pictures_and_small(name: str) -> None:
    path = ROOT / "docs" / "images" / f"{name}.png"
    assert path.stat().st_size < 120_000
    assert pygame.image.load(path).get_width() > 800
