"""`python -m studies`: its help, and what it refuses."""

import pytest

from studies.__main__ import STUDIES
from tests.skyjo.cli import Skyjo, complaint
from tests.skyjo.cli import study as study


@pytest.fixture
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("_narrow")
@pytest.mark.parametrize("name", STUDIES)
def test_every_study_explains_itself(study: Skyjo, name: str) -> None:
    done = study(name, "--help")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"usage: python -m studies {name}")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "--nonsense is not an option" in complaint(study(name, "--nonsense"))


def test_without_a_name_it_lists_all(study: Skyjo) -> None:
    for arguments in ((), ("--help",)):
        done = study(*arguments)
        assert done.status == 0
        assert [line.split()[0] for line in done.out.splitlines() if line.startswith("  ")] == [*STUDIES]
    assert "'papr' is not a study; did you mean paper?" in complaint(study("papr"))
