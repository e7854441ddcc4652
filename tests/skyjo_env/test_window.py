"""The window of the human mode, and pygame: when it is imported, what it must not hurt, and what if it is missing."""

import os
import re
import sys
import time

import pytest

from cardtable.table.render.brush import pygame
from cardtable.table.render.pictures import Window, draw_table
from skyjo_env import Game, SkyjoError
from tests.pictures import on_screen, unseen
from tests.processes import run_python

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
