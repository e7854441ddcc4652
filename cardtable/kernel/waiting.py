"""How one thread waits for another without going to sleep: it looks at a number in memory, outside the GIL.

To wake a thread that sleeps takes tens of microseconds, and a step of thousands of tables only some hundreds.
"""

# ruff: noqa: ARG001  (numba hands every argument to the functions that tell it the types)

import time
from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.extending import intrinsic

from cardtable.kernel.compiler import config, inlined_kernel, kernel


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The address of `numbers[at]`, the first two arguments."""
    data = context.make_array(signature.args[0])(context, builder, value=args[0]).data
    return builder.gep(data, [args[1]])


def _reader() -> Callable[..., Any]:
    """A function that reads a number that other threads may write at any moment."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_address(context, builder, signature, args), "acquire", 8)

    def read(_: Any, numbers: Any, at: Any) -> Any:
        return types.int64(numbers, types.intp), build

    def read_in_python(numbers: Any, at: Any) -> Any:
        time.sleep(0)  # whoever writes the number needs the GIL
        return numbers[at]

    return read_in_python if config.DISABLE_JIT else intrinsic(read)


def _writer() -> Callable[..., None]:
    """A function that writes a number; who reads it also sees everything that was written before it."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _address(context, builder, signature, args), "release", 8)
        return context.get_dummy_value()

    def write(_: Any, numbers: Any, at: Any, number: Any) -> Any:
        return types.void(numbers, types.intp, types.int64), build

    def write_in_python(numbers: Any, at: Any, number: Any) -> None:
        numbers[at] = number

    return write_in_python if config.DISABLE_JIT else intrinsic(write)


read_shared, write_shared = _reader(), _writer()


@inlined_kernel
def spin(numbers, at, number, looks):
    """Look at most so many times whether a shared number is this one; True as soon as it is."""
    for _ in range(looks):
        if read_shared(numbers, at) == number:
            return True
    return False


@kernel
def await_number(numbers, at, number, looks):
    """Wait until a shared number is this one, but no longer than for so many looks."""
    spin(numbers, at, number, looks)


@kernel
def tell_and_await(numbers, told, known, at, number, looks, delay):
    """Tell another thread a number and wait for one of its own, then a little longer: it still holds the GIL."""
    write_shared(numbers, told, known)
    if spin(numbers, at, number, looks):
        spin(numbers, at, number + 1, delay)
