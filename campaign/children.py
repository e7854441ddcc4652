"""Processes to kill: forked from this one, so that everything is loaded already and a kill costs little."""

import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

LOOK = 0.001  # seconds between two checks whether a process still runs
PATIENCE = 900.0  # seconds in which a process must end by itself


def forked(work: Callable[[], object], log: Path) -> int:
    """Do this in a new process, with a process group of its own; returns its number."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        os.setsid()
        stream = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(stream, 1)
        os.dup2(stream, 2)
        sys.stdout = sys.stderr = os.fdopen(stream, "w", buffering=1)
        found = work()
        status = found if isinstance(found, int) else 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


def ended(child: int, seconds: float) -> int | None:
    """The exit status of a process that ends within this time, negative for a signal; else None."""
    end = time.monotonic() + seconds
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= end:
            return None
        time.sleep(LOOK)


def kill(child: int) -> None:
    """Kill a process and its group with SIGKILL, and wait until it is gone."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    clear(child)


def clear(child: int) -> None:
    """Kill what is left of a process's group: its own workers, which may not have noticed yet."""
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


def killed_until_done(work: Callable[[], object], log: Path, usual: float, kills: int, chance: random.Random) -> int:
    """Start the work again and again, and kill it at random moments up to `kills` times; returns the number of kills.

    `usual` is how long it takes without a kill. If the work fails by itself: RuntimeError with what it printed.
    """
    killed = 0
    while True:
        child = forked(work, log)
        status = ended(child, chance.random() * usual if killed < kills else PATIENCE)
        if status is None and killed < kills:
            kill(child)
            killed += 1
            continue
        if status is None:
            kill(child)
        clear(child)
        if status == 0:
            return killed
        told = log.read_text(errors="replace")[-3000:]
        raise RuntimeError(f"after {killed} kills it ended with {status}: {told}")
