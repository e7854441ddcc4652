"""`python -m skyjo.web.building [FOLDER]`: write every game's module, and what JavaScript must know of it."""

import gzip
import json
import sys
from pathlib import Path

from skyjo.web.building.descriptions import describe
from skyjo.web.building.modules import modules
from skyjo.web.building.wasm_code import for_wasm, write_module
from skyjo.web.built_site import STAMP, build_folder, compiled_sources, digest_of


def build(folder: Path | None = None) -> None:
    """Write the modules of all games."""
    folder = folder or build_folder() / "wasm"
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath(STAMP).unlink(missing_ok=True)
    digest, found = digest_of(compiled_sources()), modules()
    for_wasm(folder / "code")  # after the games were imported, which runs some of their code
    for module in found:
        name = module.card_game.name
        folder.joinpath(f"{name}.json").write_text(json.dumps(describe(module), separators=(",", ":")), "utf-8")
        for network in module.networks():
            folder.joinpath(f"{name}_{network.name}.weights").write_bytes(network.numbers.astype("<f4").tobytes())
        file = folder / f"{name}.wasm"
        write_module(module.entries, file)
        code = file.read_bytes()
        print(f"{file.name}: {len(code):,} bytes, {len(gzip.compress(code)):,} compressed", flush=True)
    folder.joinpath(STAMP).write_text(digest, "utf-8")


if __name__ == "__main__":
    build(*map(Path, sys.argv[1:]))
