"""Pictures of a table and its window: how all is laid out, what is shown and where, what is not, and what is said."""

import os
import re
import sys
import time
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardtable.table.render.brush import FINER, MARK, fit_text, pygame
from cardtable.table.render.faces import CARD_COLOURS, SLATE
from cardtable.table.render.pictures import Window, draw_table
from cardtable.table.render.seating import Rect
from skyjo_env import EMPTY, HIDDEN, Game, SkyjoError
from skyjo_env.kernel.state import HIGHEST, LOWEST
from skyjo_env.pictures import Layout, arrange
from tests.helpers import (
    BOARD,
    REST,
    SEEDED,
    board,
    play,
    score_lap,
    table,
)
from tests.pictures import (
    EXTREMES,
    are_apart,
    centre,
    check_text_stays_in,
    colour_at,
    ground_of,
    is_inside,
    is_near,
    mark_colour,
    marked,
    on_screen,
    overlap,
    unseen,
    written_words,
)
from tests.processes import run_python


def texts_of(layout: Layout) -> list[Rect]:
    captions = [pile.caption for pile in (layout.draw_pile, layout.discard, layout.hand)]
    lines = [line for panel in layout.seats for line in (panel.name, panel.total)]
    return [*layout.bands[:3], *captions, *lines]


def everything(layout: Layout) -> list[Rect]:
    """All that must not overlap; a seat's name, cells and total lie in its frame instead of the frame itself."""
    cards = [pile.card for pile in (layout.draw_pile, layout.discard, layout.hand)]
    return [*texts_of(layout), *cards, *(cell for panel in layout.seats for cell in panel.cells)]


def check_layout(layout: Layout, window: tuple[int, int]) -> None:
    frames = [panel.frame for panel in layout.seats]
    outside = [rect for rect in everything(layout) if not any(is_inside(rect, frame) for frame in frames)]
    assert len(outside) == 9
    assert all(rect.width > 0 and rect.height > 0 for rect in everything(layout))
    assert all(is_inside(rect, Rect(0, 0, *window)) for rect in (*frames, *outside))
    assert are_apart([*frames, *outside])
    for panel in layout.seats:
        parts = [panel.name, *panel.cells, panel.total]
        assert all(is_inside(part, panel.frame) for part in parts)
        assert are_apart(parts)
        assert all(is_inside(marked(cell), panel.frame) for cell in panel.cells)
    for pile in (layout.draw_pile, layout.discard, layout.hand):
        assert not any(overlap(marked(pile.card), other) for other in (*frames, *outside) if other != pile.card)
    cards = {cell[2:] for panel in layout.seats for cell in panel.cells}
    piles = {pile.card[2:] for pile in (layout.draw_pile, layout.discard, layout.hand)}
    assert (len(cards), len(piles)) == (1, 1)
    assert max(cards) <= max(piles)


LARGE = [  # players, window, and the least widths of cards on boards and piles
    (2, (960, 640), 85, 88),
    (2, (900, 900), 94, 108),
    (3, (960, 640), 67, 72),
    (4, (960, 640), 49, 68),
    (4, (240, 160), 11, 16),
    (8, (960, 640), 45, 48),
    (8, (700, 800), 39, 46),
    (8, (1920, 1080), 78, 117),
]


@pytest.mark.parametrize(("players", "window", "card", "pile"), LARGE)
def test_cards_are_large_in_usual_windows(players: int, window: tuple[int, int], card: int, pile: int) -> None:
    layout = arrange(players, 3, 4, *window)
    assert layout.seats[0].cells[0].width >= card
    assert layout.hand.card.width >= pile


@pytest.mark.parametrize(("players", "window"), [(2, (960, 640)), (8, (960, 640)), (8, (700, 800))])
def test_piles_lie_in_the_middle(players: int, window: tuple[int, int]) -> None:
    layout = arrange(players, 3, 4, *window)
    seats = [centre(panel.frame) for panel in layout.seats]
    assert abs(centre(layout.discard.card) - sum(seats) / players) < layout.discard.card.height


def test_cells_lie_by_their_numbers_in_columns_from_the_top() -> None:
    """Clause 1.3."""
    cells = arrange(2, 3, 4, 960, 640).seats[1].cells
    assert sorted(range(12), key=lambda cell: (cells[cell].left, cells[cell].top)) == list(range(12))
    assert len({cell.left for cell in cells}) == 4


def layout_of(game: Game, size: tuple[int, int] = (960, 640)) -> Layout:
    return arrange(game.rules.players, game.rules.rows, game.rules.columns, *size)


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


def marks(game: Game) -> list[tuple[int, int] | str]:
    """All that bears the mark of the last move."""
    pixels, layout = draw_table(game), layout_of(game)
    places: dict[tuple[int, int] | str, Rect] = {
        (seat, cell): place for seat, panel in enumerate(layout.seats) for cell, place in enumerate(panel.cells)
    }
    places |= {"draw": layout.draw_pile.card, "discard": layout.discard.card, "hand": layout.hand.card}
    return [name for name, place in places.items() if is_near(mark_colour(pixels, place), MARK)]


def test_what_the_last_move_touched_is_marked() -> None:
    game = moment("seat 1 turn", "rules flip_after_discard=none;")
    assert marks(game) == []
    assert marks(play(game, "draw")) == ["hand"]
    assert marks(play(game.copy(), "place 5")) == [(1, 5)]
    assert marks(play(game, "discard")) == ["discard"]
    assert marks(play(game, "take")) == ["hand"]
    assert marks(play(game, "place 0")) == [(0, 0)]
    assert marks(play(moment("seat 0 turn"), "draw", "flip 2")) == [(0, 2)]
    cleared = play(table(f"board 9 9 ? | {REST}; board {BOARD}; discard 9; seat 0 turn"), "take", "place 2")
    assert cleared.board(0)[:, 0].tolist() == [EMPTY] * 3
    assert marks(cleared) == [(0, 2)]


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


__all__ = ["unseen"]


def test_a_window_off_screen_is_opened_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own: the window may load Mesa, beside which importing the triton of torch can crash."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    show = "from cardtable.table.render.pictures import Window; from cardtable.table.render.brush import pygame\n"
    show += "import skyjo_env; "
    show += "Window().show(skyjo_env.Game())"
    done = run_python("-c", f"{show}; print(pygame.display.get_driver())")
    assert done.stdout.splitlines()[-1] == "offscreen", done.stderr


@pytest.mark.usefixtures("unseen")
def test_a_window_follows_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two pictures, while a picture is shown, and to a size in which nothing can be drawn."""
    window, game = Window((480, 320), rate=1000), Game(seed=3)
    window.show(game)
    pygame.display.set_mode((500, 400), pygame.RESIZABLE)
    window.show(game)
    assert (on_screen() == draw_table(game, (500, 400))).all()
    sizes = iter([(320, 480)])
    monkeypatch.setattr(
        time, "sleep", lambda _seconds: [pygame.display.set_mode(size, pygame.RESIZABLE) for size in sizes]
    )
    Window((480, 320), rate=10).show(game)
    assert (on_screen() == draw_table(game, (320, 480))).all()
    pygame.display.set_mode((40, 30), pygame.RESIZABLE)
    window.show(game)
    assert on_screen().std() > 0


@pytest.mark.usefixtures("unseen")
def test_a_window_that_the_user_has_closed_stays_closed() -> None:
    window = Window((480, 320), rate=1000)
    window.show(Game())
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    for _ in range(2):
        window.show(Game())
        assert not pygame.display.get_init()


def test_a_program_with_a_window_can_be_terminated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.delenv("SDL_NO_SIGNAL_HANDLERS", raising=False)
    show = "from cardtable.table.render.pictures import Window; import os, skyjo_env; Window().show(skyjo_env.Game())"
    assert run_python("-c", f"{show}; os.kill(os.getpid(), 15)").returncode in (-15, 15)  # the second on Windows


@pytest.mark.parametrize("driver", ["nonsense", None])
def test_without_a_display_the_error_says_what_to_do(driver: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SDL_NO_SIGNAL_HANDLERS", "1")
    if driver is not None:
        monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    with pytest.raises(SkyjoError, match=r"a window cannot be opened \(.*rgb_array.*SDL_VIDEODRIVER=dummy"):
        Window(rate=1000).show(Game())
    assert not pygame.display.get_init()


# Pygame


def test_without_pygame_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    for name in ("cardtable.table.render.brush", "cardtable.table.render.pictures"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "mine")
    with pytest.raises(SkyjoError, match=re.escape('pip install "skyjo-env[render]"')):
        __import__("cardtable.table.render.pictures")
    assert os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] == "mine"
