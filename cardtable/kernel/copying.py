"""Numbers copied from a game's record to an observation and within it, as fast as the processor can.

All indices are unsigned, which are never checked.
"""

import numpy as np

from cardtable.kernel.compiler import inlined_kernel

ZERO, ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT = map(np.uint64, range(9))


@inlined_kernel
def copy_eight(source, start, target, at):
    """Copy eight numbers. All are read before one is written, so that the processor moves them at once."""
    a, b, c, d = source[start], source[start + ONE], source[start + TWO], source[start + THREE]
    e, f, g, h = source[start + FOUR], source[start + FIVE], source[start + SIX], source[start + SEVEN]
    target[at], target[at + ONE], target[at + TWO], target[at + THREE] = a, b, c, d
    target[at + FOUR], target[at + FIVE], target[at + SIX], target[at + SEVEN] = e, f, g, h


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
def copy_four(source, target, at):
    """Copy the first four numbers."""
    a, b, c, d = source[ZERO], source[ONE], source[TWO], source[THREE]
    target[at], target[at + ONE], target[at + TWO], target[at + THREE] = a, b, c, d


@inlined_kernel
def fill(target, start, size, number):
    """Write the same number `size` times."""
    for k in range(start, start + size):
        target[k] = number


@inlined_kernel
def move_up(numbers, start, end):
    """Move the numbers from `start` to before `end` up by one place, in eights from the end."""
    at = end
    while at >= start + EIGHT:
        at -= EIGHT
        copy_eight(numbers, at, numbers, at + ONE)
    while at > start:
        at -= ONE
        numbers[at + ONE] = numbers[at]


@inlined_kernel
def move_down(numbers, start, end):
    """Move the numbers from `start` to before `end` down by one place, in eights from the start."""
    at = start
    while at + EIGHT <= end:
        copy_eight(numbers, at, numbers, at - ONE)
        at += EIGHT
    while at < end:
        numbers[at - ONE] = numbers[at]
        at += ONE
