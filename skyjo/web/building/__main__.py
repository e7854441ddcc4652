"""`python -m skyjo.web.building [GAME ...]`: write every game's module, and what JavaScript must know of it, into build/wasm."""

import gzip
import json
import sys
from pathlib import Path

from skyjo.web.building.descriptions import describe
from skyjo.web.building.modules import modules
from skyjo.web.building.wasm_code import for_wasm, write_module

PLACE = Path(__file__).parents[1] / "build" / "wasm"


def main(games: list[str]) -> None:
    """Write the modules of these games, or of all."""
    PLACE.mkdir(parents=True, exist_ok=True)
    found = modules(games)
    for_wasm(PLACE / "code")  # after the games were imported, which runs some of their code
    for module in found:
        name = module.card_game.name
        PLACE.joinpath(f"{name}.json").write_text(json.dumps(describe(module), separators=(",", ":")), "utf-8")
        for network in module.networks():
            PLACE.joinpath(f"{name}_{network.name}.weights").write_bytes(network.numbers.astype("<f4").tobytes())
        file = PLACE / f"{name}.wasm"
        write_module(module.entries, file)
        code = file.read_bytes()
        print(f"{file.name}: {len(code):,} bytes, {len(gzip.compress(code)):,} compressed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
