"""ThreadTeam: threads that share the work on the tables of a batch, each always on the same ones.

Only compiled code runs in parallel, because it releases the GIL, so a job must spend its time there. The threads spin
for a while before they go to sleep (`cardtable.kernel.waiting`): executors, locks and queues wake sleeping threads,
which took about 50 µs a job where a step of 4,096 tables takes 400. Numba's own parallel loops are ruled out: as its
documentation says, they end the process after a fork (GNU OpenMP) or when two threads use them (its work queue).
"""

import os
import weakref
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from threading import RLock, Thread, current_thread
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import whole_number
from cardtable.kernel.waiting import await_number, tell_and_await

MOST_THREADS = 256
BLOCK = 64  # tables: parts are multiples of it, so that threads share a cache line at most where two parts meet
GIVEN, DONE = 0, 8  # indices of the numbers of the last job given and the last job done, each in its own cache line
LOOKS = 60_000  # how often a thread looks before it goes to sleep, about 0.2 ms
DELAY = 2_000  # looks, some µs: what the caller needs after it has given a job to begin its own part

T = TypeVar("T")
Outcome = tuple[Any, BaseException | None]


class _Member(NamedTuple):
    """What a thread shares with the caller that gives it jobs."""

    numbers: NDArray[np.int64]
    inbox: "SimpleQueue[Callable[[int], Any] | None]"
    outbox: "SimpleQueue[Outcome]"


class ThreadTeam:
    """One thread for every part of the tables; the first part is the caller's own.

    Threads start with the first job and end with the team. A copy, a pickle or a forked process starts its own.
    """

    def __init__(self, threads: int, tables: int) -> None:
        """TableError unless `threads` is a whole number from 1 to 256. Few tables make fewer parts than threads."""
        whole_number("threads", threads, 1, MOST_THREADS)
        self.threads, self.tables = int(threads), tables
        blocks = -(-tables // BLOCK)
        ends = [blocks * part // min(threads, blocks) * BLOCK for part in range(1, min(threads, blocks))]
        self.parts = tuple(slice(start, end) for start, end in zip([0, *ends], [*ends, tables], strict=True))
        self._forget()

    def __len__(self) -> int:
        return len(self.parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return ThreadTeam, (self.threads, self.tables)

    def _forget(self) -> None:
        """Forget all threads, such as those of the process from which this one was forked: they do not exist here."""
        self._process = os.getpid()
        self._alone = RLock()
        self._members: list[_Member] = []
        self._threads: list[Thread] = []
        self._jobs = 0

    def run(self, job: Callable[[int], T]) -> list[T]:
        """Call the job with the number of every part; the results, in order. All parts finish before the first error
        is raised.
        """
        if len(self) == 1:
            return [job(0)]
        if self._process != os.getpid():
            self._forget()
        with self._alone:
            try:
                if len(self._members) == 0:
                    self._start()
                outcomes = self._outcomes(job)
            except BaseException:  # such as Ctrl-C: wait until no thread writes to the tables any more
                self.close()
                raise
        for _, error in outcomes:
            if error is not None:
                raise error
        return [result for result, _ in outcomes]

    def _start(self) -> None:
        members = [_Member(np.zeros(16, np.int64), SimpleQueue(), SimpleQueue()) for _ in self.parts[1:]]
        self._stop = weakref.finalize(self, _dismiss, [member.inbox for member in members])
        self._members, self._jobs = members, 0
        for part, member in enumerate(members, start=1):
            thread = Thread(target=_work, args=(part, member), name=f"tables-{part}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _outcomes(self, job: Callable[[int], Any]) -> list[Outcome]:
        self._jobs += 1
        for member in self._members:
            member.inbox.put(job)
        for member in self._members:
            member.numbers[GIVEN] = self._jobs
        outcomes = [_outcome(job, 0)]
        for member in self._members:
            await_number(member.numbers, DONE, self._jobs, LOOKS)
            outcomes.append(member.outbox.get())
        return outcomes

    def close(self) -> None:
        """End the threads, once they have finished what they were given; the next job starts new ones."""
        if self._process != os.getpid():
            self._forget()
        with self._alone:
            if len(self._members) > 0:
                self._stop()
            for thread in self._threads:
                if thread is not current_thread():  # garbage collection in one of them may call this
                    thread.join()
            self._members, self._threads = [], []


def _dismiss(inboxes: Iterable["SimpleQueue[Any]"]) -> None:
    for inbox in inboxes:
        inbox.put(None)


def _outcome(job: Callable[[int], Any], part: int) -> Outcome:
    try:
        return job(part), None
    except Exception as error:
        return None, error


def _work(part: int, member: _Member) -> None:
    """What a thread runs. It holds no reference to a finished job or to the team, so both can be collected."""
    done = 0
    while True:
        tell_and_await(member.numbers, DONE, done, GIVEN, done + 1, LOOKS, DELAY)
        job = member.inbox.get()
        if job is None:
            return
        member.outbox.put(_outcome(job, part))
        job, done = None, done + 1
