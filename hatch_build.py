"""The build hooks: the README's links are made to work on a package index, and a release gets compiled code.

A build compiles nothing unless SKYJO_PRECOMPILE=1 is set; each part is then compiled at its first use. With it, the
wheel carries code for a baseline that all but old processors support. If NUMBA_CACHE_DIR is set as well, the next build
compiles only functions that have changed.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

SWITCH = "SKYJO_PRECOMPILE"
SOURCES = ("", "agents", "training")  # where packages lie
PLACE = "cardtable/table/compiling/precompiled"  # in the wheel; see cardtable.table.compiling.code_folders
SITE = "skyjo/web/site"  # in the wheel; see skyjo.web.built_site
LINK = re.compile(r"(?P<mark>!?)\[(?P<words>[^]]*)\]\((?!https?:|#)(?P<place>[^)]+)\)")  # to a file of the repository


class CompileAhead(BuildHookInterface[Any]):
    """Puts compiled code into a wheel, where that is asked for."""

    def dependencies(self) -> list[str]:
        """Return the packages that must be installed to compile: everything that the package itself needs."""
        return self.metadata.core.dependencies if _is_asked_for() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile everything, unless the wheel only points to this folder."""
        if version == "editable" or not _is_asked_for():
            return
        self._made = tempfile.TemporaryDirectory()
        code, site = Path(self._made.name, "code"), Path(self._made.name, "site")
        self._compile(code, site)
        build_data["force_include"] |= {str(code): PLACE, str(site): SITE}
        build_data["pure_python"], build_data["infer_tag"] = False, True
        if platform := os.environ.get("AUDITWHEEL_PLAT"):  # in a container for wheels that any Linux can install
            python = f"cp{sys.version_info.major}{sys.version_info.minor}"
            build_data["tag"] = f"{python}-{python}-{platform}"

    def _compile(self, code: Path, site: Path) -> None:
        """Let the commands `warmup` compile into a folder, and write the site of the table in the browser."""
        sources = [str(Path(self.root, folder)) for folder in SOURCES]
        sys.path[:0] = sources
        from cardtable.table.compiling.code_folders import MADE_FOR, VERSIONS, baseline, for_baseline

        shipped = baseline()
        if shipped is None:
            raise RuntimeError("there is no baseline for this processor")
        packages = os.environ.get("PYTHONPATH", "")  # pip names there what it has installed for building
        path = os.pathsep.join(filter(None, [*sources, str(self._metadata()), packages]))
        cache = os.environ.get("NUMBA_CACHE_DIR") or str(Path(self._made.name, "all"))
        environment = {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= for_baseline(shipped.name)
        for game in self.metadata.core.entry_points["cardtable.games"]:
            self._warm_up(game, environment)
            # Nothing is compiled the second time, so only what Python calls is read.
            self._warm_up(game, environment, "--carry", str(code))
        if not code.is_dir():
            raise RuntimeError("nothing was compiled")
        code.joinpath(MADE_FOR).write_text(VERSIONS, "utf-8")
        self._run("from skyjo.web.building.__main__ import build; build()", environment)
        self._run(f"from skyjo.web.building.site import main; main({str(site)!r})", environment)

    def _warm_up(self, game: str, environment: dict[str, str], *options: str) -> None:
        self._run(f"import skyjo.main; exit(skyjo.main.main({['warmup', *options]}, {game!r}))", environment)

    def _run(self, command: str, environment: dict[str, str]) -> None:
        # Where this checkout is installed as editable, pip takes its folders off the path, also those of PYTHONPATH.
        path = f"import sys; sys.path[:0] = {[str(Path(self.root, folder)) for folder in SOURCES]}"
        program, whole = f"{path}\nif __name__ == '__main__': {command}", {**os.environ, **environment}
        subprocess.run([sys.executable, "-c", program], env=whole, check=True)

    def _metadata(self) -> Path:
        """Return a folder with metadata of an installed package, so that Python finds games and agents by name."""
        core = self.metadata.core
        folder = Path(self._made.name, "metadata", f"{core.name.replace('-', '_')}-{core.version}.dist-info")
        folder.mkdir(parents=True)
        folder.joinpath("METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {core.name}\nVersion: {core.version}\n", "utf-8"
        )
        lines = []
        for group, points in core.entry_points.items():
            lines += [f"[{group}]", *(f"{name} = {place}" for name, place in points.items())]
        folder.joinpath("entry_points.txt").write_text("\n".join(lines), "utf-8")
        return folder.parent


def _is_asked_for() -> bool:
    return os.environ.get(SWITCH) == "1"


class ReadmeOfAnIndex(MetadataHookInterface):
    """Gives the metadata a README for a package index, where no files lie next to it."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        address = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_an_index(text, address)}


def for_an_index(readme: str, address: str | None) -> str:
    """Return the README with links to the repository at an address; if there is none, without links to files and
    pictures.
    """

    def elsewhere(link: re.Match[str]) -> str:
        mark, words, place = link["mark"], link["words"], link["place"]
        if address is None:
            return "" if mark else words
        return f"{mark}[{words}]({address}/{'raw' if mark else 'blob'}/main/{place})"

    return LINK.sub(elsewhere, readme)
