"""Numbers copied from a game's record to an observation and within it, as fast as the processor can.

All indices are unsigned, which are never checked. The compiler would copy numbers one by one where they become wider,
because it cannot know that source and target lie apart; so it is told what the processor can do at once. Without
compilation Python does the same.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from cardtable.kernel.compiler import config, inlined_kernel

EIGHT = np.uint64(8)


def _place(context: Any, builder: Any, kind: types.Array, array: Any, at: Any) -> Any:
    """The address of one number of an array."""
    return builder.gep(context.make_array(kind)(context, builder, value=array).data, [at])


def _copier(lanes: int) -> Callable[..., None]:
    """A function that reads so many numbers at once, and writes them at once; where they go, they may be wider."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, _, target, _ = signature.args
        read, written = (ir.VectorType(context.get_data_type(kind.dtype), lanes) for kind in (source, target))
        place = builder.bitcast(_place(context, builder, source, *args[:2]), read.as_pointer())
        numbers = builder.load(place, align=1)
        if read != written:
            numbers = (builder.sext if source.dtype.signed else builder.zext)(numbers, written)
        place = builder.bitcast(_place(context, builder, target, *args[2:]), written.as_pointer())
        builder.store(numbers, place, align=1)
        return context.get_dummy_value()

    def copied(_: Any, source: Any, start: Any, target: Any, at: Any) -> Any:
        return types.void(source, start, target, at), build

    def copied_in_python(source: Any, start: Any, target: Any, at: Any) -> None:
        target[at : int(at) + lanes] = source[start : int(start) + lanes]

    return copied_in_python if config.DISABLE_JIT else intrinsic(copied)


def _mover() -> Callable[..., None]:
    """A function that moves numbers within their array: from `start` so many `to` another place."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, (array, start, size, to) = signature.args[0], args
        target, source = (_place(context, builder, kind, array, at) for at in (to, start))
        cgutils.raw_memmove(builder, target, source, size, kind.dtype.bitwidth // 8)
        return context.get_dummy_value()

    def moved(_: Any, numbers: Any, start: Any, size: Any, to: Any) -> Any:
        return types.void(numbers, start, size, to), build

    def moved_in_python(numbers: Any, start: Any, size: Any, to: Any) -> None:
        numbers[to : to + size] = numbers[start : start + size].copy()

    return moved_in_python if config.DISABLE_JIT else intrinsic(moved)


copy_four, copy_eight, move = _copier(4), _copier(8), _mover()


@inlined_kernel
def copy_numbers(source, start, size, target, at):
    """Copy numbers in eights, the last of which may overlap the one before."""
    if size < EIGHT:
        for k in range(size):
            target[at + k] = source[start + k]
        return
    rest = size - EIGHT
    copy_eight(source, start, target, at)
    for k in range(EIGHT, rest, EIGHT):
        copy_eight(source, start + k, target, at + k)
    copy_eight(source, start + rest, target, at + rest)


@inlined_kernel
def fill(target, start, size, number):
    """Write the same number `size` times."""
    for k in range(start, start + size):
        target[k] = number
