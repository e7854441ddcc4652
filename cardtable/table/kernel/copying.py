"""Copies from a game's record to an observation, moves within an array, and arrays at an address.

Nothing is checked: indices are unsigned and must be within bounds. LLVM does not vectorise a copy that widens its
numbers, since source and target might overlap, so `copy_eight` is one vector load and one vector store. With
NUMBA_DISABLE_JIT=1 plain numpy and ctypes do the same.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from cardtable.table.compiling.compiler import config, inlined_kernel

EIGHT = np.uint64(8)
carray: Any = numba.carray  # type: ignore[attr-defined]  # numba is not typed


def _address(context: Any, builder: Any, kind: types.Array, array: Any, at: Any) -> Any:
    """Return the address of one number of an array."""
    return builder.gep(context.make_array(kind)(context, builder, value=array).data, [at])


def _copier(lanes: int) -> Callable[..., None]:
    """Return a function that copies so many numbers from `source[start]` to `target[at]`, where they may be wider."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, _, target, _ = signature.args
        read, written = (ir.VectorType(context.get_data_type(kind.dtype), lanes) for kind in (source, target))
        address = builder.bitcast(_address(context, builder, source, *args[:2]), read.as_pointer())
        numbers = builder.load(address, align=1)
        if read != written:
            numbers = (builder.sext if source.dtype.signed else builder.zext)(numbers, written)
        address = builder.bitcast(_address(context, builder, target, *args[2:]), written.as_pointer())
        builder.store(numbers, address, align=1)
        return context.get_dummy_value()

    def copied(_: Any, source: Any, start: Any, target: Any, at: Any) -> Any:
        if source.layout != "C" or target.layout != "C":
            return None  # only where numbers lie side by side
        return types.void(source, start, target, at), build

    def copied_in_python(source: Any, start: Any, target: Any, at: Any) -> None:
        target[at : int(at) + lanes] = source[start : int(start) + lanes]

    return copied_in_python if config.DISABLE_JIT else intrinsic(copied)


def _mover() -> Callable[..., None]:
    """Return a function that moves so many numbers within their array; where they go may overlap where they were."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, (array, start, size, to) = signature.args[0], args
        target, source = (_address(context, builder, kind, array, at) for at in (to, start))
        cgutils.raw_memmove(builder, target, source, size, kind.dtype.bitwidth // 8)
        return context.get_dummy_value()

    def moved(_: Any, numbers: Any, start: Any, size: Any, to: Any) -> Any:
        if numbers.layout != "C":
            return None
        return types.void(numbers, start, size, to), build

    def moved_in_python(numbers: Any, start: Any, size: Any, to: Any) -> None:
        numbers[to : to + size] = numbers[start : start + size].copy()

    return moved_in_python if config.DISABLE_JIT else intrinsic(moved)


def _pointer() -> Callable[..., Any]:
    """Return a function that turns an address into a pointer to 32-bit floats."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    def pointed(_: Any, address: Any) -> Any:
        return types.CPointer(types.float32)(address), build

    def pointed_in_python(address: Any) -> Any:
        return ctypes.cast(int(address), ctypes.POINTER(ctypes.c_float))

    return pointed_in_python if config.DISABLE_JIT else intrinsic(pointed)


copy_four, copy_eight, move, float_pointer = _copier(4), _copier(8), _mover(), _pointer()


@inlined_kernel
def copy_numbers(source, start, size, target, at):
    """Copy `size` numbers in eights, the last of which may overlap the one before; source and target lie apart."""
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


@inlined_kernel
def floats_at(address, rows, columns):
    """Return the matrix of 32-bit numbers at this address, which a record holds so that compiled code needs no further
    argument. The maker of the record must keep the matrix alive.
    """
    return carray(float_pointer(address), (rows, columns), np.float32)
