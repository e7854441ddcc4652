"""How long the first and the second start take, for an installed wheel and for one without compiled code.

Pip builds and installs each wheel as it would for a user, in bare environments with what the package index has now.
Times are processor time of the process and its children, which other programs disturb the least. The match and the
first action begin with nothing compiled on this machine; the programs of the README come after the first action, in
their order. Building the wheels takes a few minutes.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FIRST_ACTION = "from skyjo_env import Game; game = Game(seed=7); game.apply(game.legal_actions()[0])"
MATCH = "import sys, skyjo.main; sys.exit(skyjo.main.main('match policy tempo --deals 200 --workers 2'.split()))"
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
SESSIONS = (
    {"skyjo match policy tempo --deals 200": f"if __name__ == '__main__': {MATCH}"},
    {"first action": FIRST_ACTION} | {f"README, program {n}": code for n, code in enumerate(PROGRAMS, 1)},
)  # each begins with an empty cache


class Start(NamedTuple):
    """A start of a program."""

    wheel: str
    what: str
    first: float  # seconds of processor time
    second: float


def build(folder: Path, is_pure: bool) -> Path:
    """The wheel of this checkout, with or without compiled code, as `pip install .` builds it."""
    told = {"HATCH_BUILD_NO_HOOKS": "true"} if is_pure else {}
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], env={**CLEAN, **told}, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """The Python of a new environment with this wheel and what it needs."""
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    subprocess.run([*PIP, "--python", python, "install", wheel], env=CLEAN, check=True)
    return python


def processor_time(python: Path, code: str, cache: Path) -> float:
    """Seconds of processor time that a program takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [str(python), "-c", code],
        cwd=cache.parent,
        env={**CLEAN, "NUMBA_CACHE_DIR": str(cache)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(name: str, wheel: Path, folder: Path) -> list[Start]:
    """All starts with this wheel."""
    python, cache, starts = install(wheel, folder / "environment"), folder / "cache", []
    for session in SESSIONS:
        shutil.rmtree(cache, ignore_errors=True)
        for what, code in session.items():
            starts.append(Start(name, what, processor_time(python, code, cache), processor_time(python, code, cache)))
    return starts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, help="measure this wheel in place of those that are built here")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    starts = []
    with tempfile.TemporaryDirectory() as name:
        if options.wheel is not None:
            starts += measure(options.wheel.name, options.wheel, Path(name))
        else:
            for kind, is_pure in (("with compiled code", False), ("without", True)):
                folder = Path(name, kind)
                starts += measure(kind, build(folder / "wheel", is_pure), folder)
    if options.json:
        print(json.dumps([start._asdict() for start in starts], indent=1))
        return
    print(f"{'wheel':<20}{'what':<40}{'first':>8}{'second':>8}   seconds of processor time")
    for start in starts:
        print(f"{start.wheel[:19]:<20}{start.what:<40}{start.first:8.2f}{start.second:8.2f}")


if __name__ == "__main__":
    main()
