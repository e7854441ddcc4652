"""What Windows and macOS lack is done without or refused in one line; their paths and encodings are understood.

None of this needs another system: what is missing there is taken away here.
"""

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from cardtable.table import files
from cardtable.table.compiling.code_cache import CodeCache
from cardtable.table.compiling.code_folders import FLOOR, CodeFolders
from cardtable.table.errors import AgentError
from skyjo import main
from skyjo.main import PLAIN
from skyjo.web.room_store import usual_folder
from skyjo_env import Rules, make_agent
from tests.documents import ROOT
from tests.processes import printed
from tests.skyjo.cli import Skyjo, complaint, skyjo  # noqa: F401 (a fixture)

unless_there = pytest.mark.skipif(sys.platform == "win32", reason="this is Windows itself")
MAX_PATH = 259  # characters of a path, unless Windows has been told otherwise
PACKAGES = rf"C:\{'p' * 117}"  # a long name of the folder where packages are installed

# As on Windows, once the standard library has what it needs itself to start processes on Linux.
AS_ON_WINDOWS = """
import multiprocessing.popen_spawn_posix, multiprocessing.resource_tracker
import os, random, signal, subprocess, sys, tempfile
gone = "fork forkpty geteuid getgid getuid killpg pidfd_open setresgid setresuid setsid wait4"
for name in gone.split():
    vars(os).pop(name, None)
for name in "SIGALRM SIGHUP SIGXCPU pidfd_send_signal".split():
    vars(signal).pop(name, None)
for name in "fcntl grp pwd readline resource termios tty".split():
    sys.modules[name] = None
"""
IMPORT_ALL = """
from importlib import import_module
from pkgutil import walk_packages
from skyjo.main import OPTIONAL
sys.modules.update(dict.fromkeys(OPTIONAL))
games = "skyjo skipbo skyjo_action".split()
for name in ["cardtable", *(f"{game}_{part}" for game in games for part in ("env", "agents")), "skyjo"]:
    for module in walk_packages(import_module(name).__path__, f"{name}."):
        if not module.name.endswith(("__main__", "openspiel")):
            try:
                import_module(module.name)
                print(module.name)
            except ModuleNotFoundError as error:
                assert error.name.partition(".")[0] in OPTIONAL, module.name
"""
MATCH = """
from skyjo.main import main
if __name__ == "__main__":
    raise SystemExit(main("match rollout:n=2 random --deals 2 --workers 2".split(), "skyjo"))
"""


@unless_there
@pytest.mark.slow
def test_every_module_can_be_imported_without_what_windows_lacks() -> None:
    assert len(printed("-c", AS_ON_WINDOWS + IMPORT_ALL).splitlines()) > 200


@unless_there
@pytest.mark.slow
def test_agents_play_in_processes_without_what_windows_lacks(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(AS_ON_WINDOWS + MATCH)
    assert "rollout:n=2" in printed(tmp_path / "program.py")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let our code take this for Windows."""
    for module in (files, main, sys.modules[usual_folder.__module__]):
        monkeypatch.setattr(module, "sys", SimpleNamespace(**{**vars(sys), "platform": "win32"}))


@pytest.mark.usefixtures("windows")
def test_what_windows_locks_is_no_part_of_the_file_which_others_may_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    locked: list[tuple[int, int, int]] = []

    def locking(descriptor: int, mode: int, size: int) -> None:
        locked.append((mode, os.lseek(descriptor, 0, os.SEEK_CUR), size))

    msvcrt: Any = ModuleType("msvcrt")
    msvcrt.LK_NBLCK, msvcrt.locking = 2, locking
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    with (tmp_path / "file").open("wb") as stream:
        files.lock(stream.fileno())
    assert locked == [(2, 2**30, 1)]
    assert (tmp_path / "file").stat().st_size == 0


@pytest.mark.usefixtures("windows")
def test_on_windows_too_a_reader_may_leave_early(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave() -> Any:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "dup2", lambda *_: None)
    assert main.carry_out(leave, "skyjo") == main.BROKEN_PIPE


@pytest.mark.usefixtures("windows")
def test_rooms_are_kept_where_windows_keeps_such_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert usual_folder() == tmp_path / "skyjo-env"


def a_function_with_a_name_that_is_far_longer_than_any_that_we_use() -> None: ...


@pytest.mark.parametrize("function", [a_function_with_a_name_that_is_far_longer_than_any_that_we_use, lambda: None])
def test_paths_of_compiled_code_are_short_and_plain_enough_for_windows(function: Callable[[], None]) -> None:
    folders = CodeFolders(FLOOR)
    name = f"whole-{CodeCache(function, folders)._file_name(())}"
    assert re.fullmatch(r"[\w.-]+", name)
    carried = rf"{PACKAGES}\cardtable\compiling\precompiled\{folders._name('win32-x86_64-x86-64-v3')}\{name}"
    assert len(carried) <= MAX_PATH


def test_every_file_of_the_repository_can_be_checked_out_on_windows() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = listed.splitlines()
    reserved = re.compile(r'[<>:"|?*\\]|(^|/)(aux|com\d|con|lpt\d|nul|prn)(\.|/|$)|[. ](/|$)', re.IGNORECASE)
    assert [name for name in names if reserved.search(name)] == []
    assert len({name.lower() for name in names}) == len(names)


@pytest.mark.parametrize("path", [r"C:\Users\me\two words\mine.safetensors", r"\\server\share\mine.safetensors"])
def test_a_windows_path_is_one_value(skyjo: Skyjo, path: str) -> None:  # noqa: F811
    with pytest.raises(AgentError, match=re.escape(path)):
        make_agent(f"policy:path={path}", Rules())
    assert complaint(skyjo("replay", path)).startswith(f"skyjo: {path}: No such file")


LINES = {
    "skyjo": ["--help", "agents", "rules", "match tempo naive --deals 20"],
    "skipbo": ["rules", "play --seed 1"],
    "skyjo_action": ["rules"],
}
DIGITS = {"⁶": "^6", "⁴": "^4", "²": "^2", "³": "^3", "₁": "_1", "₆": "_6"}
SAY_ALL = f"""
import io, sys
from skyjo.main import main
for game, lines in {LINES}.items():
    for line in lines:
        sys.stdin = io.StringIO("?\\nquit\\n")
        try:
            assert main(line.split(), game) == 0, line
        except SystemExit as done:
            assert not done.code, line
"""
# Neither does Python choose UTF-8 by itself, nor does the system: files are written and read as on an old Windows.
OLD = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "COLUMNS": "100"}


@cache
def said(encoding: str) -> str:
    """What all these commands print, in this encoding."""
    command = [sys.executable, "-c", SAY_ALL]
    environment = os.environ | OLD | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode(encoding)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_whatever_is_printed_fits_any_encoding(encoding: str) -> None:
    whole, fitting = said("utf-8"), said(encoding)
    assert "−" in whole
    known = {letter: plain for letter, plain in (PLAIN | DIGITS).items() if not _has(encoding, letter)}
    words, expected = (re.findall(r"[\w.+*^<>=-]*\w", text) for text in (fitting, _plainly(whole, known)))
    assert words == expected
    unknown = sum(whole.count(letter) for letter in "†‡" if not _has(encoding, letter))
    assert fitting.count("?") == whole.count("?") + unknown


def _has(encoding: str, letter: str) -> bool:
    return letter == letter.encode(encoding, "ignore").decode(encoding)


def _plainly(text: str, plain: dict[str, str]) -> str:
    return text.translate({ord(letter): other for letter, other in plain.items()})
