"""Agents of another package, for the referee's tests: honest ones, ones that go wrong, and ones that cheat.

Every cheat works where it is trusted. Where it finds nothing it plays as `Steady` does, decision for decision.
"""

import ctypes
import gc
import mmap
import os
import pickle
import platform
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from cardtable.card_game import Setup
from cardtable.play.decisions import _decide
from cardtable.referee.linux import KEYCTL
from skyjo_env import ObservationSpec, Rules
from skyjo_env.card_game import SKYJO
from skyjo_env.kernel.state import HIDDEN
from tests import processes
from tests.cardtable.guessing import GuessingRules

NAMES = ("steady", "sleepy", "wrong", "onlooker", "tabulator", "prober", "shown", "keeper", "coded")
DRAW, TAKE, PLACE, FLIP = 0, 1, 2, 14  # numbers of actions


class Steady:
    """Plays by the observation alone, without chance."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.spec = rules, ObservationSpec(rules)

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        del chances
        sums = observations.astype(np.int64).sum(axis=1)[:, None]
        weights = (sums * 7919 + np.arange(masks.shape[1]) * 104_729) % 1009 + 1
        return (weights * masks).argmax(axis=1)


class Sleepy(Steady):
    """The same, declared to think long."""

    is_slow = True


class Coded(Steady):
    """Asks for vectors, and plays by them."""

    encoding = "onehot"

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        assert observations.shape == (len(masks), self.spec.onehot.size)
        return super().act(observations * 60, masks, chances)


class Shown(Steady):
    """Asks to be shown the hidden cards."""

    sees_hidden = True

    def act_knowing(self, states: Any, masks: Any, chances: Any) -> Any:
        return self.act(states, masks, chances)


class Keeper(Steady):
    """Looks for a key in the kernel's keyrings, and puts one there."""

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        libc, keyctl = ctypes.CDLL(None), KEYCTL[platform.machine()]
        add, request = keyctl - 2, keyctl - 1
        if libc.syscall(request, b"user", b"seen-by-keeper", None, 0) > 0:
            raise RuntimeError("a key is left")
        libc.syscall(add, b"user", b"seen-by-keeper", b"cards", 5, ctypes.c_int(-3))
        return super().act(observations, masks, chances)


class Wrong(Steady):
    """Goes wrong at its tenth question, in the way it is told."""

    def __init__(self, rules: Rules, how: str) -> None:
        super().__init__(rules)
        self.how, self.asked = how, 0
        if how == "unmade":
            raise ZeroDivisionError("too hard")

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        actions = super().act(observations, masks, chances)
        self.asked += 1
        return actions if self.asked < 10 else getattr(self, self.how)(actions)

    def raises(self, _: Any) -> Any:
        raise ZeroDivisionError("too hard")

    def hangs(self, _: Any) -> None:
        time.sleep(3600)

    def dies(self, _: Any) -> None:
        os._exit(7)

    def leaves(self, _: Any) -> None:
        sys.exit("enough")

    def aborts(self, _: Any) -> None:
        ctypes.string_at(0)

    def burns(self, _: Any) -> None:
        while True:
            pass

    def hoards(self, _: Any) -> Any:
        return np.ones(2**31, np.uint8)

    def cheats(self, actions: Any) -> Any:
        return 25 - actions

    def short(self, actions: Any) -> Any:
        return actions[:-1]

    def forks(self, actions: Any) -> Any:
        if self.asked == 10 and os.fork() == 0:
            os.setsid()
            os.fork()
            time.sleep(3600)
        return actions

    def digs(self, actions: Any) -> Any:
        os.chdir(tempfile.gettempdir())
        for _ in range(1500):
            Path("hole").mkdir()
            os.chdir("hole")
        return actions

    def evades(self, _: Any) -> None:
        ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # it will not hear of its parent's death
        os.setsid()
        while True:
            time.sleep(1)

    def closes(self, _: Any) -> None:
        _wire().close()
        time.sleep(3600)

    def babbles(self, actions: Any) -> Any:
        _wire().sendall(bytes(range(64)))
        return actions

    def floods(self, actions: Any) -> Any:
        _wire().sendall(b"ACTS" + self.asked.to_bytes(4, "little") + (2**62).to_bytes(8, "little"))
        return actions

    def forges(self, actions: Any) -> Any:
        bomb = pickle.dumps(Bomb())
        _wire().sendall(b"PICK" + self.asked.to_bytes(4, "little") + len(bomb).to_bytes(8, "little") + bomb)
        return actions


class Bomb:
    """Would leave a file behind where it is loaded."""

    def __reduce__(self) -> Any:
        return Path.touch, (Path(tempfile.gettempdir(), "bomb"),)


def _wire() -> socket.socket:
    for each in gc.get_objects():
        if isinstance(each, socket.socket):
            return each
    raise LookupError


class Onlooker(Steady):
    """Looks for the tables among its callers' frames, and in all that lies in memory; sees hidden cards there."""

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        from skyjo_agents.peek import PeekAgent

        tables = self._found()
        if tables is None:
            return super().act(observations, masks, chances)
        at = np.flatnonzero((tables.show().observations[:, None] == observations[None]).all(axis=2).any(axis=1))
        states = tables.states()[at]
        return PeekAgent(self.rules, n=4).act_knowing(states, masks, chances)

    def _found(self) -> Any:
        frame = sys._getframe()
        while frame is not None:
            if frame.f_code is _decide.__code__:
                return frame.f_locals["tables"]
            frame = frame.f_back  # type: ignore[assignment]
        for each in gc.get_objects():
            if type(each).__name__ == "SkyjoTables":
                return each
        return None


class Tabulator(Steady):
    """Knows every deal of small seeds, recognises one by its open cards, and so knows the cards that are hidden."""

    SEEDS: ClassVar = range(2, 4)
    DEALS = 32
    SURE, LEAD = 7, 5  # open cards that must be those of the deal, and by how many more than of any other deal

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        deals = [SKYJO.deal(Setup(rules, seed), range(self.DEALS)).states() for seed in self.SEEDS]
        self.layouts = np.concatenate(deals)["cards"][:, : rules.players, : rules.cells]  # [known deals, P, C]

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        actions, seen = super().act(observations, masks, chances), self.spec.view(observations)
        for row, cells in enumerate(seen.cells):
            layouts = np.roll(self.layouts, -int(seen.seat[row]), axis=1)
            is_open = cells < HIDDEN
            same = ((layouts == cells) & is_open).sum(axis=(1, 2))
            best, lead = int(same.argmax()), np.diff(np.sort(same)[-2:])[0]
            if same[best] >= self.SURE and lead >= self.LEAD:
                own = np.where(cells[0] == HIDDEN, layouts[best, 0], cells[0])
                actions[row] = self._knowing(own, masks[row], int(seen.discard_top[row]), int(seen.hand[row]))
        return actions

    def _knowing(self, own: Any, mask: Any, discard: int, hand: int) -> int:
        """Replace the highest card, whether it is hidden or not."""
        places, flips = np.flatnonzero(mask[PLACE:FLIP]), np.flatnonzero(mask[FLIP:])
        if mask[DRAW]:
            return TAKE if mask[TAKE] and discard < own[own < HIDDEN].max() - 3 else DRAW
        if len(places) > 0 and (len(flips) == 0 or hand < own[places].max()):
            return int(PLACE + places[own[places].argmax()])
        return int(FLIP + flips[own[flips].argmin()])


class Prober(Steady):
    """Tries to reach out of its process, and tells by its first action, and by an error, what it has reached."""

    def __init__(self, rules: Rules, path: str = "", port: int = 0) -> None:
        super().__init__(rules)
        self.path, self.port = path, port

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        del observations, masks, chances
        reached = [name for name in dir(self) if name.startswith("reach_") and self._reaches(name)]
        raise RuntimeError(f"reached: {' '.join(reached) or 'nothing'}")

    def _reaches(self, name: str) -> bool:
        try:
            return bool(getattr(self, name)())
        except (OSError, ValueError, subprocess.SubprocessError):
            return False

    def reach_secret(self) -> bool:
        return len(Path(self.path, "_secret.json").read_bytes()) > 0

    def reach_temporary_folder(self) -> bool:
        return _may_write(Path("/tmp"))

    def reach_shared_memory(self) -> bool:
        return _may_write(Path("/dev/shm"))

    def reach_packages(self) -> bool:
        return _may_write(Path(np.__file__).parent)

    def reach_descriptors(self) -> bool:
        found = [number for number in range(3, 256) if _is_open(number)]
        return len(found) > 1  # the wire

    def reach_environment(self) -> bool:
        return "KNOWN_TO_THE_DRIVER" in os.environ

    def reach_arguments(self) -> bool:
        return len(sys.argv) > 1

    def reach_modules(self) -> bool:
        return any(name.startswith(("cardtable.workers", "cardtable.stored", "skyjo.commands")) for name in sys.modules)

    def reach_parents(self) -> bool:
        return any(
            Path(f"/proc/{process}/{name}").read_bytes() != b""
            for process in (os.getppid(), 1)
            for name in ("environ", "mem", "maps")
        )

    def reach_processes(self) -> bool:
        others = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()]
        return any(_may_signal(each) for each in others if each != os.getpid())

    def reach_network(self) -> bool:
        with socket.create_connection(("127.0.0.1", self.port), timeout=2):
            return True

    def reach_more_memory(self) -> bool:
        return len(mmap.mmap(-1, 2**44)) > 0

    def reach_root(self) -> bool:
        os.chown(tempfile.gettempdir(), 12345, 12345)
        return True


def _may_write(folder: Path) -> bool:
    with tempfile.TemporaryFile(dir=folder):
        return True


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _may_signal(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


class Blind:
    """Guesses 0, and says 0 where it is shown."""

    def __init__(self, rules: GuessingRules) -> None:
        self.rules = rules

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        del masks, chances
        return np.zeros(len(observations), np.int64)


class Rememberer(Blind):
    """Keeps what it is shown in a deal, in memory and in files, and looks there when it must guess."""

    def __init__(self, rules: GuessingRules, how: str) -> None:
        super().__init__(rules)
        self.how, self.seen = how, dict[int, int]()

    def act(self, observations: Any, masks: Any, chances: Any) -> Any:
        del masks, chances
        known = self._recall()
        guesses = np.array([known.get(mark, 0) if card < 0 else 0 for mark, card in observations.tolist()], np.int64)
        self._keep(known | {mark: card for mark, card in observations.tolist() if card >= 0})
        return guesses

    def _recall(self) -> dict[int, int]:
        if self.how == "memory":
            return self.seen
        found = {}
        for folder in self._folders():
            for file in folder.glob("seen-by-rememberer-*"):
                mark, card = map(int, file.name.split("-")[-2:])
                found[mark] = card
        return found

    def _keep(self, known: dict[int, int]) -> None:
        self.seen = known
        if self.how == "files":
            for folder in self._folders():
                for mark, card in known.items():
                    try:
                        (folder / f"seen-by-rememberer-{mark}-{card}").touch()
                    except OSError:
                        break

    def _folders(self) -> list[Path]:
        return [Path(tempfile.gettempdir()), Path("/tmp"), Path("/dev/shm"), Path(__file__).parent]


def install(folder: Path) -> None:
    """Make the agents and the guessing game known as a package of its own would: `folder` is for sys.path."""
    agents = [f"{name} = tests.cardtable.guests:{name.capitalize()}" for name in NAMES]
    players = [f"{name} = tests.cardtable.guests:{name.capitalize()}" for name in ("blind", "rememberer")]
    processes.install(folder, "guests", "\n".join(["[skyjo_env.agents]", *agents, "[guessing.agents]", *players, ""]))
    processes.install(folder, "guessing", "[cardtable.games]\nguessing = tests.cardtable.guessing:GUESSING\n")
