"""TableThreads: threads that share the work on the tables of a batch, each always on the same ones.

Only compiled code runs in parallel, because it releases the GIL, so a job must spend its time there. Between jobs the
threads spin for a while in compiled code before they go to sleep (`cardtable.kernel.waiting`): executors, locks and
queues wake sleeping threads, which took about 50 µs a job where a step of 4,096 tables takes 400. Numba's own parallel
loops are ruled out: as its documentation says, they end the process after a fork (GNU OpenMP) or when two threads use
them (its work queue).
"""

import os
import weakref
from collections.abc import Callable, Iterable
from functools import partial
from queue import SimpleQueue
from threading import RLock, Thread, current_thread
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardtable.checks import whole_number
from cardtable.kernel.waiting import (
    CHECKED,
    DONE,
    GIVEN,
    IS_CALL,
    LINE,
    WRONG,
    await_call,
    await_done,
    is_asleep,
    signal,
)

MOST_THREADS = 256
BLOCK = 64  # tables: parts are multiples of it, so that threads share a cache line at most where two parts meet

T = TypeVar("T")
Outcome = tuple[Any, BaseException | None]
Loop = Callable[[int], None]  # what a thread does, with so many jobs done, until it should look into its inbox


class _Member(NamedTuple):
    """What a thread shares with the caller that gives it jobs."""

    signals: NDArray[np.int64]  # from its row on
    inbox: "SimpleQueue[Any]"  # calls, WAKE and END
    outbox: "SimpleQueue[Outcome]"


WAKE, END = "wake", "end"


class TableThreads:
    """One thread for every part of the tables; the first part is the caller's own.

    A job is a call of Python code with the number of each part (`run`), or a step in compiled code (`step`), for which
    the owner sets one of `loops` for each part. Threads start with the first job and end with this object. A copy, a
    pickle or a forked process starts its own.
    """

    def __init__(self, threads: int, tables: int) -> None:
        """TableError unless `threads` is a whole number from 1 to 256. Few tables make fewer parts than threads."""
        whole_number("threads", threads, 1, MOST_THREADS)
        self.threads, self.tables = int(threads), tables
        blocks = -(-tables // BLOCK)
        ends = [blocks * part // min(threads, blocks) * BLOCK for part in range(1, min(threads, blocks))]
        self.parts = tuple(slice(start, end) for start, end in zip([0, *ends], [*ends, tables], strict=True))
        self.signals = np.zeros(len(self) * LINE, np.int64)
        self.loops: list[Loop] = [partial(await_call, self.signals, part) for part in range(len(self))]
        self._forget()

    def __len__(self) -> int:
        return len(self.parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return TableThreads, (self.threads, self.tables)

    def _forget(self) -> None:
        """Forget all threads, such as those of the process from which this one was forked: they do not exist here."""
        self._process = os.getpid()
        self._alone = RLock()
        self._members: list[_Member] = []
        self._threads: list[Thread] = []
        self._jobs = 0

    @property
    def alone(self) -> RLock:
        """A lock that keeps other threads from giving jobs."""
        if self._process != os.getpid():
            self._forget()
        return self._alone

    def run(self, job: Callable[[int], T]) -> list[T]:
        """Call the job with the number of every part; the results, in order. All parts finish before the first error
        is raised.
        """
        if len(self) == 1:
            return [job(0)]
        with self.alone:
            try:
                self._start()
                outcomes = self._outcomes(job)
            except BaseException:  # such as Ctrl-C: wait until no thread writes to the tables any more
                self.close()
                raise
        for _, error in outcomes:
            if error is not None:
                raise error
        return [result for result, _ in outcomes]

    def step(self) -> list[int]:
        """Let the loops carry out a step; returns for every part the first place with an illegal action, or -1. If
        there is any, nothing has changed.
        """
        with self.alone:
            try:
                self._start()
                self._give(is_call=False)
                for part, member in enumerate(self._members, start=1):
                    if is_asleep(self.signals, part):
                        member.inbox.put(WAKE)
                self.loops[0](self._jobs - 1)
                found: list[int] = self.signals[WRONG::LINE].tolist()
                return found
            except BaseException:  # such as Ctrl-C: no thread shall wait for another's part, nor step
                self.signals[WRONG] = 0
                signal(self.signals, CHECKED, self._jobs)
                for member in self._members:
                    member.inbox.put(WAKE)  # a thread that sleeps on would keep the others waiting
                self.close()
                raise

    def _start(self) -> None:
        """Start the threads unless they are there."""
        if len(self._members) > 0:
            return
        self.close()  # if an interrupt ended the last close() early, its threads may still be at work
        self.signals[:] = self._jobs = 0
        members = [_Member(self.signals[part * LINE :], SimpleQueue(), SimpleQueue()) for part in range(1, len(self))]
        self._stop = weakref.finalize(self, _dismiss, [member.inbox for member in members])
        self._members = members
        for part, member in enumerate(members, start=1):
            thread = Thread(target=_work, args=(part, member, self.loops[part]), name=f"tables-{part}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _give(self, is_call: bool) -> None:
        self._jobs += 1
        self.signals[IS_CALL] = is_call
        signal(self.signals, GIVEN, self._jobs)

    def _outcomes(self, job: Callable[[int], Any]) -> list[Outcome]:
        for member in self._members:
            member.inbox.put(job)
        self._give(is_call=True)
        outcome = _outcome(job, 0)
        await_done(self.signals, self._jobs)
        return [outcome, *(member.outbox.get() for member in self._members)]

    def close(self) -> None:
        """End the threads, once they have finished what they were given; the next job starts new ones."""
        with self.alone:
            if len(self._members) > 0:
                self._stop()
                self._members = []
            for thread in self._threads:
                if thread is not current_thread():  # garbage collection in one of them may call this
                    thread.join()
            self._threads = []


def _dismiss(inboxes: Iterable["SimpleQueue[Any]"]) -> None:
    for inbox in inboxes:
        inbox.put(END)


def _outcome(job: Callable[[int], Any], part: int) -> Outcome:
    try:
        return job(part), None
    except BaseException as error:
        if part == 0 and not isinstance(error, Exception):
            raise  # such as Ctrl-C
        return None, error


def _work(part: int, member: _Member, loop: Loop) -> None:
    """What a thread runs. It holds no reference to a finished job or to this object, so both can be collected."""
    done = 0
    while True:
        loop(done)
        message = member.inbox.get()
        done = int(member.signals[DONE])
        if message == END:
            return
        if message != WAKE:
            member.outbox.put(_outcome(message, part))
            done += 1
        message = WAKE
