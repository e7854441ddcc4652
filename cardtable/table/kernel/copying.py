"""Fast copying from a game's record to an observation, and within a record; and arrays at an address.

Indices are unsigned and must be within bounds: nothing is checked. LLVM does not vectorise a copy that widens its
numbers, since source and target might overlap, so `copy_eight` is one vector load and one vector store.
"""

from typing import Any

import numba
import numpy as np

from cardtable.table.compiling.compiler import inlined_kernel
from cardtable.table.compiling.intrinsics import copy_eight, float_pointer

EIGHT = np.uint64(8)
carray: Any = numba.carray  # type: ignore[attr-defined]  # numba is not typed


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
    """The matrix of 32-bit numbers that begins at this address, which a record holds so that compiled code needs no
    further argument. Whoever makes the record must keep the matrix alive.
    """
    return carray(float_pointer(address), (rows, columns), np.float32)
