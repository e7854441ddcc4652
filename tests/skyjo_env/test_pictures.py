"""Pictures of a table and its window: what is shown and where, what is not, and what is said."""

import os
import re
import sys
import time
from collections.abc import Callable

import pytest

from cardtable.table.render.pictures import Window, draw_table, pygame
from skyjo_env import EMPTY, Game, SkyjoError
from tests.helpers import BOARD, REST, board, play, score_lap, table
from tests.pictures import marked_cards, on_screen, shown_cards, unseen, written_words
from tests.processes import run_python


def test_every_card_lies_in_its_place() -> None:
    game = table(
        "board -2 -1 0 | 1 4 5 | 8 9 12 | ? ? .; board ? . 3 | 12 6 0 | ? ? ? | ? ? ?; discard 7; seat 1 drawn 0"
    )
    cards = "? 7 0 -2 -1 0 1 4 5 8 9 12 ? ? . ? . 3 12 6 0 ? ? ? ? ? ?"
    expected = cards.replace("?", "back").replace(".", "empty").split()
    assert shown_cards(game) == expected


def test_empty_piles_and_an_empty_hand_show_no_card() -> None:
    rules = "rules cleared_cards=out_of_play"
    taken = table(f"{rules}; board {BOARD}; board {BOARD}; discard; draw; seat 1 taken 4")
    assert shown_cards(taken)[:3] == ["empty", "empty", "4"]
    turn = table(f"{rules}; board {BOARD}; board {BOARD}; discard 4; draw; seat 1 turn")
    assert shown_cards(turn)[:3] == ["empty", "4", "empty"]


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
    assert one.svg() == other.svg()
    assert str(one) == str(other)


# Who decides, what has moved, and what is said


def moment(decider: str, more: str = "") -> Game:
    return table(f"board 1 ? ? | {REST}; board 2 ? ? | {REST}; discard 3; {more} {decider}")


def marks(game: Game) -> list[tuple[int, int] | str]:
    """All that bears the mark of the last move."""
    cells = ((seat, cell) for seat in range(game.rules.players) for cell in range(game.rules.cells))
    return marked_cards(game, ("draw", "discard", "hand", *cells))


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
    (lambda: table(f"rules clear=confirm; board 9 9 9 | {REST}; board {BOARD}; discard 3; seat 0 confirm"),
     ["Seat 0 clears or keeps"]),
    (lambda: table(f"rules players=3; {LAP}; discard 3; ender 1; turns_left 2; seat 2 turn"),
     ["round 1, turn 1, final lap: seat 1 ended, 2 turns left", "ended"]),
    (lambda: score_lap("", "7", "2", "2"),
     ["Seat 1 and seat 2 win the round", "round 1, turn 1, ended by seat 0", "round 14", "total 14", "round 2", "wins",
      "Last move: seat 2: place 0"]),
    (lambda: table(f"{board('1 2')}; {board('5')}; discard 3; scores 3 5; totals 13 50; seat 1 over"),
     ["Seat 0 wins the game", "round 3", "round 5", "total 13", "total 50"]),
    (lambda: table(f"rules max_turns=5; turns 5; board {BOARD}; board {BOARD}; discard 3; seat 0 truncated"),
     ["Stopped after too many turns", "round 1, turn 5", "open 0"]),
]  # fmt: skip


@pytest.mark.parametrize(("make", "said"), SAID)
def test_the_picture_says_what_is_going_on(make: Callable[[], Game], said: list[str]) -> None:
    assert set(said) <= set(written_words(make()))


__all__ = ["unseen"]


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
    Window((480, 320), rate=1).show(game)
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
    monkeypatch.delitem(sys.modules, "cardtable.table.render.pictures")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "mine")
    with pytest.raises(SkyjoError, match=re.escape('pip install "skyjo-env[render]"')):
        __import__("cardtable.table.render.pictures")
    assert os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] == "mine"
