"""The campaign's loop: worker processes, which take turns on the part that has had least of its share of the time."""

import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from campaign.batch import Failure
from campaign.parts import BUILD, PARTS, Part
from campaign.totals import Totals, keep_failure

TURN = 30.0  # seconds that a worker stays with a part
LOG = BUILD / "workers.log"


class Worker:
    """A process that works on batches of one part."""

    def __init__(self, part: Part, seed: int) -> None:
        self.part, self.seed = part, seed
        LOG.parent.mkdir(parents=True, exist_ok=True)
        with LOG.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "campaign.worker", part.name, str(seed)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, "OMP_NUM_THREADS": "1", **part.environment},
                start_new_session=True,
            )

    def ask(self, number: int) -> dict[str, Any]:
        """The result of a batch; if the process dies or hangs, the batch has failed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{number}\n".encode())
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], self.part.limit)
        line = self.process.stdout.readline() if ready else b""
        if line:
            found: dict[str, Any] = json.loads(line)
            return found
        words = "the process ended" if ready else f"no answer in {self.part.limit} seconds"
        self.end()
        how = "" if not ready else f", with exit code {self.process.returncode}"
        return {"done": 0, "failures": [{"words": words + how, "inputs": {}}], "counts": {}}

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


@dataclass
class Campaign:
    """A run of some parts for some time; several threads share it, each with a worker."""

    totals: Totals
    parts: Sequence[Part]
    seconds: float
    tell: Callable[[str], None]
    failures: list[tuple[str, Failure, Path]] = field(default_factory=list)
    spent: dict[str, float] = field(default_factory=dict)
    done: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    start: float = field(default_factory=time.monotonic)

    def run(self, workers: int) -> None:
        """Work until the time is over; after Ctrl-C, what was done so far is kept, too."""
        began = time.strftime("%Y-%m-%d %H:%M")
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(5)
                    self.tell(self._progress())
        except KeyboardInterrupt:
            self.seconds = 0
        with self.lock:
            elapsed = round(time.monotonic() - self.start)
            run = {"began": began, "seconds": elapsed, "workers": workers, "done": self.done}
            self.totals.runs.append(run)
            self.totals.save()

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() - self.start >= self.seconds

    def _work(self) -> None:
        """One turn after another."""
        while not self.is_over:
            with self.lock:
                part = min(self.parts, key=lambda part: self.spent.get(part.name, 0.0) / part.weight)
                self.spent[part.name] = self.spent.get(part.name, 0.0) + TURN
            used = self._turn(part)
            with self.lock:
                self.spent[part.name] += used - TURN

    def _turn(self, part: Part) -> float:
        """Batches of one part for a while; returns how long it took."""
        begun, worker = time.monotonic(), Worker(part, self.totals.seed)
        try:
            while worker.process.poll() is None and not self.is_over and time.monotonic() - begun < TURN:
                self._batch(part, worker)
        finally:
            worker.end()
        return time.monotonic() - begun

    def _batch(self, part: Part, worker: Worker) -> None:
        with self.lock:
            total = self.totals.of(part.name)
            number, total.batches = total.batches, total.batches + 1
        begun = time.monotonic()
        result = worker.ask(number)
        with self.lock:
            total.done += result["done"]
            total.failures += len(result["failures"])
            total.seconds += time.monotonic() - begun
            self.done[part.name] = self.done.get(part.name, 0) + result["done"]
            for name, count in result["counts"].items():
                total.counts[name] = total.counts.get(name, 0) + count
            for failure in result["failures"]:
                self._keep(part.name, number, Failure(**failure))
            self.totals.save()

    def _keep(self, part: str, number: int, failure: Failure) -> None:
        command = repeating(part, number, self.totals.seed)
        place = keep_failure(self.totals.path.parent / "failures", part, number, failure, command)
        self.failures.append((part, failure, place))
        self.tell(f"FAILED {part} {number}: {failure.words}\n       {place}; repeat: {command}")

    def _progress(self) -> str:
        seconds = min(time.monotonic() - self.start, self.seconds)
        done = ", ".join(f"{name} {count:,}" for name, count in sorted(self.done.items()))
        return f"{seconds / 60:.1f} of {self.seconds / 60:.1f} minutes: {done}; failures: {len(self.failures)}"


def repeating(part: str, number: int, seed: int) -> str:
    """The command that repeats a batch."""
    words = [f"{name}={value}" for name, value in PARTS[part].environment.items()]
    return " ".join([*words, "python", "-m", "campaign", "--repeat", part, str(number), "--seed", str(seed)])
