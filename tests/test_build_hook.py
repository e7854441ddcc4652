"""Compiled code gets into a wheel, even where pip builds in an environment of its own."""

import os
import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from hatch_build import CompileAhead
from tests.documents import ROOT


def hook() -> CompileAhead:
    """The hook as hatchling makes it, with what it reads of the project."""
    core = SimpleNamespace(name="skyjo-env", version="0.1.0", entry_points={})
    arguments: dict[str, Any] = {
        "root": str(ROOT),
        "config": {},
        "build_config": None,
        "metadata": SimpleNamespace(core=core),
        "directory": "",
        "target_name": "wheel",
    }
    return CompileAhead(**arguments)


def test_the_compiler_sees_what_pip_installs_for_building(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pip names it in PYTHONPATH: without it, `pip install .` carried no compiled code into a fresh environment."""
    paths: list[list[str]] = []

    def note(*_command: Any, env: dict[str, str], **_options: Any) -> None:
        paths.append(env["PYTHONPATH"].split(os.pathsep))

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/of/pip", "/and/more"]))
    monkeypatch.setattr(subprocess, "run", note)
    data: dict[str, Any] = {"force_include": {}}
    made = hook()
    made.initialize("standard", data)
    made._made.cleanup()
    assert {(path[0], *path[-2:]) for path in paths} == {(str(ROOT), "/of/pip", "/and/more")}
