"""Run the tests of the sdist with other Pythons, and with the oldest and newest versions that pyproject.toml allows, or
with those in constraints.txt.

Every environment is made from nothing in build/versions: the sdist is installed with its extras, and the tests that lie
in it run against what was installed, not against this checkout.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "versions"
PYTHONS = "python3.11", "python3.12", "python3.13", "python3.14"
VERSIONS = "oldest", "newest", "pinned"
EXTRAS = "arena", "render", "train"
PROGRAMS = "Scripts" if sys.platform == "win32" else "bin"  # in an environment
TORCH = ["torch==2.13.0"]  # alone and first: this keeps a build without CUDA, where there is one
if index := os.environ.get("TORCH_INDEX"):  # such as that of builds without CUDA; nothing else comes from it
    TORCH += ["--no-deps", "--index-url", index]
TESTS = [
    "tests/games",
    *(f"tests/{game}_{part}" for game in ("skyjo", "skipbo", "skyjo_action") for part in ("env", "agents")),
    *(f"tests/skyjo_training/test_{name}.py" for name in ("sb3_zip", "policy_export")),
    *("tests/cardtable/test_match.py", "tests/cardtable/test_store.py", "tests/test_other_systems.py"),
]
PYTEST = [
    "-q",
    "-n",
    "auto",
    "-p",
    "no:cacheprovider",
    "-o",
    "pythonpath=",
    "-o",
    "filterwarnings=default",
    "-m",
    "not long and not web",
]
# The rules of Skyjo and Skip-Bo, and PettingZoo's tests of Skyjo, without extras and without compiling.
SHORT = [
    *(f"tests/{game}_env/test_{name}.py" for game in ("skyjo", "skipbo") for name in ("scenarios", "text")),
    "tests/games/test_aec.py",
    "tests/games/test_conforms.py",
    "-k",
    # Pictures need an extra.
    "test_scenarios or test_text or (pettingzoos and skyjo and not skyjo_action and not render)",
]
SHOWN = "numpy", "numba", "gymnasium", "pettingzoo", "stable-baselines3", "torch"
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
BOUND = re.compile(r"(?P<name>[\w-]+)>=(?P<version>[\d.]+)$")


class Tried(NamedTuple):
    """How the tests went in an environment."""

    python: str
    versions: str  # one of VERSIONS
    packages: dict[str, str]
    result: str  # the last line of pytest, or of what failed before it

    def __str__(self) -> str:
        packages = ", ".join(f"{name} {version}" for name, version in self.packages.items())
        return f"Python {self.python}, {self.versions} versions ({packages}): {self.result}"


def oldest(extras: Iterable[str]) -> list[str]:
    """The lower bounds of all dependencies, as versions to install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    return [f"{bound['name']}=={bound['version']}" for bound in map(BOUND.match, needed) if bound]


def unpacked(folder: Path) -> tuple[Path, Path]:
    """The sdist of this checkout, and a folder with what is in it except the packages."""
    builder = sys.executable
    if find_spec("hatchling") is None:
        subprocess.run([builder, "-m", "venv", folder / "builder"], check=True)
        builder = str(folder / "builder" / PROGRAMS / "python")
        subprocess.run([builder, "-m", "pip", "install", "--quiet", "hatchling"], check=True)
    subprocess.run([builder, "-m", "hatchling", "build", "-t", "sdist", "-d", folder], cwd=ROOT, check=True)
    (sdist,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(sdist, folder / "sdist")
    (tree,) = (folder / "sdist").iterdir()
    build = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    for package in [path for pattern in build["targets"]["wheel"]["include"] for path in tree.glob(pattern[1:])]:
        shutil.rmtree(package)
    return sdist, tree


def try_out(python: str, versions: str, sdist: Path, tree: Path, is_short: bool) -> Tried:
    """Install the sdist in a new environment, and run the tests there."""
    extras = () if is_short else EXTRAS
    place = WORK / f"python{version_of(python)}-{versions}"
    there = place / PROGRAMS / "python"
    pip: list[str | Path] = [there, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["-c", ROOT / "constraints.txt"] if versions == "pinned" else []
    pins = oldest(extras) if versions == "oldest" else []
    # Without the hash, pip would install the wheel that it built and kept for another sdist of the same address.
    address = f"{sdist.as_uri()}#sha256={hashlib.sha256(sdist.read_bytes()).hexdigest()}"
    steps: list[list[str | Path]] = [
        [python, "-m", "venv", "--clear", place],
        *([] if is_short else [[*pip, *TORCH]]),
        [*pip, f"skyjo-env[{','.join(extras)}] @ {address}", "hypothesis", "pytest", "pytest-xdist", *pins],
        [there, "-m", "pytest", *PYTEST, *(SHORT if is_short else TESTS)],
    ]
    told = CLEAN | {"PYTHONUTF8": "1"}  # the tests' own files are UTF-8, whatever Windows prefers
    told |= {"NUMBA_DISABLE_JIT": "1"} if is_short else {}
    log = WORK / f"{place.name}.log"
    failed = ""
    for step in steps:
        print(f"{place.name}: {' '.join(map(str, step[:6]))} ... (see {log})", file=sys.stderr, flush=True)
        with log.open("a", encoding="utf-8") as written:
            done = subprocess.run(step, cwd=tree, env=told, stdout=written, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            failed = f"FAILED, see {log.name}: "
            break
    last = next((line for line in reversed(log.read_text("utf-8", "replace").splitlines()) if line.strip()), "")
    return Tried(version_of(python), versions, packages_in(there), failed + last.strip("= "))


def version_of(python: str) -> str:
    """The version of a Python."""
    words = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout
    return words.removeprefix("Python ").strip()


def packages_in(python: Path) -> dict[str, str]:
    """The versions of the packages that matter most."""
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format", "json"], capture_output=True, text=True, check=False
    )
    there = {one["name"].lower().replace("_", "-"): one["version"] for one in json.loads(listed.stdout or "[]")}
    return {name: there[name] for name in SHOWN if name in there}


def found(python: str) -> bool:
    """Can this Python be started?"""
    return (
        shutil.which(python) is not None and not subprocess.run([python, "--version"], capture_output=True).returncode
    )


def tried(options: argparse.Namespace) -> Iterator[Tried]:
    """All environments that were asked for, one after another."""
    absent = [python for python in options.python or () if not found(python)]
    pythons = [
        str(Path(shutil.which(python) or python).absolute()) for python in options.python or PYTHONS if found(python)
    ]
    if absent or not pythons:
        sys.exit(f"not found: {', '.join(absent or PYTHONS)}")
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    sdist, tree = unpacked(WORK)
    for python in pythons:
        for versions in options.only or (("oldest", "newest") if python == pythons[0] else ("newest",)):
            yield try_out(python, versions, sdist, tree, options.short)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.versions", description=__doc__)
    parser.add_argument("--python", action="append", help="a Python; may be repeated (default: 3.11 to 3.14, if found)")
    parser.add_argument(
        "--only",
        action="append",
        choices=VERSIONS,
        help="which versions of the dependencies (default: newest, and oldest with the first Python)",
    )
    parser.add_argument("--short", action="store_true", help="only rules and environments, uncompiled: a minute each")
    options = parser.parse_args()
    is_failed = False
    for result in tried(options):
        print(result, flush=True)
        is_failed |= "failed" in result.result.lower()
    sys.exit(is_failed)


if __name__ == "__main__":
    main()
