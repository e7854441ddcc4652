"""The games among the examples are packages as a user writes them: installed, they play, and keep every promise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import run_python

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.slow
def test_they_are_installed_play_by_command_and_conform(tmp_path: Path) -> None:
    """Without compilation, which takes longer than a few games."""
    site, names = tmp_path / "site", ("golf", "nim")
    places = [str(EXAMPLES / name) for name in names]
    quiet = "--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"
    done = run_python("-m", "pip", "install", *quiet, "--target", str(site), *places)
    assert done.returncode == 0, done.stderr
    searched = [str(site), *(path for path in sys.path if path not in places)]
    told = os.environ | {"PYTHONPATH": os.pathsep.join(searched), "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}

    def printed(*command: str) -> str:
        done = subprocess.run(command, env=told, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    for name, agent in (("golf", "greedy"), ("nim", "random")):
        assert agent in printed(str(site / "bin" / name), "match", agent, "random", "--deals", "20")
    (tmp_path / "test_golf.py").write_text((EXAMPLES / "golf" / "test_golf.py").read_text())
    assert "passed" in printed(sys.executable, "-m", "pytest", "-q", "-W", "ignore", "test_golf.py")
