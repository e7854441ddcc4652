"""Processes and packages of their own."""

import os
import subprocess
import sys
from pathlib import Path


def run_python(*arguments: str | Path, before: tuple[str, ...] = (), **told: str) -> subprocess.CompletedProcess[str]:
    """What a new Python prints, which finds the packages that this one finds; `told` is for its environment."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | told
    command = [*before, sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def printed(*arguments: str | Path, **told: str) -> str:
    """All that it prints; it must come to a good end."""
    done = run_python(*arguments, before=(), **told)
    assert done.returncode == 0, done.stderr
    return done.stdout


def install(folder: Path, name: str, entry_points: str) -> None:
    """Make a package known that declares these entry points: `folder` is for sys.path."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entry_points)
