"""What an agent is shown, as bytes for the connection: observations, masks and chances, and nothing else."""

import struct
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SHAPE = struct.Struct("<III")  # tables, numbers of an observation, actions


class Seen(NamedTuple):
    """What an agent is shown, at n tables."""

    observations: NDArray[np.int16]  # [n, D]
    masks: NDArray[np.int8]  # [n, A]
    chances: NDArray[np.uint64]  # [n]


def pack_seen(seen: Seen) -> bytes:
    """As bytes."""
    (tables, numbers), actions = seen.observations.shape, seen.masks.shape[1]
    kinds = zip(seen, (np.int16, np.int8, np.uint64), strict=True)
    arrays = (np.ascontiguousarray(array, kind).tobytes() for array, kind in kinds)
    return b"".join([SHAPE.pack(tables, numbers, actions), *arrays])


def read_seen(body: bytearray) -> Seen:
    """From bytes, in arrays that the agent may keep and write to."""
    tables, numbers, actions = SHAPE.unpack_from(body)
    start, middle = SHAPE.size, SHAPE.size + 2 * tables * numbers
    observations = np.frombuffer(body, np.int16, tables * numbers, start).reshape(tables, numbers)
    masks = np.frombuffer(body, np.int8, tables * actions, middle).reshape(tables, actions)
    chances = np.frombuffer(body, np.uint64, tables, middle + tables * actions)
    return Seen(observations.copy(), masks.copy(), chances.copy())
