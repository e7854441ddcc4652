"""The folder that is uploaded to the nodes of a cluster: packages of agents that may not be installed there, and the
files that agents name, such as policies. Ray makes it the working folder of every worker, which Python searches first.
"""

import hashlib
import re
import shutil
from collections.abc import Iterable
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path

from cardtable.card_game import CardGame, distribution_of

FILES = "files"


def pack_packages(folder: Path, game: CardGame, agents: Iterable[str]) -> None:
    """Copy the packages of those agents that do not come with the game, so that the nodes find them by name, too."""
    own = distribution_of(game)
    words = {word for agent in agents for word in re.findall(r"[\w.-]+", agent)}
    for name, point in game.agents.points.items():
        if name in words and point.dist is not None and point.dist.name != own:
            _pack_package(folder, point)


def _pack_package(folder: Path, point: EntryPoint) -> None:
    """Copy the package, or the module, with the metadata that declares its agents."""
    top = point.module.partition(".")[0]
    spec, about = find_spec(top), point.dist
    if spec is None or about is None or (folder / f"{about.name}.dist-info").exists():
        return
    if spec.submodule_search_locations:
        without = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(next(iter(spec.submodule_search_locations)), folder / top, ignore=without, dirs_exist_ok=True)
    elif spec.origin is not None:
        shutil.copy(spec.origin, folder)
    declared = folder / f"{about.name}.dist-info"
    declared.mkdir()
    for name in ("METADATA", "entry_points.txt"):
        (declared / name).write_text(about.read_text(name) or "")


def pack_files(folder: Path, agent: str) -> str:
    """Copy the files that an agent's text names, and return the text with the paths of the copies in the folder."""
    return re.sub(r"[^,()]+", lambda found: _moved(folder, found[0]), agent)


def _moved(folder: Path, parameter: str) -> str:
    """The parameter `key=value`, with the path of a copy if the value is a file; values may hold parameters again."""
    key, equals, value = parameter.partition("=")
    if not equals:
        return parameter
    path = Path(value).expanduser()
    if re.search("[a-z]", path.suffix) and path.is_file():  # a number is not a file, even if one has that name
        return f"{key}={_copied(folder, path)}"
    return f"{key}={_moved(folder, value)}"


def _copied(folder: Path, path: Path) -> str:
    """Copy a file and the card beside it; returns where, under a digest of its content."""
    digest = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    place = Path(FILES, digest)
    (folder / place).mkdir(parents=True, exist_ok=True)
    for each in {path, path.with_suffix(".json")}:
        if each.is_file():
            shutil.copy(each, folder / place)
    return str(place / path.name)
