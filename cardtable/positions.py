"""What written positions of all games share: lines that begin with a word, and the numbers on them."""

import re
from collections.abc import Callable, Collection
from typing import Any

from cardtable.errors import PositionError


class PositionLines:
    """The lines of a written position, found by their first word; PositionError names the line and the reason.

    `;` stands for a line break, and `#` begins a comment. The order of different words is free.
    """

    def __init__(self, text: str, header: str, words: set[str]) -> None:
        """Split a text into its lines; it needs the header, such as `skyjo-position 1`, and may have these words."""
        if not isinstance(text, str):
            raise PositionError(f"a position is text, not {type(text).__name__}")
        self._lines: dict[str, list[tuple[int, str]]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            for part in line.partition("#")[0].split(";"):
                word, _, rest = part.strip().partition(" ")
                if word:
                    self._lines.setdefault(word, []).append((number, rest.strip()))
        self._check_words(header, words)

    def _check_words(self, header: str, words: set[str]) -> None:
        name = header.split()[0]
        for word, found in self._lines.items():
            if word not in words | {name}:
                raise PositionError(f"line {found[0][0]}: unknown word {word!r}; known are {', '.join(sorted(words))}")
        if not self._lines:
            raise PositionError(f"the text is empty; a position begins with {header!r}")

        def check_version(text: str) -> None:
            if f"{name} {text}" != header:
                raise ValueError(f"this version is not known; this reads {header!r}")

        self.one(name, check_version)

    def find(self, word: str) -> list[tuple[int, str]]:
        """The number of every line that begins with this word, and what follows the word."""
        return self._lines.get(word, [])

    def one(self, word: str, parse: Callable[[str], Any], *default: Any) -> Any:
        """Parse the one line that begins with this word; it may only be missing if there is a default."""
        found = self.find(word)
        if not found and default:
            return default[0]
        if len(found) != 1:
            raise PositionError(f"{len(found)} lines begin with {word!r}, one is needed")
        number, text = found[0]
        return self.parse(number, word, parse, text)

    def parse(self, number: int, word: str, parse: Callable[[str], Any], text: str) -> Any:
        """Parse what follows a word; an error of the parser becomes one that names the line."""
        try:
            return parse(text)
        except (ValueError, OverflowError) as error:
            raise PositionError(f"line {number}: {word} {text!r}: {error}") from None


def read_code(text: str, known: tuple[Any, ...]) -> int:
    """Where a word stands among those known."""
    if text not in known:
        raise ValueError(f"known are {', '.join(word for word in known if word is not None)}")
    return known.index(text)


def read_whole(text: str, limit: int) -> int:
    """A whole number from -limit to limit."""
    if not re.fullmatch(r"-?[0-9]{1,20}", text):
        raise ValueError(f"{text!r} is not a whole number")
    if abs(int(text)) > limit:
        raise ValueError(f"no number beyond {limit} can be held")
    return int(text)


def read_seats(text: str, players: int, limit: int) -> list[int]:
    """One number for every seat."""
    numbers = [read_whole(word, limit) for word in text.split()]
    if len(numbers) != players:
        raise ValueError(f"write {players} numbers, one a seat")
    return numbers


def read_chance(text: str) -> tuple[int, ...]:
    """The key of a game and the state of its generator."""
    if not re.fullmatch(r"[0-9a-f]{1,16} [0-9a-f]{1,16}", text):
        raise ValueError("write two hexadecimal numbers of at most 16 digits")
    return tuple(int(word, 16) for word in text.split())


def check_written(
    rules: Any, games: Any, write: Callable[[Any, Any], str], read: Callable[[str], Any], unwritten: Collection[str]
) -> None:
    """Refuse records that differ from their own positions: reading a position checks that such a table is possible.

    `unwritten` are fields that positions leave out. PositionError says what is wrong.
    """
    for game in games:
        text = write(rules, game)
        _, (again,) = read(text)
        wrong = [name for name in again.dtype.names if name not in unwritten and (again[name] != game[name]).any()]
        if wrong or write(rules, again) != text:
            raise PositionError(f"{', '.join(wrong) or 'cards'}: does not match the rest of the table")
