"""Compiled code gets into a wheel, even where pip builds in an environment of its own."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import hatch_build
from hatch_build import CompileAhead
from tests.documents import ROOT


def hook() -> CompileAhead:
    """The hook as hatchling makes it, with what it reads of the project."""
    games = {"cardtable.games": {"skyjo": "skyjo_env.card_game:SKYJO"}}
    core = SimpleNamespace(name="skyjo-env", version="0.1.0", entry_points=games, dependencies=["numba"])
    arguments: dict[str, Any] = {
        "root": str(ROOT),
        "config": {},
        "build_config": None,
        "metadata": SimpleNamespace(core=core),
        "directory": "",
        "target_name": "wheel",
    }
    return CompileAhead(**arguments)


@pytest.fixture(autouse=True)
def switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile, unless a test says otherwise."""
    monkeypatch.setenv(hatch_build.SWITCH, "1")


def build_without_code() -> None:
    """Build where nothing can be compiled: that ends with an error, and not with a wheel that lacks its code."""
    made = hook()
    with pytest.raises(RuntimeError, match="nothing was compiled"):
        made.initialize("standard", {"force_include": {}})
    made._made.cleanup()


def test_a_build_compiles_nothing_and_needs_nothing_for_it_unless_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hook().dependencies() == ["numba"]
    made, data = hook(), dict[str, Any](force_include={})
    made.initialize("editable", data)
    monkeypatch.delenv(hatch_build.SWITCH)
    made.initialize("standard", data)
    assert data == {"force_include": {}}
    assert made.dependencies() == []


def test_a_release_whose_code_cannot_be_compiled_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    build_without_code()


@pytest.mark.parametrize("platform", ["", "manylinux_2_28_x86_64"])
def test_in_a_container_for_wheels_of_any_linux_the_wheel_says_so(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setenv("AUDITWHEEL_PLAT", platform)
    monkeypatch.setattr(CompileAhead, "_compile", lambda *_: None)
    made, data = hook(), dict[str, Any](force_include={})
    made.initialize("standard", data)
    made._made.cleanup()
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert data.get("tag") == (f"{python}-{python}-{platform}" if platform else None)
    assert data["infer_tag"]


def test_the_compiler_sees_what_pip_installs_for_building(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pip names it in PYTHONPATH: without it, `pip install .` carried no compiled code into a fresh environment."""
    paths: list[list[str]] = []

    def note(*_command: Any, env: dict[str, str], **_options: Any) -> None:
        paths.append(env["PYTHONPATH"].split(os.pathsep))

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/of/pip", "/and/more"]))
    monkeypatch.setattr(subprocess, "run", note)
    build_without_code()
    assert {(path[0], *path[-2:]) for path in paths} == {(str(ROOT), "/of/pip", "/and/more")}


def test_the_compiler_finds_this_checkout_where_pip_takes_its_folders_off_the_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pip does so where it is installed as editable: a wheel built there carried no compiled code."""
    interfaces: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "run", lambda command, **_: interfaces.append(command[-1]))
        build_without_code()
    places = (
        "from importlib.util import find_spec; print(find_spec('skyjo_agents').origin, find_spec('cardtable').origin)"
    )
    for path in {interface.splitlines()[0] for interface in interfaces}:
        command = [sys.executable, "-I", "-S", "-c", f"{path}\n{places}"]  # neither PYTHONPATH nor what is installed
        found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        assert [Path(each).parent for each in found] == [ROOT / "agents" / "skyjo_agents", ROOT / "cardtable"]
    assert interfaces
