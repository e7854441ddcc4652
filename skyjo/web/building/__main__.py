"""`python -m skyjo.web.building [FOLDER]`: write every game's module, and what JavaScript must know of it.

A game is built again only if what its module is compiled from has changed. Each is built in its own process.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from skyjo.web.building.game_files import write_game
from skyjo.web.built_site import build_folder, changed_games


def build(folder: Path | None = None) -> None:
    """Write the files of all games that have changed."""
    folder = folder or build_folder() / "wasm"
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for words in pool.map(write_game, changed_games(folder), repeat(folder)):
            print(words, flush=True)


if __name__ == "__main__":
    build(*map(Path, sys.argv[1:]))
