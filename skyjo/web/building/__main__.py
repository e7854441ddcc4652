"""`python -m skyjo.web.building [FOLDER]`: write every game's module, its description, and the weights of its networks.

A game is built again only if what its module is compiled from has changed. Each is built in its own process.
"""

import gc
import gzip
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from cardtable.table.compiling.compile_progress import LINE, telling
from skyjo.interfaces import find_interface, loaded
from skyjo.web.building.descriptions import describe
from skyjo.web.building.modules import Module
from skyjo.web.building.wasm_code import for_wasm, module_of
from skyjo.web.built_site import build_folder, changed_games, compiled_sources, digest_of, stamp_of

RARELY = 100_000, 50, 1000  # for what is compiled stays, so that a search for garbage finds little


def build(folder: Path | None = None) -> None:
    """Write the files of all games that have changed."""
    folder = folder or build_folder() / "wasm"
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for words in pool.map(write_game, changed_games(folder), repeat(folder)):
            print(words, flush=True)


def write_game(game: str, folder: Path) -> str:
    """Write a game's files, in a process that does nothing else; return how large the module is."""
    gc.set_threshold(*RARELY)
    LINE.is_silent = False
    digest = digest_of(compiled_sources(game))
    module: Module = loaded(f"{find_interface(game).package}.people.browser:MODULE")
    folder.joinpath(f"{game}.json").write_text(json.dumps(describe(module), separators=(",", ":")), "utf-8")
    for network in module.networks():
        folder.joinpath(f"{game}_{network.name}.weights").write_bytes(network.numbers.astype("<f4").tobytes())
    for_wasm()  # after the game was imported and described, which runs some of its code
    with telling(partial(_tell, game)):
        code = module_of(module.entries)
    folder.joinpath(f"{game}.wasm").write_bytes(code)
    stamp_of(folder, game).write_text(digest, "utf-8")
    return f"{game}.wasm: {len(code):,} bytes, {len(gzip.compress(code)):,} compressed"


def _tell(game: str, words: str) -> None:
    """Show how far a game is, without where code for this machine is kept."""
    LINE(words and f"{game}: {words.partition(': ')[2].partition(';')[0]}")


if __name__ == "__main__":
    from skyjo.web.building import __main__ as this  # the name by which other processes find `write_game`

    this.build(*map(Path, sys.argv[1:]))
