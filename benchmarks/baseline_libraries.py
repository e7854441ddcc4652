"""What other libraries reach in the same number of decisions: their programs in examples/, run as a user would."""

import re
import resource
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cardtable.errors import TableError

ROOT = Path(__file__).resolve().parent.parent
RESULT = re.compile(r"against \S+: ([+-]\d+\.\d+) ± (\d+\.\d+) points a round")
UPDATE = 4000  # decisions between two updates of RLlib's example


def _at_once(decisions: int) -> list[str]:
    return ["--decisions", str(decisions)]


def _by_updates(decisions: int) -> list[str]:
    return ["--iterations", str(-(-decisions // UPDATE)), "--decisions", str(UPDATE)]


@dataclass(frozen=True)
class Library:
    """A library, its package, and the example that learns with it."""

    title: str
    package: str
    program: str
    size: Callable[[int], list[str]] = _at_once  # the options that say how many decisions
    is_one_process: bool = True  # so that its processor time is known


LIBRARIES = {
    "cleanrl": Library("torch alone: CleanRL-style PPO", "torch", "cleanrl_ppo.py"),
    "self_play": Library("torch alone: PPO in every seat", "torch", "self_play_ppo.py"),
    "torchrl": Library("TorchRL: PPO", "torchrl", "torchrl_ppo.py"),
    "tianshou": Library("Tianshou: DQN", "tianshou", "tianshou_dqn.py"),
    "pufferlib": Library("PufferLib: PPO", "pufferlib", "pufferlib_ppo.py"),
    "agilerl": Library("AgileRL: PPO", "agilerl", "agilerl_ppo.py"),
    "benchmarl": Library("BenchMARL: IPPO in every seat", "benchmarl", "benchmarl_ippo.py"),
    "rllib": Library("RLlib: PPO in every seat", "ray", "rllib_ppo.py", _by_updates, is_one_process=False),
}


@dataclass(frozen=True)
class LibraryRun:
    """What became of one program."""

    library: str
    command: str
    decisions: int
    deals: int
    margin: float  # points a round
    half: float  # of its 95 % interval over deals
    seconds: float  # of the processor, measuring included, without processes that the program leaves to themselves
    version: str


def run_library(name: str, python: Path, decisions: int, deals: int, opponent: str) -> LibraryRun | None:
    """Run the program, or return None if the environment does not have its library; TableError if it fails."""
    library = LIBRARIES[name]
    version = _version_of(library.package, python)
    if version is None:
        return None
    program = f"examples/{library.program}"
    command = [program, *library.size(decisions), "--against", opponent, "--deals", str(deals)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([python, *command], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = RESULT.search(done.stdout)
    if done.returncode != 0 or found is None:
        raise TableError(f"{program} ended with {done.returncode}: {done.stdout[-200:]}")
    return LibraryRun(
        library=name,
        command=" ".join(command),
        decisions=decisions,
        deals=deals,
        margin=float(found[1]),
        half=float(found[2]),
        seconds=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        version=version,
    )


def _version_of(package: str, python: Path) -> str | None:
    asks = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run([python, "-c", asks], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None
