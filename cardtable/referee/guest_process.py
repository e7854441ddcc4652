"""The referee's end: starts the process of a guest, asks it with a time limit, and ends it."""

import json
import os
import pickle
import platform
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.compiling.code_folders import user_cache
from cardtable.errors import AgentError, TableError
from cardtable.files import remove_folder
from cardtable.referee import frames, linux
from cardtable.referee.agent_process import OVERTIME, SIGNALLED
from cardtable.referee.confinement import SYSTEM_FILES, Bounds, Granted, needed
from cardtable.referee.frames import Wire, WireError

START = 60.0  # seconds to make an agent, in addition to the time for an answer
GRACE = 5.0  # seconds for a process that was told to end
PATIENCE = 2 * START  # seconds that a worker process which asks a guest may take in addition to the guest's own limit
PREFIX = "cardtable-referee-"
BEGIN = "import sys, json; sys.path[:] = json.loads(sys.argv[2]); "
BEGIN += "from cardtable.referee.agent_process import main; main(int(sys.argv[1]))"
PROTOCOL = 4  # of pickles, with which arrays arrive writable
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "NUMBA_CACHE_DIR")
THREADS = "_NUM_THREADS"  # variables with this ending say how many threads libraries use
USERS = range(2**30, 2**30 + 2**24)  # user numbers that the system does not assign


@dataclass(frozen=True)
class Referee:
    """What agents of other packages may use; TableError on a system that cannot confine them at all."""

    memory: int = 2048  # MB
    seconds: float = 300.0  # for an answer
    cpu: int = 30_000  # seconds of processor time in all, for each rotation of a piece

    def __post_init__(self) -> None:
        if not hasattr(os, "fork"):
            raise TableError(f"a referee needs Linux or macOS: {platform.system()} cannot confine processes")


@dataclass(frozen=True)
class Invitation:
    """Which agent a process is to make, for which game and rules, and what it may use."""

    game: str
    rules: str
    agent: str
    referee: Referee


class GuestProcess:
    """An agent that decides in a process of its own, which starts at the first question and ends with the context.

    Every failure is an AgentError of one line. A process that has ended is not started again.
    """

    def __init__(self, invitation: Invitation) -> None:
        self.invitation = invitation
        self.declared: dict[str, Any] = {}
        self.granted: Granted | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._child: int | None = None  # pidfd of the child that runs the agent; `_process` waits for it
        self._failure = ""
        self._asked = 0

    def __enter__(self) -> "GuestProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def act(
        self, observations: NDArray[np.int16], masks: NDArray[np.int8], chances: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """What the agent does at every table."""
        self.start()
        self._asked += 1
        deadline = time.monotonic() + self.invitation.referee.seconds
        tables = len(observations)
        kinds = ((observations, np.int16), (masks, np.int8), (chances, np.uint64))
        question = pickle.dumps([np.ascontiguousarray(array, kind) for array, kind in kinds], PROTOCOL)
        try:
            self._wire.send(frames.ASKED, self._asked, question, deadline)
            answer = self._wire.receive(max(8 * tables, frames.MOST_TEXT), deadline)
        except TimeoutError:
            self._fail(f"no answer in {self.invitation.referee.seconds:g} seconds")
        except (EOFError, OSError):
            self._fail(self._ended())
        except WireError as error:
            self._fail(str(error))
        if answer.kind == frames.FAILED and answer.number == self._asked:
            raise AgentError(self._said(answer))
        if answer.kind != frames.ACTIONS or answer.number != self._asked:
            self._fail("it sent an unexpected message")
        if len(answer.body) != 8 * tables:
            self._fail(f"it sent {len(answer.body)} bytes where {8 * tables} were expected")
        return np.frombuffer(bytes(answer.body), np.int64)

    def start(self) -> None:
        """Start the process and let it make the agent; AgentError if that fails."""
        if self._failure:
            raise AgentError(self._failure)
        if self._process is not None:
            return
        linux.conceal()
        _forget_folders()
        self._begin()
        deadline = time.monotonic() + START + self.invitation.referee.seconds
        try:
            order = {"game": self.invitation.game, "rules": self.invitation.rules, "agent": self.invitation.agent}
            self._wire.send(frames.TEXT, 0, frames.pack_text(order | {"bounds": asdict(self._bounds)}), deadline)
            number = int(self._report(deadline)["child"])
            with suppress(OSError):  # it may have ended just now
                # A pidfd stays with this process even if its number is used again.
                self._child = os.pidfd_open(number) if linux.IS_LINUX else None
            self.granted = Granted(**self._report(deadline))
            self.declared = self._report(deadline)
        except TimeoutError:
            self._fail(f"not ready to play in {START + self.invitation.referee.seconds:g} seconds")
        except (EOFError, OSError):
            self._fail(self._ended())
        except (WireError, TypeError, KeyError):
            self._fail("it sent an unexpected message")

    def _begin(self) -> None:
        self._folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
        self._bounds = _bounds(self.invitation, self._folder)
        if self._bounds.user is not None:
            os.chown(self._folder, self._bounds.user, self._bounds.user)
        ours, theirs = socket.socketpair()
        self._wire = Wire(ours)
        kept = {name: text for name, text in os.environ.items() if name in KEPT_VARIABLES or name.endswith(THREADS)}
        cache = user_cache()
        packages = json.dumps([str(Path(each or ".").resolve()) for each in sys.path])
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", BEGIN, str(theirs.fileno()), packages],
                env=kept
                | {
                    "HOME": self._folder,
                    "TMPDIR": self._folder,
                    "XDG_CACHE_HOME": str(cache.parent) if cache else self._folder,
                },
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def _report(self, deadline: float) -> dict[str, Any]:
        frame = self._wire.receive(frames.MOST_TEXT, deadline)
        if frame.kind == frames.FAILED:
            self._fail(self._said(frame))
        if frame.kind != frames.TEXT:
            raise WireError
        return frames.read_text(frame.body)

    def _said(self, frame: frames.Frame) -> str:
        """What the agent's process says went wrong."""
        try:
            return str(frames.read_text(frame.body).get("words", ""))
        except WireError as error:
            return str(error)

    def _ended(self) -> str:
        """How the process ended, in words."""
        assert self._process is not None
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "it closed its connection"
        if code == OVERTIME:
            return f"it used more than {self.invitation.referee.cpu} seconds of processor time in all"
        if code > SIGNALLED:
            with suppress(ValueError):
                return f"its process was ended by {signal.Signals(code - SIGNALLED).name}"
        return f"its process ended, with exit code {code}"

    def _fail(self, words: str) -> Any:
        self._failure = words
        self.end()
        raise AgentError(words)

    def end(self) -> None:
        """End the process and everything that it has started, and remove its folder."""
        if self._process is None or self._wire.end.fileno() < 0:
            return
        if self._child is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._child, signal.SIGKILL)
            os.close(self._child)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        until = time.monotonic() + GRACE
        with suppress(OSError):  # wait until every process has closed the connection: then all of them are gone
            while (left := until - time.monotonic()) > 0:
                self._wire.end.settimeout(left)
                if not self._wire.end.recv(2**16):
                    break
        self._wire.end.close()
        remove_folder(Path(self._folder))
        self._failure = self._failure or "its process has been ended"


def readable_folders() -> list[str]:
    """The folders where every agent may read."""
    return [*SYSTEM_FILES, *needed(), *_compiled()]


def _bounds(invitation: Invitation, folder: str) -> Bounds:
    words = re.split(r"[(),=]", invitation.agent)  # those that name files, such as its weights, may be read
    named = [str(Path(word).resolve()) for word in words if Path(word).is_absolute() and Path(word).is_file()]
    readable = [*needed(), *_compiled(), *named]
    user = None
    if linux.IS_LINUX and linux.may_become(USERS) and all(map(_is_open_to_all, readable)):
        user = secrets.choice(USERS)
    referee = invitation.referee
    return Bounds(referee.memory, referee.cpu, folder, tuple(readable), user)


def _compiled() -> list[str]:
    """The folders outside the packages in which compiled code may be kept."""
    return [str(folder) for folder in (os.environ.get("NUMBA_CACHE_DIR"), user_cache()) if folder]


def _is_open_to_all(path: str) -> bool:
    """Whether other users can read it, and enter all folders above it."""
    place = Path(path)
    if not place.exists():
        return True
    return all(each.stat().st_mode & 0o001 for each in place.parents) and bool(place.stat().st_mode & 0o004)


def _forget_folders() -> None:
    """Remove the folders of guests whose referee was killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdecimal() and not Path(f"/proc/{owner}").exists() and linux.IS_LINUX:
            remove_folder(folder)
