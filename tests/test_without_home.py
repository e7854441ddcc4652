"""A user without a home, whose installation cannot be written: what is compiled is kept among the temporary files."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.documents import ROOT
from tests.test_precompiled import ACTION, COUNTED
from tests.test_wheel import Environment, build

pytestmark = pytest.mark.long  # a single table is compiled

HIDDEN = ("NUMBA", "PYTHON", "XDG")  # variables that say where to keep things, and others


def test_code_is_kept_among_temporary_files_and_compiled_once(tmp_path: Path) -> None:
    environment = Environment.make(tmp_path / "environment")
    environment.pip("install", build("wheel", ROOT, tmp_path / "wheel"))
    for folder in environment.packages.glob("*/**/"):
        if not (folder / "__pycache__").exists():
            (folder / "__pycache__").touch()  # no folder can be made there, whoever the user is
    (tmp_path / "temporary").mkdir()
    told = {name: value for name, value in os.environ.items() if not name.startswith(HIDDEN)}
    told |= {"HOME": os.devnull, "TMPDIR": str(tmp_path / "temporary"), "PYTHONDONTWRITEBYTECODE": "1"}

    def start() -> tuple[int, str]:
        """How many functions a program compiled that plays an action, and what it said."""
        code = f"{COUNTED}{ACTION}\nprint(len(compiled))"
        done = subprocess.run(
            [environment.python, "-c", code], cwd=tmp_path, env=told, capture_output=True, text=True, check=True
        )
        return int(done.stdout), done.stderr

    compiled, said = start()
    kept = tmp_path / "temporary" / f"skyjo-env-{os.getuid()}"
    assert compiled > 0
    why, how_far = said.splitlines()
    assert why.startswith("skyjo-env was installed without compiled code: ")
    assert how_far.endswith(f"; kept in {kept}")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert start() == (0, "")
