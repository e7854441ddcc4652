"""What the engine reads of one game, as files: its module, its description, and the weights of its networks."""

import gc
import gzip
import json
from functools import partial
from pathlib import Path

from cardtable.table.compiling.compile_progress import LINE, telling
from skyjo.web.building.descriptions import describe
from skyjo.web.building.modules import modules
from skyjo.web.building.wasm_code import for_wasm, module_of
from skyjo.web.built_site import compiled_sources, digest_of, stamp_of

RARELY = 100_000, 50, 1000  # for what is compiled stays, so that a search for garbage finds little


def write_game(game: str, folder: Path) -> str:
    """Write a game's files, in a process that does nothing else; return how large the module is."""
    gc.set_threshold(*RARELY)
    LINE.is_silent = False
    digest, (module,) = digest_of(compiled_sources(game)), modules([game])
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
