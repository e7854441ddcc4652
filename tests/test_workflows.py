"""What CI does is what anybody can do: every step of a workflow is an action, pinned, or a target of make."""

import re
from pathlib import Path

import pytest

from tests import versions
from tests.documents import ROOT

WORKFLOWS = sorted((ROOT / ".github").rglob("workflows/*.yml"))
TARGETS = set(re.findall(r"^([\w-]+):(?!=)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("file", WORKFLOWS, ids=[file.stem for file in WORKFLOWS])
def test_every_step_is_a_target_of_make_or_a_pinned_action(file: Path) -> None:
    text = file.read_text("utf-8")
    run = re.findall(r"\brun: (.*)", text)
    named = re.search(r"target: \[(.*)\]", text)
    targets = named[1].split(", ") if named else []
    targets += [command.split()[1] for command in run if command != 'make "$TARGET"']
    assert {command.split()[0] for command in run} <= {"make"}
    assert set(targets) <= TARGETS
    for used in re.findall(r"\buses: (\S+)", text):
        assert used.startswith("./.github/") or re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", used), used


@pytest.mark.parametrize("file", WORKFLOWS, ids=[file.stem for file in WORKFLOWS])
def test_no_workflow_knows_a_secret_or_may_do_more_than_it_must(file: Path) -> None:
    text = file.read_text("utf-8")
    assert "secrets" not in text
    assert "\npermissions:\n  contents: read\n" in text
    jobs = text.count("runs-on:")
    assert text.count("timeout-minutes:") == jobs
    assert text.count("persist-credentials: false") == text.count("actions/checkout@")


def test_no_package_but_torch_comes_from_another_index_and_no_release_from_a_cache() -> None:
    assert [file for file in WORKFLOWS if "PIP_" in file.read_text("utf-8")] == []
    wheels = (ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8")
    assert wheels.count('cache: ""') == wheels.count("uses: ./.github/actions/python") > 0


def test_the_tests_for_other_systems_exist() -> None:
    named = [name for name in versions.TESTS + versions.SHORT if name.startswith("tests/")]
    assert named != []
    assert [name for name in named if not (ROOT / name).exists()] == []
