"""The two forms of an observation: "compact", the vector itself, and "onehot", an expansion for plain networks."""

from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from cardtable.card_game import CardGame, find_game
from cardtable.kernel.onehot import ENTRY_DTYPE, KINDS, encode
from cardtable.slices import Slice
from cardtable.table_threads import TableThreads

ENCODINGS = ("compact", "onehot")


class OneHot:
    """How observations under given rules become float32 vectors; `describe()` lists the slices.

    >>> import numpy as np
    >>> from skyjo_env import OFFICIAL, Game
    >>> from skyjo_env.card_game import SKYJO
    >>> onehot = OneHot(SKYJO, OFFICIAL)
    >>> vector = onehot.encode(Game(OFFICIAL).observation()[None])[0]
    >>> vector.shape, vector.dtype.name, int(vector[:7].argmax())
    ((516,), 'float32', 0)
    """

    def __init__(self, kind: CardGame, rules: Any) -> None:
        self._spec = spec = kind.spec_of(rules)
        self._cards, scales = kind.cards(rules), kind.scales(rules)
        codes = np.array(self._cards.codes)
        self._places = np.zeros(codes[-1] - codes[0] + 1, np.int64)
        self._places[codes - codes[0]] = np.arange(len(codes))
        self._entries = np.zeros(spec.size, ENTRY_DTYPE)
        low, high, start = [], [], 0
        for part in spec.slices:
            kind_of_part, width = _kind(part), _width(part, self._cards.codes)
            scale = float(scales.get(part.name, max(abs(part.low), abs(part.high), 1)))
            entries = self._entries[part.start : part.stop]
            entries["kind"], entries["low"] = KINDS.index(kind_of_part), part.low
            entries["width"], entries["scale"] = width, scale
            entries["start"] = start + width * np.arange(len(entries))
            start += width * len(entries)
            bounds = (part.low / scale, part.high / scale) if kind_of_part == "number" else (0.0, 1.0)
            low.append(np.full(width * len(entries), bounds[0], np.float32))
            high.append(np.full(width * len(entries), bounds[1], np.float32))
        self.low, self.high, self.size = np.concatenate(low), np.concatenate(high), start

    def encode(
        self,
        observations: NDArray[np.int16],
        team: TableThreads | None = None,
        room: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """The encoding of observations [N, D] as [N, E], in a new array or in `room`; a team for N tables shares the
        work.
        """
        encoded = np.empty((len(observations), self.size), np.float32) if room is None else room
        if team is None:
            encode(observations, self._entries, self._places, encoded)
            return encoded

        def encode_part(number: int) -> None:
            part = team.parts[number]
            encode(observations[part], self._entries, self._places, encoded[part])

        team.run(encode_part)
        return encoded

    def describe(self) -> str:
        """The encoded slices as a Markdown table."""
        rows = ["| name | start | shape | one number for each |", "| --- | --- | --- | --- |"]
        for part in self._spec.slices:
            entry = self._entries[part.start]
            shape = [*part.shape, int(entry["width"])] if _kind(part) != "number" else list(part.shape or (1,))
            rows.append(
                f"| {part.name} | {entry['start']} | {' × '.join(map(str, shape))} | {self._legend(part, entry)} |"
            )
        return "\n".join(rows)

    def _legend(self, part: Slice, entry: Any) -> str:
        if _kind(part) == "number":
            return f"the number divided by {entry['scale']:g}"
        return f"value from {part.low} to {part.high}" if part.kind == "choice" else self._cards.legend


def _kind(part: Slice) -> str:
    """The kind of a slice here: the cards of a pile are numbers, since a vector for each would be far too long."""
    return "number" if part.kind == "pile" else part.kind


def _width(part: Slice, codes: tuple[int, ...]) -> int:
    if part.kind == "card":
        return len(codes)
    return part.high - part.low + 1 if part.kind == "choice" else 1


@lru_cache(maxsize=64)
def onehot_of(kind: CardGame, rules: Any) -> OneHot:
    """The one-hot encoding of these rules, made once."""
    return OneHot(kind, rules)


def observation_box(kind: CardGame, rules: Any, encoding: str) -> spaces.Box:
    """The space of observations in this form."""
    spec = kind.spec_of(rules) if encoding == "compact" else onehot_of(kind, rules)
    dtype: Any = np.int16 if encoding == "compact" else np.float32
    return spaces.Box(spec.low, spec.high, dtype=dtype)


def observation_space(rules: Any) -> spaces.Box:
    """The space of compact observations under these rules."""
    return observation_box(find_game(rules.game), rules, "compact")


def encoded(
    kind: CardGame, rules: Any, encoding: str, observations: NDArray[np.int16], team: TableThreads | None = None
) -> NDArray[Any]:
    """Observations [N, D] in this form; the compact ones are not copied."""
    return observations if encoding == "compact" else onehot_of(kind, rules).encode(observations, team)
