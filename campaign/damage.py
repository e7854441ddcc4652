"""Damage to files and texts: flipped bits, cuts, swaps, repetitions, extreme numbers, and hostile texts."""

import random
import re
from collections.abc import Callable

NUMBERS = ["-1", "0", "00", "1_0", "1e999", "nan", "-inf", "0x10", "\u0663", "255", "256", "32768", "65536"]
NUMBERS += ["2147483648", "9223372036854775808", "18446744073709551616", "-9223372036854775809", "9" * 400, "1.5"]
HOSTILE = [
    "\x1b[2J",
    "\u202e",
    "\u2066",
    "\x00",
    "\x85",
    "\r",
    "\n",
    "\ud800",
    "\ufeff",
    "é" * 50,
    "'",
    '"',
    "\\",
    "{}",
]
HOSTILE += ["[" * 2000, '{"a":' * 500, "null", "true", "[]", ",", ";", ":", "=", "|", "?", "(", ")", "../../etc/passwd"]
HOSTILE += ["%s%s%n", "${jndi:x}", "__class__", "A" * 5000, " ", "\t", "-", "#", "//", "<script>"]

Damage = Callable[[random.Random, bytes], bytes]


def span(chance: random.Random, data: bytes) -> tuple[int, int]:
    """Where a random part of the data begins and ends; mostly it is short."""
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


def drop(chance: random.Random, data: bytes) -> bytes:
    """Leave a part out."""
    first, end = span(chance, data)
    return data[:first] + data[end:]


def repeat(chance: random.Random, data: bytes) -> bytes:
    """Repeat a part."""
    first, end = span(chance, data)
    return data[:first] + data[first:end] * chance.choice((2, 3, 100)) + data[end:]


def swap(chance: random.Random, data: bytes) -> bytes:
    """Exchange two parts."""
    places = sorted((*span(chance, data), *span(chance, data)))
    a, b, c, d = places
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
    end = chance.choice((first, end))
    return data[:first] + chance.choice(HOSTILE).encode(errors="surrogatepass") + data[end:]


def shuffle_lines(chance: random.Random, data: bytes) -> bytes:
    """Exchange two lines or words, or leave one out, or write one twice."""
    mark = chance.choice((b"\n", b" ", b",", b";"))
    parts = data.split(mark)
    first, second = chance.randrange(len(parts)), chance.randrange(len(parts))
    kind = chance.randrange(3)
    if kind == 0:
        parts[first], parts[second] = parts[second], parts[first]
    elif kind == 1:
        del parts[first]
    else:
        parts.insert(second, parts[first])
    return mark.join(parts)


DAMAGES: tuple[Damage, ...] = (flip, overwrite, cut, drop, repeat, swap, grow, insult, shuffle_lines)
MOST = 2_000_000  # bytes of a damaged input, which repetitions could make far longer


def damaged(chance: random.Random, data: bytes) -> bytes:
    """The data after one to three damages."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        data = chance.choice(DAMAGES)(chance, data)
    return data[:MOST] if len(data) > MOST else data


def damaged_text(chance: random.Random, text: str) -> str:
    """The same for a text."""
    return damaged(chance, text.encode(errors="surrogatepass")).decode(
        errors=chance.choice(("replace", "surrogateescape"))
    )
