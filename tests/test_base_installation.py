"""An installation without extras does what the README shows, and every command works or names the extra it lacks."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from shutil import copy, copytree, which
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cardtable.table.agents.agents import agents_of
from cardtable.table.game.card_game import find_game
from skyjo.commands import offered
from skyjo.interfaces import find_interface, interface_names
from tests.documents import README, ROOT, blocks
from tests.test_wheel import Environment, build

pytestmark = pytest.mark.long  # everything is compiled, and everybody plays

COMPLAINT = re.compile(r'(?:skyjo|skipbo|skyjo-action): .* needs \w+: pip install "skyjo-env\[(\w+)\]"\n')
GAME = """
import json, random
from skyjo_env import Game
game, chooser = Game(seed=1, episode="round"), random.Random(1)
while not game.is_over:
    game.apply(chooser.choice(game.legal_actions()))
open("game.txt", "w").write(json.dumps(game.record()))
"""

# What to try of every command, and the extra that it needs.
SHARED: dict[str, dict[str, str | None]] = {
    "warmup": {"": None},
    "agents": {"": None},
    "compare": {"runs/first": "train"},
    "export": {"runs/first": "train"},
    "games": {"list games": "arena", "export games --minari a-v0": "data"},
    "mcp": {"": "mcp"},
    "play": {"": None},
    "ratings": {"results.csv": "arena"},
    "report": {"games": "arena"},
    "rules": {"": None},
    "train": {"runs/first": "train"},
    "web": {"--no-browser": "web"},
}
TRIED = {
    "skyjo": SHARED
    | {
        "analyse": {"game.txt": None, "game.txt --out page.html": "arena"},
        "exam": {"tempo look": None},
        "match": {
            "tempo naive --deals 20 --luck": None,
            "tempo naive --store games": "arena",
            "tempo naive --cluster local": "cluster",
        },
        "replay": {"game.txt": None},
        "tournament": {"tempo naive": "arena"},
    },
    "skyjo_action": SHARED
    | {
        "match": {"planner greedy --deals 4": None},
        "replay": {"--help": None},
        "tournament": {"planner greedy": "arena"},
    },
}
TRIED["skipbo"] = TRIED["skyjo_action"] | {"analyse": {"--help": None}, "exam": {"planner": None}}
NEEDS_TORCH = {("skipbo", "policy"), ("skyjo_action", "policy")}  # agents, too, may need an extra


class Base(NamedTuple):
    """An environment with what `pip install .` installs, and a folder to work in."""

    python: Path
    folder: Path

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command in the folder; whoever asks is told to quit."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
        environment |= {"NUMBA_CACHE_DIR": str(self.folder / "cache"), "COLUMNS": "120"}
        return subprocess.run(
            command, cwd=self.folder, env=environment, input="q\n", capture_output=True, text=True, check=False
        )

    def try_line(self, line: str, extra: str | None) -> None:
        """A line works, or names this extra in one line."""
        command, *arguments = shlex.split(line)
        interface = which(command, path=self.python.parent)  # with .exe, on Windows
        assert interface is not None
        done = self.run(interface, *arguments)
        if extra is None:
            assert done.returncode == 0, done.stderr
        else:
            assert done.returncode == 2, done.stdout
            complaint = COMPLAINT.fullmatch(done.stderr)
            assert complaint is not None, done.stderr
            assert complaint[1] == extra


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """This very environment, if INSTALLED says so, else one that is made here."""
    made = Base(python_of(tmp_path_factory), tmp_path_factory.mktemp("folder"))
    for code in ROOT.glob("**/__pycache__/cardtable-*"):  # whatever is compiled here need not be compiled again
        copytree(code, made.folder / "cache" / code.name)
    assert made.run(made.python, "-c", GAME).returncode == 0
    (made.folder / "results.csv").write_text("game,player,score\n1,a,2\n1,b,3\n2,a,5\n2,b,4\n")
    run = made.folder / "runs" / "first"  # as if the README's policy had been trained
    run.mkdir(parents=True)
    copy(ROOT / "agents" / "skyjo_agents" / "policies" / "2p.safetensors", run / "policy.safetensors")
    return made


def python_of(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a base installation."""
    if os.environ.get("INSTALLED"):
        return Path(sys.executable)
    environment = Environment.make(tmp_path_factory.mktemp("base"))
    (environment.packages / "needed.pth").unlink()
    for each in needed():
        for name in {file.parts[0] for file in each.files or () if file.parts[0] not in ("..", "__pycache__")}:
            (environment.packages / name).symlink_to(Path(str(each.locate_file(name))))
    environment.install(build("wheel", ROOT, tmp_path_factory.mktemp("wheel")))
    return environment.python


def needed() -> Iterator[Distribution]:
    """The packages that ours needs without extras, directly or not."""
    waiting: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    reached = set()
    while waiting:
        requirement = Requirement(waiting.pop())
        is_asked = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        name = canonicalize_name(requirement.name)
        if is_asked and name not in reached:
            reached.add(name)
            waiting += distribution(name).requires or ()
            yield distribution(name)


@pytest.mark.parametrize("game", TRIED)
def test_every_command_is_tried(game: str) -> None:
    assert set(TRIED[game]) == set(offered(find_interface(game)))


LINES = [
    (f"{find_interface(game).command} {command} {arguments}", extra)
    for game, commands in TRIED.items()
    for command, tried in commands.items()
    for arguments, extra in tried.items()
]


@pytest.mark.parametrize(("line", "extra"), LINES, ids=[line for line, _ in LINES])
def test_every_command_works_or_names_its_extra(base: Base, line: str, extra: str | None) -> None:
    base.try_line(line, extra)


PLAYERS = [
    (game, name)
    for game in interface_names()
    for name in agents_of(find_game(game)).names()
    if name not in ("human", "oracle")
]


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_every_agent_plays_or_names_its_extra(base: Base, game: str, name: str) -> None:
    extra = "train" if (game, name) in NEEDS_TORCH else None
    agent = "rollout:n=2" if name == "rollout" else name
    base.try_line(f"{find_interface(game).command} match {agent} random --deals 2", extra)


README_COMMANDS = re.findall(r"^(?:skyjo|skipbo|skyjo-action) .*", "".join(blocks(README, "")), re.MULTILINE)


@pytest.mark.parametrize("line", README_COMMANDS)
def test_every_command_of_the_readme_needs_the_extra_beside_it(base: Base, line: str) -> None:
    extra = re.search(r"\(extra (\w+)\)", line)
    base.try_line(line.partition("#")[0], extra and extra[1])


@pytest.mark.parametrize("code", blocks(README, "python"))
def test_every_program_of_the_readme_needs_no_extra(base: Base, code: str) -> None:
    done = base.run(base.python, "-c", code)
    assert done.returncode == 0, done.stderr
