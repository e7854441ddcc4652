"""Code for a baseline: read from the package's own folder by any processor that has the features, else compiled."""

from pathlib import Path

import pytest

from cardtable.table.compiling import code_folders
from cardtable.table.compiling.code_folders import baseline, for_baseline, runs_baseline
from tests.processes import printed

SMALL = """
import sys
from pathlib import Path
from cardtable.table.compiling import code_folders
code_folders.CARRIED = Path(sys.argv[1])
code_folders.VERSIONS += "".join(sys.argv[2:])
from cardtable.table.compiling.compiler import compiler_of

@compiler_of(__file__)
def blended(number, other):
    total = 0.0
    for k in range(1000):
        total = total * number + other / (k + 1)
    return total

print(blended(0.9, 1.7).hex(), sum(blended._cache_hits.values()))
"""


def run(interface: Path, carried: Path, own: Path, *version: str, **told: str) -> list[str]:
    """What the program prints: the number, and how many functions it did not have to compile."""
    return printed(interface, carried, *version, NUMBA_CACHE_DIR=str(own), **told).split()


@pytest.fixture
def carried(tmp_path: Path) -> Path:
    """A folder with the small program's code for the baseline."""
    known = baseline()
    if known is None or not runs_baseline():
        pytest.skip("this processor is below the baseline")
    interface = tmp_path / "small.py"
    interface.write_text(SMALL)
    run(interface, tmp_path / "none", tmp_path / "carried", **for_baseline(known.name))
    return tmp_path / "carried"


def test_code_for_the_baseline_is_not_compiled_and_gives_the_same_number(carried: Path, tmp_path: Path) -> None:
    interface = tmp_path / "small.py"
    number, hits = run(interface, carried, tmp_path / "own")
    assert hits == "1"
    assert not (tmp_path / "own").exists()
    assert run(interface, tmp_path / "none", tmp_path / "own") == [number, "0"]  # compiled for this very processor


@pytest.mark.slow
def test_a_processor_below_the_baseline_compiles(carried: Path, tmp_path: Path) -> None:
    interface = tmp_path / "small.py"
    _, hits = run(interface, carried, tmp_path / "own", NUMBA_CPU_NAME="x86-64", NUMBA_CPU_FEATURES="")
    assert hits == "0"


def test_every_feature_of_the_baseline_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    known = baseline()
    if known is None:
        pytest.skip("there is no baseline for this processor")
    monkeypatch.setattr(code_folders.config, "CPU_NAME", None)
    monkeypatch.setattr(code_folders.config, "CPU_FEATURES", None)
    for missing in (None, *sorted(known.features)):
        features = ",".join(f"{'-' if name == missing else '+'}{name}" for name in known.features)
        monkeypatch.setattr(code_folders, "host_features", lambda features=features: features)
        assert runs_baseline() is (missing is None)
    monkeypatch.setattr(code_folders.config, "CPU_NAME", "generic")  # the user says what to compile for
    assert not runs_baseline()
