"""Folder of the site's files: in the wheel of a release, or built on this machine from these very sources."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from cardtable.table.errors import TableError
from skyjo.interfaces import find_interface, playable_interfaces

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CARRIED = HERE / "site"  # in the wheel of a release
STAMP = "sources.txt"  # a file that holds the digest of the sources from which something was built


def build_folder() -> Path:
    """Return the folder of builds: that of the checkout, or else one of this user."""
    if (ROOT / "pyproject.toml").is_file():
        return ROOT / "build"
    parent = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return parent / "skyjo-env"


def site_folder() -> Path:
    """Return the folder of the site, which is built first if its sources have changed; TableError if that fails."""
    if CARRIED.is_dir():
        return CARRIED
    folder = build_folder()
    modules, site = folder / "wasm", folder / "served"
    if changed_games(modules):
        print("Building the table for the browser, once: one to two minutes.", file=sys.stderr, flush=True)
        _run("skyjo.web.building", modules)
    if not is_built(site / STAMP, all_sources()):
        _run("skyjo.web.building.site", site)
    return site


def _run(module: str, folder: Path) -> None:
    """Run a program of the repository, which compiles for another machine than this one and so has its own process."""
    done = subprocess.run([sys.executable, "-m", module, str(folder)], stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise TableError(f"the table for the browser could not be built: python -m {module} {folder} shows why")


def stamp_of(modules: Path, game: str) -> Path:
    """Return the file that holds the digest of a game's sources at the time of the build."""
    return modules / f"{game}_{STAMP}"


def changed_games(modules: Path) -> list[str]:
    """Return the games whose modules in this folder were not built from these sources."""
    games = playable_interfaces()
    return [game for game in games if not is_built(stamp_of(modules, game), compiled_sources(game))]


def compiled_sources(game: str) -> Iterator[Path]:
    """Yield the sources from which a game's module is compiled and described."""
    yield from (ROOT / "cardtable" / "table").rglob("*.py")
    yield from (HERE / "building").iterdir()
    interface = find_interface(game)
    yield from (path for path in interface.folder.rglob("*.py") if path.parent != interface.path)
    yield from (interface.path / name for name in ("browser.py", "reasons.py", "interface.toml"))
    agents = find_spec(f"{game}_agents")
    for place in (agents.submodule_search_locations or []) if agents else []:
        yield from Path(place).rglob("*.*")


def all_sources() -> Iterator[Path]:
    """Yield the sources of the site."""
    yield from (path for folder in ("pages", "worker", "engine") for path in (HERE / folder).iterdir())
    yield from (HERE.parent / "table").glob("*.py")
    for game in playable_interfaces():
        interface = find_interface(game)
        yield from compiled_sources(game)
        yield from interface.path.iterdir()
        yield from filter(None, [interface.rules_page])


def digest_of(sources: Iterator[Path]) -> str:
    """Return a digest of the names and contents of files."""
    files = sorted({path for path in sources if path.is_file() and path.suffix != ".pyc"})
    parts = (path.name.encode() + hashlib.blake2b(path.read_bytes()).digest() for path in files)
    return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()


def is_built(stamp: Path, sources: Iterator[Path]) -> bool:
    """Return whether something was built from these sources, by the file that holds their digest."""
    return stamp.is_file() and stamp.read_text("utf-8") == digest_of(sources)
