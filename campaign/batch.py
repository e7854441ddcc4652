"""A batch of work for a part of the campaign, and its result."""

import random
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

GAMES = ("skyjo", "skipbo", "skyjo_action")
LONGEST = 500  # characters of a failure's words


@dataclass(frozen=True)
class Batch:
    """A numbered piece of a part's work; all of it follows from these three."""

    part: str
    seed: int
    number: int

    @property
    def chance(self) -> random.Random:
        """The random numbers of this batch, from their beginning."""
        return random.Random(f"{self.seed} {self.part} {self.number}")

    @property
    def game(self) -> str:
        """The game of this batch; the games take turns."""
        return GAMES[self.number % len(GAMES)]


@dataclass
class Failure:
    """What went wrong, in one line, and the inputs that led to it: texts, or bytes in hexadecimal."""

    words: str
    inputs: dict[str, str] = field(default_factory=dict)


@dataclass
class Result:
    """The result of a batch: how much was done, what failed, and other counts that are added up."""

    done: int = 0
    failures: list[Failure] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, name: str, number: int = 1) -> None:
        """Add to one of the counts."""
        self.counts[name] = self.counts.get(name, 0) + number

    def fail(self, words: str, **inputs: str | bytes) -> None:
        """Note a failure, in one line."""
        kept = {name: value if isinstance(value, str) else value.hex() for name, value in inputs.items()}
        self.failures.append(Failure(" ".join(words.split())[:LONGEST], kept))

    @contextmanager
    def noting(self, inputs: Callable[[], dict[str, str]] = dict) -> Iterator[None]:
        """Make a failure of whatever is raised in this block."""
        try:
            yield
        except Exception as error:
            self.fail(f"{type(error).__name__}: {error}", traceback=traceback.format_exc(), **inputs())

    def to_document(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)
