"""Arrays that a record refers to by their address, so that compiled code finds them without more arguments.

Whoever makes such a record must keep the array alive as long as the record is used.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from cardtable.kernel.compiler import config, inlined_kernel


def _pointer() -> Callable[..., Any]:
    """A function that turns an address into a pointer to 32-bit floats."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    def pointed(_: Any, address: Any) -> Any:
        return types.CPointer(types.float32)(address), build

    def pointed_in_python(address: Any) -> Any:
        return ctypes.cast(int(address), ctypes.POINTER(ctypes.c_float))

    return pointed_in_python if config.DISABLE_JIT else intrinsic(pointed)


float_pointer = _pointer()
carray: Any = numba.carray  # type: ignore[attr-defined]  # numba is not typed


@inlined_kernel
def floats_at(address, rows, columns):
    """The matrix of numbers of 32 bits that begins at this address."""
    return carray(float_pointer(address), (rows, columns), np.float32)
