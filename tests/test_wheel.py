"""What is built and installed: names that are ours alone, and the examples' games as packages of users."""

import os
import re
import site
import subprocess
import sys
import sysconfig
import tarfile
import venv
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest

from hatch_build import for_an_index
from skyjo.commands import offered
from skyjo.interfaces import find_interface
from skyjo_env import __version__
from tests.documents import README, ROOT, blocks
from tests.processes import run_python

pytestmark = pytest.mark.slow


PACKAGES = {
    *("cardtable", "skipbo_agents", "skipbo_env", "skyjo_action_agents", "skyjo_action_env"),
    *("skyjo_agents", "skyjo_env", "skyjo_training", "skyjo"),
}
ABOUT = f"skyjo_env-{__version__}.dist-info"
COMMANDS = offered(find_interface("skyjo"))
PLAIN = ("agents", "arena", "benchmarks", "examples", "papers", "tests", "training")  # common names
MADE = re.compile(r"(^|/)(build|dist|runs|__pycache__|\.git|\.venv[^/]*|\.coverage|\.hypothesis|\.\w+_cache)(/|$)")

# Compiling takes longer than all of this, and is tested elsewhere. Without it, few tables show as much as many.
QUIET = "ignore:overflow encountered:RuntimeWarning"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
ENVIRONMENT |= {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": QUIET, "PYTHONDONTWRITEBYTECODE": "1"}
MANY = re.compile(r"\b(1024|2000|4096)\b")


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """What a command prints that is run in a folder, with nothing of pytest's path."""
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(target: str, source: Path, folder: Path) -> Path:
    """The wheel or the sdist of a source tree."""
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder, folder=source)
    (built,) = folder.iterdir()
    return built


def made(files: Iterable[str]) -> list[str]:
    """Those of the files that were made by working on the project."""
    return [file for file in files if MADE.search(file)]


def files_in(wheel: Path) -> set[str]:
    return set(ZipFile(wheel).namelist())


class Environment(NamedTuple):
    """An environment with all that ours needs, but without ours and without this checkout."""

    python: Path
    packages: Path

    @classmethod
    def make(cls, folder: Path) -> "Environment":
        """Packages of the environment in which the tests run are seen; its .pth files, such as ours, are not read."""
        venv.create(folder, symlinks=True)
        packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
        (packages / "needed.pth").write_text("\n".join(site.getsitepackages()))
        return cls(folder / "bin" / "python", packages)

    def install(self, wheel: Path) -> None:
        """Install a wheel without a network."""
        pip: list[str | Path] = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", self.python]
        run(*pip, "install", "--no-index", "--no-deps", "--no-compile", wheel)


class User(NamedTuple):
    """A user's folder of scripts, with packages of the user's that have plain names."""

    environment: Environment
    folder: Path

    def run(self, code: str) -> str:
        """What a script in that folder prints."""
        script = self.folder / "script.py"
        script.write_text(code)
        return run(self.environment.python, script.name, folder=self.folder)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def user(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> User:
    environment = Environment.make(tmp_path_factory.mktemp("environment"))
    environment.install(wheel)
    folder = tmp_path_factory.mktemp("scripts")
    for name in PLAIN:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(f"raise RuntimeError('{name} of the user was imported')")
    return User(environment, folder)


def test_a_wheel_holds_our_packages_and_no_other_name(wheel: Path) -> None:
    files = files_in(wheel)
    tops = {file.partition("/")[0] for file in files}
    assert tops - PACKAGES == {ABOUT}
    assert {f"{package}/py.typed" for package in PACKAGES} <= files
    ours = {folder: [*folder.glob("**/*")] for folder in map(folder_of, PACKAGES)}
    kept = {
        file.relative_to(folder.parent).as_posix()
        for folder, found in ours.items()
        for file in found
        if file.suffix in (".py", ".jinja", ".json", ".safetensors") and file.name != "browser.py"  # for the site
    }
    assert kept <= files
    assert {"skyjo/rules/skyjo.md", "skipbo_env/people/interface.toml"} <= files
    assert {"skyjo_agents/policies/2p.safetensors", "cardtable/arena/results/result_page.html.jinja"} <= kept
    assert made(files) == []


def folder_of(package: str) -> Path:
    """Where a package lies in the repository."""
    (folder,) = [place / package for place in (ROOT, ROOT / "agents", ROOT / "training") if (place / package).exists()]
    return folder


def test_an_sdist_holds_what_builds_the_same_wheel_and_tests_it(wheel: Path, tmp_path: Path) -> None:
    sdist = build("sdist", ROOT, tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        if hasattr(tarfile, "data_filter"):  # not in Python 3.11.2
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(tmp_path / "unpacked")
    (source,) = (tmp_path / "unpacked").iterdir()
    assert files_in(build("wheel", source, tmp_path / "wheel")) == files_in(wheel)
    needed = [
        ".ci/run",
        "Makefile",
        "hatch_build.py",
        "docs/rules/skyjo.md",
        "constraints.txt",
        "constraints-integrations.txt",
        "docs/reference/agents.md",
    ]
    needed += ["benchmarks/kernel.py", "examples/own_agent.py", "papers/__main__.py"]
    needed += ["tests/conftest.py", "tests/test_wheel.py"]
    assert [name for name in needed if not (source / name).exists()] == []
    assert made(file.relative_to(source).as_posix() for file in source.glob("**/*")) == []


def test_a_package_index_shows_no_link_to_a_file_that_it_lacks(wheel: Path) -> None:
    about = ZipFile(wheel).read(f"{ABOUT}/METADATA").decode()
    assert "Description-Content-Type: text/markdown" in about
    assert "\n## Install and play\n" in about
    assert "write an agent: a class with one method" in about
    assert "](docs/" not in about


def test_links_lead_to_the_repository_once_it_has_an_address() -> None:
    readme = "![a picture](docs/one.png), [a\npage](docs/two.md#three), [above](#here), [a site](https://example.org)"
    kept = "[above](#here), [a site](https://example.org)"
    assert for_an_index(readme, None) == f", a\npage, {kept}"
    there = "https://example.org/skyjo"
    assert for_an_index(readme, there) == (
        f"![a picture]({there}/raw/main/docs/one.png), [a\npage]({there}/blob/main/docs/two.md#three), {kept}"
    )


@pytest.mark.parametrize("code", blocks(README, "python"))
def test_the_readmes_examples_run_beside_folders_with_plain_names(user: User, code: str) -> None:
    user.run(MANY.sub("2", code))


def test_every_command_has_help_beside_folders_with_plain_names(user: User) -> None:
    helps = user.run(
        f"""
from skyjo.main import main
for command in {sorted(COMMANDS)}:
    try:
        main([command, "--help"], "skyjo")
    except SystemExit as done:
        assert done.code == 0, command
"""
    )
    assert re.findall(r"^usage: skyjo ([\w-]+)", helps, re.MULTILINE) == sorted(COMMANDS)
    script = user.environment.python.with_name("skyjo")
    assert "usage: skyjo" in run(script, "--help", folder=user.folder)


# Types of other packages do not matter here, and reading them takes half a minute.
UNREAD = """
[mypy]
strict = True
[mypy-gymnasium.*,numba.*,numpy.*,pettingzoo.*,stable_baselines3.*,torch.*]
follow_imports = skip
follow_imports_for_stubs = True
"""


def test_type_checkers_find_the_types_of_an_editable_install_from_another_folder(tmp_path: Path) -> None:
    (tmp_path / "mypy.ini").write_text(UNREAD)
    (tmp_path / "script.py").write_text(
        """
from skyjo_agents import TempoAgent
from skyjo_env import Game, ObservationSpec
from skyjo_env import SkyjoEnv, SkyjoVectorEnv
from skyjo_training import SeatVecEnv
reveal_type(TempoAgent())
reveal_type(SeatVecEnv("skyjo", 2))
SkyjoEnv(opponents="tempo", encoding="onehot")
SkyjoEnv(opponent="tempo")
SkyjoVectorEnv(2, encoding="one-hot")
view = ObservationSpec("").view(Game().observation())
view.cells, view.cels
"""
    )
    mypy: list[str | Path] = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, "script.py"]
    told = subprocess.run(mypy, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False).stdout
    assert re.findall(r"script.py:(\d+): error", told) == ["9", "10", "12"]
    types = re.findall(r'Revealed type is "(.*)"', told)
    assert types == ["skyjo_agents.scripted.TempoAgent", "skyjo_training.seat_vec_env.SeatVecEnv"]


EXAMPLES = Path(__file__).parents[1] / "examples"


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
        assert agent in printed(str(site / "bin" / name), "match", agent, "random", "--deals", "4")
    (tmp_path / "test_golf.py").write_text((EXAMPLES / "golf" / "test_golf.py").read_text())
    quick = "-q", "-W", "ignore", "-k", "legal or ends or match"
    assert "passed" in printed(sys.executable, "-m", "pytest", *quick, "test_golf.py")
