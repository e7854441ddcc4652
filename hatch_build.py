"""What happens when the package is built: a wheel gets compiled code, and the README gets links that work on an index.

The code is for a baseline that all but old processors support. An editable install gets none, since its sources change.
If anything goes wrong, the wheel is built without compiled code, and everything is compiled on the user's machine.
`HATCH_BUILD_NO_HOOKS=true` skips this step. If NUMBA_CACHE_DIR is set, the next build compiles only what has changed.
"""

import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

SOURCES = ("", "agents", "training")  # where packages lie
PLACE = "cardtable/compiling/precompiled"  # in the wheel; see cardtable.compiling.code_folders
GAMES = ("skyjo", "skipbo", "skyjo_action")
TERMINAL = Path("/dev/tty")  # pip keeps to itself what is printed here, unless it is called with -v
NOTICE = "compiling all games for the wheel takes minutes; HATCH_BUILD_NO_HOOKS=true leaves that to their first use"
LINK = re.compile(r"(?P<mark>!?)\[(?P<words>[^]]*)\]\((?!https?:|#)(?P<place>[^)]+)\)")  # to a file of the repository


class CompileAhead(BuildHookInterface[Any]):
    """Puts compiled code into a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile everything, unless the wheel only points to this folder."""
        if version == "editable":
            return
        self._tell()
        self._made = tempfile.TemporaryDirectory()
        code = Path(self._made.name, "code")
        try:
            self._compile(code)
        except Exception as error:  # a wheel without compiled code is better than none
            words = getattr(error, "stderr", None) or str(error)
            self.app.display_warning(f"built without compiled code: {words.strip()[-500:]}")
            return
        build_data["force_include"][str(code)] = PLACE
        build_data["pure_python"], build_data["infer_tag"] = False, True
        if platform := os.environ.get("AUDITWHEEL_PLAT"):  # in a container for wheels that any Linux can install
            python = f"cp{sys.version_info.major}{sys.version_info.minor}"
            build_data["tag"] = f"{python}-{python}-{platform}"

    def _tell(self) -> None:
        """Say what takes so long and how to do without, in one line on the terminal, if there is one."""
        self.app.display_waiting(NOTICE)
        if not sys.stderr.isatty():
            with suppress(OSError), TERMINAL.open("w", encoding="utf-8") as terminal:
                terminal.write(f"\nskyjo-env: {NOTICE}\n")

    def _compile(self, code: Path) -> None:
        """Let the commands `warmup` compile into a folder."""
        sources = [str(Path(self.root, folder)) for folder in SOURCES]
        sys.path[:0] = sources
        from cardtable.compiling.code_folders import MADE_FOR, VERSIONS
        from cardtable.compiling.targets import baseline, for_baseline

        known = baseline()
        if known is None:
            raise RuntimeError("there is no baseline for this processor")
        found = os.environ.get("PYTHONPATH", "")  # pip names there what it has installed for building
        path = os.pathsep.join(filter(None, [*sources, str(self._metadata()), found]))
        kept = os.environ.get("NUMBA_CACHE_DIR") or str(Path(self._made.name, "all"))
        environment = {"NUMBA_CACHE_DIR": kept, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= for_baseline(known.name)
        for game in GAMES:
            self._run(game, environment)
            # Nothing is compiled the second time, so only what Python calls is read.
            self._run(game, environment, "--carry", str(code))
        if not code.is_dir():
            raise RuntimeError("nothing was compiled")
        code.joinpath(MADE_FOR).write_text(VERSIONS, "utf-8")

    def _run(self, game: str, environment: dict[str, str], *options: str) -> None:
        # Where this checkout is installed as editable, pip takes its folders off the path, also those of PYTHONPATH.
        path = f"import sys; sys.path[:0] = {[str(Path(self.root, folder)) for folder in SOURCES]}"
        command = f"import skyjo.main; exit(skyjo.main.main({['warmup', *options]}, {game!r}))"
        program, whole = f"{path}\nif __name__ == '__main__': {command}", {**os.environ, **environment}
        subprocess.run([sys.executable, "-c", program], env=whole, check=True, capture_output=True, text=True)

    def _metadata(self) -> Path:
        """A folder with metadata as of an installed package, so that Python finds the games and agents by name."""
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


class ReadmeOfAnIndex(MetadataHookInterface):
    """Gives the metadata a README for a package index, where no files lie beside it."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        address = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_an_index(text, address)}


def for_an_index(readme: str, address: str | None) -> str:
    """The README with links to the repository at an address; if there is none, without links to files and pictures."""

    def elsewhere(link: re.Match[str]) -> str:
        mark, words, place = link["mark"], link["words"], link["place"]
        if address is None:
            return "" if mark else words
        return f"{mark}[{words}]({address}/{'raw' if mark else 'blob'}/main/{place})"

    return LINK.sub(elsewhere, readme)
