"""Numbers copied from a game's record to an observation, as fast as the processor can."""

import numpy as np

from cardtable.kernel.compiler import inlined_kernel

ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT = map(np.uint64, range(1, 9))


@inlined_kernel
def copy_eight(source, start, target, at):
    """Copy eight numbers. All are read before one is written, so that the processor moves them at once."""
    a, b, c, d = source[start], source[start + ONE], source[start + TWO], source[start + THREE]
    e, f, g, h = source[start + FOUR], source[start + FIVE], source[start + SIX], source[start + SEVEN]
    target[at], target[at + ONE], target[at + TWO], target[at + THREE] = a, b, c, d
    target[at + FOUR], target[at + FIVE], target[at + SIX], target[at + SEVEN] = e, f, g, h


@inlined_kernel
def copy_numbers(source, start, size, target, at):
    """Copy numbers in eights, the last of which may overlap the one before; unsigned indices are never checked."""
    if size < EIGHT:
        for k in range(size):
            target[at + k] = source[start + k]
        return
    rest = size - EIGHT
    copy_eight(source, start, target, at)
    for k in range(EIGHT, rest, EIGHT):
        copy_eight(source, start + k, target, at + k)
    copy_eight(source, start + rest, target, at + rest)
