"""How threads that share the tables of a batch wait for each other: outside the GIL, by looking at numbers in memory.

To wake a thread that sleeps, or to wait for the GIL, takes tens of microseconds, and a step of thousands of tables only
some hundreds. So the threads stay in compiled code from step to step (`cardtable.kernel.tables.step_shares`), and
return to Python only for calls, or to sleep. `cardtable.table_threads` is the other side of this.

`signals` has a row of LINE numbers for every part of the tables. Row 0 is the caller's; it also says which job was
given.
"""

# ruff: noqa: ARG001  (numba hands every argument to the functions that tell it the types)

import sys
import time
from collections.abc import Callable
from platform import machine
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from cardtable.kernel.compiler import config, inlined_kernel, kernel

LINE = 16  # numbers in a row: two cache lines, since processors fetch them in pairs
CHECKED, WRONG, DONE, ASLEEP = range(4)  # the last job that was checked, its first illegal action, the last job done
GIVEN, IS_CALL = 4, 5  # the last job that was given; is it a call of Python code, not a step?

LOOKS = 8_000  # how often a thread looks before it goes to sleep: about 0.2 ms on x86-64
DELAY = 80  # looks, some µs: what the caller needs after it has given a call to begin its own part
PAUSE = 50  # µs


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of `numbers[at]`, the first two arguments."""
    data = context.make_array(signature.args[0])(context, builder, value=args[0]).data
    return builder.gep(data, [args[1]])


def _reader() -> Callable[..., Any]:
    """A function that reads a number that other threads may write; all see all such writes in the same order."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_address(context, builder, signature, args), "seq_cst", 8)

    def read(_: Any, numbers: Any, at: Any) -> Any:
        return types.int64(numbers, types.intp), build

    def read_in_python(numbers: Any, at: Any) -> Any:
        time.sleep(0)  # whoever writes the number needs the GIL
        return numbers[at]

    return read_in_python if config.DISABLE_JIT else intrinsic(read)


def _writer() -> Callable[..., None]:
    """A function that writes a number; who reads it also sees everything that was written before it."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _address(context, builder, signature, args), "seq_cst", 8)
        return context.get_dummy_value()

    def write(_: Any, numbers: Any, at: Any, number: Any) -> Any:
        return types.void(numbers, types.intp, types.int64), build

    def write_in_python(numbers: Any, at: Any, number: Any) -> None:
        numbers[at] = number

    return write_in_python if config.DISABLE_JIT else intrinsic(write)


def _relaxer() -> Callable[..., None]:
    """A function that tells the processor that this thread only waits: it goes slower, and leaves more to others."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if machine() in ("x86_64", "AMD64"):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
        return context.get_dummy_value()

    def relax(_: Any) -> Any:
        return types.void(), build

    def relax_in_python() -> None:
        """Reading sleeps already."""

    return relax_in_python if config.DISABLE_JIT else intrinsic(relax)


def _pauser() -> Callable[..., None]:
    """A function that sleeps for some microseconds; on Windows, which cannot sleep for so short a time, it lets other
    threads run.
    """
    is_windows = sys.platform == "win32"

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType() if is_windows else ir.IntType(32), [ir.IntType(32)])
        name, given = ("Sleep", [kind.args[0](0)]) if is_windows else ("usleep", args)
        builder.call(cgutils.get_or_insert_function(builder.module, kind, name), given)
        return context.get_dummy_value()

    def pause(_: Any, microseconds: Any) -> Any:
        return types.void(types.uint32), build

    def pause_in_python(microseconds: Any) -> None:
        time.sleep(microseconds * 1e-6)

    return pause_in_python if config.DISABLE_JIT else intrinsic(pause)


read_shared, write_shared, relax, pause = _reader(), _writer(), _relaxer(), _pauser()


@inlined_kernel
def spin(numbers, at, number, looks):
    """Look at most so many times whether a shared number is this one; True as soon as it is."""
    for _ in range(looks):
        if read_shared(numbers, at) == number:
            return True
        relax()
    return False


@inlined_kernel
def await_number(numbers, at, number):
    """Wait until a shared number is this one."""
    if not spin(numbers, at, number, LOOKS):
        while read_shared(numbers, at) != number:
            pause(PAUSE)


@inlined_kernel
def await_all(signals, at, job):
    """Wait until all parts have signalled this job."""
    for row in range(0, len(signals), LINE):
        await_number(signals, row + at, job)


@inlined_kernel
def await_step(signals, part, done):
    """Wait for the job after `done`: is it a step? False for a call, or if nothing is given for a while."""
    row = part * LINE
    write_shared(signals, row + ASLEEP, 0)
    write_shared(signals, row + DONE, done)
    if not spin(signals, GIVEN, done + 1, LOOKS):
        write_shared(signals, row + ASLEEP, 1)
        if read_shared(signals, GIVEN) <= done:  # less than that if a call was found in the inbox before it was given
            return False
    if signals[IS_CALL]:
        spin(signals, GIVEN, done + 2, DELAY)  # in vain: the caller still holds the GIL
        return False
    return True


@inlined_kernel
def all_legal(signals, part, job, wrong):
    """Signal the first illegal action of this part, or -1, and wait for all parts: are all actions legal?"""
    row = part * LINE
    signals[row + WRONG] = wrong
    write_shared(signals, row + CHECKED, job)
    await_all(signals, CHECKED, job)
    for other in range(0, len(signals), LINE):
        if signals[other + WRONG] >= 0:
            return False
    return True


@kernel
def await_call(signals, part, done):
    """The loop of a thread that is given calls only."""
    await_step(signals, part, done)


@kernel
def await_done(signals, job):
    """Wait for a while until the other threads have done this job: Python can interrupt nothing in here."""
    for row in range(LINE, len(signals), LINE):
        spin(signals, row + DONE, job, LOOKS)


@kernel
def signal(signals, at, number):
    """Write a number in the caller's row."""
    write_shared(signals, at, number)


@kernel
def is_asleep(signals, part):
    """Has this part gone to sleep?"""
    return read_shared(signals, part * LINE + ASLEEP) != 0
