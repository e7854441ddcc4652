"""What compiled code does below numba's own language: vector copies, moves within an array, and pointers.

Nothing is checked. With NUMBA_DISABLE_JIT=1 plain numpy and ctypes do the same.
"""

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from cardtable.table.compiling.compiler import config


def _address(context: Any, builder: Any, kind: types.Array, array: Any, at: Any) -> Any:
    """The address of one number of an array."""
    return builder.gep(context.make_array(kind)(context, builder, value=array).data, [at])


def _copier(lanes: int) -> Callable[..., None]:
    """A function that copies so many numbers from `source[start]` to `target[at]`, where they may be wider."""

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
    """A function that moves so many numbers within their array; where they go may overlap where they were."""

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
    """A function that turns an address into a pointer to 32-bit floats."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    def pointed(_: Any, address: Any) -> Any:
        return types.CPointer(types.float32)(address), build

    def pointed_in_python(address: Any) -> Any:
        return ctypes.cast(int(address), ctypes.POINTER(ctypes.c_float))

    return pointed_in_python if config.DISABLE_JIT else intrinsic(pointed)


copy_four, copy_eight, move, float_pointer = _copier(4), _copier(8), _mover(), _pointer()
