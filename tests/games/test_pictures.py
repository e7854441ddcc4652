"""Pictures and text of tables: what they must not show, where they fit, files and windows."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

pygame = pytest.importorskip("pygame")

from cardtable.table.render.pictures import Window, draw_table, save_picture  # noqa: E402
from tests.documents import run_program  # noqa: E402
from tests.games.under_test import GameUnderTest  # noqa: E402
from tests.helpers import SEEDED, seeds  # noqa: E402
from tests.pictures import EXTREMES, bright_seats, on_screen, unseen  # noqa: E402
from tests.processes import run_python  # noqa: E402

__all__ = ["unseen"]


@settings(SEEDED, max_examples=60)
@given(seeds, st.integers(0, 120))
def test_text_fits_and_shows_nothing_hidden_nor_does_a_picture(game: GameUnderTest, seed: int, decisions: int) -> None:
    """The same moment with other cards wherever nobody sees them looks the same."""
    table = game.played(game.rules(seed), seed, decisions)
    assert max(map(len, str(table).splitlines())) <= game.text_width
    assert not re.search(r"[ \t]\n", str(table))
    assume(not table.is_over)
    other = game.unseen_changed(table, random.Random(seed))
    assert game.open_text(other) == game.open_text(table)
    assert other.svg() == game.api.Game.from_state(table.rules, table.state).svg()


@pytest.mark.parametrize("size", EXTREMES)
def test_a_table_can_be_drawn_in_every_window(game: GameUnderTest, size: tuple[int, int]) -> None:
    pixels = draw_table(game.played(game.quick, 1, 60), size)
    assert (*pixels.shape, str(pixels.dtype), pixels.flags.writeable) == (size[1], size[0], 3, "uint8", True)
    assert pixels.std() > 10


def test_who_decides_and_at_the_end_the_winners_are_framed_in_gold(game: GameUnderTest) -> None:
    framed = set()
    for seed in range(24):
        table = game.played(game.quick, seed, 10_000 if seed % 3 == 0 else seed)
        golden = table.winners if table.is_over else (table.seat,)
        assert bright_seats(table) == list(golden)
        framed.add((table.is_over, golden))
    assert len(framed) > 5


def test_a_saved_picture_is_the_picture(game: GameUnderTest, tmp_path: Path) -> None:
    table = game.api.Game(seed=3)
    save_picture(table, tmp_path / "table.png", (480, 320))
    loaded = pygame.surfarray.array3d(pygame.image.load(tmp_path / "table.png")).swapaxes(0, 1)
    assert (loaded == draw_table(table, (480, 320))).all()
    assert [path.name for path in tmp_path.iterdir()] == ["table.png"]


@pytest.mark.usefixtures("unseen")
def test_a_window_opens_when_it_is_needed_and_shows_each_table(game: GameUnderTest) -> None:
    window, table = Window((480, 320), rate=1000), game.api.Game(seed=3)
    assert not pygame.display.get_init()
    for _ in range(2):
        game.play(table, random.Random(3), 1)
        window.show(table)
        assert (on_screen() == draw_table(table, (480, 320))).all()
        assert pygame.display.get_caption()[0] == game.title
    window.close()
    assert not pygame.display.get_init()
    window.show(table)
    window.close()
    assert not pygame.display.get_init()


def test_only_pictures_import_pygame_and_nothing_is_printed(game: GameUnderTest) -> None:
    package = game.api.__name__
    code = f"""if True:
        import sys, {package}
        str({package}.Game()), {package}.Game().svg()
        assert "pygame" not in sys.modules
        import os
        os.environ.pop("PYGAME_HIDE_SUPPORT_PROMPT", None)
        import cardtable.table.render.pictures
        assert "pygame" in sys.modules
        assert "PYGAME_HIDE_SUPPORT_PROMPT" not in os.environ
    """
    done = run_python("-W", "error", "-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# The example and the documents


EXAMPLE = "examples/draw_table.py"


def test_the_example_saves_the_picture_of_a_round(game: GameUnderTest, tmp_path: Path) -> None:
    out = tmp_path / "table.png"
    options = ("--game", game.name, "--players", "3", "--seed", "2", "--size", "480", "320", "--out", str(out))
    assert run_program(EXAMPLE, *options) == (0, f"saved {out}\n", "")
    assert pygame.image.load(out).get_size() == (480, 320)
