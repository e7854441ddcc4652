"""Chance as docs/rules/skyjo.md has it in part 10, for the oracles of all games; written from that page alone."""

from typing import Any

WORD = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """Scramble a 64-bit number (10.1)."""
    z &= WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return z ^ (z >> 31)


class Shuffler:
    """A table with a key, from which all its chance follows."""

    def __init__(self, seed: int, deal: int) -> None:
        """Set the key of a game (10.3)."""
        self.key = mix(mix(seed + GAMMA) + deal)
        self.chance = 0

    def begin_chance(self, number: int) -> None:
        """Begin the chance of a round (10.3)."""
        self.chance = mix(self.key + number * GAMMA)

    def next_number(self) -> int:
        """Step the generator and return its next 64-bit number (10.1)."""
        self.chance = (self.chance + GAMMA) & WORD
        return mix(self.chance)

    def number_below(self, n: int) -> int:
        """Return a number from 0 to n - 1 by chance, without bias (10.2)."""
        while True:
            m = (self.next_number() >> 32) * n
            if m % 2**32 >= 2**32 % n:
                return m >> 32

    def shuffle(self, cards: list[Any]) -> None:
        """Shuffle a list in place (10.2)."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.number_below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
