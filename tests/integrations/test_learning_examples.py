"""The examples that learn with TorchRL, Tianshou and PufferLib: they print the margin, and refuse what cannot be."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NEEDED = {"torchrl_ppo.py": "torchrl", "tianshou_dqn.py": "tianshou", "pufferlib_ppo.py": "pufferlib"}

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # TorchRL's own


@pytest.mark.parametrize("name", NEEDED)
def test_the_example_learns_and_prints_its_margin(name: str) -> None:
    pytest.importorskip(NEEDED[name])
    options = ("--players", "3", "--against", "naive", "--decisions", "300", "--deals", "10")
    done = subprocess.run([sys.executable, str(EXAMPLES / name), *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"against naive: [+-]\d+\.\d ± \d+\.\d points a round\n", done.stdout)


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--players", "9", "players=9"),
        ("--against", "nobody", "unknown agent 'nobody'"),
        ("--decisions", "0", "--decisions must be at least 1"),
        ("--deals", "1", "--deals at least 2"),
    ],
)
def test_the_example_refuses_bad_input_in_one_line(
    name: str, option: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip(NEEDED[name])
    monkeypatch.setattr(sys, "argv", [name, option, value])
    with pytest.raises(SystemExit, match="2"):
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    assert told in capsys.readouterr().err.splitlines()[-1]
