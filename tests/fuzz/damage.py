"""Damage to files, texts and records: flipped bits, cuts, swaps, repetitions, extreme numbers, hostile texts."""

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

NUMBERS = ("-1", "0", "1_0", "1e999", "nan", "0x10", "\u0663", "256", "32768", "2147483648", "9" * 400, "1.5")
HOSTILE = ["\x1b[2J", "\u202e", "\x00", "\r", "\n", "\ud800", "\ufeff", "'", '"', "\\", "{}", "[" * 2000, '{"a":' * 500]
HOSTILE += ["null", "[]", ",", ";", ":", "=", "|", "?", "../../etc/passwd", "%s%n", "__class__", "A" * 5000, "\t", "#"]
Attempts = Iterator[tuple[bytes, Callable[[], object]]]  # damaged inputs, and what reads them

MAX_BYTES = 2_000_000  # bytes of a damaged input, which repetitions could make far longer


def span(chance: random.Random, data: bytes) -> tuple[int, int]:
    """Return where a random part of the data begins and ends; mostly it is short."""
    first = chance.randrange(len(data) + 1)
    return first, min(len(data), first + chance.choice((1, 2, 4, 16, 200)))


def flip(chance: random.Random, data: bytes) -> bytes:
    """Change some bits."""
    bad = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8)) if bad else 0):
        bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
    return bytes(bad)


def overwrite(chance: random.Random, data: bytes) -> bytes:
    """Write random, equal or extreme bytes over a part."""
    first, end = span(chance, data)
    fill = chance.choice((b"\x00", b"\xff", b"\x7f", b"\x80", chance.randbytes(1)))
    return data[:first] + chance.choice((fill * (end - first), chance.randbytes(end - first))) + data[end:]


def cut(chance: random.Random, data: bytes) -> bytes:
    """Keep only the beginning, or only the end."""
    at = chance.randrange(len(data) + 1)
    return chance.choice((data[:at], data[at:]))


def repeat(chance: random.Random, data: bytes) -> bytes:
    """Leave a part out, or repeat it."""
    first, end = span(chance, data)
    return data[:first] + data[first:end] * chance.choice((0, 2, 100)) + data[end:]


def swap(chance: random.Random, data: bytes) -> bytes:
    """Exchange two parts."""
    a, b, c, d = sorted((*span(chance, data), *span(chance, data)))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def grow(chance: random.Random, data: bytes) -> bytes:
    """Replace a number in digits by another one, often an extreme one."""
    found = [*re.finditer(rb"-?\d+", data)]
    if not found:
        return flip(chance, data)
    number = chance.choice(found)
    return data[: number.start()] + chance.choice(NUMBERS).encode() + data[number.end() :]


def insult(chance: random.Random, data: bytes) -> bytes:
    """Insert a hostile text, or put it in place of a part."""
    first, end = span(chance, data)
    return data[:first] + chance.choice(HOSTILE).encode(errors="surrogatepass") + data[chance.choice((first, end)) :]


DAMAGES = (flip, overwrite, cut, repeat, swap, grow, insult)


def damaged(chance: random.Random, data: bytes) -> bytes:
    """Return the data after one to three damages."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        data = chance.choice(DAMAGES)(chance, data)
    return data[:MAX_BYTES]


def damaged_text(chance: random.Random, text: str) -> str:
    """Return a text after one to three damages of its bytes."""
    bad = damaged(chance, text.encode(errors="surrogatepass"))
    return bad.decode(errors=chance.choice(("replace", "surrogateescape")))


def damaged_record(state: NDArray[Any], chance: random.Random) -> NDArray[Any]:
    """Return a record with other numbers in one or two of its fields, or with other bytes."""
    if chance.random() < 0.2:
        return np.frombuffer(overwrite(chance, state.tobytes()), state.dtype)
    bad = state.copy()
    for _ in range(chance.randrange(1, 3)):
        cells = bad[chance.choice([*(bad.dtype.names or ())])].reshape(-1)
        info, at = np.iinfo(cells.dtype), chance.randrange(cells.size)
        near = int(cells[at]) - 1, int(cells[at]) + 1
        usual = [info.min, info.max, *near, *near, -1, 0, 1, 2, int(chance.choice(cells)), chance.randrange(30)]
        cells[at] = chance.choice([number for number in usual if info.min <= number <= info.max])
    return bad
